//! The pool with a clock, a memory and model sizes that the tests set, and workers that are shell scripts.

mod embedding;
mod hanging;
mod idle;
mod jobs;
mod kept;
mod room;

use std::cell::Cell;

use hearth_protocol::answer::AnswerOptions;
use hearth_protocol::chat::Role;
use hearth_protocol::completion::Piece;
use hearth_protocol::generate::{SamplingParams, StopReason};
use hearth_protocol::library::{FileState, Source};
use hearth_protocol::prompt::{Prompt, PromptMessage};
use hearth_protocol::{ByteSize, Events, UnixMillis, Waker};
use tempfile::TempDir;
use tokio::time::Instant;

use super::*;
use crate::engine::{Engine, Generation, Job, JobEvent, Work};

/// A worker that loads at once, a model called `endless` never, and does with an answer what the last word of the message says:
/// - `quick` begins and ends it;
/// - `slow` begins it and tells a piece, then another at each Stop;
/// - `wait` does not begin it;
/// - `hang` begins it and then does nothing at all any more;
/// - `crash` begins it and dies, `fall` dies before;
/// - a question about slots is answered with none;
/// - `embed` begins texts to embed and tells the vectors of two.
const WORKER: &str = r#"
say() { printf '{"response":%s}\n' "$1"; }
while read -r line; do
    id=${line#*\"id\":}; id=${id%%[,\}]*}
    case "$line" in
        *'"request":"load"'*'/endless.gguf'*) say '"load_progress","share":0.5' ;;
        *'"request":"load"'*)
            echo "$$" >>"$1"
            say '"loaded","context_length":64,"has_chat_template":true,"gpu_layers":[0,1],"threads":1' ;;
        *'"request":"stop"'*) say '"piece","id":'"$id"',"piece":{"text":"more"}' ;;
        *'"question":"slots"'*) say '"told","id":'"$id"',"told":{"slots":[]}' ;;
        *' quick"'*)
            say '"begun","id":'"$id"',"left_out":0'
            say '"finished","id":'"$id"',"stop":{"reason":"end_of_text"},"stats":{}' ;;
        *' slow"'*)
            say '"begun","id":'"$id"',"left_out":0'
            say '"piece","id":'"$id"',"piece":{"text":"one"}' ;;
        *' hang"'*)
            say '"begun","id":'"$id"',"left_out":0'
            exec sleep 1000 ;;
        *' embed"'*)
            say '"begun","id":'"$id"',"left_out":0'
            say '"vector","id":'"$id"',"tokens":2,"vector":[0.5,1e-7]'
            say '"vector","id":'"$id"',"tokens":3,"vector":[0.25,1.0]'
            say '"finished","id":'"$id"',"stop":{"reason":"end_of_text"},"stats":{}' ;;
        *' crash"'*)
            say '"begun","id":'"$id"',"left_out":0'
            exit 7 ;;
        *' fall"'*) exit 8 ;;
    esac
done
"#;

const GB: u64 = 1_000_000_000;

/// An engine and all that it stands on.
struct Desk {
    engine: Engine,
    clock: watch::Sender<Instant>,
    memory: watch::Sender<Memory>,
    requests: Cell<u64>,
    folder: TempDir,
}

impl Desk {
    /// An engine on a computer with 8 GB of memory, of which 7 are free.
    fn new() -> Self {
        Self::with_estimate(Arc::new(|file, _| Some(file.size)))
    }

    /// The same with another guess of what a load takes.
    fn with_estimate(estimate: Estimate) -> Self {
        let folder = tempfile::tempdir().expect("folder");
        let (clock, now) = watch::channel(Instant::now());
        let (memory, there_is) = watch::channel(Memory {
            total: Some(8 * GB),
            free: Some(7 * GB),
        });
        let script = folder.path().join("worker.sh");
        std::fs::write(&script, WORKER).expect("the script is written");
        let setup = Setup {
            worker: WorkerCommand {
                program: "sh".into(),
                arguments: vec![script.into(), folder.path().join("loads").into()],
            },
            estimate,
            memory: Arc::new(move || *there_is.borrow()),
            clock: Clock::ByHand(now),
            kv_folder: None,
        };
        Self {
            engine: Engine::start(setup),
            clock,
            memory,
            requests: Cell::new(0),
            folder,
        }
    }

    /// How many loads there have been, over all workers.
    fn loads(&self) -> usize {
        let loads = std::fs::read_to_string(self.folder.path().join("loads"));
        loads.map_or(0, |loads| loads.lines().count())
    }

    fn guard(&self, memory_guard: MemoryGuard) {
        self.engine.heed(&Settings {
            memory_guard,
            ..Settings::default()
        });
    }

    /// Moves the clock on, and waits until the pool has done what was due then.
    async fn pass(&self, time: Duration) {
        self.clock.send_modify(|now| *now += time);
        self.settled().await;
    }

    /// Waits until the pool has taken all that it was told so far.
    async fn settled(&self) {
        let nothing = self.engine.eject(LoadedId(u64::MAX)).await;
        assert!(matches!(nothing, Err(Error::NotFound { .. })), "{nothing:?}");
    }

