//! The pool against workers that play a script: who waits for a load, who cancels it, and what then stays.

use hearth_protocol::Error;
use hearth_protocol::engine::{LoadEvent, LoadOptions, ModelRef};
use hearth_protocol::prompt::{TokenizeInput, TokenizeRequest};
use serde_json::json;

use crate::app::{App, context, eventually, is_process, next, outcome_of_load};
use crate::tiny_gguf::Tiny;

/// A worker that writes its number, tells a quarter of the load, and hangs.
fn hanging_load(app: &App) {
    app.script(&json!([
        {"process": app.path("process")},
        {"await": "load"},
        {"say": {"response": "load_progress", "share": 0.25}},
        {"deaf": true},
    ]));
}

/// The number that the hanging worker wrote.
fn hanging_process(app: &App) -> u32 {
    let text = std::fs::read_to_string(app.path("process")).expect("it is written before the progress");
    text.parse().expect("a number")
}

fn until_a_quarter(load: &hearth_protocol::Events<LoadEvent>) {
    while next(load) != Some(LoadEvent::Progress(0.25)) {}
}

#[test]
fn a_cancelled_load_ends_its_worker() {
    let app = App::scripted(&json!([]));
    hanging_load(&app);
    let load = app.begin_load(&app.tiny(), context(64));
    until_a_quarter(&load);
    assert_eq!(app.client.cancel_load(load.request()).wait(), Ok(()));
    assert_eq!(outcome_of_load(&load), Err(Error::Cancelled));
    let process = hanging_process(&app);
    eventually("the end of the worker", || !is_process(process));
    assert_eq!(
        app.client.cancel_load(load.request()).wait(),
        Ok(()),
        "cancelling again does nothing"
    );
}

/// A load looks for its file before the pool knows of it, and a quick hand is faster than that.
#[test]
fn a_cancel_that_overtakes_its_load_is_not_lost() {
    let app = App::scripted(&json!([]));
    hanging_load(&app);
    for _ in 0..20 {
        let load = app.begin_load(&app.tiny(), context(64));
        assert_eq!(app.client.cancel_load(load.request()).wait(), Ok(()));
        assert_eq!(outcome_of_load(&load), Err(Error::Cancelled));
    }
}

#[test]
fn a_load_whose_listener_leaves_is_cancelled() {
    let app = App::scripted(&json!([]));
    hanging_load(&app);
    let load = app.begin_load(&app.tiny(), context(64));
    until_a_quarter(&load);
    drop(load);
    let process = hanging_process(&app);
    eventually("the end of the worker", || !is_process(process));
}

/// Counting tokens loaded a model to the end for a client that had left.
#[test]
fn a_load_that_only_a_dropped_question_waited_for_is_cancelled() {
    let app = App::scripted(&json!([]));
    hanging_load(&app);
    let question = app.client.tokenize(TokenizeRequest {
        model: Some(ModelRef::Path(app.tiny())),
        input: TokenizeInput::Text {
            text: "hello".into(),
            add_special: false,
            parse_special: false,
        },
    });
    eventually("the worker loads", || app.path("process").exists());
    drop(question);
    let process = hanging_process(&app);
    eventually("the end of the worker", || !is_process(process));
}

#[test]
fn of_several_who_wait_only_the_one_that_cancels_leaves() {
    let app = App::scripted(&json!([]));
    let go = app.path("go");
    app.script(&json!([
        {"await": "load"},
        {"say": {"response": "load_progress", "share": 0.25}},
        {"until": go},
        {"say": {"response": "loaded", "context_length": 64, "has_chat_template": false, "gpu_layers": [0, 5], "threads": 1}},
    ]));
    let path = app.tiny();
    let (stays, leaves) = (
        app.begin_load(&path, context(64)),
        app.begin_load(&path, context(64)),
    );
    until_a_quarter(&stays);
    until_a_quarter(&leaves);
    assert_eq!(app.client.cancel_load(leaves.request()).wait(), Ok(()));
    assert_eq!(outcome_of_load(&leaves), Err(Error::Cancelled));
    std::fs::write(go, "").expect("the script goes on");
    assert_eq!(outcome_of_load(&stays).expect("it loads").context_length, 64);
}

#[test]
fn another_model_loads_meanwhile_and_the_same_in_another_way_does_not() {
    let app = App::scripted(&json!([]));
    hanging_load(&app);
    let path = app.tiny();
    let load = app.begin_load(&path, context(64));
    until_a_quarter(&load);
    let refused = app.load(&path, context(32));
    assert!(
        matches!(&refused, Err(Error::Busy { reason, .. }) if reason.contains("being loaded")),
        "{refused:?}"
    );

    app.script(&json!([
        {"await": "load"},
        {"say": {"response": "loaded", "context_length": 64, "has_chat_template": false, "gpu_layers": [0, 5], "threads": 1}},
    ]));
    let other = app.tiny_as("other.gguf", &Tiny::default());
    let beside = app.load(&other, LoadOptions::default());
    assert!(beside.is_ok(), "{beside:?}");
    assert_eq!(app.client.cancel_load(load.request()).wait(), Ok(()));
    // The worker may still be ending: then this waits for that and loads.
    let taken = app.load(&path, context(32));
    assert!(taken.is_ok(), "{taken:?}");
    assert_eq!(app.loaded().len(), 2);
}

#[test]
fn a_load_that_runs_ends_with_the_backend() {
    let mut app = App::scripted(&json!([]));
    hanging_load(&app);
    let load = app.begin_load(&app.tiny(), context(64));
    until_a_quarter(&load);
    let process = hanging_process(&app);
    app.shut_down();
    assert!(!is_process(process));
    assert_eq!(outcome_of_load(&load), Err(Error::BackendGone));
}

#[test]
fn progress_that_falls_or_is_out_of_range_is_mended() {
    let app = App::scripted(&json!([
        {"await": "load"},
        {"say": {"response": "load_progress", "share": 0.5}},
        {"say": {"response": "load_progress", "share": 0.1}},
        {"say": {"response": "load_progress", "share": 7.0}},
        {"exit": 1},
    ]));
    let load = app.begin_load(&app.tiny(), context(64));
    let mut shares = Vec::new();
    while let Some(event) = next(&load) {
        if let LoadEvent::Progress(share) = event {
            shares.push(share);
        }
    }
    assert_eq!(shares, [0.0, 0.5, 0.5, 1.0]);
}
