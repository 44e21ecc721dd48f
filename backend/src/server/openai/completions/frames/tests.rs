use hearth_protocol::generate::StopReason;
use serde_json::{Value, json};

use super::*;
use crate::server::told::{self, text};

/// The frames of a stream.
fn stream(shown: Shown, choices: usize, events: Vec<(u32, CompletionEvent)>) -> Vec<Value> {
    told::data(CompletionFrames::new("tiny".into(), choices, shown), events)
}

fn shown(per_prompt: usize) -> Shown {
    Shown {
        usage: true,
        per_prompt,
        ..Shown::default()
    }
}

fn end(prompt_tokens: u32) -> CompletionEvent {
    CompletionEvent::Finished {
        stop: StopReason::TokenLimit,
        stats: TurnStats {
            prompt_tokens,
            generated_tokens: 2,
            ..TurnStats::default()
        },
    }
}

#[test]
fn text_finish_usage_done() {
    let frames = stream(shown(1), 1, vec![(0, text("Hi")), (0, end(5))]);
    assert_eq!(
        frames[0]["choices"],
        json!([{"text": "Hi", "index": 0, "logprobs": null, "finish_reason": null}])
    );
    assert_eq!(frames[0]["usage"], Value::Null);
    assert!(
        frames[0]
            .as_object()
            .is_some_and(|chunk| chunk.contains_key("usage"))
    );
    assert_eq!(frames[1]["choices"][0]["finish_reason"], "length");
    assert_eq!(
        (&frames[2]["choices"], &frames[2]["usage"]["total_tokens"]),
        (&json!([]), &7.into())
    );
    assert_eq!(frames[3], "[DONE]");
    for frame in &frames[..3] {
        assert_eq!(
            (&frame["id"], &frame["object"]),
            (&frames[0]["id"], &"text_completion".into())
        );
    }
}

#[test]
fn each_prompt_counts_once_and_each_choice_of_it() {
    let events = vec![(0, end(5)), (1, end(5)), (2, end(7)), (3, end(7))];
    let frames = stream(shown(2), 4, events);
    let usage = &frames[4]["usage"];
    assert_eq!(
        (&usage["prompt_tokens"], &usage["completion_tokens"]),
        (&12.into(), &8.into())
    );
}

#[test]
fn each_choice_begins_with_its_prompt_where_that_is_asked_for() {
    let shown = Shown {
        per_prompt: 2,
        echo: vec!["a".into(), "b".into()],
        ..Shown::default()
    };
    let frames = stream(shown, 4, vec![(3, text("!"))]);
    let said: Vec<_> = frames[..5]
        .iter()
        .map(|frame| {
            (
                frame["choices"][0]["index"].clone(),
                frame["choices"][0]["text"].clone(),
            )
        })
        .collect();
    let expected = [(0, "a"), (1, "a"), (2, "b"), (3, "b"), (3, "!")];
    assert_eq!(said, expected.map(|(index, text)| (index.into(), text.into())));
}

#[test]
fn logprobs_come_with_the_text_of_their_tokens() {
    let token = |bytes: &[u8]| told::token(1, bytes, -1.0);
    let events = vec![
        (0, token(b"a")),
        (0, token(b"b")),
        (0, text("ab")),
        (0, token(b"c")),
        (0, end(1)),
    ];
    let frames = stream(shown(1), 1, events);
    assert_eq!(frames[0]["choices"][0]["logprobs"]["text_offset"], json!([0, 1]));
    assert_eq!(frames[1]["choices"][0]["logprobs"]["tokens"], json!(["c"]));
    assert_eq!(frames[1]["choices"][0]["logprobs"]["text_offset"], json!([2]));
}

/// Both fields were read and dropped.
#[test]
fn progress_and_speed_are_told_where_asked_for() {
    let events = || {
        let progress = CompletionEvent::PromptProgress {
            processed: 4,
            cached: 2,
            total: 8,
        };
        vec![(0, progress), (0, text("a")), (0, end(8))]
    };
    let telling = Telling {
        progress: true,
        timings_per_token: true,
    };
    let told = stream(Shown { telling, ..shown(1) }, 1, events());
    assert_eq!(told[0]["prompt_progress"]["total"], 8);
    assert_eq!(
        (&told[1]["choices"][0]["text"], &told[1]["timings"]["predicted_n"]),
        (&json!("a"), &json!(1))
    );
    let silent = stream(shown(1), 1, events());
    assert_eq!(silent.len(), told.len() - 1);
    assert!(silent[0].get("timings").is_none());
}

#[test]
fn a_failure_in_the_middle_is_an_error_frame_and_the_end() {
    let events = vec![(0, text("a")), (0, CompletionEvent::Failed(Error::ServerStopped))];
    let frames = stream(shown(1), 1, events);
    assert_eq!(frames[1]["error"]["code"], "server_stopped");
    assert_eq!(frames[2], "[DONE]");
}
