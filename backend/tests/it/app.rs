//! One running backend in a folder of its own, and what the tests ask of it.
//!
//! Every wait is for an event, with a limit that only keeps a broken backend from hanging the tests.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use hearth_backend::{Config, HubConfig, Shutdown, WORKER_ARGUMENT, WorkerCommand, start};
use hearth_protocol::chat::{ChatEvent, Message, TurnOptions, TurnRequest};
use hearth_protocol::engine::{
    ContextLength, KeepLoaded, LoadEvent, LoadOptions, LoadRequest, LoadedModel, ModelRef,
};
use hearth_protocol::generate::{SamplingParams, StopReason, TurnStats};
use hearth_protocol::settings::Settings;
use hearth_protocol::{ChatId, Client, Error, Events, RunEvent};
use tempfile::TempDir;

use crate::tiny_gguf::Tiny;

/// No wait takes this long unless something is broken.
const LIMIT: Duration = Duration::from_secs(120);

/// The program whose workers the tests use.
const TEST_WORKER: &str = env!("CARGO_BIN_EXE_hearth-test-worker");

/// A backend.
pub(crate) struct App {
    pub(crate) client: Client,
    shutdown: Option<Shutdown>,
    pub(crate) config: Config,
    folder: TempDir,
}

impl App {
    /// A backend whose workers are real.
    pub(crate) fn real() -> Self {
        Self::start(|_| vec![WORKER_ARGUMENT.into()])
    }

    /// A backend whose workers play a script; `App::script` changes it for the workers to come.
    pub(crate) fn scripted(steps: &serde_json::Value) -> Self {
        let app = Self::start(|folder| vec!["scripted".into(), folder.join("script.json").into()]);
        app.script(steps);
        app
    }

    /// A backend whose workers are real and have these variables in their environment.
    pub(crate) fn with_environment(variables: &[(&str, &Path)]) -> Self {
        let pairs = variables.iter().map(|(name, value)| {
            let mut pair = OsString::from(name);
            pair.push("=");
            pair.push(value);
            pair
        });
        let worker = [TEST_WORKER.into(), WORKER_ARGUMENT.into()];
        let arguments = pairs.chain(worker).collect();
        Self::start_with(Path::new("/usr/bin/env"), |_| arguments)
    }

    /// A backend whose workers are real and get this much address space, in kilobytes.
    pub(crate) fn with_memory_limit(kilobytes: u32) -> Self {
        let script = r#"ulimit -v "$0" && exec "$@""#;
        let limit = kilobytes.to_string();
        let arguments = ["-c", script, &limit, TEST_WORKER, WORKER_ARGUMENT].map(OsString::from);
        Self::start_with(Path::new("/bin/sh"), |_| arguments.into())
    }

    /// A backend whose workers give each large block of memory back to the system at once, so that none is at hand for the
    /// next one.
    pub(crate) fn without_spare_memory() -> Self {
        let script = r#"export MALLOC_MMAP_THRESHOLD_=65536 MALLOC_TRIM_THRESHOLD_=65536 && exec "$@""#;
        let arguments = ["-c", script, "sh", TEST_WORKER, WORKER_ARGUMENT].map(OsString::from);
        Self::start_with(Path::new("/bin/sh"), |_| arguments.into())
    }

    /// A backend whose worker program is not there.
    pub(crate) fn without_worker() -> Self {
        Self::start_with(Path::new("/nowhere/hearth"), |_| Vec::new())
    }

    fn start(arguments: impl FnOnce(&Path) -> Vec<OsString>) -> Self {
        Self::start_with(Path::new(TEST_WORKER), arguments)
    }

