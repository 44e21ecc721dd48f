//! The models in memory: one task owns them all, takes messages one after the other and never waits.
//!
//! One model at a time for now. Loading is single-flight; another file takes the place of an idle one and is
//! refused while one writes. Answers of one model are made one after the other, in the order they were asked for.

mod ask;
mod hear;
mod options;
mod slot;
mod wish;

use std::collections::{HashMap, VecDeque};
use std::path::PathBuf;
use std::time::Duration;

use hearth_protocol::engine::{Device, EngineEvent, LoadEvent, LoadOptions, LoadedModel, MemoryEstimate};
use hearth_protocol::library::LibraryFile;
use hearth_protocol::{Error, EventSink, LoadedId, RequestId, Result};
use tokio::sync::{mpsc, oneshot, watch};

use super::Job;
use super::job::JobSink;
use super::worker_handle::{Worker, WorkerEvent};
use crate::config::WorkerCommand;
use slot::Slot;
use wish::{JobWish, LoadWish, Wish};

/// Answers that may wait for the one that is being made.
const QUEUE_LENGTH: usize = 64;

/// How long a worker may look for devices or reckon; a driver that hangs must not hang the question.
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
    Estimate {
        path: PathBuf,
        options: Box<LoadOptions>,
        done: oneshot::Sender<Result<MemoryEstimate>>,
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
    /// Workers that look for devices or reckon, with those who asked.
    lookers: HashMap<u64, Looker>,
    /// Loads whose cancel came first, while their file was still being looked for.
    cancelled_early: VecDeque<RequestId>,
    watchers: Vec<EventSink<EngineEvent>>,
    loaded: watch::Sender<Vec<LoadedModel>>,
    workers_started: u64,
    models_loaded: u64,
    /// Whom to tell that all has ended; not empty once it shall end.
    closing: Vec<oneshot::Sender<()>>,
}

/// A short-lived worker that looks for devices or reckons a load.
struct Looker {
    worker: Worker,
    /// `None` once answered.
    question: Option<Question>,
}

/// What a looker was asked, with who asked.
enum Question {
    Devices(oneshot::Sender<Result<Vec<Device>>>),
    Estimate(oneshot::Sender<Result<MemoryEstimate>>),
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
            cancelled_early: VecDeque::new(),
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
                match self.withdraw(|wish| wish.is_load(request)) {
                    Some(wish) => wish.fail(Error::Cancelled),
                    None => self.expect_cancelled(request),
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
            Message::Estimate { path, options, done } => self.estimate(&path, options, done),
            Message::DevicesOverdue { worker } => {
                if let Some(looker) = self.lookers.get_mut(&worker) {
                    looker.worker.kill();
                }
            }
            Message::ShutDown { done } => self.shut_down(done),
            Message::Worker { worker, event } => self.hear(worker, event),
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
