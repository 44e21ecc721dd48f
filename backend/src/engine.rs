//! Models in memory: which are loaded, in which worker process, and what they are asked.
//!
//! Nothing here names llama.cpp; only `worker` does, and it runs only in the worker process.

mod complete;
mod embed;
mod ipc;
mod job;
mod memory;
mod pool;
mod question;
mod reckon;
mod rough;
mod usage;
mod worker;
mod worker_handle;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hearth_protocol::answer::{AnswerOptions, Logprobs};
use hearth_protocol::completion::Piece;
use hearth_protocol::engine::{
    Activity, Device, EngineEvent, KeepLoaded, LoadEvent, LoadOptions, LoadedModel,
};
use hearth_protocol::generate::{SamplingParams, StopReason, TurnStats};
use hearth_protocol::library::LibraryFile;
use hearth_protocol::prompt::{Prompt, Token};
use hearth_protocol::settings::Settings;
use hearth_protocol::{ByteSize, ChatId, Error, EventSink, FileId, LoadedId, RequestId, Result};
use serde::{Deserialize, Serialize};
use tokio::sync::{OnceCell, mpsc, oneshot, watch};

use crate::config::WorkerCommand;
use crate::files::{blocking, file_error};
pub(crate) use embed::EmbedJob;
use job::{JobIds, JobSink};
use pool::{Limits, Message, Pool, Setup};
use question::{Question, Told};

use worker::kv_folder;
pub use worker::worker_main;

/// The hidden first argument that makes an executable a worker.
pub const WORKER_ARGUMENT: &str = "--hearth-worker";

/// Memory to leave free on each graphics card, in bytes, for the screen and for other programs.
pub(crate) const CARD_MARGIN: u64 = 1 << 30;

/// What is asked of a model.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Work {
    /// To answer a chat, or to go on with a text.
    Answer(Box<Job>),
    /// To embed texts.
    Embed(Box<EmbedJob>),
    /// To tell something that it knows.
    Tell(Box<Question>),
}

/// An answer to make.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Job {
    /// The chat it belongs to, whose KV state is then kept on the disk; `None` keeps nothing.
    pub(crate) chat: Option<i64>,
    /// What it goes on with.
    pub(crate) prompt: Arc<Prompt>,
    /// How tokens are chosen; validated.
    pub(crate) sampling: SamplingParams,
    /// What the answer shall be like; validated.
    pub(crate) answer: AnswerOptions,
    /// Let no token be chosen that ends the text.
    #[serde(default)]
    pub(crate) ignore_end: bool,
    /// The slot that computes it; `None` leaves that to the worker.
    #[serde(default)]
    pub(crate) slot: Option<u32>,
}

/// What happens while a job runs. `Finished` or `Failed` is the last, and one of them always comes.
#[derive(Debug)]
pub(crate) enum JobEvent {
    /// The model is being loaded: share done, 0.0 to 1.0.
    Loading(f32),
    /// The model is in memory and has begun.
    Started(LoadedModel),
    /// Tokens of the prompt read, those of them that stood in the cache, and all of them.
    PromptProgress { processed: u32, cached: u32, total: u32 },
    /// More of what the model writes.
    Piece(Piece),
    /// How likely the tokens were that came since the last time, where that was asked for.
    Logprobs(Vec<Logprobs>),
    /// The next of the texts is embedded: its tokens and its vector.
    Vector { tokens: u32, vector: Vec<f32> },
    /// Some of the tokens that it was asked for.
    ToldSome(Vec<Token>),
    /// What it was asked for.
    Told(Told),
    /// It ended.
    Finished { stop: StopReason, stats: TurnStats },
    /// It broke off.
    Failed(Error),
}

/// A running job. Dropping its events stops the job.
#[derive(Debug)]
pub(crate) struct Generation {
    /// Its events.
    pub(crate) events: mpsc::UnboundedReceiver<JobEvent>,
    /// Stops it; the rest of its events still come.
    pub(crate) stop: StopHandle,
}

/// Stops a job, from any thread, any number of times.
#[derive(Debug, Clone)]
pub(crate) struct StopHandle {
    job: u64,
    pool: mpsc::UnboundedSender<Message>,
}

impl StopHandle {
    /// Asks the job to end with `UserStopped`. After its end, and after the engine's, this does nothing.
    pub(crate) fn stop(&self) {
        tell(&self.pool, Message::Stop { job: self.job });
    }
}