    fn start_with(program: &Path, arguments: impl FnOnce(&Path) -> Vec<OsString>) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let config = Config {
            home: folder.path().join("home"),
            worker: WorkerCommand {
                program: program.to_owned(),
                arguments: arguments(folder.path()),
            },
            starter_models: folder.path().join("starter"),
            toolkit: Default::default(),
            login: None,
            hub_cache: None,
            other_programs: Vec::new(),
            // No test asks the real hub.
            hub: HubConfig {
                offline: true,
                ..HubConfig::default()
            },
        };
        let (client, shutdown) = start(config.clone());
        // A title that is made in the background would be one more answer than a test expects. What cannot be stored, as
        // in tests of damaged databases, gives no titles either.
        drop(client.write_settings(without_titles()).wait());
        Self {
            client,
            shutdown: Some(shutdown),
            config,
            folder,
        }
    }

    /// Starts anew on the same folder, after [`Self::shut_down`].
    pub(crate) fn start_again(&mut self) {
        let (client, shutdown) = start(self.config.clone());
        (self.client, self.shutdown) = (client, Some(shutdown));
    }

    /// What the next worker shall play.
    pub(crate) fn script(&self, steps: &serde_json::Value) {
        std::fs::write(self.path("script.json"), steps.to_string()).expect("the script is written");
    }

    /// A path in the test's folder.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a tiny model and gives its place.
    pub(crate) fn tiny(&self) -> PathBuf {
        self.tiny_as("tiny.gguf", &Tiny::default())
    }

    /// Writes a tiny model of this kind under this name.
    pub(crate) fn tiny_as(&self, name: &str, model: &Tiny) -> PathBuf {
        let path = self.path(name);
        model.write(&path);
        path
    }

    /// Starts a load.
    pub(crate) fn begin_load(&self, path: &Path, options: LoadOptions) -> Events<LoadEvent> {
        self.client.load(LoadRequest {
            model: ModelRef::Path(path.to_owned()),
            options: Some(options),
            force: false,
            keep: KeepLoaded::Default,
        })
    }

    /// Loads and waits for the outcome.
    pub(crate) fn load(&self, path: &Path, options: LoadOptions) -> Result<LoadedModel, Error> {
        outcome_of_load(&self.begin_load(path, options))
    }

    /// Loads with a context of this many tokens.
    pub(crate) fn load_with_context(&self, path: &Path, tokens: u32) -> LoadedModel {
        self.load(path, context(tokens)).expect("the model loads")
    }

    /// Sends a message; `chat` is `None` for a new one.
    pub(crate) fn send(
        &self,
        path: &Path,
        chat: Option<ChatId>,
        text: &str,
        sampling: SamplingParams,
    ) -> Turn {
        Turn(self.client.send(TurnRequest {
            chat,
            text: text.to_owned(),
            options: TurnOptions {
                model: Some(ModelRef::Path(path.to_owned())),
                sampling: Some(sampling),
                ..TurnOptions::default()
            },
            ..TurnRequest::default()
        }))
    }

    /// Sends a message and waits for the answer.
    pub(crate) fn ask(
        &self,
        path: &Path,
        chat: Option<ChatId>,
        text: &str,
        sampling: SamplingParams,
    ) -> Answer {
        self.send(path, chat, text, sampling).finish()
    }

    /// Makes an answer again, as another version.
    pub(crate) fn ask_again(&self, path: &Path, answer: &Answer, sampling: SamplingParams) -> Answer {
        let options = TurnOptions {
            model: Some(ModelRef::Path(path.to_owned())),
            sampling: Some(sampling),
            ..TurnOptions::default()
        };
        Turn(self.client.regenerate(answer.message().id, options)).finish()
    }

    /// Ends the backend and waits until it has ended.
    pub(crate) fn shut_down(&mut self) {
        let shutdown = self.shutdown.take().expect("it runs");
        let (ended, ending) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            shutdown.shut_down();
            ended.send(()).expect("the test waits");
        });
        ending.recv_timeout(LIMIT).expect("the backend ends");
    }

    /// The models in memory.
    pub(crate) fn loaded(&self) -> Vec<LoadedModel> {
        self.client.list_loaded().wait().expect("the list")
    }
}

/// The settings of most tests.
pub(crate) fn without_titles() -> Settings {
    Settings {
        automatic_titles: false,
        ..Settings::default()
    }
}

/// Load options with a context of this many tokens.
pub(crate) fn context(tokens: u32) -> LoadOptions {
    LoadOptions {
        context_length: ContextLength::Tokens(tokens),
        ..LoadOptions::default()
    }
}

/// Greedy, at most this many tokens.
pub(crate) fn greedy(max_tokens: u32) -> SamplingParams {
    SamplingParams {
        max_tokens: Some(max_tokens),
        ..SamplingParams::greedy()
    }
}

/// The next event of a run.
pub(crate) fn next<E: RunEvent>(events: &Events<E>) -> Option<E> {
    events.next_timeout(LIMIT).expect("an event comes in time")
}

