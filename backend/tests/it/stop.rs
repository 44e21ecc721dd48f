//! Stop at every moment: the text stays, and the next turn works.

use hearth_protocol::chat::ChatEvent;
use hearth_protocol::generate::{SamplingParams, StopReason};
use serde_json::json;

use crate::app::{Answer, App, eventually, greedy, is_process};
use crate::smollm;

/// The next turn of the same chat works.
fn next_turn_works(app: &App, path: &std::path::Path, answer: &Answer) {
    let next = app.ask(path, Some(answer.chat), "again", greedy(3));
    assert_eq!(next.stop(), &StopReason::TokenLimit);
    assert_eq!(next.stats().generated_tokens, 3);
}

#[test]
fn during_the_load() {
    let deaf =
        json!([{"await": "load"}, {"say": {"response": "load_progress", "share": 0.25}}, {"deaf": true}]);
    let app = App::scripted(&deaf);
    let path = app.tiny();
    let turn = app.send(&path, None, "hello", greedy(3));
    let seen = turn.until(|event| matches!(event, ChatEvent::Loading(share) if *share == 0.25));
    assert_eq!(app.client.stop(turn.0.request()).wait(), Ok(()));
    let answer = turn.finish_after(seen);
    assert_eq!(answer.stop(), &StopReason::UserStopped);
    assert_eq!(answer.text(), "");

    let model = json!({"response": "loaded", "context_length": 512, "has_chat_template": true, "gpu_layers": [0, 5],
        "threads": 1});
    let end = json!({"response": "finished", "id": "$id", "stop": {"reason": "end_of_text"}, "stats": {}});
    app.script(&json!([{"await": "load"}, {"say": model}, {"await": "generate"}, {"say": end}]));
    let next = app.ask(&path, Some(answer.chat), "again", greedy(3));
    assert_eq!(next.stop(), &StopReason::EndOfText);
}

#[test]
fn during_the_prompt() {
    let app = App::real();
    let path = smollm::model();
    app.load(&path, hearth_protocol::engine::LoadOptions::default())
        .expect("it loads");
    // Reading this takes many seconds; stopping it takes milliseconds.
    let turn = app.send(&path, None, &"word ".repeat(5000), greedy(3));
    let seen = turn.until(|event| matches!(event, ChatEvent::PromptProgress { .. }));
    assert_eq!(app.client.stop(turn.0.request()).wait(), Ok(()));
    let answer = turn.finish_after(seen);
    assert_eq!(answer.stop(), &StopReason::UserStopped);
    let stats = answer.stats();
    assert!(stats.context_used < stats.prompt_tokens, "{stats:?}");
    assert_eq!(stats.generated_tokens, 0);
    let next = app.ask(&path, None, "Say hello.", greedy(3));
    assert_eq!(next.stats().generated_tokens, 3);
}

#[test]
fn after_five_tokens() {
    let app = App::real();
    let path = app.tiny();
    let turn = app.send(&path, None, "a long answer", SamplingParams::greedy());
    let mut deltas = 0;
    let seen = turn.until(|event| {
        deltas += usize::from(matches!(event, ChatEvent::Delta(_)));
        deltas == 5
    });
    assert_eq!(app.client.stop(turn.0.request()).wait(), Ok(()));
    let answer = turn.finish_after(seen);
    assert_eq!(answer.stop(), &StopReason::UserStopped);
    // The tiny model writes a character a token.
    assert_eq!(answer.text().len() as u32, answer.stats().generated_tokens);
    assert!(answer.text().len() >= 5);
    next_turn_works(&app, &path, &answer);
}

#[test]
fn twice() {
    let app = App::real();
    let path = app.tiny();
    let turn = app.send(&path, None, "a long answer", SamplingParams::greedy());
    let seen = turn.until(|event| matches!(event, ChatEvent::Delta(_)));
    let stops = [
        app.client.stop(turn.0.request()),
        app.client.stop(turn.0.request()),
    ];
    for stop in stops {
        assert_eq!(stop.wait(), Ok(()));
    }
    let answer = turn.finish_after(seen);
    assert_eq!(answer.stop(), &StopReason::UserStopped);
    next_turn_works(&app, &path, &answer);
}

