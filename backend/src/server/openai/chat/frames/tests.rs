use hearth_protocol::generate::StopReason;
use serde_json::Value;

use super::*;
use crate::server::told::{self, end, text};

/// The frames of a stream, each without what is the same in all.
fn stream(shown: Shown, choices: u32, events: Vec<(u32, CompletionEvent)>) -> Vec<Value> {
    let (mut ids, mut values) = (Vec::new(), Vec::new());
    for mut json in told::data(ChatFrames::new("tiny".into(), choices, shown), events) {
        if let Some(chunk) = json.as_object_mut().filter(|chunk| chunk.contains_key("id")) {
            ids.push((chunk.remove("id"), chunk.remove("created")));
            assert_eq!(chunk.remove("object"), Some("chat.completion.chunk".into()));
            assert_eq!(chunk.remove("model"), Some("tiny".into()));
            chunk.remove("system_fingerprint");
            chunk.remove("timings");
        }
        values.push(json);
    }
    ids.dedup();
    assert_eq!(ids.len(), 1, "one id and one time for all chunks");
    values
}

fn chunk(json: &str) -> Value {
    serde_json::from_str(json).expect(json)
}

#[test]
fn role_text_finish_usage_done() {
    let shown = Shown {
        usage: true,
        ..Shown::default()
    };
    let frames = stream(shown, 1, vec![(0, text("Hi")), (0, end(StopReason::EndOfText))]);
    let expected = [
        r#"{"choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null,"logprobs":null}],"usage":null}"#,
        r#"{"choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":null,"logprobs":null}],"usage":null}"#,
        r#"{"choices":[{"index":0,"delta":{},"finish_reason":"stop","logprobs":null}],"usage":null}"#,
        r#"{"choices":[],"usage":{"completion_tokens":3,"prompt_tokens":5,"total_tokens":8,"prompt_tokens_details":{"cached_tokens":2},"completion_tokens_details":{"reasoning_tokens":1}}}"#,
        r#""[DONE]""#,
    ];
    assert_eq!(frames, expected.map(chunk));
}

#[test]
fn without_usage_no_chunk_speaks_of_it() {
    let frames = stream(Shown::default(), 1, vec![(0, end(StopReason::TokenLimit))]);
    assert!(frames.iter().all(|frame| frame.get("usage").is_none()));
    assert_eq!(frames[1]["choices"][0]["finish_reason"], "length");
    assert_eq!(frames.last(), Some(&Value::from("[DONE]")));
}

#[test]
fn a_tool_call_is_named_once_and_its_arguments_follow() {
    let (call, arguments) = (told::call(0, "c1"), told::arguments(0, "{}"));
    let events = vec![(0, call), (0, arguments), (0, end(StopReason::ToolCalls))];
    let frames = stream(Shown::default(), 1, events);
    let deltas: Vec<_> = frames[1..4]
        .iter()
        .map(|frame| frame["choices"][0]["delta"].clone())
        .collect();
    let expected = [
        r#"{"tool_calls":[{"index":0,"id":"c1","type":"function","function":{"name":"look","arguments":""}}]}"#,
        r#"{"tool_calls":[{"index":0,"function":{"arguments":"{}"}}]}"#,
        "{}",
    ];
    assert_eq!(deltas, expected.map(chunk));
    assert_eq!(frames[3]["choices"][0]["finish_reason"], "tool_calls");
}

#[test]
fn logprobs_come_with_the_text_of_their_tokens() {
    let token = |byte: u8| told::token(1, &[byte], f32::NEG_INFINITY);
    let events = vec![
        (0, token(0xc3)),
        (0, token(0xa9)),
        (0, text("é")),
        (0, token(b'!')),
        (0, end(StopReason::EndOfText)),
    ];
    let frames = stream(Shown::default(), 1, events);
    let bytes = |frame: &Value| {
        let tokens = frame["choices"][0]["logprobs"]["content"]
            .as_array()
            .expect("tokens")
            .clone();
        tokens
            .iter()
            .map(|token| token["bytes"][0].clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(bytes(&frames[1]), [0xc3, 0xa9]);
    assert_eq!(bytes(&frames[2]), [b'!']);
    assert!(frames[1]["choices"][0]["logprobs"]["content"][0]["logprob"].is_number());
}

#[test]
fn choices_are_told_apart() {
    let events = vec![
        (1, text("b")),
        (0, text("a")),
        (1, end(StopReason::EndOfText)),
        (0, end(StopReason::EndOfText)),
    ];
    let frames = stream(Shown::default(), 2, events);
    let indices: Vec<_> = frames
        .iter()
        .filter_map(|frame| frame["choices"][0]["index"].as_u64())
        .collect();
    assert_eq!(indices, [0, 1, 1, 0, 1, 0]);
}

#[test]
fn a_failure_in_the_middle_is_an_error_frame_and_the_end() {
    let events = vec![(0, text("a")), (0, CompletionEvent::Failed(Error::ServerStopped))];
    let frames = stream(Shown::default(), 1, events);
    assert_eq!(frames[2]["error"]["code"], "server_stopped");
    assert_eq!(frames[3], "[DONE]");
}

#[test]
fn progress_of_the_prompt_is_told_where_asked_for() {
    let progress = CompletionEvent::PromptProgress {
        processed: 4,
        cached: 2,
        total: 8,
    };
    let shown = Shown {
        telling: Telling {
            progress: true,
            ..Telling::default()
        },
        ..Shown::default()
    };
    let events = || vec![(0, progress.clone()), (0, end(StopReason::EndOfText))];
    let told = stream(shown, 1, events());
    assert_eq!(told[1]["prompt_progress"]["total"], 8);
    assert_eq!(told[1]["prompt_progress"]["cache"], 2);
    assert_eq!(stream(Shown::default(), 1, events()).len(), told.len() - 1);
}
