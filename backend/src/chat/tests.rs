//! Turns whose engine is a channel that the test holds, and the service over a real store without a model.

mod running;
mod service;
mod storing;

use std::ffi::OsString;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use hearth_protocol::chat::{ChatEvent, Message, TurnOptions, TurnRequest};
use hearth_protocol::completion::Piece;
use hearth_protocol::engine::{Activity, LoadedModel, ModelRef};
use hearth_protocol::generate::{SamplingParams, StopReason, TurnStats};
use hearth_protocol::{ByteSize, EventSink, Events, LoadedId, RunEvent, Waker};
use tempfile::TempDir;
use tokio::sync::mpsc;

use super::recorder::Recorder;
use super::turns::Turn;
use super::*;
use crate::config::{Config, WorkerCommand};
use crate::engine::JobEvent;
use crate::net::Net;
use crate::store::turns::Begun;

struct Fixture {
    /// Holds the database and lives as long as it.
    _folder: TempDir,
    store: Store,
    chats: Chats,
}

async fn fixture() -> Fixture {
    let folder = tempfile::tempdir().expect("folder");
    let config = Config {
        home: folder.path().to_owned(),
        worker: WorkerCommand {
            program: folder.path().join("no-worker"),
            arguments: Vec::<OsString>::new(),
        },
        starter_models: folder.path().join("no-models"),
        toolkit: Default::default(),
        login: None,
        hub_cache: None,
        other_programs: Vec::new(),
        hub: Default::default(),
    };
    let store = Store::open(&config.database()).await.expect("open");
    let engine = Engine::new(config.worker.clone(), config.kv_states());
    let library = Library::new(&config, Net::default());
    let settings = SettingsService::new(store.clone());
    Fixture {
        _folder: folder,
        chats: Chats::new(store.clone(), engine, library, settings),
        store,
    }
}

fn sink(request: u64) -> (EventSink<ChatEvent>, Events<ChatEvent>) {
    EventSink::new(RequestId(request), Waker::none())
}

fn message(chat: Option<ChatId>, text: &str) -> TurnRequest {
    TurnRequest {
        chat,
        text: text.into(),
        options: TurnOptions::default(),
        ..TurnRequest::default()
    }
}

/// The events that have come, the last one too.
fn all(events: &Events<ChatEvent>) -> Vec<ChatEvent> {
    std::iter::from_fn(|| events.try_next())
        .map(|event| event.body)
        .collect()
}

fn model() -> LoadedModel {
    LoadedModel {
        id: LoadedId(1),
        file: "starter/tiny.gguf".into(),
        name: "Tiny".into(),
        quantisation: None,
        size: ByteSize(1),
        context_length: 64,
        has_chat_template: true,
        gpu_layers: (0, 1),
        slots: 4,
        threads: 1,
        process: 1,
        activity: Activity::Generating,
        time_to_live: None,
        notices: Vec::new(),
    }
}

fn stats() -> TurnStats {
    TurnStats {
        prompt_tokens: 5,
        generated_tokens: 2,
        ..TurnStats::default()
    }
}

/// A turn that has begun, with the engine's end of its job.
struct Running {
    chats: Chats,
    chat: ChatId,
    job: mpsc::UnboundedSender<JobEvent>,
    stops: Arc<AtomicU32>,
    events: Events<ChatEvent>,
    ended: tokio::task::JoinHandle<()>,
}

impl Fixture {
    /// Begins a turn and stores it, as `send` does.
    async fn stored(&self, request: &TurnRequest, events: &EventSink<ChatEvent>) -> Result<(Turn, Begun)> {
        let turn = self.chats.turns.begin(request.chat, events);
        self.chats.begin_turn(turn, request).await
    }

    /// Begins a turn as `send` does and follows the job whose events the test gives.
    async fn begin(&self, request: u64) -> Running {
        let (mut events, listener) = sink(request);
        let (mut turn, begun) = self
            .stored(&message(None, "Hello"), &events)
            .await
            .expect("begin");
        let (job, job_events) = mpsc::unbounded_channel();
        let stops = Arc::new(AtomicU32::new(0));
        let chat = begun.chat.id;
        let mut recorder = Recorder::new(self.chats.unstored.clone(), chat, begun.answer);
        let counter = Arc::clone(&stops);
        let ended = tokio::spawn(async move {
            let stop = || {
                counter.fetch_add(1, Ordering::SeqCst);
            };
            let outcome = turn::follow(job_events, stop, &mut turn, &mut recorder, &mut events).await;
            answering::end(turn, recorder, outcome, events, || ()).await;
        });
        Running {
            chats: self.chats.clone(),
            chat,
            job,
            stops,
            events: listener,
            ended,
        }
    }

    async fn answer_in(&self, chat: ChatId) -> Message {
        let mut messages = self.store.open_chat(chat).await.expect("the chat").messages;
        messages.pop().expect("an answer")
    }
}

impl Running {
    fn says(&self, event: JobEvent) {
        self.job.send(event).expect("the turn listens");
    }
}
