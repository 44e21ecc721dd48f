//! The models in memory: one task owns them all, takes messages one after the other and never waits.
//!
//! One model at a time for now. Loading is single-flight; another file takes the place of an idle one and is
//! refused while one writes. Answers of one model are made one after the other, in the order they were asked for.

mod options;
mod slot;
mod wish;

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use hearth_protocol::engine::{Device, EngineEvent, LoadEvent, LoadOptions, LoadedModel};
use hearth_protocol::generate::{StopReason, TurnStats};
use hearth_protocol::library::LibraryFile;
use hearth_protocol::{Error, EventSink, LoadedId, RequestId, Result};
use tokio::sync::{mpsc, oneshot, watch};

use super::ipc::{Request, Response};
use super::job::JobSink;
use super::worker_handle::{Worker, WorkerEvent};
use super::Job;
use crate::config::WorkerCommand;
use slot::{Loading, Slot};
use wish::{JobWish, LoadWish, Wish};

/// Answers that may wait for the one that is being made.
const QUEUE_LENGTH: usize = 64;

/// How long a worker may look for devices; a driver that hangs must not hang the question.
const DEVICES_LIMIT: Duration = Duration::from_secs(30);

/// What the pool is told.
#[derive(Debug)]
pub(super) enum Message {
    Load {
        file: LibraryFile,
        options: Box<LoadOptions>,
        events: EventSink<LoadEvent>,
    },
    CancelLoad {
        request: RequestId,
        done: Option<oneshot::Sender<()>>,
    },
    Generate {
        id: u64,
        file: LibraryFile,
        options: Box<LoadOptions>,
        job: Box<Job>,
        events: JobSink,
    },
    Stop {
        job: u64,
    },
    Eject {
        model: LoadedId,
        done: oneshot::Sender<Result<()>>,
    },
    Watch {
        events: EventSink<EngineEvent>,
    },
    WatcherLeft,
    Devices {
        done: oneshot::Sender<Result<Vec<Device>>>,
    },
    DevicesOverdue {
        worker: u64,
    },
    ShutDown {
        done: oneshot::Sender<()>,
    },
    Worker {
        /// Which, by the number the pool gave it.
        worker: u64,
        event: WorkerEvent,
    },
}

/// The state behind [`super::Engine`].
pub(super) struct Pool {
    command: WorkerCommand,
    /// Where workers report to.
    sender: mpsc::UnboundedSender<Message>,
    slot: Slot,
    /// What was asked for while a worker was ending.
    waiting: VecDeque<Wish>,
    /// Workers that look for devices, with those who asked.
    lookers: HashMap<u64, Looker>,
    watchers: Vec<EventSink<EngineEvent>>,
    loaded: watch::Sender<Vec<LoadedModel>>,
    workers_started: u64,
    models_loaded: u64,
    /// Whom to tell that all has ended; `Some` once it shall end.
    closing: Vec<oneshot::Sender<()>>,
}

/// A short-lived worker that looks for devices.
struct Looker {
    worker: Worker,
    /// `None` once answered.
    done: Option<oneshot::Sender<Result<Vec<Device>>>>,
}

impl Pool {
    /// Starts the pool's task. Must be called within the runtime.
    pub(super) fn start(
        command: WorkerCommand,
    ) -> (mpsc::UnboundedSender<Message>, watch::Receiver<Vec<LoadedModel>>) {
        let (sender, inbox) = mpsc::unbounded_channel();
        let (loaded, snapshot) = watch::channel(Vec::new());
        let pool = Self {
            command,
            sender: sender.clone(),
            slot: Slot::Empty,
            waiting: VecDeque::new(),
            lookers: HashMap::new(),
            watchers: Vec::new(),
            loaded,
            workers_started: 0,
            models_loaded: 0,
            closing: Vec::new(),
        };
        tokio::spawn(pool.run(inbox));
        (sender, snapshot)
    }

    async fn run(mut self, mut inbox: mpsc::UnboundedReceiver<Message>) {
        while let Some(message) = inbox.recv().await {
            self.take(message);
            if !self.closing.is_empty() && matches!(self.slot, Slot::Empty) && self.lookers.is_empty() {
                break;
            }
        }
        // What still lies in the inbox is dropped with it and answers by itself that the backend is gone.
        for done in self.closing.drain(..) {
            answer(done, ());
        }
    }

