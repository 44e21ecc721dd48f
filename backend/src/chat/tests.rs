//! Turns whose engine is a channel that the test holds, and the service over a real store without a model.

use std::ffi::OsString;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use hearth_protocol::engine::{Activity, LoadedModel, ModelRef};
use hearth_protocol::generate::SamplingParams;
use hearth_protocol::{ByteSize, Events, LoadedId, RunEvent, Waker};
use tempfile::TempDir;
use tokio::sync::mpsc;

use super::*;
use crate::config::{Config, WorkerCommand};
use crate::engine::JobEvent;
use crate::net::Net;

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
        hub_cache: None,
    };
    let store = Store::open(&config.database()).await.expect("open");
    let engine = Engine::new(config.worker.clone());
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
        threads: 1,
        process: 1,
        activity: Activity::Generating,
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
    /// Begins a turn as `send` does and follows the job whose events the test gives.
    async fn begin(&self, request: u64, delay: Duration) -> Running {
        let (mut events, listener) = sink(request);
        let request = message(None, "Hello");
        let (mut turn, begun) = self.chats.begin_turn(&request, &events).await.expect("begin");
        let (job, job_events) = mpsc::unbounded_channel();
        let stops = Arc::new(AtomicU32::new(0));
        let chat = begun.chat.id;
        let mut recorder = Recorder::new(self.store.clone(), begun.answer, delay);
        let counter = Arc::clone(&stops);
        let ended = tokio::spawn(async move {
            let stop = || {
                counter.fetch_add(1, Ordering::SeqCst);
            };
            let outcome = turn::follow(job_events, stop, &mut turn, &mut recorder, &mut events).await;
            end(turn, recorder, outcome, &mut events).await;
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

#[tokio::test]
async fn an_answer_is_told_and_stored() {
    let fixture = fixture().await;
    let running = fixture.begin(1, STORE_DELAY).await;
    running.says(JobEvent::Loading(0.5));
    running.says(JobEvent::Started(model()));
    running.says(JobEvent::PromptProgress {
        processed: 5,
        total: 5,
    });
    running.says(JobEvent::Delta("Hi".into()));
    running.says(JobEvent::Delta(" there".into()));
    running.says(JobEvent::Finished {
        stop: StopReason::EndOfText,
        stats: stats(),
    });
    running.ended.await.expect("the turn ends");

    let stored = fixture.answer_in(running.chat).await;
    assert_eq!(stored.text, "Hi there");
    assert_eq!(
        (&stored.stop, stored.stats),
        (&Some(StopReason::EndOfText), Some(stats()))
    );
    assert_eq!(stored.model.as_deref(), Some("Tiny"));
    let expected = [
        ChatEvent::Loading(0.5),
        ChatEvent::PromptProgress {
            processed: 5,
            total: 5,
        },
        ChatEvent::Delta("Hi".into()),
        ChatEvent::Delta(" there".into()),
        ChatEvent::Finished(stored),
    ];
    assert_eq!(all(&running.events), expected);
    let last = fixture.store.last_model(running.chat).await;
    assert_eq!(last, Ok(Some("starter/tiny.gguf".into())));
}

#[tokio::test]
async fn words_are_stored_while_the_model_pauses() {
    let fixture = fixture().await;
    let (events, _listener) = sink(1);
    let (_turn, begun) = fixture
        .chats
        .begin_turn(&message(None, "Hello"), &events)
        .await
        .expect("begin");
    let mut recorder = Recorder::new(fixture.store.clone(), begun.answer, Duration::ZERO);
    recorder.add("Once upon");
    recorder.keep().await;
    recorder.add(" a time");
    recorder.keep().await;
    assert_eq!(
        fixture.answer_in(begun.chat.id).await.text,
        "Once upon",
        "a save holds what there was"
    );
    recorder.keep().await;
    recorder.keep().await;
    let partial = fixture.answer_in(begun.chat.id).await;
    assert_eq!((partial.text.as_str(), partial.stop), ("Once upon a time", None));
}

#[tokio::test]
async fn nothing_is_due_before_its_time_and_a_save_that_runs_ends_before_the_last_one() {
    let fixture = fixture().await;
    let (events, _listener) = sink(1);
    let (_turn, begun) = fixture
        .chats
        .begin_turn(&message(None, "Hello"), &events)
        .await
        .expect("begin");
    let chat = begun.chat.id;
    let mut recorder = Recorder::new(fixture.store.clone(), begun.answer, Duration::from_secs(3600));
    recorder.add("Once");
    tokio::select! {
        biased;
        () = recorder.keep() => panic!("it is not due"),
        () = std::future::ready(()) => (),
    }
    let stored = recorder
        .finish(|answer| answer.stop = Some(StopReason::UserStopped))
        .await
        .expect("store");
    assert_eq!(fixture.answer_in(chat).await, stored);
}

#[tokio::test]
async fn a_stopped_answer_keeps_its_text_and_the_chat_goes_on() {
    let fixture = fixture().await;
    let running = fixture.begin(1, STORE_DELAY).await;
    running.says(JobEvent::Delta("Half an".into()));
    fixture.chats.stop(RequestId(1)).await.expect("stop");
    fixture.chats.stop(RequestId(1)).await.expect("stop twice");
    // The worker says one more word before it hears of it.
    running.says(JobEvent::Delta(" answer".into()));
    running.says(JobEvent::Finished {
        stop: StopReason::UserStopped,
        stats: stats(),
    });
    running.ended.await.expect("the turn ends");
    assert!(running.stops.load(Ordering::SeqCst) <= 1);
    let stored = fixture.answer_in(running.chat).await;
    assert_eq!(
        (stored.text.as_str(), &stored.stop),
        ("Half an answer", &Some(StopReason::UserStopped))
    );
    fixture
        .chats
        .stop(RequestId(1))
        .await
        .expect("stop what has ended");
    let (events, _listener) = sink(2);
    let again = fixture
        .chats
        .begin_turn(&message(Some(running.chat), "More"), &events)
        .await;
    assert!(again.is_ok(), "{again:?}");
}

#[tokio::test]
async fn an_answer_that_breaks_off_keeps_its_text_and_its_cause() {
    let fixture = fixture().await;
    let running = fixture.begin(1, STORE_DELAY).await;
    running.says(JobEvent::Delta("Half".into()));
    running.says(JobEvent::Failed(Error::Cancelled));
    running.ended.await.expect("the turn ends");
    let stored = fixture.answer_in(running.chat).await;
    let message = Error::Cancelled.to_string();
    assert_eq!(
        (stored.text.as_str(), &stored.stop),
        ("Half", &Some(StopReason::Failed { message }))
    );
    let failed = ChatEvent::Failed {
        error: Error::Cancelled,
        answer: Some(stored),
    };
    assert_eq!(all(&running.events).last(), Some(&failed));

    // An engine that ends without a word is a failure too.
    let running = fixture.begin(2, STORE_DELAY).await;
    drop(running.job);
    running.ended.await.expect("the turn ends");
    assert!(matches!(
        all(&running.events).last(),
        Some(ChatEvent::Failed {
            error: Error::BackendGone,
            answer: Some(_)
        })
    ));
}

#[tokio::test]
async fn a_listener_that_leaves_stops_the_job() {
    let fixture = fixture().await;
    let Running {
        chat,
        job,
        stops,
        events,
        ended,
        ..
    } = fixture.begin(1, STORE_DELAY).await;
    job.send(JobEvent::Delta("Half".into()))
        .expect("the turn listens");
    drop(events);
    // As the engine does: it ends the job once it is told to.
    while stops.load(Ordering::SeqCst) == 0 {
        tokio::task::yield_now().await;
    }
    let end = JobEvent::Finished {
        stop: StopReason::UserStopped,
        stats: stats(),
    };
    job.send(end).expect("the turn listens");
    ended.await.expect("the turn ends");
    let stored = fixture.answer_in(chat).await;
    assert_eq!(
        (stored.text.as_str(), stored.stop),
        ("Half", Some(StopReason::UserStopped))
    );
}

#[tokio::test]
async fn deleting_a_chat_ends_its_answer_first() {
    let fixture = fixture().await;
    let running = fixture.begin(1, STORE_DELAY).await;
    running.says(JobEvent::Delta("Half".into()));
    let deleting = tokio::spawn({
        let (chats, chat) = (running.chats.clone(), running.chat);
        async move { chats.delete(chat).await }
    });
    while running.stops.load(Ordering::SeqCst) == 0 {
        tokio::task::yield_now().await;
    }
    assert!(!deleting.is_finished());
    running.says(JobEvent::Finished {
        stop: StopReason::UserStopped,
        stats: stats(),
    });
    let deleted = deleting.await.expect("join").expect("delete");
    fixture.chats.undo(deleted.undo).await.expect("undo");
    let stored = fixture.answer_in(running.chat).await;
    assert_eq!(
        (stored.text.as_str(), stored.stop),
        ("Half", Some(StopReason::UserStopped))
    );
}

#[tokio::test]
async fn deleting_a_message_takes_what_is_below_it() {
    let fixture = fixture().await;
    let running = fixture.begin(1, STORE_DELAY).await;
    running.says(JobEvent::Finished {
        stop: StopReason::EndOfText,
        stats: stats(),
    });
    running.ended.await.expect("the turn ends");
    let question = fixture.chats.open(running.chat).await.expect("the chat").messages[0].id;
    let deleted = fixture.chats.delete_message(question).await.expect("delete");
    assert_eq!(
        fixture.chats.open(running.chat).await.expect("the chat").messages,
        []
    );
    fixture.chats.undo(deleted.undo).await.expect("undo");
    assert_eq!(
        fixture
            .chats
            .open(running.chat)
            .await
            .expect("the chat")
            .messages
            .len(),
        2
    );
}

#[tokio::test]
async fn shutting_down_waits_for_the_last_words() {
    let fixture = fixture().await;
    let running = fixture.begin(1, STORE_DELAY).await;
    running.says(JobEvent::Delta("Last words".into()));
    let closing = tokio::spawn({
        let chats = running.chats.clone();
        async move { chats.shut_down().await }
    });
    while running.stops.load(Ordering::SeqCst) == 0 {
        tokio::task::yield_now().await;
    }
    running.says(JobEvent::Finished {
        stop: StopReason::UserStopped,
        stats: stats(),
    });
    closing.await.expect("closed");
    assert_eq!(fixture.answer_in(running.chat).await.text, "Last words");
    let (events, listener) = sink(2);
    fixture.chats.send(message(None, "Too late"), events).await;
    assert_eq!(all(&listener), [ChatEvent::failed(Error::BackendGone)]);
}

#[tokio::test]
async fn a_second_message_while_an_answer_is_written_is_refused() {
    let fixture = fixture().await;
    let running = fixture.begin(1, STORE_DELAY).await;
    let (events, listener) = sink(2);
    fixture
        .chats
        .send(message(Some(running.chat), "More"), events)
        .await;
    let refused = all(&listener);
    assert!(
        matches!(
            &refused[..],
            [ChatEvent::Failed {
                error: Error::Busy { .. },
                answer: None
            }]
        ),
        "{refused:?}"
    );
    let answer = fixture.answer_in(running.chat).await;
    let (events, listener) = sink(3);
    fixture
        .chats
        .regenerate(answer.id, TurnOptions::default(), events)
        .await;
    assert!(matches!(
        &all(&listener)[..],
        [ChatEvent::Failed {
            error: Error::Busy { .. },
            ..
        }]
    ));
    assert!(matches!(
        fixture.chats.select_version(answer.id).await,
        Err(Error::Busy { .. })
    ));
    let chat = fixture.chats.open(running.chat).await.expect("the chat");
    assert_eq!(chat.messages.len(), 2, "nothing of it is stored");
}

#[tokio::test]
async fn what_cannot_be_sent_is_refused_and_leaves_no_trace() {
    let fixture = fixture().await;
    let hot = TurnOptions {
        sampling: Some(SamplingParams {
            temperature: -1.0,
            ..SamplingParams::default()
        }),
        ..TurnOptions::default()
    };
    let cases = [
        (message(None, " \n\t"), "message"),
        (
            TurnRequest {
                options: hot,
                ..message(None, "Hello")
            },
            "temperature",
        ),
    ];
    for (number, (request, field)) in (1..).zip(cases) {
        let (events, listener) = sink(number);
        fixture.chats.send(request, events).await;
        let refused = all(&listener);
        let [
            ChatEvent::Failed {
                error: Error::Invalid { field: named, .. },
                answer: None,
            },
        ] = &refused[..]
        else {
            panic!("{refused:?}");
        };
        assert_eq!(named, field);
    }
    let (events, listener) = sink(9);
    fixture
        .chats
        .send(message(Some(ChatId(99)), "Hello"), events)
        .await;
    assert!(matches!(
        &all(&listener)[..],
        [ChatEvent::Failed {
            error: Error::NotFound { .. },
            answer: None
        }]
    ));
    assert_eq!(fixture.chats.list().await, Ok(Vec::new()));
}

#[tokio::test]
async fn a_message_without_a_model_is_kept_and_can_be_answered_later() {
    let fixture = fixture().await;
    let (events, listener) = sink(1);
    fixture
        .chats
        .send(message(None, "What is\na monad?"), events)
        .await;
    let [started, failed] = &all(&listener)[..] else {
        panic!("two events");
    };
    let ChatEvent::Started {
        chat,
        user: Some(user),
        answer,
    } = started
    else {
        panic!("{started:?}");
    };
    assert_eq!(
        (chat.title.as_str(), user.text.as_str()),
        ("What is a monad?", "What is\na monad?")
    );
    assert_eq!(
        (answer.parent, answer.text.as_str(), &answer.stop),
        (Some(user.id), "", &None)
    );
    let ChatEvent::Failed {
        error,
        answer: Some(stored),
    } = failed
    else {
        panic!("{failed:?}");
    };
    assert!(
        matches!(error, Error::Invalid { field, .. } if field == "model"),
        "{error:?}"
    );
    assert_eq!(
        stored.stop,
        Some(StopReason::Failed {
            message: error.to_string()
        })
    );
    assert_eq!(*stored, fixture.answer_in(chat.id).await);

    let (events, listener) = sink(2);
    let options = TurnOptions {
        model: Some(ModelRef::Name("nowhere".into())),
        ..TurnOptions::default()
    };
    fixture.chats.regenerate(answer.id, options, events).await;
    let again = all(&listener);
    let [
        ChatEvent::Started {
            user: None, answer, ..
        },
        ChatEvent::Failed { error, .. },
    ] = &again[..]
    else {
        panic!("{again:?}");
    };
    assert_eq!(answer.version, (1, 2));
    assert!(
        matches!(error, Error::NotFound { what, .. } if what == "model"),
        "{error:?}"
    );
}

#[tokio::test]
async fn a_turn_stopped_before_its_job_begins_says_so() {
    let fixture = fixture().await;
    let (events, listener) = sink(1);
    let request = message(None, "Hello");
    let (turn, begun) = fixture.chats.begin_turn(&request, &events).await.expect("begin");
    fixture.chats.stop(RequestId(1)).await.expect("stop");
    assert!(turn.is_stopped());
    fixture
        .chats
        .answer(turn, begun, None, request.options, events)
        .await;
    let events = all(&listener);
    let Some(ChatEvent::Finished(answer)) = events.last() else {
        panic!("{events:?}");
    };
    assert_eq!(
        (&answer.stop, answer.stats),
        (&Some(StopReason::UserStopped), None)
    );
}

#[tokio::test]
async fn titles_are_given_once_and_by_hand() {
    let fixture = fixture().await;
    let running = fixture.begin(1, STORE_DELAY).await;
    assert_eq!(fixture.chats.list().await.expect("list")[0].title, "Hello");
    let renamed = fixture
        .chats
        .rename(running.chat, " My\nchat ")
        .await
        .expect("rename");
    assert_eq!(renamed.title, "My chat");
    let blank = fixture.chats.rename(running.chat, " \u{0}").await;
    assert!(matches!(blank, Err(Error::Invalid { field, .. }) if field == "title"));
    let missing = fixture.chats.rename(ChatId(99), "x").await;
    assert!(matches!(missing, Err(Error::NotFound { .. })));
}
