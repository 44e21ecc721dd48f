//! Literal JSON on both sides.

use expect_test::expect;

use super::*;

#[test]
fn a_request_with_every_kind_of_message_is_understood() {
    let body = r#"{
        "model": "smollm2", "stream": true, "stream_options": {"include_usage": true},
        "temperature": 0, "top_p": 1, "n": 1, "stop": ["\nUser:", "END"], "max_completion_tokens": 8, "seed": -1,
        "messages": [
            {"role": "developer", "content": "Be brief."},
            {"role": "user", "name": "ann", "content": [
                {"type": "text", "text": "What is this?"},
                {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA==", "detail": "low"}}]},
            {"role": "assistant", "content": null, "tool_calls": [
                {"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{\"at\":1}"}}]},
            {"role": "tool", "tool_call_id": "c1", "content": "A cat."},
            {"role": "assistant", "content": ""}
        ],
        "tools": [{"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}}],
        "tool_choice": {"type": "function", "function": {"name": "look"}},
        "response_format": {"type": "json_schema", "json_schema": {"name": "x", "strict": true, "schema": {}}},
        "user": "an unknown field"
    }"#;
    let request: ChatCompletionRequest = serde_json::from_str(body).expect("parse");
    assert_eq!(request.messages.len(), 5);
    assert_eq!(
        request.messages[0],
        ChatMessage::System {
            content: Content::Text("Be brief.".into()),
            name: None,
        }
    );
    assert!(matches!(&request.messages[2],
        ChatMessage::Assistant { content: None, tool_calls: Some(calls), .. } if calls[0].function.name == "look"));
    assert_eq!(
        request.stop,
        Some(Stop::Many(vec!["\nUser:".into(), "END".into()]))
    );
    assert_eq!(
        request.tool_choice,
        Some(ToolChoice::Named {
            function: FunctionName { name: "look".into() }
        })
    );
    assert!(matches!(
        request.response_format,
        Some(ResponseFormat::JsonSchema { .. })
    ));
}

#[test]
fn stop_may_be_one_text_and_tool_choice_a_word() {
    let body = r#"{"messages":[],"stop":"END","tool_choice":"required","response_format":{"type":"text"}}"#;
    let request: ChatCompletionRequest = serde_json::from_str(body).expect("parse");
    assert_eq!(request.stop, Some(Stop::One("END".into())));
    assert_eq!(
        request.tool_choice,
        Some(ToolChoice::Mode(ToolChoiceMode::Required))
    );
    assert_eq!(request.response_format, Some(ResponseFormat::Text));
}

#[test]
fn an_unknown_role_is_refused() {
    let body = r#"{"messages":[{"role":"wizard","content":"x"}]}"#;
    let error = serde_json::from_str::<ChatCompletionRequest>(body).expect_err("unknown role");
    assert!(error.to_string().contains("wizard"), "{error}");
}

#[test]
fn an_answer_has_the_shape_of_the_specification() {
    let answer = ChatCompletion {
        id: "chatcmpl-1".into(),
        object: "chat.completion".into(),
        created: 1,
        model: "m".into(),
        choices: vec![ChatChoice {
            index: 0,
            message: AssistantMessage {
                role: "assistant".into(),
                content: Some("hi".into()),
                refusal: None,
                reasoning_content: None,
                tool_calls: None,
            },
            finish_reason: FinishReason::Stop,
            logprobs: None,
        }],
        usage: Usage {
            completion_tokens: 1,
            prompt_tokens: 2,
            total_tokens: 3,
            ..Usage::default()
        },
        system_fingerprint: None,
    };
    expect![[r#"{"id":"chatcmpl-1","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"hi","refusal":null},"finish_reason":"stop","logprobs":null}],"usage":{"completion_tokens":1,"prompt_tokens":2,"total_tokens":3}}"#]]
    .assert_eq(&serde_json::to_string(&answer).expect("serialise"));
}

#[test]
fn chunks_send_null_where_null_is_meant_and_nothing_else() {
    let chunk = ChatCompletionChunk {
        id: "chatcmpl-1".into(),
        object: "chat.completion.chunk".into(),
        created: 1,
        model: "m".into(),
        choices: vec![ChunkChoice {
            index: 0,
            delta: Delta {
                role: Some("assistant".into()),
                content: Some(String::new()),
                ..Delta::default()
            },
            finish_reason: None,
            logprobs: None,
        }],
        usage: None,
        system_fingerprint: None,
    };
    expect![[r#"{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null,"logprobs":null}]}"#]]
    .assert_eq(&serde_json::to_string(&chunk).expect("serialise"));
}