/// The last event of a load.
pub(crate) fn outcome_of_load(events: &Events<LoadEvent>) -> Result<LoadedModel, Error> {
    loop {
        match next(events).expect("a load has a last event") {
            LoadEvent::Loaded(model) => return Ok(model),
            LoadEvent::Failed(error) => return Err(error),
            LoadEvent::Started { .. } | LoadEvent::Progress(_) => (),
        }
    }
}

/// An answer that is being made.
pub(crate) struct Turn(pub(crate) Events<ChatEvent>);

/// An answer that has ended.
#[derive(Debug)]
pub(crate) struct Answer {
    /// The chat it stands in.
    pub(crate) chat: ChatId,
    /// What was streamed.
    pub(crate) streamed: String,
    /// Tokens of the prompt read, and all of them, each time they were told.
    pub(crate) progress: Vec<(u32, u32)>,
    /// The stored answer.
    pub(crate) message: Option<Message>,
    /// Why it broke off, if it did.
    pub(crate) error: Option<Error>,
}

impl Turn {
    /// Waits until this holds for an event, and gives what was seen up to it.
    pub(crate) fn until(&self, mut wanted: impl FnMut(&ChatEvent) -> bool) -> Vec<ChatEvent> {
        let mut seen = Vec::new();
        loop {
            let event = next(&self.0).expect("the awaited event comes before the last");
            let found = wanted(&event);
            seen.push(event);
            if found {
                return seen;
            }
        }
    }

    /// Waits for the end.
    pub(crate) fn finish(self) -> Answer {
        self.finish_after(Vec::new())
    }

    /// Waits for the end, given what was seen already.
    pub(crate) fn finish_after(self, seen: Vec<ChatEvent>) -> Answer {
        let mut answer = Answer {
            chat: ChatId(0),
            streamed: String::new(),
            progress: Vec::new(),
            message: None,
            error: None,
        };
        let mut ended = seen.into_iter().any(|event| answer.take(event));
        while let Some(event) = next(&self.0) {
            assert!(!ended, "nothing follows the last event, but {event:?} came");
            ended = answer.take(event);
        }
        assert!(ended, "a run ends with its last event");
        answer
    }
}

impl Answer {
    /// Takes an event; whether it was the last.
    fn take(&mut self, event: ChatEvent) -> bool {
        match event {
            ChatEvent::Started { chat, .. } => self.chat = chat.id,
            ChatEvent::Delta(text) => self.streamed.push_str(&text),
            ChatEvent::PromptProgress { processed, total } => self.progress.push((processed, total)),
            ChatEvent::Finished(message) => {
                self.message = Some(message);
                return true;
            }
            ChatEvent::Failed { error, answer } => {
                self.message = answer;
                self.error = Some(error);
                return true;
            }
            ChatEvent::Loading(_)
            | ChatEvent::ReasoningDelta(_)
            | ChatEvent::ToolCall(_)
            | ChatEvent::Logprobs(_)
            | ChatEvent::NotStored(_) => (),
        }
        false
    }

    /// The stored answer of a turn that ended well.
    pub(crate) fn message(&self) -> &Message {
        assert_eq!(self.error, None, "{self:?}");
        self.message.as_ref().expect("an answer is stored")
    }

    /// The stored text, which is what was streamed.
    pub(crate) fn text(&self) -> &str {
        let message = self.message.as_ref().expect("an answer is stored");
        assert_eq!(message.text, self.streamed);
        &message.text
    }

    /// Why it ended.
    pub(crate) fn stop(&self) -> &StopReason {
        self.message().stop.as_ref().expect("a stop reason is stored")
    }

    /// What it cost.
    pub(crate) fn stats(&self) -> TurnStats {
        self.message().stats.expect("stats are stored")
    }
}

/// Waits until something holds that sends no event, such as the end of a process.
pub(crate) fn eventually(what: &str, mut holds: impl FnMut() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < LIMIT, "{what} does not come");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Whether a process is there, a zombie included.
pub(crate) fn is_process(process: u32) -> bool {
    signal(process, "-0")
}

/// Kills a process as the system does when memory runs out.
pub(crate) fn kill(process: u32) {
    assert!(signal(process, "-9"), "{process} is not there");
}

fn signal(process: u32, signal: &str) -> bool {
    let mut command = std::process::Command::new("kill");
    let command = command.args([signal, &process.to_string()]);
    // For a process that is not there it writes so, and fails.
    let status = command.stderr(std::process::Stdio::null()).status();
    status.expect("kill runs").success()
}