/// A file that the engine works with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct InUse {
    /// The file.
    pub(crate) file: FileId,
    /// Whether it is not in memory yet.
    pub(crate) is_loading: bool,
}

/// All models in memory. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Engine {
    pool: mpsc::UnboundedSender<Message>,
    loaded: watch::Receiver<Vec<LoadedModel>>,
    jobs: JobIds,
    /// What computes here; looked for once, since that takes a worker and no card comes or goes meanwhile.
    known_devices: Arc<OnceCell<Vec<Device>>>,
    /// Where KV states are kept; `None` keeps none.
    kv_folder: Option<PathBuf>,
}

impl Engine {
    /// An engine with nothing loaded and the limits of the default settings. Must be called within the runtime.
    pub(crate) fn new(worker: WorkerCommand, kv_folder: PathBuf) -> Self {
        Self::start(Setup::new(worker, kv_folder))
    }

    fn start(setup: Setup) -> Self {
        let kv_folder = setup.kv_folder().map(PathBuf::from);
        let (pool, loaded) = Pool::start(setup);
        Self {
            pool,
            loaded,
            jobs: JobIds::default(),
            known_devices: Arc::default(),
            kv_folder,
        }
    }

    /// The same on a computer with these devices.
    #[cfg(test)]
    pub(crate) fn with_devices(self, devices: Vec<Device>) -> Self {
        Self {
            known_devices: Arc::new(OnceCell::new_with(Some(devices))),
            ..self
        }
    }

    /// Forgets what was computed for a chat that is deleted, in memory and on the disk.
    pub(crate) fn forget(&self, chat: ChatId) {
        tell(&self.pool, Message::Forget { chat });
    }

    /// Takes what the settings say of models in memory: how long idle ones stay, and how much all may take.
    pub(crate) fn heed(&self, settings: &Settings) {
        tell(&self.pool, Message::Limit(Limits::of(settings)));
    }

    /// Brings a model into memory by hand; the run can be cancelled by its number, and by dropping its listener.
    /// Where it is `force`d, it is neither refused nor kept waiting for want of memory.
    pub(crate) async fn load(
        &self,
        file: LibraryFile,
        options: LoadOptions,
        force: bool,
        keep: KeepLoaded,
        events: EventSink<LoadEvent>,
    ) {
        let pool = self.pool.clone();
        let request = events.request();
        events.on_abandoned(move || tell(&pool, Message::CancelLoad { request, done: None }));
        tell(
            &self.pool,
            Message::Load {
                file,
                options: Box::new(options),
                force,
                keep,
                events,
            },
        );
    }

    /// Ends a load that runs; where others wait for the same load, only this one leaves it.
    pub(crate) async fn cancel_load(&self, request: RequestId) {
        let (done, answer) = oneshot::channel();
        let done = Some(done);
        tell(&self.pool, Message::CancelLoad { request, done });
        // An error means that the engine has ended, and every load with it.
        answer.await.unwrap_or_default();
    }

    /// Ends a model's worker; an answer it writes ends with `ModelEjected`. Its memory is free on return.
    ///
    /// # Errors
    /// `NotFound` where nothing loaded has this id.
    pub(crate) async fn eject(&self, model: LoadedId) -> Result<()> {
        let (done, answer) = oneshot::channel();
        tell(&self.pool, Message::Eject { model, done });
        answer.await.unwrap_or(Err(Error::BackendGone))
    }

    /// The same for the model of a file, or for its load, which then ends; whoever waits for that is told `ModelEjected`.
    ///
    /// # Errors
    /// `NotFound` where it is neither in memory nor on its way there.
    pub(crate) async fn eject_file(&self, file: FileId) -> Result<()> {
        let (done, answer) = oneshot::channel();
        tell(&self.pool, Message::EjectFile { file, done });
        answer.await.unwrap_or(Err(Error::BackendGone))
    }

    /// The models in memory, newest first.
    pub(crate) fn loaded(&self) -> Vec<LoadedModel> {
        self.loaded.borrow().clone()
    }

    /// Waits until the model of this file has nothing to do, and gives whether it is still in memory then.
    pub(crate) async fn is_idle(&self, file: &FileId) -> bool {
        let mut loaded = self.loaded.clone();
        let of_file = |models: &Vec<LoadedModel>| models.iter().find(|model| model.file == *file).cloned();
        let idle =
            loaded.wait_for(|models| of_file(models).is_none_or(|model| model.activity == Activity::Idle));
        // An error means that the engine has ended, and every model with it.
        idle.await.is_ok_and(|models| of_file(&models).is_some())
    }

