//! A listener that leaves stops the work for it, wherever that is.

use hearth_protocol::engine::{Activity, EngineEvent, LoadOptions};
use serde_json::{Value, json};

use super::*;
use crate::app::{eventually, is_process};
use crate::smollm;

/// A worker that says that the model is in memory.
fn loaded() -> [Value; 2] {
    let model = json!({"response": "loaded", "context_length": 512, "has_chat_template": true, "gpu_layers": [0, 5],
        "slots": 4, "threads": 1});
    [json!({"await": "load"}), json!({"say": model})]
}

/// Waits until the model does nothing.
fn until_it_rests(app: &App) {
    let news = app.client.watch_engine();
    loop {
        match next(&news) {
            Some(EngineEvent::Loaded(models)) if models[0].activity == Activity::Idle => return,
            Some(EngineEvent::Loaded(_)) => (),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn while_the_model_loads() {
    let app = App::scripted(&json!([]));
    app.script(&json!([
        {"process": app.path("process")},
        {"await": "load"},
        {"say": {"response": "load_progress", "share": 0.25}},
        {"deaf": true},
    ]));
    let events = app.client.complete(request(&app.tiny(), text("ab"), 3));
    while next(&events) != Some(CompletionEvent::Loading(0.25)) {}
    drop(events);
    let process = std::fs::read_to_string(app.path("process")).expect("written before the progress");
    let process = process.parse().expect("a number");
    eventually("the end of the worker", || !is_process(process));
}

#[test]
fn while_it_waits_for_its_turn() {
    let app = App::scripted(&json!([]));
    let [wait, say] = loaded();
    app.script(&json!([wait, say, {"await": "generate"}, {"await": "stop"}, {"process": app.path("told")}]));
    let path = app.tiny();
    app.load(&path, context(512)).expect("it loads");
    let news = app.client.watch_engine();
    let events = app.client.complete(request(&path, text("ab"), 3));
    let works = |models: &[LoadedModel]| models[0].activity == Activity::Generating;
    while !matches!(next(&news), Some(EngineEvent::Loaded(models)) if works(&models)) {}
    drop(events);
    // It has not begun, so that nothing has to be waited for; the worker is told all the same.
    until_it_rests(&app);
    eventually("the stop in the worker", || app.path("told").exists());
}

#[test]
fn while_its_prompt_is_read() {
    let app = App::real();
    let path = smollm::model();
    let model = app.load(&path, LoadOptions::default()).expect("it loads");
    // Reading this takes many seconds; stopping it takes milliseconds.
    let events = app
        .client
        .complete(request(&path, text(&"word ".repeat(5000)), 3));
    while !matches!(next(&events), Some(CompletionEvent::PromptProgress { .. })) {}
    drop(events);
    until_it_rests(&app);
    let slots = app.client.slots(model.id).wait().expect("the slots");
    let [slot] = &slots
        .iter()
        .filter(|slot| slot.prompt_tokens > 0)
        .collect::<Vec<_>>()[..]
    else {
        panic!("{slots:?}");
    };
    assert!(
        !slot.at_work && slot.cached_tokens < slot.prompt_tokens,
        "{slot:?}"
    );
    let made = make(&app, request(&path, text("Hello"), 3)).expect("an answer");
    assert_eq!(made.stats.generated_tokens, 3);
}

#[test]
fn while_it_is_written() {
    let app = App::real();
    let path = roomy(&app, 4);
    let model = app.loaded().remove(0);
    let events = app.client.complete(endless(&path, "ab"));
    until_it_writes(&events);
    drop(events);
    until_it_rests(&app);
    let slots = app.client.slots(model.id).wait().expect("the slots");
    let written: u32 = slots.iter().map(|slot| slot.generated_tokens).sum();
    assert!((1..ROOM).contains(&written), "{slots:?}");
    let made = make(&app, request(&path, text("cd"), 3)).expect("an answer");
    assert_eq!(made.stats.generated_tokens, 3);
}

/// It has left before anything was begun for it.
#[test]
fn before_its_model_is_found() {
    let app = App::scripted(&json!([]));
    let [wait, say] = loaded();
    app.script(&json!([wait, say, {"serve": 20}]));
    let path = app.tiny();
    drop(app.client.complete(request(&path, text("ab"), 3)));
    make(&app, request(&path, text("ab"), 3)).expect("the next one is answered");
    until_it_rests(&app);
}

#[test]
fn one_that_is_too_much_is_refused_and_those_that_wait_are_not() {
    let app = App::scripted(&json!([]));
    let [wait, say] = loaded();
    app.script(&json!([wait, say]));
    let path = app.tiny();
    app.load(&path, LoadOptions::default()).expect("it loads");
    // 64 wait for the 4 that the worker could begin.
    let asked: Vec<_> = (0..69)
        .map(|_| app.client.complete(request(&path, text("ab"), 3)))
        .collect();
    let mut said = Vec::new();
    eventually("a refusal", || {
        said.extend(asked.iter().filter_map(|events| events.try_next()));
        !said.is_empty()
    });
    assert!(
        matches!(&said[..], [event] if matches!(event.body, CompletionEvent::Failed(Error::Busy { .. }))),
        "{said:?}"
    );
}
