//! The end of the backend, and the order of what is asked: nothing that was asked is lost, and the last word counts.

use hearth_protocol::chat::ChatEvent;
use hearth_protocol::generate::StopReason;
use hearth_protocol::settings::Settings;
use hearth_protocol::{ChatId, Error};
use serde_json::json;

use crate::app::{App, greedy, without_titles};

/// A chat whose answer failed, since there is no worker.
fn chat(app: &App) -> ChatId {
    app.ask(&app.tiny(), None, "hello", greedy(3)).chat
}

fn settings(top_k: u32) -> Settings {
    let mut settings = without_titles();
    settings.sampling.top_k = top_k;
    settings
}

#[test]
fn of_changes_asked_one_after_the_other_the_last_one_counts() {
    let app = App::without_worker();
    let chat = chat(&app);
    let numbers = 1..=200;
    let asked: Vec<_> = numbers
        .map(|number| {
            (
                app.client.write_settings(settings(number)),
                app.client.rename_chat(chat, number.to_string()),
                app.client.pin_chat(chat, number % 2 == 0),
            )
        })
        .collect();
    for (written, renamed, pinned) in asked {
        assert!(written.wait().is_ok() && renamed.wait().is_ok() && pinned.wait().is_ok());
    }
    assert_eq!(app.client.read_settings().wait(), Ok(settings(200)));
    let listed = app.client.list_chats().wait().expect("the list").remove(0);
    assert_eq!((listed.title.as_str(), listed.pinned), ("200", true));
}

#[test]
fn what_was_asked_before_the_end_is_stored() {
    let mut app = App::without_worker();
    let path = app.tiny();
    let mut last = chat(&app);
    for number in 1..=10 {
        let written = app.client.write_settings(settings(number));
        let renamed = app.client.rename_chat(last, format!("title {number}"));
        let turn = app.send(&path, None, &format!("message {number}"), greedy(3));
        app.shut_down();
        assert_eq!(written.wait(), Ok(settings(number)));
        assert!(renamed.wait().is_ok());
        let answer = turn.finish();
        app.start_again();

        assert_eq!(app.client.read_settings().wait(), Ok(settings(number)));
        let titled = app.client.open_chat(last).wait().expect("the chat");
        assert_eq!(titled.summary.title, format!("title {number}"));
        last = answer.chat;
        let messages = app.client.open_chat(last).wait().expect("the chat").messages;
        assert_eq!(messages[0].text, format!("message {number}"));
        assert!(messages[1].stop.is_some(), "{messages:?}");
    }
}

#[test]
fn what_is_asked_after_the_end_is_answered() {
    let mut app = App::without_worker();
    app.shut_down();
    assert_eq!(app.client.list_chats().wait(), Err(Error::BackendGone));
    let turn = app.send(&app.tiny(), None, "too late", greedy(3));
    assert_eq!(turn.finish().error, Some(Error::BackendGone));
}

/// Who waits for the last words of an answer before the engine is ended waits for ever when the engine hangs.
#[test]
fn a_worker_that_hangs_does_not_hold_the_end() {
    let model = json!({"response": "loaded", "context_length": 512, "has_chat_template": true,
        "gpu_layers": [0, 5], "threads": 1});
    let mut app = App::scripted(&json!([
        {"await": "load"},
        {"say": model},
        {"await": "generate"},
        {"say": {"response": "piece", "id": "$id", "piece": {"text": "Half an"}}},
        {"deaf": true},
    ]));
    let turn = app.send(&app.tiny(), None, "hello", greedy(3));
    let seen = turn.until(|event| matches!(event, ChatEvent::Delta(_)));
    // Stop does not help: the worker does not hear it.
    assert_eq!(app.client.stop(turn.0.request()).wait(), Ok(()));
    app.shut_down();
    let answer = turn.finish_after(seen);
    assert_eq!(answer.text(), "Half an");
    assert_eq!(answer.stop(), &StopReason::UserStopped);
    app.start_again();
    let stored = app
        .client
        .open_chat(answer.chat)
        .wait()
        .expect("the chat")
        .messages
        .remove(1);
    assert_eq!(
        (stored.text.as_str(), stored.stop),
        ("Half an", Some(StopReason::UserStopped))
    );
}
