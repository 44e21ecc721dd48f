//! The models in memory: one task owns them all, takes messages one after the other and never waits.
//!
//! Each model has a worker of its own, and a file is in memory once. Loading is single-flight: whoever asks for the same
//! file meanwhile waits for the same load. Before a load its size is estimated and held against what models may take;
//! then the least recently used idle models go, and what needs the memory of a busy one waits for it. Jobs are handed to
//! the worker at once, which makes several of them at a time.

mod ask;
mod clock;
mod devices;
mod estimate;
mod hear;
mod plan;
mod settle;
mod slot;
mod watchdog;
mod wish;

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use hearth_protocol::engine::{
    Device, EngineEvent, KeepLoaded, LoadEvent, LoadOptions, LoadedModel, MemoryEstimate,
};
use hearth_protocol::library::LibraryFile;
use hearth_protocol::settings::{MemoryGuard, Settings};
use hearth_protocol::{ByteSize, ChatId, Error, EventSink, FileId, LoadedId, RequestId, Result};
use tokio::sync::{mpsc, oneshot, watch};

use super::job::JobSink;
use super::memory::Memory;
use super::question::Question;
use super::worker_handle::{Worker, WorkerEvent};
use super::{InUse, Work, tell};
use crate::config::WorkerCommand;
use clock::Clock;
use devices::Looker;
use estimate::Estimate;
use slot::Slot;
use wish::{JobWish, LoadReason, LoadWish, Wish};

/// Jobs of one [`wish::Queue`] that may wait in a worker for those that are being made, and that may wait for a load.
const QUEUE_LENGTH: usize = 64;

/// What the pool stands on.
pub(super) struct Setup {
    /// How a worker is started.
    worker: WorkerCommand,
    /// What a load will take.
    estimate: Estimate,
    /// The memory there is.
    memory: Arc<dyn Fn() -> Memory + Send + Sync>,
    /// The time.
    clock: Clock,
    /// Where KV states are kept; `None` keeps none.
    kv_folder: Option<PathBuf>,
}

impl Setup {
    /// The computer as it is.
    pub(super) fn new(worker: WorkerCommand, kv_folder: PathBuf) -> Self {
        Self {
            kv_folder: Some(kv_folder),
            worker,
            estimate: estimate::of_header(),
            memory: Arc::new(Memory::now),
            clock: Clock::System,
        }
    }

    /// Where KV states are kept.
    pub(super) fn kv_folder(&self) -> Option<&Path> {
        self.kv_folder.as_deref()
    }
}

/// What the settings say of models in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Limits {
    /// How long a model that was loaded on request may do nothing; `None` is for ever.
    idle_unload: Option<Duration>,
    /// What all models may take.
    guard: MemoryGuard,
    /// What KV states may take on the disk.
    kv_store: ByteSize,
}

impl Limits {
    pub(super) fn of(settings: &Settings) -> Self {
        Self {
            idle_unload: settings
                .idle_unload_minutes
                .map(|minutes| Duration::from_secs(u64::from(minutes) * 60)),
            guard: settings.memory_guard,
            kv_store: settings.kv_store_limit,
        }
    }
}

