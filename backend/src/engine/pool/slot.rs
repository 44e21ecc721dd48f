//! The place of the one model in memory, from the start of its worker to the end of it.

use std::collections::VecDeque;

use hearth_protocol::engine::{Activity, LoadOptions, LoadedModel};
use hearth_protocol::generate::{StopReason, TurnStats};
use hearth_protocol::library::LibraryFile;
use hearth_protocol::{Error, LoadedId, Result};
use tokio::sync::oneshot;

use super::wish::{JobWish, LoadWish, Wish};
use crate::engine::JobEvent;
use crate::engine::ipc::{LoadedInfo, Request, Response};
use crate::engine::job::JobSink;
use crate::engine::worker_handle::Worker;

/// What stands in the place.
#[derive(Default)]
pub(super) enum Slot {
    #[default]
    Empty,
    Loading(Loading),
    Ready(Ready),
    /// The worker ends; the place is free once it has ended.
    Ending(Ending),
}

/// A model on its way into memory.
pub(super) struct Loading {
    number: u64,
    worker: Worker,
    pub(super) file: LibraryFile,
    pub(super) options: LoadOptions,
    share: f32,
    /// Those who wait for it; never empty.
    pub(super) wishes: Vec<Wish>,
}

/// A model in memory.
pub(super) struct Ready {
    number: u64,
    worker: Worker,
    pub(super) file: LibraryFile,
    pub(super) options: LoadOptions,
    pub(super) model: LoadedModel,
    pub(super) running: Option<Running>,
    /// Jobs that wait; empty while none runs.
    pub(super) queue: VecDeque<JobWish>,
}

/// A job that the worker has begun.
pub(super) struct Running {
    id: u64,
    events: JobSink,
    writing: bool,
}

/// A worker that ends.
pub(super) struct Ending {
    number: u64,
    /// Held so that the worker is not dropped, which would kill it before it could say how far it came.
    _worker: Worker,
    /// The model it held.
    pub(super) model: Option<LoadedId>,
    /// The job it was busy with, and what that shall end with.
    running: Option<(Running, StopReason)>,
    /// Why the load failed, and who is told so once the log is whole.
    failed: Option<(Error, Vec<Wish>)>,
    /// Who waits for the memory to be free.
    pub(super) ejected_for: Vec<oneshot::Sender<Result<()>>>,
}

/// A job's last event, told once the pool's state shows it.
pub(super) struct JobEnd {
    events: JobSink,
    outcome: Result<(StopReason, TurnStats)>,
}

impl Slot {
    /// The number of the worker in it.
    pub(super) fn worker(&self) -> Option<u64> {
        match self {
            Self::Empty => None,
            Self::Loading(loading) => Some(loading.number),
            Self::Ready(ready) => Some(ready.number),
            Self::Ending(ending) => Some(ending.number),
        }
    }

    /// The model in memory.
    pub(super) fn model(&self) -> Option<&LoadedModel> {
        match self {
            Self::Ready(ready) => Some(&ready.model),
            _ => None,
        }
    }
}

impl Loading {
    pub(super) fn new(number: u64, worker: Worker, file: LibraryFile, options: LoadOptions) -> Self {
        Self {
            number,
            worker,
            file,
            options,
            share: 0.0,
            wishes: Vec::new(),
        }
    }

    pub(super) fn join(&mut self, mut wish: Wish) {
        if self.wishes.len() >= super::QUEUE_LENGTH {
            return wish.fail(super::busy(
                "too many requests wait for it; try again later".into(),
            ));
        }
        wish.begun(&self.file, self.share);
        self.wishes.push(wish);
    }

    pub(super) fn progress(&mut self, share: f32) {
        self.share = self.share.max(share.clamp(0.0, 1.0));
        for wish in &mut self.wishes {
            wish.progress(self.share);
        }
    }

    /// It is in memory: the jobs wait their turn, the others are to be told.
    pub(super) fn loaded(self, id: LoadedId, info: LoadedInfo) -> (Ready, Vec<LoadWish>) {
        let mut queue = VecDeque::new();
        let mut loads = Vec::new();
        for wish in self.wishes {
            match wish {
                Wish::Load(wish) => loads.push(wish),
                Wish::Job(wish) => queue.push_back(wish),
            }
        }
        let model = LoadedModel {
            id,
            file: self.file.id.clone(),
            name: self.file.name.clone(),
            quantisation: self.file.quantisation.clone(),
            size: self.file.size,
            context_length: info.context_length,
            has_chat_template: info.has_chat_template,
            gpu_layers: info.gpu_layers,
            threads: info.threads,
            process: self.worker.process(),
            activity: Activity::Idle,
        };
        let ready = Ready {
            number: self.number,
            worker: self.worker,
            file: self.file,
            options: self.options,
            model,
            running: None,
            queue,
        };
        (ready, loads)
    }

    /// Nobody wants it any more: there is nothing in the worker to be kept.
    pub(super) fn abandon(mut self) -> Ending {
        self.worker.kill();
        Ending::new(self.number, self.worker)
    }

    /// The worker could not load it.
    pub(super) fn fail(mut self, error: Error) -> Ending {
        self.worker.leave();
        Ending {
            failed: Some((error, self.wishes)),
            ..Ending::new(self.number, self.worker)
        }
    }
}

