//! Literal JSON on both sides.

use expect_test::expect;

use super::answer::{ContentBlock, Message, StopReason, Usage};
use super::request::{Block, Content, Conversation, Generation, Role, Thinking, ToolMode};

#[test]
fn a_request_with_every_kind_of_block_is_understood() {
    let body = r#"{
        "model": "smollm2", "max_tokens": 64, "stop_sequences": ["END"], "metadata": {"user_id": "x"},
        "system": [{"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}],
        "messages": [
            {"role": "user", "content": [
                {"type": "text", "text": "Look."},
                {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AA=="}}]},
            {"role": "assistant", "content": [
                {"type": "thinking", "thinking": "Hm", "signature": "s"},
                {"type": "tool_use", "id": "t1", "name": "look", "input": {"at": 1}}]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "t1", "is_error": true, "content": [{"type": "text", "text": "No."}]}]},
            {"role": "assistant", "content": "I"}
        ],
        "tools": [{"name": "look", "input_schema": {"type": "object"}}],
        "tool_choice": {"type": "any", "disable_parallel_tool_use": true},
        "thinking": {"type": "enabled", "budget_tokens": 32}
    }"#;
    let chat: Conversation = serde_json::from_str(body).expect("parse");
    let rest: Generation = serde_json::from_str(body).expect("parse");
    assert_eq!((rest.max_tokens, chat.messages.len()), (64, 4));
    assert!(matches!(&chat.messages[2].content, Content::Blocks(blocks)
        if matches!(&blocks[..], [Block::ToolResult { is_error: Some(true), .. }])));
    assert_eq!(chat.messages[3].role, Role::Assistant);
    assert_eq!(chat.tool_choice.expect("a choice").mode, ToolMode::Any);
    assert_eq!(chat.thinking, Some(Thinking::Enabled { budget_tokens: 32 }));
}

#[test]
fn what_is_not_there_is_refused_by_its_name() {
    let cases = [
        (
            r#"{"messages":[{"role":"user","content":3}]}"#,
            "a text or a list of blocks",
        ),
        (
            r#"{"messages":[{"role":"user","content":[{"type":"riddle"}]}]}"#,
            "riddle",
        ),
        (r#"{"messages":[{"role":"wizard","content":""}]}"#, "wizard"),
        (
            r#"{"messages":[],"thinking":{"type":"enabled"}}"#,
            "budget_tokens",
        ),
    ];
    for (body, named) in cases {
        let error = serde_json::from_str::<Conversation>(body).expect_err(body);
        assert!(error.to_string().contains(named), "{body}: {error}");
    }
}

#[test]
fn an_answer_has_the_shape_of_the_specification() {
    let message = Message {
        id: "msg_1".into(),
        kind: "message",
        role: "assistant",
        model: "m".into(),
        content: vec![ContentBlock::Text {
            text: "Hi".into(),
            citations: None,
        }],
        stop_reason: Some(StopReason::EndTurn),
        stop_sequence: None,
        usage: Usage {
            input_tokens: 2,
            output_tokens: 1,
            ..Usage::default()
        },
    };
    expect![[r#"{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"Hi","citations":null}],"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":2,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":1}}"#]]
    .assert_eq(&serde_json::to_string(&message).expect("serialise"));
}
