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
fn ejecting_ends_it() {
    let app = App::real();
    let (events, model) = in_the_middle(&app);
    assert_eq!(app.client.eject(model.id).wait(), Ok(()));
    assert!(!is_process(model.process));
    let error = outcome(&events).expect_err("it is ejected");
    assert!(
        matches!(&error, Error::ModelEjected { model: name } if *name == model.name),
        "{error:?}"
    );
    assert_eq!(error.kind(), ErrorKind::Cancelled);
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

/// What a process may take of the address space, in bytes or `unlimited`.
#[cfg(target_os = "linux")]
fn limit(process: u32, bytes: &str) {
    let arguments = [format!("--pid={process}"), format!("--as={bytes}:")];
    let status = std::process::Command::new("prlimit").args(arguments).status();
    assert!(status.expect("prlimit runs").success());
}

#[cfg(target_os = "linux")]
#[test]
fn no_memory_for_a_context_is_an_error_and_the_worker_goes_on() {
    let app = App::real();
    let path = smollm::model();
    let model = app.load(&path, LoadOptions::default()).expect("it loads");
    // Its threads have what they need from their first work on.
    let before = embed(&app, &path, texts(&["short"]), EmbedOptions::default());
    assert_eq!(before.map(|made| made.vectors.len()), Ok(1));
    // Pages that it has now, and little more.
    let pages = std::fs::read_to_string(format!("/proc/{}/statm", model.process)).expect("it runs");
    let pages: u64 = pages
        .split(' ')
        .next()
        .and_then(|pages| pages.parse().ok())
        .expect("a number");
    limit(model.process, &(pages * 4096 + (16 << 20)).to_string());
    let long = vec![EmbedInput::Text("word ".repeat(6000))];
    let error = embed(&app, &path, long, EmbedOptions::default()).expect_err("there is no room");
    assert!(
        matches!(&error, Error::MemoryShort { reason, .. } if reason.contains("6001 tokens") || reason.contains("6000 tokens")),
        "{error:?}"
    );
    limit(model.process, "unlimited");
    let again = embed(&app, &path, texts(&["short"]), EmbedOptions::default());
    assert_eq!(again.map(|made| made.vectors.len()), Ok(1));
    assert_eq!(app.loaded()[0].process, model.process);
}
