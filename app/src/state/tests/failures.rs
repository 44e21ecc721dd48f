//! Messages that are refused, answers that fail, and trying again.

use expect_test::expect;

use super::*;

#[test]
fn a_refused_message_goes_back_to_the_composer() {
    let mut desk = Desk::with_models();
    desk.all([draft("One"), Msg::Send, draft("Two"), failed(1, busy(), None)]);
    expect![[r#"
        -> TickAfter(1000)
        -> send 1 to a new chat "One"
        -> FocusComposer
        -> ShowNewest
        header Off Choose a model: Nothing loaded
        new chat
          What would you like to ask?
        composer "One\n\nTwo" send
        toast Failed The message was not sent: This chat is busy: an answer is being written.
    "#]]
    .assert_eq(&desk.told());
    desk.all([Msg::Send, failed(2, Error::BackendGone, None)]);
    expect![[r#"
        -> send 2 to a new chat "One\n\nTwo"
        -> FocusComposer
        -> ShowNewest
        banner Failed: Hearth's backend has stopped. Restart Hearth; chats and downloads are kept.
        header Off Choose a model: Nothing loaded
        new chat
          What would you like to ask?
        composer "One\n\nTwo" (send) BackendGone
        toast Failed The message was not sent: This chat is busy: an answer is being written.
    "#]]
    .assert_eq(&desk.told());
}

#[test]
fn a_failed_answer_keeps_its_text_says_why_and_can_be_tried_again() {
    let died = Error::WorkerDied {
        during: "writing the answer".into(),
        cause: "it was killed by signal 9".into(),
        log: vec!["last words".into()],
    };
    let kept = Message {
        stop: Some(StopReason::Failed {
            message: died.to_string(),
        }),
        stats: None,
        ..answer(12, "Once upon")
    };
    let mut desk = Desk::with_answer_begun();
    desk.all([delta(1, "Once upon a"), failed(1, died, Some(kept))]);
    assert_eq!(
        desk.state.open().entries[1]
            .failure
            .as_ref()
            .expect("failure")
            .log(),
        ["last words"]
    );
    expect![[r#"
        [Today]
        - Tell 14:32 open
        header Off Choose a model: Nothing loaded
        chat 1
          > 11 "Tell"
          < 12 "Once upon"
            failure The answer stopped: The engine stopped while it was writing the answer: it was killed by signal 9. Nothing of your chats is lost; try again to go on.
        composer <Write a message> (send)
    "#]].assert_eq(&desk.told());

    desk.all([Msg::Regenerate(MessageId(12))]);
    expect![[r#"
        -> regenerate 2 message 12
        -> ShowNewest
        [Today]
        - Tell 14:32 open running
        header Off Choose a model: Nothing loaded
        chat 1
          > 11 "Tell"
          < - ""
            Waiting for the model
        composer <Write the next message while this one finishes> stop
    "#]]
    .assert_eq(&desk.told());
    let again = ChatEvent::Started {
        chat: summary(1, "Tell", NOW),
        user: None,
        answer: message(13, Role::Assistant, ""),
    };
    desk.all([
        turn(2, again),
        delta(2, "Well"),
        turn(2, ChatEvent::Finished(answer(13, "Well"))),
    ]);
    expect![[r#"
        [Today]
        - Tell 14:32 open
        header Off Choose a model: Nothing loaded
        chat 1
          > 11 "Tell"
          < 13 "Well"
            61.3_tok/s · 2_tokens · TTFT 0.21_s · stop: end of text
        composer <Write a message> (send) 42 / 2_048
    "#]]
    .assert_eq(&desk.told());
}

#[test]
fn an_answer_that_breaks_off_unstored_keeps_what_came() {
    let mut desk = Desk::with_answer_begun();
    desk.all([delta(1, "Once"), failed(1, Error::BackendGone, None)]);
    expect![[r#"
        banner Failed: Hearth's backend has stopped. Restart Hearth; chats and downloads are kept.
        [Today]
        - Tell 14:32 open
        header Off Choose a model: Nothing loaded
        chat 1
          > 11 "Tell"
          < 12 "Once"
            failure The answer stopped: Hearth's backend has stopped. Restart Hearth; chats and downloads are kept.
        composer <Restart Hearth to go on> (send) BackendGone
    "#]].assert_eq(&desk.told());
}

#[test]
fn each_failure_says_what_did_not_work() {
    let overflow = Error::ContextOverflow {
        prompt_tokens: 300,
        context_length: 64,
    };
    let template = Error::Template {
        reason: "line 3".into(),
    };
    let load = Error::LoadFailed {
        reason: "no memory".into(),
        log: vec![],
    };
    let internal = Error::Internal { reason: "x".into() };
    let cases = [
        (load, "The model did not load", "No memory."),
        (overflow.clone(), "The chat is too long", &*overflow.to_string()),
        (template.clone(), "There is no answer", &*template.to_string()),
        (trouble(), "The answer is not stored yet", &*trouble().to_string()),
        (internal.clone(), "The answer stopped", &*internal.to_string()),
    ];
    for (error, title, text) in cases {
        let mut desk = Desk::with_answer_begun();
        desk.all([failed(1, error, None)]);
        let failure = desk.state.open().entries[1].failure.clone().expect("failure");
        let texts = desk.state.texts();
        let said = (texts.say(failure.title, &[]), failure.text(texts));
        assert_eq!(said, (title.to_owned(), text.to_owned()));
    }
}

#[test]
fn an_answer_that_is_not_made_anew_leaves_the_old_one() {
    let mut desk = Desk::with_chats();
    desk.all([Msg::RegenerateLast]);
    expect![[r#"
        -> regenerate 1 message 12
        -> ShowNewest
        [Today]
        - First 14:32 open running
        - Second 14:31
        [Yesterday]
        - Third 14:32
        header Off Choose a model: Nothing loaded
        chat 1
          > 11 "Question"
          < - ""
            Waiting for the model
        composer <Write the next message while this one finishes> stop
    "#]]
    .assert_eq(&desk.told());
    desk.all([failed(1, busy(), None)]);
    expect![[r#"
        [Today]
        - First 14:32 open
        - Second 14:31
        [Yesterday]
        - Third 14:32
        header Off Choose a model: Nothing loaded
        chat 1
          > 11 "Question"
          < 12 "Answer"
            61.3_tok/s · 2_tokens · TTFT 0.21_s · stop: end of text
        composer <Write a message> (send) 42 / 2_048
        toast Failed The answer was not made anew: This chat is busy: an answer is being written.
    "#]]
    .assert_eq(&desk.told());
}

#[test]
fn only_answers_are_made_anew_and_only_at_rest() {
    let mut desk = Desk::with_models();
    desk.all([Msg::RegenerateLast]);
    assert_eq!(desk.log, "", "there is no answer");
    let mut desk = Desk::with_chats();
    desk.all([Msg::Regenerate(MessageId(11)), Msg::Regenerate(MessageId(99))]);
    assert_eq!(desk.log, "", "these are no answers");
    desk.all([draft("More"), Msg::Send]);
    desk.log.clear();
    desk.all([Msg::Regenerate(MessageId(12)), Msg::RegenerateLast]);
    assert_eq!(desk.log, "", "an answer is being written");
}

/// All that follows it goes out of sight, and its versions lead back to it.
#[test]
fn an_answer_that_was_gone_on_from_is_made_anew_in_place_of_what_follows() {
    let mut desk = Desk::with_chats();
    desk.all([
        draft("More"),
        Msg::Send,
        turn(
            1,
            ChatEvent::Started {
                chat: summary(1, "First", NOW),
                user: Some(message(13, Role::User, "More")),
                answer: message(14, Role::Assistant, ""),
            },
        ),
        turn(1, ChatEvent::Finished(answer(14, "Much more"))),
    ]);
    desk.log.clear();
    desk.all([Msg::Regenerate(MessageId(12))]);
    assert_eq!(desk.log, "-> regenerate 2 message 12\n-> ShowNewest\n");
    assert_eq!(desk.state.open().entries.len(), 2);
    desk.all([failed(2, busy(), None)]);
    assert_eq!(desk.state.open().entries.len(), 4, "refused, it all comes back");
}

#[test]
fn a_failure_in_the_background_is_told_by_name() {
    let mut desk = Desk::with_answer_begun();
    desk.all([
        Msg::NewChat,
        failed(1, Error::Internal { reason: "x".into() }, None),
    ]);
    expect![[r#"
        -> WriteDraft { chat: None, text: "" }
        -> WriteDraft { chat: Some(ChatId(1)), text: "" }
        -> FocusComposer
        [Today]
        - Tell 14:32
        header Off Choose a model: Nothing loaded
        new chat
          What would you like to ask?
        composer <Write a message> (send)
        toast Failed The answer in “Tell” stopped: Hearth made a mistake: x. A report with the log helps to mend it.
    "#]].assert_eq(&desk.told());
}

#[test]
fn a_message_refused_in_the_background_waits_in_the_composer_of_a_new_chat() {
    let mut desk = Desk::with_models();
    desk.all([
        draft("Tell"),
        Msg::Send,
        Msg::OpenChat(ChatId(2)),
        opened(2),
        failed(1, busy(), None),
    ]);
    desk.log.clear();
    desk.all([Msg::NewChat]);
    expect![[r#"
        -> WriteDraft { chat: None, text: "Tell" }
        -> FocusComposer
        header Off Choose a model: Nothing loaded
        new chat
          What would you like to ask?
        composer "Tell" send
        toast Failed The message was not sent: This chat is busy: an answer is being written.
    "#]]
    .assert_eq(&desk.told());
}

#[test]
fn stored_answers_without_a_good_end_say_so() {
    let broken = Message {
        stop: Some(StopReason::Failed {
            message: "It broke.".into(),
        }),
        ..answer(12, "Half")
    };
    let cut = message(14, Role::Assistant, "Cut");
    let chat = Chat {
        summary: summary(1, "Chat", NOW),
        system_prompt: Some("Be brief.".into()),
        options: TurnOptions::default(),
        draft: String::new(),
        place: None,
        messages: vec![
            message(10, Role::System, "Be brief."),
            message(11, Role::User, "Question"),
            broken,
            message(13, Role::User, "Again"),
            cut,
        ],
    };
    let opened = Msg::Backend(News::Opened {
        chat: ChatId(1),
        result: Ok(chat),
    });
    let mut desk = Desk::with_models();
    desk.all([Msg::OpenChat(ChatId(1)), opened]);
    desk.log.clear();
    expect![[r#"
        header Off Choose a model: Nothing loaded
        chat 1
          > 11 "Question"
          < 12 "Half"
            61.3_tok/s · 2_tokens · TTFT 0.21_s
            failure The answer stopped: It broke.
          > 13 "Again"
          < 14 "Cut"
            failure The answer stopped: Hearth ended while it was written. The text so far is kept.
        composer <Write a message> (send) 42 / 2_048
    "#]]
    .assert_eq(&desk.told());
}