    async fn load_with(&self, file: &LibraryFile, options: LoadOptions, force: bool) -> Load {
        self.load_keeping(file, options, force, KeepLoaded::Default).await
    }

    async fn load_keeping(
        &self,
        file: &LibraryFile,
        options: LoadOptions,
        force: bool,
        keep: KeepLoaded,
    ) -> Load {
        self.requests.set(self.requests.get() + 1);
        let (sink, events) = EventSink::new(RequestId(self.requests.get()), Waker::none());
        self.engine.load(file.clone(), options, force, keep, sink).await;
        Load(events)
    }

    async fn load(&self, file: &LibraryFile) -> Load {
        self.load_with(file, LoadOptions::default(), false).await
    }

    /// Loads by hand, and waits until it is in memory.
    async fn loaded(&self, file: &LibraryFile) -> LoadedModel {
        self.load(file).await.outcome().await.expect("it loads")
    }

    /// Asks for an answer; the last word says what the worker does with it.
    fn ask(&self, file: &LibraryFile, text: &str) -> Generation {
        self.ask_keeping(file, text, KeepLoaded::Default)
    }

    /// The same; the model stays for so long afterwards.
    fn ask_keeping(&self, file: &LibraryFile, text: &str, keep: KeepLoaded) -> Generation {
        self.ask_in(None, file, text, keep)
    }

    /// The same as a person in this chat, and not as a program.
    fn ask_in_chat(&self, chat: i64, file: &LibraryFile, text: &str) -> Generation {
        self.ask_in(Some(chat), file, text, KeepLoaded::Default)
    }

    fn ask_in(&self, chat: Option<i64>, file: &LibraryFile, text: &str, keep: KeepLoaded) -> Generation {
        let job = Job {
            chat,
            prompt: Prompt::chat(vec![PromptMessage::text(Role::User, format!("Be {text}"))]).into(),
            sampling: SamplingParams::default(),
            answer: AnswerOptions::default(),
            ignore_end: false,
            slot: None,
        };
        let work = Work::Answer(Box::new(job));
        self.engine
            .begin(file.clone(), LoadOptions::default(), work, keep)
    }

    /// Names of the models in memory, newest first.
    fn names(&self) -> Vec<String> {
        self.engine.loaded().into_iter().map(|model| model.name).collect()
    }

    /// How many seconds each model in memory stays without work, newest first.
    fn times_to_live(&self) -> Vec<Option<u32>> {
        let models = self.engine.loaded().into_iter();
        models.map(|model| model.time_to_live).collect()
    }

    /// Waits until exactly these models are in memory, newest first.
    async fn holds(&self, names: &[&str]) {
        let mut loaded = self.engine.loaded.clone();
        let are_there = |models: &Vec<LoadedModel>| models.iter().map(|model| &model.name).eq(names);
        loaded.wait_for(are_there).await.expect("the engine lives");
    }
}

/// A load that was asked for.
struct Load(Events<LoadEvent>);

impl Load {
    /// How it ended.
    async fn outcome(self) -> Result<LoadedModel> {
        // Its events block a thread, not the runtime's only one.
        let last = tokio::task::spawn_blocking(move || {
            let mut last = None;
            while let Some(event) = self.0.next() {
                last = Some(event);
            }
            last
        });
        match last.await.expect("no panic") {
            Some(LoadEvent::Loaded(model)) => Ok(model),
            Some(LoadEvent::Failed(error)) => Err(error),
            other => panic!("{other:?}"),
        }
    }
}

impl Generation {
    /// Waits until it has begun, and gives by which model.
    async fn begun(&mut self) -> LoadedModel {
        loop {
            match self.events.recv().await.expect("it goes on") {
                JobEvent::Started(model) => return model,
                JobEvent::Loading(_) => (),
                other => panic!("{other:?}"),
            }
        }
    }

    /// Waits for the next piece.
    async fn piece(&mut self) -> String {
        match self.events.recv().await.expect("it goes on") {
            JobEvent::Piece(Piece::Text(text)) => text,
            other => panic!("{other:?}"),
        }
    }

    /// How it ended; nothing follows.
    async fn end(mut self) -> Result<StopReason> {
        let mut end = None;
        while let Some(event) = self.events.recv().await {
            assert!(end.is_none(), "{event:?} after the last event");
            end = match event {
                JobEvent::Finished { stop, .. } => Some(Ok(stop)),
                JobEvent::Failed(error) => Some(Err(error)),
                _ => None,
            };
        }
        end.expect("a last event")
    }
}

/// A model of this many gigabytes.
fn model(name: &str, gigabytes: u64) -> LibraryFile {
    LibraryFile {
        id: name.into(),
        name: name.into(),
        model: None,
        path: format!("/models/{name}.gguf").into(),
        size: ByteSize(gigabytes * GB),
        source: Source::Hearth,
        architecture: None,
        quantisation: None,
        parameters: None,
        context_length: None,
        has_chat_template: true,
        state: FileState::Ready,
        modified_at: UnixMillis(0),
    }
}
