use hearth_protocol::generate::StopReason;
use serde_json::{Value, json};

use super::*;
use crate::server::told::{self, arguments, call, end, reasoning, text};

/// The frames of a stream, each by its name.
fn stream(events: Vec<CompletionEvent>) -> Vec<(String, Value)> {
    told::named(
        MessageFrames::new(Writing::new("tiny", vec!["END".into()])),
        events,
    )
}

/// What makes up a stream: the names, and of deltas their kinds.
fn order<'stream>(frames: &'stream [(String, Value)]) -> Vec<&'stream str> {
    let kind = |data: &'stream Value| data["delta"]["type"].as_str();
    frames
        .iter()
        .map(|(name, data)| kind(data).unwrap_or(name))
        .collect()
}

fn progress() -> CompletionEvent {
    CompletionEvent::PromptProgress {
        processed: 2,
        cached: 2,
        total: 5,
    }
}

#[test]
fn a_text_is_told_in_the_order_of_the_specification() {
    let frames = stream(vec![
        progress(),
        progress(),
        text("H"),
        text("i"),
        end(StopReason::StopString { text: "END".into() }),
    ]);
    let expected = [
        "message_start",
        "content_block_start",
        "ping",
        "text_delta",
        "text_delta",
        "content_block_stop",
        "message_delta",
        "message_stop",
    ];
    assert_eq!(order(&frames), expected);
    let start = &frames[0].1["message"];
    assert_eq!(
        (&start["content"], &start["stop_reason"], &start["stop_sequence"]),
        (&json!([]), &Value::Null, &Value::Null)
    );
    let usage = |output: u32| json!({"input_tokens": 3, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 2, "output_tokens": output});
    assert_eq!(start["usage"], usage(0));
    let end = &frames[6].1;
    assert_eq!(
        end["delta"],
        json!({"stop_reason": "stop_sequence", "stop_sequence": "END"})
    );
    assert_eq!(end["usage"], usage(3));
}

#[test]
fn thinking_text_and_tools_are_blocks_of_their_own() {
    let events = vec![
        reasoning("Hm"),
        text("I look."),
        call(0, "t1"),
        arguments(0, r#"{"at""#),
        arguments(0, ":1}"),
        call(1, "t2"),
        arguments(1, "{}"),
        end(StopReason::ToolCalls),
    ];
    let frames = stream(events.clone());
    let indices: Vec<_> = frames
        .iter()
        .filter_map(|(_, data)| data["index"].as_u64())
        .collect();
    assert_eq!(indices, [0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3]);
    let kinds = order(&frames);
    assert_eq!(
        kinds[3..6],
        ["thinking_delta", "signature_delta", "content_block_stop"]
    );
    let input: String = frames
        .iter()
        .filter_map(|(_, data)| data["delta"]["partial_json"].as_str())
        .collect();
    assert_eq!(input, r#"{"at":1}{}"#);

    let mut writing = Writing::new("tiny", Vec::new());
    for event in events {
        writing.take(event, &mut Vec::new());
    }
    let whole = serde_json::to_value(writing.message()).expect("serialise");
    assert_eq!(whole["stop_reason"], "tool_use");
    let content = &whole["content"];
    assert_eq!(
        (&content[0]["thinking"], &content[1]["text"]),
        (&json!("Hm"), &json!("I look."))
    );
    assert!(
        content[0]["signature"]
            .as_str()
            .is_some_and(|signature| !signature.is_empty())
    );
    assert_eq!(
        (&content[2]["input"], &content[3]["input"]),
        (&json!({"at": 1}), &json!({}))
    );
}

#[test]
fn why_it_ended_is_told_in_anthropics_words() {
    let cases = [
        (StopReason::EndOfText, "end_turn"),
        (StopReason::TokenLimit, "max_tokens"),
        (StopReason::ContextFull, "model_context_window_exceeded"),
        // One of the settings' texts, which the client knows nothing of.
        (StopReason::StopString { text: "other".into() }, "end_turn"),
    ];
    for (stop, reason) in cases {
        let frames = stream(vec![end(stop)]);
        assert_eq!(order(&frames), ["message_start", "message_delta", "message_stop"]);
        assert_eq!(
            frames[1].1["delta"],
            json!({"stop_reason": reason, "stop_sequence": null})
        );
    }
}

#[test]
fn a_failure_in_the_middle_is_an_error_event() {
    let frames = stream(vec![text("a"), CompletionEvent::Failed(Error::ServerStopped)]);
    let (name, data) = frames.last().expect("an event");
    assert_eq!(
        (name.as_str(), &data["error"]["type"]),
        ("error", &json!("overloaded_error"))
    );
}
