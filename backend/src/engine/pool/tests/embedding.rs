//! Texts to embed, which are work as answers are.

use hearth_protocol::embed::{EmbedEvent, EmbedInput, EmbedOptions, Embeddings};
use hearth_protocol::engine::Activity;

use super::*;
use crate::engine::EmbedJob;

impl Desk {
    /// Asks for vectors of a text; its last word says what the worker does.
    fn embed(&self, file: &LibraryFile, text: &str, count: usize) -> Events<EmbedEvent> {
        self.requests.set(self.requests.get() + 1);
        let (sink, events) = EventSink::new(RequestId(self.requests.get()), Waker::none());
        let job = EmbedJob {
            inputs: vec![EmbedInput::Text(format!("Be {text}")); count],
            options: EmbedOptions::default(),
        };
        let (engine, file) = (self.engine.clone(), file.clone());
        let keep = KeepLoaded::Default;
        tokio::spawn(async move { engine.embed(file, LoadOptions::default(), job, keep, sink).await });
        events
    }
}

/// The last event.
async fn outcome(events: Events<EmbedEvent>) -> Result<Embeddings> {
    // Its events block a thread, not the runtime's only one.
    let last = tokio::task::spawn_blocking(move || std::iter::from_fn(|| events.next()).last());
    match last.await.expect("no panic") {
        Some(EmbedEvent::Finished(embeddings)) => Ok(embeddings),
        Some(EmbedEvent::Failed(error)) => Err(error),
        other => panic!("{other:?}"),
    }
}

/// Waits until the model does this.
async fn does(desk: &Desk, activity: Activity) {
    let mut loaded = desk.engine.loaded.clone();
    let does = |models: &Vec<LoadedModel>| models.iter().any(|model| model.activity == activity);
    loaded.wait_for(does).await.expect("the engine lives");
}

#[tokio::test]
async fn vectors_come_in_order_and_the_model_is_loaded_for_them() {
    let desk = Desk::new();
    let one = model("one", 1);
    let made = outcome(desk.embed(&one, "embed", 2)).await.expect("vectors");
    assert_eq!(made.vectors, [[0.5, 1e-7], [0.25, 1.0]]);
    assert_eq!(made.tokens, [2, 3]);
    assert_eq!(desk.engine.loaded()[0].activity, Activity::Idle);
    // Fewer vectors than texts are no success.
    let fewer = outcome(desk.embed(&one, "embed", 3)).await;
    assert!(matches!(fewer, Err(Error::Internal { .. })), "{fewer:?}");
    assert_eq!(desk.loads(), 1);
}

#[tokio::test]
async fn an_eject_ends_what_is_embedded_and_what_waits() {
    let desk = Desk::new();
    let one = model("one", 1);
    let first = desk.load(&one).await.outcome().await.expect("it loads");
    for text in ["slow", "wait"] {
        let events = desk.embed(&one, text, 1);
        does(&desk, Activity::Generating).await;
        assert_eq!(desk.engine.eject(desk.engine.loaded()[0].id).await, Ok(()));
        let name = first.name.clone();
        assert_eq!(outcome(events).await, Err(Error::ModelEjected { model: name }));
        desk.load(&one).await.outcome().await.expect("it loads");
    }
}

#[tokio::test]
async fn a_listener_that_leaves_frees_the_model() {
    let desk = Desk::new();
    let one = model("one", 1);
    desk.load(&one).await.outcome().await.expect("it loads");
    let events = desk.embed(&one, "wait", 1);
    does(&desk, Activity::Generating).await;
    drop(events);
    does(&desk, Activity::Idle).await;
}

#[tokio::test]
async fn a_worker_that_dies_is_told() {
    let desk = Desk::new();
    let one = model("one", 1);
    let died = |during: &str, cause: &str| {
        Err(Error::WorkerDied {
            during: during.into(),
            cause: cause.into(),
            log: Vec::new(),
        })
    };
    let ends = outcome(desk.embed(&one, "crash", 1)).await;
    assert_eq!(ends, died("embedding", "it ended with code 7"));
    let ends = outcome(desk.embed(&one, "fall", 1)).await;
    assert_eq!(ends, died("preparing to embed", "it ended with code 8"));
}

#[tokio::test]
async fn texts_count_in_the_queue_of_a_model() {
    let desk = Desk::new();
    let one = model("one", 1);
    desk.load(&one).await.outcome().await.expect("it loads");
    let slots = LoadOptions::default().parallel_slots as usize;
    let waiting: Vec<_> = (0..slots + QUEUE_LENGTH)
        .map(|_| desk.ask(&one, "wait"))
        .collect();
    let refused = outcome(desk.embed(&one, "embed", 2)).await;
    assert!(matches!(refused, Err(Error::Busy { .. })), "{refused:?}");
    drop(waiting);
}
