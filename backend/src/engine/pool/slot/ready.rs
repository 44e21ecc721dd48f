//! A model in memory and the jobs that its worker has.

use std::collections::BTreeMap;
use std::time::Duration;

use hearth_protocol::engine::{Activity, KeepLoaded, LoadOptions, LoadedModel};
use hearth_protocol::generate::{StopReason, TurnStats};
use hearth_protocol::library::LibraryFile;
use hearth_protocol::{ChatId, Result};
use tokio::time::Instant;

use super::Ending;
use crate::engine::ipc::{Request, Response};
use crate::engine::job::JobSink;
use crate::engine::pool::watchdog::{Due, HANG_LIMIT};
use crate::engine::pool::wish::{JobWish, LoadReason, Queue};
use crate::engine::pool::{QUEUE_LENGTH, died, too_many};
use crate::engine::worker_handle::Worker;
use crate::engine::{JobEvent, Work};

/// A model in memory.
pub(in crate::engine::pool) struct Ready {
    worker: Worker,
    pub(in crate::engine::pool) file: LibraryFile,
    pub(in crate::engine::pool) options: LoadOptions,
    pub(in crate::engine::pool) model: LoadedModel,
    /// Bytes it takes; `None` where unknown.
    pub(in crate::engine::pool) need: Option<u64>,
    pub(in crate::engine::pool) reason: LoadReason,
    /// How long it stays when it does nothing.
    pub(in crate::engine::pool) keep: KeepLoaded,
    /// The jobs that the worker has.
    jobs: Jobs,
    /// While it works: when the worker last said something. Else: since when it does nothing.
    since: Instant,
    /// It was silent for too long and has been killed.
    hung: bool,
}

/// Jobs by their numbers.
pub(in crate::engine::pool) type Jobs = BTreeMap<u64, Running>;

/// A job that a worker has.
pub(in crate::engine::pool) enum Running {
    /// It waits in the worker: another could make it as well.
    Waiting(Box<JobWish>),
    /// It is being made.
    Begun {
        events: JobSink,
        doing: Doing,
        queue: Queue,
    },
}

/// What a worker does for a job that it has begun.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::engine::pool) enum Doing {
    Reading,
    /// The prompt is read.
    Writing,
    Embedding,
    /// It answers a question.
    Telling,
}

/// A job's last event, told once the pool's state shows it.
pub(in crate::engine::pool) struct JobEnd {
    events: JobSink,
    outcome: Result<(StopReason, TurnStats)>,
}

impl Ready {
    pub(super) fn new(
        worker: Worker,
        file: LibraryFile,
        options: LoadOptions,
        model: LoadedModel,
        now: Instant,
    ) -> Self {
        Self {
            worker,
            file,
            options,
            model,
            need: None,
            reason: LoadReason::Request,
            keep: KeepLoaded::Default,
            jobs: Jobs::new(),
            since: now,
            hung: false,
        }
    }

    pub(in crate::engine::pool) fn is_busy(&self) -> bool {
        !self.jobs.is_empty()
    }

    pub(in crate::engine::pool) fn is_hung(&self) -> bool {
        self.hung
    }

    /// Since when it does nothing.
    pub(in crate::engine::pool) fn since(&self) -> Instant {
        self.since
    }

    /// Hands a job to the worker. It answers as many at once as it has slots, and lets the others wait: a limited number
    /// of each kind, so that no crowd of programs keeps a chat out.
    pub(in crate::engine::pool) fn begin(&mut self, wish: JobWish, now: Instant) {
        let queue = wish.queue();
        let before = self.jobs.values().filter(|job| job.queue() == queue).count();
        if before >= self.options.parallel_slots as usize + QUEUE_LENGTH {
            return wish.events.fail(too_many());
        }
        if !self.is_busy() {
            self.since = now;
        }
        if wish.keep != KeepLoaded::Default {
            self.keep = wish.keep;
        }
        self.worker.ask(Request::of(wish.id, &wish.work));
        self.jobs.insert(wish.id, Running::Waiting(Box::new(wish)));
        self.model.activity = self.activity();
    }

    /// What a person sees that it does: a question is answered before anyone could see it.
    fn activity(&self) -> Activity {
        match self.jobs.values().any(|job| !job.is_question()) {
            true => Activity::Generating,
            false => Activity::Idle,
        }
    }

