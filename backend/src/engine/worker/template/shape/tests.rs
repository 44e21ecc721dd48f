use super::Role::{Assistant, System, Tool, User};
use super::*;

fn chat(messages: &[(Role, &str)]) -> Vec<PromptMessage> {
    let message = |&(role, text): &(Role, &str)| PromptMessage::text(role, text);
    messages.iter().map(message).collect()
}

#[test]
fn a_chat_of_turns_has_one_shape() {
    let turns = chat(&[(User, "a"), (Assistant, "b"), (User, "c")]);
    assert_eq!(shapes(&turns), [turns]);
    assert_eq!(shapes(&[]), [[]]);
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