    fn take(&mut self, message: Message) {
        match message {
            Message::Load {
                file,
                options,
                events,
            } => self.accept(Wish::Load(LoadWish {
                file,
                options: *options,
                events,
            })),
            Message::Generate {
                id,
                file,
                options,
                job,
                events,
            } => self.accept(Wish::Job(JobWish {
                id,
                file,
                options: *options,
                job: *job,
                events,
            })),
            Message::CancelLoad { request, done } => {
                if let Some(wish) = self.withdraw(|wish| wish.is_load(request)) {
                    wish.fail(Error::Cancelled);
                }
                if let Some(done) = done {
                    answer(done, ());
                }
            }
            Message::Stop { job } => self.stop(job),
            Message::Eject { model, done } => self.eject(model, done),
            Message::Watch { mut events } => {
                let now = EngineEvent::Loaded(self.loaded.borrow().clone());
                if events.send(now).is_ok() {
                    self.watchers.push(events);
                }
            }
            Message::WatcherLeft => self.watchers.retain(|events| !events.is_abandoned()),
            Message::Devices { done } => self.look_for_devices(done),
            Message::DevicesOverdue { worker } => {
                if let Some(looker) = self.lookers.get_mut(&worker) {
                    looker.worker.kill();
                }
            }
            Message::ShutDown { done } => self.shut_down(done),
            Message::Worker { worker, event } => self.hear(worker, event),
        }
    }
}

/// What is asked for.
impl Pool {
    fn accept(&mut self, wish: Wish) {
        if !self.closing.is_empty() {
            return wish.fail(Error::BackendGone);
        }
        if let Err(error) = options::refuse_unsupported(wish.options()) {
            return wish.fail(error);
        }
        match &mut self.slot {
            Slot::Empty => self.begin_loading(wish),
            Slot::Loading(loading) if wish.is_served_by(&loading.file, &loading.options) => loading.join(wish),
            Slot::Loading(loading) => {
                let reason = format!("{} is being loaded; wait for it or cancel it", loading.file.name);
                wish.fail(busy(reason));
            }
            Slot::Ready(ready) if wish.is_served_by(&ready.file, &ready.options) => match wish {
                Wish::Load(wish) => wish.loaded(ready.model.clone()),
                Wish::Job(wish) => self.queue(wish),
            },
            Slot::Ready(ready) if ready.running.is_some() => {
                let reason = format!("{} is writing an answer; stop it or wait for its end", ready.file.name);
                wish.fail(busy(reason));
            }
            Slot::Ready(_) => {
                self.wait(wish);
                self.end_model(StopReason::ModelEjected);
            }
            Slot::Ending(_) => self.wait(wish),
        }
    }

    /// Keeps a wish until the worker that ends has ended.
    fn wait(&mut self, wish: Wish) {
        if self.waiting.len() >= QUEUE_LENGTH {
            wish.fail(busy("too many requests wait for it; try again later".into()));
        } else {
            self.waiting.push_back(wish);
        }
    }

    fn begin_loading(&mut self, wish: Wish) {
        let (file, options) = (wish.file().clone(), wish.options().clone());
        let Some(path) = file.path.to_str().map(str::to_owned) else {
            return wish.fail(Error::BadModelFile {
                file: file.path.display().to_string(),
                reason: "its path is not Unicode text; rename or move it".into(),
            });
        };
        let (number, worker) = match self.start_worker() {
            Ok(started) => started,
            Err(error) => return wish.fail(error),
        };
        worker.ask(Request::Load {
            path,
            options: Box::new(options.clone()),
        });
        let mut loading = Loading::new(number, worker, file, options);
        loading.join(wish);
        self.slot = Slot::Loading(loading);
    }

    fn start_worker(&mut self) -> Result<(u64, Worker)> {
        self.workers_started += 1;
        let number = self.workers_started;
        let sender = self.sender.clone();
        let worker = Worker::start(&self.command, move |event| {
            super::tell(&sender, Message::Worker { worker: number, event });
        })?;
        Ok((number, worker))
    }

    /// Lets a job of the loaded model wait its turn, which may be now.
    fn queue(&mut self, wish: JobWish) {
        if let Slot::Ready(ready) = &mut self.slot {
            if ready.queue.len() >= QUEUE_LENGTH {
                return wish.events.fail(busy("too many answers wait for it; try again later".into()));
            }
            ready.queue.push_back(wish);
            self.begin_next_job();
        }
    }

