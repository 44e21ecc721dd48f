//! Sending, streaming, stopping, copying.

use expect_test::expect;

use super::*;

#[test]
fn the_first_message_begins_a_chat_and_its_answer_streams() {
    let mut desk = Desk::with_models();
    desk.all([draft("Hello there\n"), Msg::Send]);
    expect![[r#"
        -> TickAfter(1000)
        -> send 1 to a new chat "Hello there"
        -> FocusComposer
        -> ShowNewest
        header Off Choose a model: Nothing loaded
        new chat
          > - "Hello there"
          < - ""
            Waiting for the model
        composer <Write the next message while this one finishes> stop
    "#]]
    .assert_eq(&desk.told());
    desk.all([started(1, 7, "Hello there"), turn(1, ChatEvent::Loading(0.625))]);
    expect![[r#"
        [Today]
        - Hello there 14:32 open running
        header Busy Loading a model: 62_%
        chat 7
          > 71 "Hello there"
          < 72 ""
            Loading the model 62_%
        composer <Write the next message while this one finishes> stop
    "#]]
    .assert_eq(&desk.told());
    desk.all([turn(
        1,
        ChatEvent::PromptProgress {
            processed: 1024,
            total: 1650,
        },
    )]);
    expect![[r#"
        [Today]
        - Hello there 14:32 open running
        header Off Choose a model: Nothing loaded
        chat 7
          > 71 "Hello there"
          < 72 ""
            Reading the prompt 1_024 of 1_650_tokens · 62_%
        composer <Write the next message while this one finishes> stop
    "#]]
    .assert_eq(&desk.told());
    desk.all([
        engine([loaded(1, "starter/smol.gguf")]),
        delta(1, "Hi"),
        delta(1, " you"),
        delta(1, "."),
    ]);
    expect![[r#"
        [Today]
        - Hello there 14:32 open running
        header Busy smol: Generating, eject
        chat 7
          > 71 "Hello there"
          < 72 "Hi you."
            1.0_tok/s · 3_tokens
        composer <Write the next message while this one finishes> stop 1_653 / 2_048
    "#]]
    .assert_eq(&desk.told());
    desk.all([turn(1, ChatEvent::Finished(answer(72, "Hi you.")))]);
    expect![[r#"
        [Today]
        - Hello there 14:32 open
        header Ready smol: Loaded, 98.4_MB, eject
        chat 7
          > 71 "Hello there"
          < 72 "Hi you."
            61.3_tok/s · 2_tokens · TTFT 0.21_s · stop: end of text
        composer <Write a message> (send) 42 / 2_048
    "#]]
    .assert_eq(&desk.told());
}

#[test]
fn a_stopped_answer_keeps_its_text_and_stopping_again_is_harmless() {
    let stopped = Message {
        stop: Some(StopReason::UserStopped),
        ..answer(12, "Once")
    };
    let mut desk = Desk::with_answer_begun();
    desk.all([delta(1, "Once"), Msg::Stop, Msg::Stop, Msg::Escape]);
    expect![[r#"
        -> Stop(Run(1))
        [Today]
        - Tell 14:32 open running
        header Off Choose a model: Nothing loaded
        chat 1
          > 11 "Tell"
          < 12 "Once"
            1_token
        composer <Write the next message while this one finishes> (stop)
    "#]]
    .assert_eq(&desk.told());
    desk.all([turn(1, ChatEvent::Finished(stopped)), Msg::Stop, Msg::Escape]);
    expect![[r#"
        [Today]
        - Tell 14:32 open
        header Off Choose a model: Nothing loaded
        chat 1
          > 11 "Tell"
          < 12 "Once"
            61.3_tok/s · 2_tokens · TTFT 0.21_s · stop: stopped by you
        composer <Write a message> (send) 42 / 2_048
    "#]]
    .assert_eq(&desk.told());
}

#[test]
fn nothing_is_sent_while_the_chat_is_answered_or_without_words() {
    let mut desk = Desk::with_models();
    desk.all([Msg::Send, draft(" \n"), Msg::Send]);
    expect![[r#"
        -> TickAfter(1000)
        header Off Choose a model: Nothing loaded
        new chat
          What would you like to ask?
        composer " \n" (send)
    "#]]
    .assert_eq(&desk.told());
    desk.all([
        draft("One"),
        Msg::Send,
        draft("Two"),
        Msg::Send,
        started(1, 1, "One"),
        Msg::Send,
    ]);
    expect![[r#"
        -> send 1 to a new chat "One"
        -> FocusComposer
        -> ShowNewest
        [Today]
        - One 14:32 open running
        header Off Choose a model: Nothing loaded
        chat 1
          > 11 "One"
          < 12 ""
            Waiting for the model
          waits "Two"
        composer <Write the next message while this one finishes> stop
    "#]]
    .assert_eq(&desk.told());
}

#[test]
fn late_events_of_another_run_change_nothing() {
    let mut desk = Desk::with_answer_begun();
    desk.all([
        turn(1, ChatEvent::Finished(answer(12, "First"))),
        draft("Two"),
        Msg::Send,
    ]);
    desk.told();
    let before = desk.told();
    desk.all([
        delta(1, "late"),
        failed(1, busy(), None),
        delta(99, "strange"),
        started(1, 8, "late"),
    ]);
    assert_eq!(desk.told(), before);
}

#[test]
fn messages_are_copied_as_they_were_written() {
    let mut desk = Desk::with_models();
    desk.all([Msg::CopyLastAnswer]);
    assert_eq!(desk.log, "");
    let mut desk = Desk::with_chats();
    desk.all([
        Msg::CopyMessage(MessageId(11)),
        Msg::CopyMessage(MessageId(99)),
        Msg::CopyLastAnswer,
    ]);
    assert_eq!(desk.log, "-> Copy(\"Question\")\n-> Copy(\"Answer\")\n");
}

#[test]
fn the_meter_follows_the_answer() {
    let mut desk = Desk::with_models();
    let label = |desk: &Desk| {
        desk.state
            .composer()
            .meter
            .map(|meter| meter.label().replace('\u{a0}', "_"))
    };
    assert_eq!(label(&desk), None);
    desk.all([engine([loaded(1, "starter/smol.gguf")])]);
    assert_eq!(label(&desk).as_deref(), Some("0 / 2_048"));
    desk.all([
        draft("Hi"),
        Msg::Send,
        started(1, 1, "Hi"),
        turn(
            1,
            ChatEvent::PromptProgress {
                processed: 1500,
                total: 1800,
            },
        ),
    ]);
    assert_eq!(label(&desk).as_deref(), Some("1_500 / 2_048"));
    desk.all([delta(1, "a"), delta(1, "b")]);
    assert_eq!(label(&desk).as_deref(), Some("1_802 / 2_048"));
    desk.all([turn(1, ChatEvent::Finished(answer(12, "ab")))]);
    assert_eq!(label(&desk).as_deref(), Some("42 / 2_048"));
    // Without a model in memory it is what the last answer told.
    desk.all([engine([])]);
    assert_eq!(label(&desk).as_deref(), Some("42 / 2_048"));
}
