//! Workers that die, by whatever hand: a typed error, the text kept, the next turn works.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use hearth_backend::WORKER_ARGUMENT;
use hearth_protocol::Error;
use hearth_protocol::chat::ChatEvent;
use hearth_protocol::engine::LoadOptions;
use hearth_protocol::generate::{SamplingParams, StopReason};
use serde_json::{Value, json};

use crate::app::{App, context, eventually, greedy, kill};

/// The steps of a worker that loads its model.
fn loaded() -> Vec<Value> {
    let model = json!({"response": "loaded", "context_length": 512, "has_chat_template": true,
        "gpu_layers": [0, 5], "threads": 1});
    vec![json!({"await": "load"}), json!({"say": model})]
}

/// A worker that loads its model, is asked, and then does this.
fn loaded_then(steps: &[Value]) -> Value {
    let mut script = loaded();
    script.push(json!({"await": "generate"}));
    script.extend_from_slice(steps);
    Value::Array(script)
}

/// The worker begins the answer it was asked for last.
fn begun() -> Value {
    json!({"say": {"response": "begun", "id": "$id", "left_out": 0}})
}

fn delta(text: &str) -> Value {
    json!({"say": {"response": "piece", "id": "$id", "piece": {"text": text}}})
}

/// The parts of the error that a dead worker gives.
fn death(error: Option<Error>) -> (String, String, Vec<String>) {
    match error {
        Some(Error::WorkerDied { during, cause, log }) => (during, cause, log),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_worker_that_is_killed_in_mid_answer() {
    let app = App::real();
    let path = app.tiny();
    let model = app.load_with_context(&path, 8192);
    let turn = app.send(&path, None, "a long answer", SamplingParams::greedy());
    let seen = turn.until(|event| matches!(event, ChatEvent::Delta(_)));
    kill(model.process);
    let answer = turn.finish_after(seen);
    assert!(!answer.text().is_empty());
    let chat = answer.chat;
    let stored = app.client.open_chat(chat).wait().expect("the chat").messages;
    assert_eq!(
        stored.last().map(|message| message.text.as_str()),
        Some(answer.text())
    );
    let (during, cause, _) = death(answer.error);
    assert_eq!(
        (during.as_str(), cause.as_str()),
        ("writing the answer", "it was killed by signal 9")
    );
    assert_eq!(app.loaded(), []);

    let next = app.ask(&path, Some(chat), "go on", greedy(3));
    assert_eq!(next.stop(), &StopReason::TokenLimit);
    assert_ne!(app.loaded()[0].process, model.process);
}

#[test]
fn a_worker_that_is_killed_while_idle_is_replaced() {
    let app = App::real();
    let path = app.tiny();
    let model = app.load_with_context(&path, 512);
    kill(model.process);
    eventually("the news of its end", || app.loaded().is_empty());
    assert_eq!(app.ask(&path, None, "x", greedy(3)).stats().generated_tokens, 3);
}

#[test]
fn a_failed_assertion_in_mid_answer_tells_the_log() {
    let script = loaded_then(&[
        delta("Half an"),
        json!({"log": "GGML_ASSERT(x) failed"}),
        json!({"abort": true}),
    ]);
    let app = App::scripted(&script);
    let answer = app.ask(&app.tiny(), None, "hello", greedy(3));
    assert_eq!(answer.text(), "Half an");
    let (during, cause, log) = death(answer.error);
    assert_eq!(
        (during.as_str(), cause.as_str()),
        ("writing the answer", "it was killed by signal 6")
    );
    assert_eq!(log.last().map(String::as_str), Some("GGML_ASSERT(x) failed"));
}

#[test]
fn an_end_while_the_prompt_is_read() {
    let progress = json!({"say": {"response": "prompt_progress", "id": "$id", "processed": 1, "total": 9}});
    let app = App::scripted(&loaded_then(&[progress, json!({"exit": 3})]));
    let answer = app.ask(&app.tiny(), None, "hello", greedy(3));
    let (during, cause, _) = death(answer.error);
    assert_eq!(
        (during.as_str(), cause.as_str()),
        ("reading the prompt", "it ended with code 3")
    );
}

#[test]
fn a_line_that_is_no_message() {
    let app = App::scripted(&loaded_then(&[json!({"print": "Segmentation fault"})]));
    let answer = app.ask(&app.tiny(), None, "hello", greedy(3));
    let (_, cause, _) = death(answer.error);
    assert!(cause.contains("Segmentation fault"), "{cause}");
}

#[test]
fn an_end_while_loading_is_told_to_all_who_wait() {
    let app = App::scripted(&json!([]));
    let go = app.path("go");
    app.script(&json!([{"await": "load"}, {"until": go}, {"log": "out of memory"}, {"exit": 9}]));
    let path = app.tiny();
    let loads = [
        app.begin_load(&path, context(64)),
        app.begin_load(&path, context(64)),
    ];
    for load in &loads {
        assert!(matches!(
            crate::app::next(load),
            Some(hearth_protocol::engine::LoadEvent::Started { .. })
        ));
    }
    std::fs::write(&go, "").expect("the script goes on");
    for load in &loads {
        let (during, cause, log) = death(crate::app::outcome_of_load(load).err());
        assert_eq!(
            (during.as_str(), cause.as_str()),
            ("loading the model", "it ended with code 9")
        );
        assert_eq!(log, ["out of memory"]);
    }
}

#[test]
fn a_refusal_to_load_brings_the_log() {
    let refusal =
        json!({"response": "load_failed", "error": {"error": "load_failed", "reason": "no", "log": []}});
    let app = App::scripted(&json!([{"await": "load"}, {"log": "first"}, {"log": "last"}, {"say": refusal}]));
    let refused = app.load(&app.tiny(), LoadOptions::default());
    let expected = Error::LoadFailed {
        reason: "no".into(),
        log: vec!["first".into(), "last".into()],
    };
    assert_eq!(refused, Err(expected));
}

#[test]
fn those_who_waited_for_a_worker_that_died_get_a_fresh_one() {
    let app = App::scripted(&json!([]));
    let die = app.path("die");
    app.script(&loaded_then(&[
        begun(),
        delta("Half"),
        json!({"until": die}),
        json!({"exit": 1}),
    ]));
    let path = app.tiny();
    let first = app.send(&path, None, "first", greedy(3));
    let seen = first.until(|event| matches!(event, ChatEvent::Delta(_)));
    let second = app.send(&path, None, "second", greedy(3));
    let seen_second = second.until(|event| matches!(event, ChatEvent::Started { .. }));
    let finished =
        json!({"say": {"response": "finished", "id": "$id", "stop": {"reason": "end_of_text"}, "stats": {}}});
    app.script(&loaded_then(&[delta("Whole"), finished]));
    std::fs::write(&die, "").expect("the script goes on");

    death(first.finish_after(seen).error);
    let answer = second.finish_after(seen_second);
    assert_eq!(answer.stop(), &StopReason::EndOfText);
    assert_eq!(answer.text(), "Whole");
}

#[test]
fn an_answer_that_no_worker_lives_to_begin_is_tried_twice() {
    let app = App::scripted(&json!([]));
    app.script(&loaded_then(&[
        json!({"process": app.path("process")}),
        json!({"exit": 4}),
    ]));
    let answer = app.ask(&app.tiny(), None, "hello", greedy(3));
    let (during, cause, _) = death(answer.error);
    assert_eq!(
        (during.as_str(), cause.as_str()),
        ("preparing the answer", "it ended with code 4")
    );
    assert_eq!(app.loaded(), []);
}

#[test]
fn a_worker_that_does_not_leave_is_killed_when_its_model_is_ejected() {
    let app = App::scripted(&loaded_then(&[delta("Half"), json!({"deaf": true})]));
    let path = app.tiny();
    let turn = app.send(&path, None, "hello", greedy(3));
    let seen = turn.until(|event| matches!(event, ChatEvent::Delta(_)));
    let model = app.loaded().remove(0);
    assert_eq!(app.client.eject(model.id).wait(), Ok(()));
    assert!(!crate::app::is_process(model.process));
    let answer = turn.finish_after(seen);
    assert_eq!(answer.stop(), &StopReason::ModelEjected);
    assert_eq!(answer.text(), "Half");
}

#[test]
fn a_worker_program_that_is_not_there() {
    let app = App::without_worker();
    let refused = app.load(&app.tiny(), LoadOptions::default());
    assert!(matches!(refused, Err(Error::File { .. })), "{refused:?}");
    assert!(app.client.devices().wait().is_err());
    assert_eq!(app.loaded(), []);
}

/// What the system does to a worker whose backend was killed: its input closes.
#[test]
fn a_worker_whose_backend_is_gone_ends_in_mid_answer() {
    let app = App::real();
    let load = json!({"request": "load", "path": app.tiny(), "options": {}});
    let messages = json!([{"role": "user", "text": "a long answer", "tool_calls": []}]);
    let prompt = json!({"chat": {"messages": messages, "go_on": false}});
    let job = json!({"prompt": prompt, "sampling": {"temperature": 0.0}, "answer": {}});
    let generate = json!({"request": "generate", "id": 1, "job": job});

    let mut worker = Command::new(env!("CARGO_BIN_EXE_hearth-test-worker"))
        .arg(WORKER_ARGUMENT)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the worker starts");
    let mut stdin = worker.stdin.take().expect("its input");
    writeln!(stdin, "{load}\n{generate}").expect("it reads");
    let mut said = BufReader::new(worker.stdout.take().expect("its output")).lines();
    let mut next = || said.next().map(|line| line.expect("text"));
    while next().is_some_and(|line| !line.contains(r#""response":"piece""#)) {}
    drop(stdin);
    let last = std::iter::from_fn(next).last().expect("it says how far it came");
    assert!(last.contains(r#""stop":{"reason":"user_stopped"}"#), "{last}");
    assert_eq!(worker.wait().expect("it ends").code(), Some(0));
}