    /// Someone asked for it to be in memory for so long, where it is already.
    pub(in crate::engine::pool) fn wanted_by_hand(&mut self, keep: KeepLoaded, now: Instant) {
        self.reason = LoadReason::Hand;
        self.keep = keep;
        if !self.is_busy() {
            self.since = now;
        }
    }

    /// A chat is deleted: the worker keeps nothing more of it.
    pub(in crate::engine::pool) fn forget(&self, chat: ChatId) {
        self.worker.ask(Request::Forget { chat: chat.0 });
    }

    /// Stops a job, if it is one of these. One that waits ends here and now.
    pub(in crate::engine::pool) fn stop(&mut self, job: u64, now: Instant) -> Option<JobEnd> {
        let running = self.jobs.get(&job)?;
        self.worker.ask(Request::Stop { id: job });
        if let Running::Begun { .. } = running {
            return None;
        }
        let running = self.jobs.remove(&job)?;
        self.job_ended(now);
        Some(JobEnd {
            events: running.into_events(),
            outcome: Ok((StopReason::UserStopped, TurnStats::default())),
        })
    }

    /// Takes what the worker says; gives a job's end when it is that.
    pub(in crate::engine::pool) fn hear(&mut self, response: Response, now: Instant) -> Option<JobEnd> {
        if self.is_busy() {
            self.since = now;
        }
        let end = hear_job(&mut self.jobs, response, &self.model);
        if end.is_some() {
            self.job_ended(now);
        }
        end
    }

    fn job_ended(&mut self, now: Instant) {
        if !self.is_busy() {
            self.since = now;
        }
        self.model.activity = self.activity();
    }

    /// What comes due, and when.
    pub(in crate::engine::pool) fn due(&self, idle_unload: Option<Duration>) -> Option<(Instant, Due)> {
        if self.hung {
            None
        } else if self.is_busy() {
            Some((self.since + HANG_LIMIT, Due::Kill))
        } else {
            Some((self.since + self.time_to_live(idle_unload)?, Due::Unload))
        }
    }

    /// How long it stays while it does nothing; `None` is for good.
    fn time_to_live(&self, idle_unload: Option<Duration>) -> Option<Duration> {
        match self.keep {
            KeepLoaded::Always => None,
            KeepLoaded::Seconds(seconds) => Some(Duration::from_secs(seconds.into())),
            KeepLoaded::Default => idle_unload.filter(|_| self.reason == LoadReason::Request),
        }
    }

    /// The model as others are told of it from now on.
    pub(in crate::engine::pool) fn as_it_is(&mut self, idle_unload: Option<Duration>) -> LoadedModel {
        let seconds = |time: Duration| u32::try_from(time.as_secs()).unwrap_or(u32::MAX);
        self.model.time_to_live = self.time_to_live(idle_unload).map(seconds);
        self.model.clone()
    }

    /// Kills the worker; its end is told as that of any other.
    pub(in crate::engine::pool) fn kill_hung(&mut self) {
        tracing::warn!(model = self.file.name, "a worker hangs and is killed");
        self.hung = true;
        self.worker.kill();
    }

    /// Lets the worker end; what it writes and what waits for it ends with `reason`.
    pub(in crate::engine::pool) fn end(mut self, reason: StopReason) -> Ending {
        self.worker.leave();
        let mut begun = Jobs::new();
        for (id, running) in self.jobs {
            match running {
                Running::Waiting(wish) => wish.events.finish(reason.clone(), TurnStats::default()),
                running => drop(begun.insert(id, running)),
            }
        }
        Ending::new(self.worker, self.file, self.need).of_model(self.model, begun, reason)
    }

    /// The worker has ended by itself. What it had begun is lost; gives what it had not, to be made by another.
    pub(in crate::engine::pool) fn died(self, cause: String, log: &[String]) -> Vec<JobWish> {
        let cause = if self.hung { "it hung".to_owned() } else { cause };
        tracing::warn!(cause, model = self.file.name, "a worker ended by itself");
        let mut unharmed = Vec::new();
        for running in self.jobs.into_values() {
            match running {
                Running::Waiting(wish) => {
                    let (reason, keep) = (self.reason, self.keep);
                    unharmed.extend(wish.for_another_worker(reason, keep, &self.options, &cause, log));
                }
                Running::Begun { events, doing, .. } => {
                    let during = match doing {
                        Doing::Reading => "reading the prompt",
                        Doing::Writing => "writing the answer",
                        Doing::Embedding => "embedding",
                        Doing::Telling => "answering a question",
                    };
                    events.fail(died(during, cause.clone(), log.to_vec()));
                }
            }
        }
        unharmed
    }
}