impl Ready {
    /// Begins the first job that waits, if none runs; gives whether it did.
    pub(super) fn begin_next_job(&mut self) -> bool {
        if self.running.is_some() {
            return false;
        }
        let Some(wish) = self.queue.pop_front() else {
            self.model.activity = Activity::Idle;
            return false;
        };
        self.model.activity = Activity::Generating;
        self.worker.ask(Request::generate(wish.id, wish.job));
        self.running = Some(Running {
            id: wish.id,
            events: wish.events,
            writing: false,
        });
        true
    }

    /// Tells the job that has just begun.
    pub(super) fn tell_begun(&self) {
        if let Some(running) = &self.running {
            running.events.send(JobEvent::Started(self.model.clone()));
        }
    }

    /// Stops a job that runs or waits; another is none of this model's.
    pub(super) fn stop(&mut self, job: u64) {
        if self.running.as_ref().is_some_and(|running| running.id == job) {
            self.worker.ask(Request::Stop { id: job });
        } else if let Some(place) = self.queue.iter().position(|wish| wish.id == job)
            && let Some(wish) = self.queue.remove(place)
        {
            wish.events.finish(StopReason::UserStopped, TurnStats::default());
        }
    }

    /// Takes what the worker says of its job; gives the job's end when it is that.
    pub(super) fn hear(&mut self, response: Response) -> Option<JobEnd> {
        let (running, outcome) = hear_job(self.running.take(), response);
        match (running, outcome) {
            (Some(running), Some(outcome)) => Some(JobEnd {
                events: running.events,
                outcome,
            }),
            (running, _) => {
                self.running = running;
                None
            }
        }
    }

    /// Lets the worker end; what it writes and what waits for it ends with `reason`.
    pub(super) fn end(mut self, reason: StopReason) -> Ending {
        self.worker.leave();
        for wish in self.queue {
            wish.events.finish(reason.clone(), TurnStats::default());
        }
        Ending {
            model: Some(self.model.id),
            running: self.running.map(|running| (running, reason)),
            ..Ending::new(self.number, self.worker)
        }
    }
}

impl Running {
    /// The worker died under it.
    pub(super) fn fail(self, cause: String, log: Vec<String>) {
        let during = if self.writing {
            "writing the answer"
        } else {
            "reading the prompt"
        };
        self.events.fail(super::died(during, cause, log));
    }
}

impl Ending {
    fn new(number: u64, worker: Worker) -> Self {
        Self {
            number,
            _worker: worker,
            model: None,
            running: None,
            failed: None,
            ejected_for: Vec::new(),
        }
    }

    /// Takes the last words of the job that is cut off.
    pub(super) fn hear(&mut self, response: Response) {
        let Some((running, reason)) = self.running.take() else {
            return;
        };
        let (running, outcome) = hear_job(Some(running), response);
        match (running, outcome) {
            (Some(running), Some(Ok((stop, stats)))) => {
                // The worker knows only that it was to stop; an end that it came to by itself stays.
                let stop = if stop == StopReason::UserStopped {
                    reason
                } else {
                    stop
                };
                running.events.finish(stop, stats);
            }
            (Some(running), Some(Err(error))) => running.events.fail(error),
            (running, _) => self.running = running.map(|running| (running, reason)),
        }
    }

    /// The process is gone and its memory free.
    pub(super) fn ended(self, log: Vec<String>) {
        if let Some((running, reason)) = self.running {
            running.events.finish(reason, TurnStats::default());
        }
        if let Some((error, wishes)) = self.failed {
            let error = match error {
                Error::LoadFailed { reason, .. } => Error::LoadFailed { reason, log },
                error => error,
            };
            for wish in wishes {
                wish.fail(error.clone());
            }
        }
        for done in self.ejected_for {
            super::answer(done, Ok(()));
        }
    }
}

impl JobEnd {
    pub(super) fn tell(self) {
        match self.outcome {
            Ok((stop, stats)) => self.events.finish(stop, stats),
            Err(error) => self.events.fail(error),
        }
    }
}

/// Passes on what a worker says of its job; gives how the job ended when it says that.
fn hear_job(
    mut running: Option<Running>,
    response: Response,
) -> (Option<Running>, Option<Result<(StopReason, TurnStats)>>) {
    let mut outcome = None;
    match (&mut running, response) {
        (Some(job), Response::Begun { id, .. }) if job.id == id => (),
        (Some(job), Response::PromptProgress { id, processed, total }) if job.id == id => {
            job.events.send(JobEvent::PromptProgress { processed, total });
            job.writing |= processed >= total;
        }
        (Some(job), Response::Piece { id, piece }) if job.id == id => {
            job.events.send(JobEvent::Piece(piece));
            job.writing = true;
        }
        (Some(job), Response::Logprobs { id, tokens }) if job.id == id => {
            job.events.send(JobEvent::Logprobs(tokens));
        }
        (Some(job), Response::Finished { id, stop, stats }) if job.id == id => {
            outcome = Some(Ok((stop, stats)))
        }
        (Some(job), Response::Failed { id, error }) if job.id == id => outcome = Some(Err(error)),
        (_, response) => tracing::warn!(?response, "a worker spoke out of turn"),
    }
    (running, outcome)
}
