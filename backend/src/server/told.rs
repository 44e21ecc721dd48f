//! For the tests of dialects: what they make of events.

use hearth_protocol::answer::{Logprobs, TokenChance};
use hearth_protocol::completion::{CompletionEvent, Piece};
use hearth_protocol::generate::{StopReason, TurnStats};
use serde_json::Value;

use super::sse::{Dialect, Frames};

/// The frames of a stream, each without the blank line behind it. An answer that does not fail ends.
pub(super) fn frames(mut dialect: impl Dialect, events: Vec<(u32, CompletionEvent)>) -> Vec<String> {
    let mut frames = Frames::default();
    dialect.begin(&mut frames);
    let mut failure = None;
    for (choice, event) in events {
        match event {
            CompletionEvent::Failed(error) => failure = Some(error),
            event => dialect.take(choice, event, &mut frames),
        }
    }
    match failure {
        Some(error) => dialect.fail(error, &mut frames),
        None => dialect.end(&mut frames),
    }
    dialect.settled(&mut frames);
    let text = frames.into_text();
    text.split_terminator("\n\n").map(str::to_owned).collect()
}

/// What each frame holds: JSON, or a word.
pub(super) fn data(dialect: impl Dialect, events: Vec<(u32, CompletionEvent)>) -> Vec<Value> {
    let data = |frame: String| {
        let data = frame.strip_prefix("data: ").expect("a frame of data");
        serde_json::from_str(data).unwrap_or_else(|_| data.into())
    };
    frames(dialect, events).into_iter().map(data).collect()
}

/// The events of a stream by their names, which stand in the JSON too.
pub(super) fn named(dialect: impl Dialect, events: Vec<CompletionEvent>) -> Vec<(String, Value)> {
    let event = |frame: String| {
        let (name, data) = frame.split_once('\n').expect("two lines");
        let name = name.strip_prefix("event: ").expect("a name");
        let data: Value = serde_json::from_str(data.strip_prefix("data: ").expect("data")).expect("JSON");
        assert_eq!(data["type"], name);
        (name.to_owned(), data)
    };
    let events = events.into_iter().map(|event| (0, event)).collect();
    frames(dialect, events).into_iter().map(event).collect()
}

pub(super) fn text(text: &str) -> CompletionEvent {
    CompletionEvent::Piece(Piece::Text(text.into()))
}

pub(super) fn reasoning(text: &str) -> CompletionEvent {
    CompletionEvent::Piece(Piece::Reasoning(text.into()))
}

/// A call of the tool `look`.
pub(super) fn call(index: u32, id: &str) -> CompletionEvent {
    CompletionEvent::Piece(Piece::ToolCall {
        index,
        id: id.into(),
        name: "look".into(),
    })
}

pub(super) fn arguments(index: u32, text: &str) -> CompletionEvent {
    CompletionEvent::Piece(Piece::ToolArguments {
        index,
        text: text.into(),
    })
}

/// A token that was chosen.
pub(super) fn token(token: i32, bytes: &[u8], logprob: f32) -> CompletionEvent {
    let chosen = TokenChance {
        token,
        bytes: bytes.to_vec(),
        logprob,
    };
    CompletionEvent::Logprobs(vec![Logprobs { chosen, top: vec![] }])
}

/// The end of an answer of three tokens, one of them thinking, to a prompt of five, two of them cached.
pub(super) fn end(stop: StopReason) -> CompletionEvent {
    CompletionEvent::Finished {
        stop,
        stats: TurnStats {
            prompt_tokens: 5,
            cached_tokens: 2,
            generated_tokens: 3,
            reasoning_tokens: 1,
            ..TurnStats::default()
        },
    }
}