    /// Begins the first job that waits, if none runs. The state comes first, then the news.
    fn begin_next_job(&mut self) {
        let begun = match &mut self.slot {
            Slot::Ready(ready) => ready.begin_next_job(),
            _ => false,
        };
        self.publish();
        if begun && let Slot::Ready(ready) = &self.slot {
            ready.tell_begun();
        }
    }

    /// Takes back what was asked for and has not begun. A load that nobody wants any more ends.
    fn withdraw(&mut self, which: impl Fn(&Wish) -> bool) -> Option<Wish> {
        if let Some(place) = self.waiting.iter().position(&which) {
            return self.waiting.remove(place);
        }
        let Slot::Loading(loading) = &mut self.slot else {
            return None;
        };
        let place = loading.wishes.iter().position(which)?;
        let wish = loading.wishes.remove(place);
        if loading.wishes.is_empty() {
            self.slot = match std::mem::replace(&mut self.slot, Slot::Empty) {
                Slot::Loading(loading) => Slot::Ending(loading.abandon()),
                slot => slot,
            };
        }
        Some(wish)
    }

    fn stop(&mut self, job: u64) {
        if let Some(Wish::Job(wish)) = self.withdraw(|wish| wish.is_job(job)) {
            return wish.events.finish(StopReason::UserStopped, TurnStats::default());
        }
        if let Slot::Ready(ready) = &mut self.slot {
            ready.stop(job);
        }
    }

    fn eject(&mut self, model: LoadedId, done: oneshot::Sender<Result<()>>) {
        match &mut self.slot {
            Slot::Ready(ready) if ready.model.id == model => {
                self.end_model(StopReason::ModelEjected);
                if let Slot::Ending(ending) = &mut self.slot {
                    ending.ejected_for.push(done);
                }
            }
            Slot::Ending(ending) if ending.model == Some(model) => ending.ejected_for.push(done),
            _ => answer(
                done,
                Err(Error::NotFound {
                    what: "loaded model".into(),
                    name: model.to_string(),
                    known: Vec::new(),
                }),
            ),
        }
    }

    /// Lets the loaded model's worker end; what it writes and what waits for it ends with `reason`.
    fn end_model(&mut self, reason: StopReason) {
        self.slot = match std::mem::replace(&mut self.slot, Slot::Empty) {
            Slot::Ready(ready) => Slot::Ending(ready.end(reason)),
            slot => slot,
        };
        self.publish();
    }

    fn look_for_devices(&mut self, done: oneshot::Sender<Result<Vec<Device>>>) {
        if !self.closing.is_empty() {
            return answer(done, Err(Error::BackendGone));
        }
        match self.start_worker() {
            Ok((number, worker)) => {
                worker.ask(Request::Devices);
                let done = Some(done);
                self.lookers.insert(number, Looker { worker, done });
                let sender = self.sender.clone();
                tokio::spawn(async move {
                    tokio::time::sleep(DEVICES_LIMIT).await;
                    super::tell(&sender, Message::DevicesOverdue { worker: number });
                });
            }
            Err(error) => answer(done, Err(error)),
        }
    }

    fn shut_down(&mut self, done: oneshot::Sender<()>) {
        self.closing.push(done);
        for wish in self.waiting.drain(..) {
            wish.end_with_backend();
        }
        for looker in self.lookers.values_mut() {
            looker.worker.kill();
        }
        self.slot = match std::mem::replace(&mut self.slot, Slot::Empty) {
            Slot::Loading(mut loading) => {
                for wish in loading.wishes.drain(..) {
                    wish.end_with_backend();
                }
                Slot::Ending(loading.abandon())
            }
            Slot::Ready(ready) => Slot::Ending(ready.end(StopReason::UserStopped)),
            slot => slot,
        };
        self.publish();
        self.watchers.clear();
    }
}

/// What workers say.
impl Pool {
    fn hear(&mut self, worker: u64, event: WorkerEvent) {
        if self.lookers.contains_key(&worker) {
            return self.hear_looker(worker, event);
        }
        if self.slot.worker() != Some(worker) {
            return tracing::debug!(worker, ?event, "a worker that nobody waits for spoke");
        }
        match event {
            WorkerEvent::Said(response) => self.hear_response(response),
            WorkerEvent::Ended { cause, log } => self.hear_end(cause, log),
        }
    }

