use hearth_protocol::tools::ToolCall;

use super::Role::{Assistant, System, Tool, User};
use super::*;

fn chat(messages: &[(Role, &str)]) -> Vec<PromptMessage> {
    let message = |&(role, text): &(Role, &str)| PromptMessage::text(role, text);
    messages.iter().map(message).collect()
}

/// The shapes' messages, where calls play no part.
fn shapes(messages: &[PromptMessage]) -> Vec<Vec<PromptMessage>> {
    let shapes = super::shapes(messages).into_iter();
    shapes
        .map(|shape| {
            assert_eq!(shape.arguments, Arguments::Values);
            shape.messages
        })
        .collect()
}

#[test]
fn a_chat_of_turns_has_one_shape() {
    let turns = chat(&[(User, "a"), (Assistant, "b"), (User, "c")]);
    assert_eq!(shapes(&turns), [turns]);
    assert_eq!(shapes(&[]), [Vec::new()]);
}

#[test]
fn a_system_prompt_can_go_to_the_user() {
    let messages = chat(&[(System, "s"), (User, "a"), (Assistant, "b")]);
    assert_eq!(
        shapes(&messages),
        [messages.clone(), chat(&[(User, "s\n\na"), (Assistant, "b")])]
    );
}

#[test]
fn a_system_prompt_alone_becomes_what_the_user_said() {
    let messages = chat(&[(System, "s")]);
    assert_eq!(shapes(&messages), [messages.clone(), chat(&[(User, "s")])]);
}

#[test]
fn neighbours_of_one_role_can_be_merged() {
    let messages = chat(&[
        (User, "a"),
        (User, ""),
        (User, "b"),
        (Assistant, "c"),
        (Assistant, "d"),
    ]);
    assert_eq!(
        shapes(&messages),
        [messages.clone(), chat(&[(User, "a\n\nb"), (Assistant, "c\n\nd")])]
    );
}

#[test]
fn the_system_prompt_is_moved_only_where_merging_does_not_do() {
    let messages = chat(&[(System, "s"), (System, "t"), (User, "a"), (User, "b")]);
    let merged = chat(&[(System, "s\n\nt"), (User, "a\n\nb")]);
    let moved = chat(&[(User, "s\n\nt\n\na\n\nb")]);
    assert_eq!(shapes(&messages), [messages.clone(), merged, moved]);
}

#[test]
fn results_of_tools_stay_apart() {
    let messages = chat(&[(User, "a"), (Tool, "1"), (Tool, "2")]);
    assert_eq!(shapes(&messages), [messages]);
}

fn calls(role: Role, ids: &[&str]) -> PromptMessage {
    let call = |id: &&str| ToolCall {
        id: (*id).into(),
        name: "add".into(),
        arguments: "{}".into(),
    };
    PromptMessage {
        tool_calls: ids.iter().map(call).collect(),
        ..PromptMessage::text(role, "")
    }
}

fn result(id: &str) -> PromptMessage {
    PromptMessage {
        tool_call_id: Some(id.into()),
        ..PromptMessage::text(Tool, "3")
    }
}

#[test]
fn what_is_merged_keeps_thoughts_and_calls() {
    let with_thought = |thought: &str, message| PromptMessage {
        reasoning: Some(thought.into()),
        ..message
    };
    let messages = [
        PromptMessage::text(User, "a"),
        with_thought("One.", PromptMessage::text(Assistant, "b")),
        with_thought("Two.", calls(Assistant, &["abcdefgh1"])),
        result("abcdefgh1"),
    ];
    let merged = [
        messages[0].clone(),
        PromptMessage {
            text: "b".into(),
            ..with_thought("One.\n\nTwo.", calls(Assistant, &["abcdefgh1"]))
        },
        messages[3].clone(),
    ];
    let shapes = super::shapes(&messages);
    let values: Vec<_> = shapes
        .iter()
        .filter(|shape| shape.arguments == Arguments::Values)
        .map(|shape| shape.messages.as_slice())
        .collect();
    assert_eq!(values, [messages.as_slice(), merged.as_slice()]);
    // Then the same with arguments as text.
    assert_eq!(shapes.len(), 4);
}

#[test]
fn a_name_stays_only_where_both_have_it() {
    let named = |name: &str| PromptMessage {
        name: Some(name.into()),
        ..PromptMessage::text(User, "x")
    };
    let mut same = named("Ada");
    merge(&mut same, named("Ada"));
    assert_eq!(same.name.as_deref(), Some("Ada"));
    merge(&mut same, named("Bob"));
    assert_eq!(same.name, None);
}

#[test]
fn calls_can_have_the_names_that_mistral_demands() {
    let messages = [
        PromptMessage::text(User, "a"),
        calls(Assistant, &["call_one", "call_two"]),
        result("call_two"),
        result("call_one"),
    ];
    let short = [
        messages[0].clone(),
        calls(Assistant, &["call00000", "call00001"]),
        result("call00001"),
        result("call00000"),
    ];
    let shapes = super::shapes(&messages);
    assert_eq!(shapes[0].messages, messages);
    assert_eq!(shapes[1].messages, short);
    assert_eq!(shapes[1].arguments, Arguments::Values);
}
