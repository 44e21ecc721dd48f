//! Embeddings that end early: the listener leaves, the model is ejected, the worker dies.

use hearth_protocol::Error;
use hearth_protocol::embed::{EmbedEvent, EmbedInput, EmbedOptions};
use hearth_protocol::engine::{Activity, EngineEvent, LoadOptions, LoadedModel};
use hearth_protocol::{ErrorKind, Events};

use super::{begin, embed, outcome, texts};
use crate::app::{App, is_process, kill, next};
use crate::smollm;

/// A short text and long ones behind it, which take minutes; up to the first vector.
fn in_the_middle(app: &App) -> (Events<EmbedEvent>, LoadedModel) {
    let path = smollm::model();
    app.load(&path, LoadOptions::default()).expect("it loads");
    let mut inputs = texts(&["short"]);
    inputs.resize(30, EmbedInput::Text("word ".repeat(6000)));
    let events = begin(app, &path, inputs, EmbedOptions::default());
    assert_eq!(next(&events), Some(EmbedEvent::Progress { done: 1, total: 30 }));
    let model = app.loaded().remove(0);
    assert_eq!(model.activity, Activity::Generating);
    (events, model)
}

#[test]
fn a_listener_that_leaves_stops_it() {
    let app = App::real();
    let (events, model) = in_the_middle(&app);
    let news = app.client.watch_engine();
    drop(events);
    loop {
        match next(&news) {
            Some(EngineEvent::Loaded(models)) if models[0].activity == Activity::Idle => break,
            Some(EngineEvent::Loaded(_)) => (),
            other => panic!("{other:?}"),
        }
    }
    let again = embed(&app, &smollm::model(), texts(&["short"]), EmbedOptions::default());
    assert_eq!(again.map(|made| made.vectors.len()), Ok(1));
    assert_eq!(app.loaded()[0].process, model.process, "the worker goes on");
}

#[test]
fn ejecting_ends_it_and_what_waits_behind_it() {
    let app = App::real();
    let (first, model) = in_the_middle(&app);
    let second = begin(&app, &smollm::model(), texts(&["waits"]), EmbedOptions::default());
    // Once this is answered, the pool has the second one.
    assert_eq!(app.client.list_loaded().wait().map(|models| models.len()), Ok(1));
    assert_eq!(app.client.eject(model.id).wait(), Ok(()));
    assert!(!is_process(model.process));
    let error = outcome(&first).expect_err("it is ejected");
    assert!(
        matches!(&error, Error::ModelEjected { model: name } if *name == model.name),
        "{error:?}"
    );
    assert_eq!(error.kind(), ErrorKind::Cancelled);
    // It came before the eject and is ended by it, or after it and loads the model anew.
    match outcome(&second) {
        Ok(made) => assert_eq!(made.vectors.len(), 1),
        Err(again) => assert_eq!(again, error),
    }
}

#[test]
fn a_worker_that_is_killed_is_told() {
    let app = App::real();
    let (events, model) = in_the_middle(&app);
    kill(model.process);
    match outcome(&events) {
        Err(Error::WorkerDied { during, cause, .. }) => {
            assert_eq!(
                (during.as_str(), cause.as_str()),
                ("embedding", "it was killed by signal 9")
            );
        }
        other => panic!("{other:?}"),
    }
    let again = embed(&app, &smollm::model(), texts(&["short"]), EmbedOptions::default());
    assert_eq!(again.map(|made| made.vectors.len()), Ok(1));
}