    /// The files of the models that are in memory, on their way there, or wait for their turn.
    ///
    /// # Errors
    /// `BackendGone`.
    pub(crate) async fn in_use(&self) -> Result<Vec<InUse>> {
        let (done, answer) = oneshot::channel();
        tell(&self.pool, Message::InUse { done });
        answer.await.map_err(|_| Error::BackendGone)
    }

    /// The processes of all workers that hold a model or load one.
    ///
    /// # Errors
    /// `BackendGone`.
    async fn processes(&self) -> Result<Vec<u32>> {
        let (done, answer) = oneshot::channel();
        tell(&self.pool, Message::Processes { done });
        answer.await.map_err(|_| Error::BackendGone)
    }

    /// What KV states take on the disk.
    ///
    /// # Errors
    /// `File` where the folder is there and cannot be read.
    pub(crate) async fn kv_stored(&self) -> Result<ByteSize> {
        self.in_kv_folder(kv_folder::size).await
    }

    /// Removes all KV states from the disk, but for those that are being written; gives the bytes that went. A worker that
    /// looks for one of them finds it gone, and reads the text anew.
    ///
    /// # Errors
    /// `File` where the folder cannot be read, or a file cannot be removed.
    pub(crate) async fn empty_kv_store(&self) -> Result<ByteSize> {
        self.in_kv_folder(kv_folder::empty).await
    }

    async fn in_kv_folder(&self, work: fn(&Path) -> io::Result<u64>) -> Result<ByteSize> {
        let Some(folder) = self.kv_folder.clone() else {
            return Ok(ByteSize(0));
        };
        blocking(move || {
            let bytes = work(&folder).map_err(|error| file_error(&folder, &error))?;
            Ok(ByteSize(bytes))
        })
        .await
    }

    /// Tells the listener the models in memory, now and after each change.
    pub(crate) fn watch(&self, events: EventSink<EngineEvent>) {
        let pool = self.pool.clone();
        events.on_abandoned(move || tell(&pool, Message::WatcherLeft));
        tell(&self.pool, Message::Watch { events });
    }

    /// What can compute.
    ///
    /// # Errors
    /// `WorkerDied` where the worker that looks ended.
    pub(crate) async fn devices(&self) -> Result<Vec<Device>> {
        let (done, answer) = oneshot::channel();
        tell(&self.pool, Message::Devices { done });
        answer.await.unwrap_or(Err(Error::BackendGone))
    }

    /// Answers a chat with a model, loading it first where needed. Returns at once. Must be called within the
    /// runtime.
    ///
    /// A model that is in memory is taken as it is: `options` only count where it must be loaded.
    pub(crate) fn generate(&self, file: LibraryFile, options: LoadOptions, job: Job) -> Generation {
        self.begin(file, options, Work::Answer(Box::new(job)), KeepLoaded::Default)
    }

    /// Hands work to the pool, for a model that then stays in memory for so long.
    fn begin(&self, file: LibraryFile, options: LoadOptions, work: Work, keep: KeepLoaded) -> Generation {
        self.run(|id, events| Message::Begin {
            id,
            file,
            options: Box::new(options),
            work,
            keep,
            events,
        })
    }

    /// Begins a job by the message that `ask` makes of its number and the way back.
    fn run(&self, ask: impl FnOnce(u64, JobSink) -> Message) -> Generation {
        let id = self.jobs.next();
        let stop = StopHandle {
            job: id,
            pool: self.pool.clone(),
        };
        let (sink, events) = JobSink::new({
            let stop = stop.clone();
            move || stop.stop()
        });
        tell(&self.pool, ask(id, sink));
        Generation { events, stop }
    }

    /// Ends all workers and waits for them. Answers that are being written end with `UserStopped`.
    pub(crate) async fn shut_down(&self) {
        let (done, ended) = oneshot::channel();
        tell(&self.pool, Message::ShutDown { done });
        // An error means that the pool has ended already.
        ended.await.unwrap_or_default();
    }
}

/// Hands a message to the pool. Where the pool has ended, the message is dropped, and what it carries answers
/// by itself that the backend is gone.
fn tell(pool: &mpsc::UnboundedSender<Message>, message: Message) {
    if pool.send(message).is_err() {
        tracing::debug!("the engine has ended and takes no more requests");
    }
}
