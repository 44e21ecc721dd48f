//! Several chats at once: answers out of sight, and what each composer keeps.

use expect_test::expect;

use super::*;

#[test]
fn an_answer_goes_on_in_the_background() {
    let mut desk = Desk::with_models();
    desk.all([
        chats([summary(2, "Other", NOW - DAY)]),
        draft("Tell"),
        Msg::Send,
        started(1, 1, "Tell"),
    ]);
    desk.all([
        delta(1, "Once "),
        Msg::OpenChat(ChatId(2)),
        opened(2),
        delta(1, "upon "),
    ]);
    desk.log.clear();
    expect![[r#"
        [Today]
        - Tell 14:32 running
        [Yesterday]
        - Other 14:32 open
        header Off Choose a model: Nothing loaded
        chat 2
          > 21 "Question"
          < 22 "Answer"
            61.3_tok/s · 2_tokens · TTFT 0.21_s · stop: end of text
        composer <Write a message> (send) 42 / 2_048
    "#]]
    .assert_eq(&desk.told());
    // Its text so far is here; it is not read anew.
    desk.all([Msg::OpenChat(ChatId(1)), delta(1, "a time")]);
    expect![[r#"
        -> FocusComposer
        -> ShowNewest
        [Today]
        - Tell 14:32 open running
        [Yesterday]
        - Other 14:32
        header Off Choose a model: Nothing loaded
        chat 1
          > 11 "Tell"
          < 12 "Once upon a time"
            0.4_tok/s · 3_tokens
        composer <Write the next message while this one finishes> stop
    "#]]
    .assert_eq(&desk.told());
    desk.all([
        Msg::NewChat,
        turn(1, ChatEvent::Finished(answer(12, "Once upon a time"))),
    ]);
    expect![[r#"
        -> FocusComposer
        [Today]
        - Tell 14:32
        [Yesterday]
        - Other 14:32
        header Off Choose a model: Nothing loaded
        new chat
          What would you like to ask?
        composer <Write a message> (send)
    "#]]
    .assert_eq(&desk.told());
    // It is over, so the stored one is read.
    desk.all([Msg::OpenChat(ChatId(1))]);
    expect![[r#"
        -> FocusComposer
        -> OpenChat(ChatId(1))
        -> ShowNewest
        [Today]
        - Tell 14:32 open
        [Yesterday]
        - Other 14:32
        header Off Choose a model: Nothing loaded
        chat 1, being read
        composer <Write a message> (send)
    "#]]
    .assert_eq(&desk.told());
}

#[test]
fn two_chats_can_be_answered_at_once() {
    let mut desk = Desk::with_models();
    desk.all([draft("One"), Msg::Send, Msg::NewChat, draft("Two"), Msg::Send]);
    desk.all([
        started(2, 2, "Two"),
        started(1, 1, "One"),
        delta(1, "first"),
        delta(2, "second"),
    ]);
    expect![[r#"
        -> TickAfter(1000)
        -> send 1 to a new chat "One"
        -> FocusComposer
        -> ShowNewest
        -> WriteDraft { chat: None, text: "" }
        -> FocusComposer
        -> TickAfter(1000)
        -> send 2 to a new chat "Two"
        -> FocusComposer
        -> ShowNewest
        [Today]
        - Two 14:32 open running
        - One 14:32 running
        header Off Choose a model: Nothing loaded
        chat 2
          > 21 "Two"
          < 22 "second"
            1_token
        composer <Write the next message while this one finishes> stop
    "#]]
    .assert_eq(&desk.told());
    desk.all([Msg::Stop]);
    expect![[r#"
        -> Stop(Run(2))
        [Today]
        - Two 14:32 open running
        - One 14:32 running
        header Off Choose a model: Nothing loaded
        chat 2
          > 21 "Two"
          < 22 "second"
            1_token
        composer <Write the next message while this one finishes> (stop)
    "#]]
    .assert_eq(&desk.told());
}

#[test]
fn each_chat_keeps_its_draft() {
    let mut desk = Desk::with_models();
    desk.all([
        draft("for the new one"),
        Msg::OpenChat(ChatId(1)),
        opened(1),
        draft("for the first"),
    ]);
    let mut seen = Vec::new();
    for msg in [Msg::NewChat, Msg::OpenChat(ChatId(1)), Msg::NewChat] {
        desk.all([msg]);
        seen.push(desk.state.composer().draft.to_owned());
    }
    assert_eq!(seen, ["for the new one", "for the first", "for the new one"]);
}

#[test]
fn what_is_typed_before_a_chat_has_its_number_belongs_to_it() {
    let mut desk = Desk::with_models();
    desk.all([draft("One"), Msg::Send, draft("Next"), started(1, 1, "One")]);
    assert_eq!(desk.state.composer().draft, "Next");
    desk.all([Msg::NewChat]);
    assert_eq!(desk.state.composer().draft, "");

    // Elsewhere by then, it belongs to the new chat that is shown.
    desk.all([
        draft("Two"),
        Msg::Send,
        Msg::NewChat,
        draft("Mine"),
        started(2, 2, "Two"),
    ]);
    assert_eq!(desk.state.composer().draft, "Mine");
}
