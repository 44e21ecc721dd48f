use hearth_protocol::answer::TokenChance;
use hearth_protocol::generate::StopReason;
use serde_json::Value;

use super::*;

/// The frames of a stream, each without what is the same in all.
fn stream(shown: Shown, choices: u32, events: Vec<(u32, CompletionEvent)>) -> Vec<Value> {
    let mut chat = ChatFrames::new("tiny".into(), choices, shown);
    let mut frames = Frames::default();
    chat.begin(&mut frames);
    let mut failure = None;
    for (choice, event) in events {
        match event {
            CompletionEvent::Failed(error) => failure = Some(error),
            event => chat.take(choice, event, &mut frames),
        }
    }
    match failure {
        Some(error) => chat.fail(error, &mut frames),
        None => chat.end(&mut frames),
    }
    let text = frames.into_text();
    let (mut ids, mut values) = (Vec::new(), Vec::new());
    for frame in text.split_terminator("\n\n") {
        let data = frame.strip_prefix("data: ").expect("a frame of data");
        let Ok(mut json) = serde_json::from_str::<Value>(data) else {
            values.push(Value::from(data));
            continue;
        };
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

fn text(text: &str) -> CompletionEvent {
    CompletionEvent::Piece(Piece::Text(text.into()))
}

fn end(stop: StopReason) -> CompletionEvent {
    CompletionEvent::Finished {
        stop,
        stats: TurnStats {
            prompt_tokens: 5,
            cached_tokens: 2,
            generated_tokens: 3,
            ..TurnStats::default()
        },
    }
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
        r#"{"choices":[],"usage":{"completion_tokens":3,"prompt_tokens":5,"total_tokens":8,"prompt_tokens_details":{"cached_tokens":2},"completion_tokens_details":{"reasoning_tokens":0}}}"#,
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
    let call = CompletionEvent::Piece(Piece::ToolCall {
        index: 0,
        id: "c1".into(),
        name: "look".into(),
    });
    let arguments = CompletionEvent::Piece(Piece::ToolArguments {
        index: 0,
        text: "{}".into(),
    });
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
    let token = |byte: u8| {
        CompletionEvent::Logprobs(vec![Logprobs {
            chosen: TokenChance {
                token: 1,
                bytes: vec![byte],
                logprob: f32::NEG_INFINITY,
            },
            top: Vec::new(),
        }])
    };
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
        progress: true,
        ..Shown::default()
    };
    let events = || vec![(0, progress.clone()), (0, end(StopReason::EndOfText))];
    let told = stream(shown, 1, events());
    assert_eq!(told[1]["prompt_progress"]["total"], 8);
    assert_eq!(told[1]["prompt_progress"]["cache"], 2);
    assert_eq!(stream(Shown::default(), 1, events()).len(), told.len() - 1);
}