/// What the pool is told.
#[derive(Debug)]
pub(super) enum Message {
    Load {
        file: LibraryFile,
        options: Box<LoadOptions>,
        force: bool,
        keep: KeepLoaded,
        events: EventSink<LoadEvent>,
    },
    /// What a planned load takes.
    Estimated {
        slot: u64,
        need: Option<u64>,
    },
    CancelLoad {
        request: RequestId,
        done: Option<oneshot::Sender<()>>,
    },
    Begin {
        id: u64,
        file: LibraryFile,
        options: Box<LoadOptions>,
        work: Work,
        keep: KeepLoaded,
        events: JobSink,
    },
    /// A question to a model that is in memory.
    Ask {
        id: u64,
        model: LoadedId,
        question: Box<Question>,
        events: JobSink,
    },
    Stop {
        job: u64,
    },
    /// A chat is deleted.
    Forget {
        chat: ChatId,
    },
    Eject {
        model: LoadedId,
        done: oneshot::Sender<Result<()>>,
    },
    EjectFile {
        file: FileId,
        done: oneshot::Sender<Result<()>>,
    },
    InUse {
        done: oneshot::Sender<Vec<InUse>>,
    },
    /// Asks for the processes of workers with a model.
    Processes {
        done: oneshot::Sender<Vec<u32>>,
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
    Limit(Limits),
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
    setup: Setup,
    limits: Limits,
    /// Where workers report to.
    sender: mpsc::UnboundedSender<Message>,
    /// The models in memory, on their way there and on their way out, by numbers given in the order they were asked for.
    /// Such a number is that of the worker too.
    slots: BTreeMap<u64, Slot>,
    /// Workers that look for devices, with those who asked.
    lookers: HashMap<u64, Looker>,
    /// Loads whose cancel came first, while their file was still being looked for.
    cancelled_early: VecDeque<RequestId>,
    watchers: Vec<EventSink<EngineEvent>>,
    loaded: watch::Sender<Vec<LoadedModel>>,
    numbers_given: u64,
    models_loaded: u64,
    /// Whom to tell that all has ended; not empty once it shall end.
    closing: Vec<oneshot::Sender<()>>,
}

impl Pool {
    /// Starts the pool's task. Must be called within the runtime.
    pub(super) fn start(setup: Setup) -> (mpsc::UnboundedSender<Message>, watch::Receiver<Vec<LoadedModel>>) {
        let (sender, inbox) = mpsc::unbounded_channel();
        let (loaded, snapshot) = watch::channel(Vec::new());
        let pool = Self {
            setup,
            limits: Limits::of(&Settings::default()),
            sender: sender.clone(),
            slots: BTreeMap::new(),
            lookers: HashMap::new(),
            cancelled_early: VecDeque::new(),
            watchers: Vec::new(),
            loaded,
            numbers_given: 0,
            models_loaded: 0,
            closing: Vec::new(),
        };
        tokio::spawn(pool.run(inbox));
        (sender, snapshot)
    }

    async fn run(mut self, mut inbox: mpsc::UnboundedReceiver<Message>) {
        loop {
            let (clock, due) = (self.setup.clock.clone(), self.next_due());
            tokio::select! {
                // What is due is done before anything else is heard.
                biased;
                () = clock.until(due) => self.do_what_is_due(),
                message = inbox.recv() => match message {
                    Some(message) => self.take(message),
                    None => break,
                },
            }
            if !self.closing.is_empty() && self.slots.is_empty() && self.lookers.is_empty() {
                break;
            }
        }
        // What still lies in the inbox is dropped with it and answers by itself that the backend is gone.
        for done in self.closing.drain(..) {
            answer(done, ());
        }
    }

    fn next_number(&mut self) -> u64 {
        self.numbers_given += 1;
        self.numbers_given
    }

    /// Starts a worker under this number.
    fn start_worker(&self, number: u64) -> Result<Worker> {
        let sender = self.sender.clone();
        Worker::start(&self.setup.worker, move |event| {
            tell(
                &sender,
                Message::Worker {
                    worker: number,
                    event,
                },
            );
        })
    }

    fn take(&mut self, message: Message) {
        match message {
            Message::Load {
                file,
                options,
                force,
                keep,
                events,
            } => self.accept(Wish::Load(LoadWish {
                file,
                options: *options,
                force,
                keep,
                events,
            })),
            Message::Estimated { slot, need } => self.take_estimate(slot, need),
            Message::Begin {
                id,
                file,
                options,
                work,
                keep,
                events,
            } => self.accept(Wish::Job(JobWish {
                id,
                file,
                options: *options,
                work,
                keep,
                events,
                reason: LoadReason::Request,
                retried: false,
            })),
            Message::Ask {
                id,
                model,
                question,
                events,
            } => self.ask(id, model, question, events),
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
            Message::Forget { chat } => self.forget(chat),
            Message::Eject { model, done } => self.eject(model, done),
            Message::EjectFile { file, done } => self.eject_file(&file, done),
            Message::InUse { done } => answer(done, self.slots.values().filter_map(Slot::in_use).collect()),
            Message::Processes { done } => {
                answer(done, self.slots.values().filter_map(Slot::process).collect());
            }
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
            Message::Limit(limits) => {
                self.limits = limits;
                self.publish();
                self.settle();
            }
            Message::ShutDown { done } => self.shut_down(done),
            Message::Worker { worker, event } => self.hear(worker, event),
        }
    }

    /// Tells the models in memory to all who want to know, if there is news.
    fn publish(&mut self) {
        let idle_unload = self.limits.idle_unload;
        let in_memory = self.slots.values_mut().filter_map(|slot| match slot {
            Slot::Ready(ready) => Some(ready.as_it_is(idle_unload)),
            _ => None,
        });
        let mut now: Vec<_> = in_memory.collect();
        now.sort_by_key(|model| std::cmp::Reverse(model.id.0));
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

/// The queue is full.
fn too_many() -> Error {
    busy("too many requests wait for it; try again later".into())
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

#[cfg(test)]
#[cfg(unix)]
mod tests;