    fn hear_response(&mut self, response: Response) {
        match (&mut self.slot, response) {
            (Slot::Loading(loading), Response::LoadProgress { share }) => loading.progress(share),
            (Slot::Loading(_), Response::Loaded(info)) => {
                self.models_loaded += 1;
                let id = LoadedId(self.models_loaded);
                let mut loads = Vec::new();
                self.slot = match std::mem::replace(&mut self.slot, Slot::Empty) {
                    Slot::Loading(loading) => {
                        let (ready, wishes) = loading.loaded(id, info);
                        loads = wishes;
                        Slot::Ready(ready)
                    }
                    slot => slot,
                };
                self.publish();
                if let Slot::Ready(ready) = &self.slot {
                    for wish in loads {
                        wish.loaded(ready.model.clone());
                    }
                }
                self.begin_next_job();
            }
            (Slot::Loading(_), Response::LoadFailed { error }) => {
                self.slot = match std::mem::replace(&mut self.slot, Slot::Empty) {
                    Slot::Loading(loading) => Slot::Ending(loading.fail(error)),
                    slot => slot,
                };
            }
            (Slot::Ready(ready), response) => {
                if let Some(end) = ready.hear(response) {
                    // The state first, then the news: whoever hears of the end finds the model idle.
                    self.begin_next_job();
                    end.tell();
                }
            }
            (Slot::Ending(ending), response) => ending.hear(response),
            (_, response) => tracing::warn!(?response, "a worker spoke out of turn"),
        }
    }

    fn hear_end(&mut self, cause: String, log: Vec<String>) {
        match std::mem::replace(&mut self.slot, Slot::Empty) {
            Slot::Empty => (),
            Slot::Loading(loading) => {
                let error = died("loading the model", cause, log);
                for wish in loading.wishes {
                    wish.fail(error.clone());
                }
            }
            Slot::Ready(ready) => {
                tracing::warn!(cause, model = ready.file.name, "a worker ended by itself");
                self.publish();
                if let Some(running) = ready.running {
                    running.fail(cause, log);
                }
                // Those that only waited are not to blame: they get a fresh worker.
                self.waiting.extend(ready.queue.into_iter().map(Wish::Job));
            }
            Slot::Ending(ending) => ending.ended(log),
        }
        while let Some(wish) = self.waiting.pop_front() {
            if matches!(self.slot, Slot::Ending(_)) {
                self.waiting.push_front(wish);
                break;
            }
            self.accept(wish);
        }
    }

    fn hear_looker(&mut self, worker: u64, event: WorkerEvent) {
        let Some(looker) = self.lookers.get_mut(&worker) else {
            return;
        };
        match event {
            WorkerEvent::Said(Response::Devices { devices }) => {
                if let Some(done) = looker.done.take() {
                    answer(done, Ok(devices));
                }
                looker.worker.leave();
            }
            WorkerEvent::Said(response) => tracing::warn!(?response, "a worker spoke out of turn"),
            WorkerEvent::Ended { cause, log } => {
                if let Some(done) = looker.done.take() {
                    answer(done, Err(died("looking for devices", cause, log)));
                }
                self.lookers.remove(&worker);
            }
        }
    }

    /// Tells the models in memory to all who want to know, if there is news.
    fn publish(&mut self) {
        let now: Vec<_> = self.slot.model().cloned().into_iter().collect();
        if *self.loaded.borrow() == now {
            return;
        }
        self.loaded.send_replace(now.clone());
        self.watchers
            .retain_mut(|events| events.send(EngineEvent::Loaded(now.clone())).is_ok());
    }
}

fn busy(reason: String) -> Error {
    Error::Busy {
        what: "The engine".into(),
        reason,
    }
}

fn died(during: &str, cause: String, log: Vec<String>) -> Error {
    Error::WorkerDied {
        during: during.into(),
        cause,
        log,
    }
}

/// Answers whoever asked; one who has left does not miss it.
fn answer<T>(done: oneshot::Sender<T>, value: T) {
    if done.send(value).is_err() {
        tracing::debug!("who asked the engine has left");
    }
}