impl Running {
    pub(super) fn into_events(self) -> JobSink {
        match self {
            Self::Waiting(wish) => wish.events,
            Self::Begun { events, .. } => events,
        }
    }

    fn queue(&self) -> Queue {
        match self {
            Self::Waiting(wish) => wish.queue(),
            Self::Begun { queue, .. } => *queue,
        }
    }

    fn is_question(&self) -> bool {
        self.queue() == Queue::Questions
    }

    /// The job as one that is being made; who waited for that is told.
    fn begun(self, model: &LoadedModel) -> Self {
        match self {
            Self::Waiting(wish) => {
                wish.events.send(JobEvent::Started(model.clone()));
                Self::Begun {
                    queue: wish.queue(),
                    events: wish.events,
                    doing: match wish.work {
                        Work::Answer(_) => Doing::Reading,
                        Work::Embed(_) => Doing::Embedding,
                        Work::Tell(_) => Doing::Telling,
                    },
                }
            }
            begun => begun,
        }
    }

    /// Passes on what is said of it; gives how it ended when it is that.
    fn hear(&mut self, response: Response) -> Option<Result<(StopReason, TurnStats)>> {
        let Self::Begun { events, doing, .. } = self else {
            return None;
        };
        match response {
            Response::PromptProgress {
                processed,
                cached,
                total,
                ..
            } => {
                events.send(JobEvent::PromptProgress {
                    processed,
                    cached,
                    total,
                });
                if processed >= total {
                    *doing = Doing::Writing;
                }
            }
            Response::Piece { piece, .. } => {
                events.send(JobEvent::Piece(piece));
                *doing = Doing::Writing;
            }
            Response::Vector { tokens, vector, .. } => events.send(JobEvent::Vector { tokens, vector }),
            Response::Logprobs { tokens, .. } => events.send(JobEvent::Logprobs(tokens)),
            Response::ToldSome { tokens, .. } => events.send(JobEvent::ToldSome(tokens)),
            Response::Told { told, .. } => {
                events.send(JobEvent::Told(told));
                return Some(Ok((StopReason::EndOfText, TurnStats::default())));
            }
            Response::Finished { stop, stats, .. } => return Some(Ok((stop, stats))),
            Response::Failed { error, .. } => return Some(Err(error)),
            _ => (),
        }
        None
    }
}

/// Passes on what a worker says of one of these jobs; gives the job's end when it is that.
pub(super) fn hear_job(jobs: &mut Jobs, response: Response, model: &LoadedModel) -> Option<JobEnd> {
    let Some(id) = response.answer() else {
        if response != Response::Alive {
            tracing::warn!(?response, "a worker spoke out of turn");
        }
        return None;
    };
    let Some(running) = jobs.remove(&id) else {
        // It was stopped while it waited, and the worker did not know that yet.
        tracing::debug!(id, "a worker spoke of a job that has ended");
        return None;
    };
    // Whatever a worker says of a job, it has begun it; only a refusal comes without that.
    let mut running = match response {
        Response::Failed { .. } => running,
        _ => running.begun(model),
    };
    let outcome = match response {
        Response::Failed { error, .. } => Some(Err(error)),
        response => running.hear(response),
    };
    match outcome {
        Some(outcome) => Some(JobEnd {
            events: running.into_events(),
            outcome,
        }),
        None => {
            jobs.insert(id, running);
            None
        }
    }
}

impl JobEnd {
    pub(in crate::engine::pool) fn tell(self) {
        match self.outcome {
            Ok((stop, stats)) => self.events.finish(stop, stats),
            Err(error) => self.events.fail(error),
        }
    }

    /// The end of a job that was cut off for this reason. The worker knows only that it was to stop; an end that it came
    /// to by itself stays.
    pub(super) fn cut_off(mut self, reason: &StopReason) -> Self {
        if let Ok((stop, _)) = &mut self.outcome
            && *stop == StopReason::UserStopped
        {
            *stop = reason.clone();
        }
        self
    }
}