#[test]
fn after_the_end() {
    let app = App::real();
    let path = app.tiny();
    let turn = app.send(&path, None, "a short answer", greedy(4));
    let request = turn.0.request();
    let answer = turn.finish();
    assert_eq!(app.client.stop(request).wait(), Ok(()));
    assert_eq!(answer.stop(), &StopReason::TokenLimit);
    assert_eq!(answer.text().len(), 4);
    next_turn_works(&app, &path, &answer);
}

#[test]
fn while_another_answer_is_being_written() {
    let app = App::real();
    let path = app.tiny();
    let first = app.send(&path, None, "a long answer", SamplingParams::greedy());
    let seen = first.until(|event| matches!(event, ChatEvent::Delta(_)));
    let waiting = app.send(&path, None, "one that waits", greedy(3));
    let seen_waiting = waiting.until(|event| matches!(event, ChatEvent::Started { .. }));
    assert_eq!(app.client.stop(waiting.0.request()).wait(), Ok(()));
    let stopped = waiting.finish_after(seen_waiting);
    assert_eq!(stopped.stop(), &StopReason::UserStopped);
    assert_eq!(stopped.text(), "");

    assert_eq!(app.client.stop(first.0.request()).wait(), Ok(()));
    next_turn_works(&app, &path, &first.finish_after(seen));
}

#[test]
fn a_listener_that_leaves_while_its_model_loads_ends_the_load() {
    let app = App::scripted(&json!([]));
    app.script(&json!([
        {"process": app.path("process")},
        {"await": "load"},
        {"say": {"response": "load_progress", "share": 0.25}},
        {"deaf": true},
    ]));
    let turn = app.send(&app.tiny(), None, "hello", greedy(3));
    turn.until(|event| matches!(event, ChatEvent::Loading(share) if *share == 0.25));
    drop(turn);
    let process = std::fs::read_to_string(app.path("process")).expect("written before the progress");
    let process = process.parse().expect("a number");
    eventually("the end of the worker", || !is_process(process));
}

#[test]
fn a_listener_that_leaves_while_it_waits_gives_up_its_place() {
    let app = App::real();
    let path = app.tiny();
    let first = app.send(&path, None, "a long answer", SamplingParams::greedy());
    let seen = first.until(|event| matches!(event, ChatEvent::Delta(_)));
    let waiting = app.send(&path, None, "one that waits", SamplingParams::greedy());
    let seen_waiting = waiting.until(|event| matches!(event, ChatEvent::Started { .. }));
    let Some(ChatEvent::Started { chat, .. }) = seen_waiting.last() else {
        panic!("{seen_waiting:?}");
    };
    drop(waiting);
    assert_eq!(app.client.stop(first.0.request()).wait(), Ok(()));
    first.finish_after(seen);
    let next = app.ask(&path, None, "next", greedy(3));
    assert_eq!(next.stats().generated_tokens, 3);
    let left = app
        .client
        .open_chat(chat.id)
        .wait()
        .expect("the chat")
        .messages
        .remove(1);
    assert_eq!(
        (left.text.as_str(), left.stop),
        ("", Some(StopReason::UserStopped))
    );
}

#[test]
fn a_listener_that_leaves_stops_its_answer() {
    let app = App::real();
    let path = app.tiny();
    let turn = app.send(&path, None, "a long answer", SamplingParams::greedy());
    turn.until(|event| matches!(event, ChatEvent::Delta(_)));
    drop(turn);
    // Were it still written, this would have to wait for the end of its context.
    let next = app.ask(&path, None, "next", greedy(3));
    assert_eq!(next.stats().generated_tokens, 3);
}
