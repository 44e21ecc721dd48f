//! Editing, versions, going on, copies and deletes of messages.

use expect_test::expect;
use hearth_protocol::UndoToken;
use hearth_protocol::chat::Deleted;

use super::*;
use crate::state::composer::draft::Unsent;
use crate::state::conversation::ConversationKey;

/// Chat 1 with these messages.
fn chat(messages: Vec<Message>) -> Chat {
    let Msg::Backend(News::Opened { result: Ok(chat), .. }) = opened(1) else {
        panic!("another message");
    };
    Chat { messages, ..chat }
}

fn changed(key: ConversationKey, change: ChatChange, result: Result<Chat, Error>) -> Msg {
    Msg::Backend(News::Changed {
        conversation: key,
        change,
        result,
    })
}

fn edit(text: &str, answer: bool) -> ChatChange {
    ChatChange::Edit {
        message: MessageId(11),
        text: text.into(),
        answer,
    }
}

#[test]
fn a_question_is_edited_and_answered_anew() {
    let mut desk = Desk::with_chats();
    let key = desk.state.open().key;
    desk.all([
        Msg::BeginEdit(MessageId(11)),
        Msg::EditChanged("Better question".into()),
    ]);
    expect![[r#"
        -> FocusEdit
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
          editing 11 "Better question"
        composer <Write a message> (send) 42 / 2_048
    "#]]
    .assert_eq(&desk.told());
    let question = Message {
        version: (1, 2),
        ..message(13, Role::User, "Better question")
    };
    desk.all([
        Msg::CommitEdit { answer: true },
        changed(key, edit("Better question", true), Ok(chat(vec![question]))),
    ]);
    expect![[r#"
        -> FocusComposer
        -> Change { conversation: ConversationKey(1), change: Edit { message: MessageId(11), text: "Better question", answer: true } }
        -> regenerate 1 message 13
        -> ShowNewest
        [Today]
        - Chat 1 14:32 open running
        - Second 14:31
        [Yesterday]
        - Third 14:32
        header Off Choose a model: Nothing loaded
        chat 1
          > 13 "Better question" 2/2
          < - ""
            Waiting for the model
        composer <Write the next message while this one finishes> stop
    "#]].assert_eq(&desk.told());
}

#[test]
fn an_edit_that_changes_nothing_asks_nothing() {
    for text in ["Question", "  "] {
        let mut desk = Desk::with_chats();
        desk.all([
            Msg::BeginEdit(MessageId(11)),
            Msg::EditChanged(text.into()),
            Msg::CommitEdit { answer: false },
        ]);
        assert!(!desk.log.contains("Change"), "{}", desk.log);
    }
    let mut desk = Desk::with_chats();
    desk.all([
        Msg::BeginEdit(MessageId(11)),
        Msg::EditChanged("Other".into()),
        Msg::Escape,
        Msg::CommitEdit { answer: true },
    ]);
    assert!(!desk.log.contains("Change"), "given up: {}", desk.log);
}

#[test]
fn an_edit_that_is_refused_is_typed_again() {
    let mut desk = Desk::with_chats();
    let key = desk.state.open().key;
    desk.all([
        Msg::BeginEdit(MessageId(11)),
        Msg::EditChanged("Other".into()),
        Msg::CommitEdit { answer: false },
        changed(key, edit("Other", false), Err(trouble())),
    ]);
    let told = desk.told();
    assert!(told.contains("editing 11 \"Other\""), "{told}");
    assert!(told.contains("The message was not changed"), "{told}");
}

#[test]
fn while_a_change_is_on_its_way_no_other_begins() {
    let mut desk = Desk::with_chats();
    desk.all([
        Msg::BeginEdit(MessageId(11)),
        Msg::EditChanged("Other".into()),
        Msg::CommitEdit { answer: false },
    ]);
    desk.log.clear();
    desk.all([
        Msg::BeginEdit(MessageId(12)),
        Msg::DeleteMessage(MessageId(12)),
        Msg::Regenerate(MessageId(12)),
        draft("Hi"),
        Msg::Send,
        Msg::Insert(Role::User),
    ]);
    assert_eq!(desk.log, "-> TickAfter(1000)\n", "only the draft is kept");
}

#[test]
fn versions_are_shown_by_their_number() {
    let mut desk = Desk::with_chats();
    let key = desk.state.open().key;
    let second = Message {
        version: (1, 3),
        ..answer(12, "Answer")
    };
    let question = message(11, Role::User, "Question");
    desk.all([changed(
        key,
        edit("", false),
        Ok(chat(vec![question.clone(), second])),
    )]);
    desk.log.clear();
    desk.all([
        Msg::ShowVersion {
            message: MessageId(12),
            version: 3,
        },
        Msg::StepVersion { back: true },
    ]);
    let first = Message {
        version: (0, 3),
        ..answer(14, "First answer")
    };
    let change = ChatChange::Version {
        message: MessageId(12),
        version: Some(0),
    };
    desk.all([changed(key, change, Ok(chat(vec![question, first])))]);
    expect![[r#"
        -> Change { conversation: ConversationKey(1), change: Version { message: MessageId(12), version: Some(0) } }
        [Today]
        - Chat 1 14:32 open
        - Second 14:31
        [Yesterday]
        - Third 14:32
        header Off Choose a model: Nothing loaded
        chat 1
          > 11 "Question"
          < 14 "First answer" 1/3
            61.3_tok/s · 2_tokens · TTFT 0.21_s · stop: end of text
        composer <Write a message> (send) 42 / 2_048
    "#]].assert_eq(&desk.told());
    desk.all([Msg::StepVersion { back: true }]);
    assert_eq!(desk.log, "", "there is none before the first");
}

#[test]
fn an_answer_that_ended_early_goes_on_as_the_same_message() {
    let mut desk = Desk::with_chats();
    let key = desk.state.open().key;
    let stopped = Message {
        stop: Some(StopReason::UserStopped),
        ..answer(12, "Once")
    };
    let question = message(11, Role::User, "Question");
    desk.all([changed(
        key,
        edit("", false),
        Ok(chat(vec![question, stopped.clone()])),
    )]);
    desk.log.clear();
    desk.all([
        Msg::Continue(MessageId(12)),
        turn(
            1,
            ChatEvent::Started {
                chat: summary(1, "First", NOW),
                user: None,
                answer: Message {
                    stop: None,
                    stats: None,
                    ..stopped.clone()
                },
            },
        ),
        delta(1, " upon"),
    ]);
    expect![[r#"
        -> Continue { run: Run(1), message: MessageId(12), options: TurnOptions { model: None, sampling: None, system_prompt: None, answer: None } }
        -> ShowNewest
        [Today]
        - First 14:32 open running
        - Second 14:31
        [Yesterday]
        - Third 14:32
        header Off Choose a model: Nothing loaded
        chat 1
          > 11 "Question"
          < 12 "Once upon"
            1_token
        composer <Write the next message while this one finishes> stop
    "#]].assert_eq(&desk.told());
    desk.all([turn(1, ChatEvent::Finished(answer(12, "Once upon")))]);
    assert!(desk.told().contains("< 12 \"Once upon\""));
}

#[test]
fn going_on_that_is_refused_leaves_the_answer_as_it_was() {
    let mut desk = Desk::with_chats();
    let key = desk.state.open().key;
    let stopped = Message {
        stop: Some(StopReason::UserStopped),
        ..answer(12, "Once")
    };
    desk.all([
        changed(
            key,
            edit("", false),
            Ok(chat(vec![message(11, Role::User, "Question"), stopped])),
        ),
        Msg::Continue(MessageId(12)),
        failed(1, busy(), None),
    ]);
    let told = desk.told();
    assert!(
        told.contains("< 12 \"Once\"") && told.contains("stopped by you"),
        "{told}"
    );
}

#[test]
fn a_whole_answer_does_not_go_on() {
    let mut desk = Desk::with_chats();
    desk.all([Msg::Continue(MessageId(12)), Msg::Continue(MessageId(11))]);
    assert_eq!(desk.log, "");
}

#[test]
fn a_message_goes_with_what_follows_it_and_comes_back() {
    let mut desk = Desk::with_chats();
    desk.all([
        Msg::DeleteMessage(MessageId(11)),
        Msg::Backend(News::MessageDeleted {
            chat: ChatId(1),
            beginning: "Question".into(),
            result: Ok(Deleted { undo: UndoToken(5) }),
        }),
    ]);
    expect![[r#"
        -> DeleteMessage { message: MessageId(11), chat: ChatId(1), beginning: "Question" }
        -> OpenChat(ChatId(1))
        -> TickAfter(5000)
        [Today]
        - First 14:32 open
        - Second 14:31
        [Yesterday]
        - Third 14:32
        header Off Choose a model: Nothing loaded
        chat 1
          What would you like to ask?
        composer <Write a message> (send)
        toast Deleted Message deleted: Question [Undo]
    "#]]
    .assert_eq(&desk.told());
    let toast = desk.state.toasts.shown()[0].id;
    desk.all([
        Msg::TakeToastAction(toast),
        Msg::Backend(News::Undone {
            token: UndoToken(5),
            reopen: false,
            result: Ok(summary(1, "First", NOW)),
        }),
        opened(1),
    ]);
    let told = desk.told();
    assert!(
        told.contains("-> OpenChat(ChatId(1))") && told.contains("> 11 \"Question\""),
        "{told}"
    );
}

#[test]
fn a_message_that_was_not_deleted_is_read_again() {
    let mut desk = Desk::with_chats();
    desk.all([
        Msg::DeleteMessage(MessageId(12)),
        Msg::Backend(News::MessageDeleted {
            chat: ChatId(1),
            beginning: "Answer".into(),
            result: Err(trouble()),
        }),
        opened(1),
    ]);
    let told = desk.told();
    assert!(
        told.contains("The message was not deleted") && told.contains("< 12 \"Answer\""),
        "{told}"
    );
}

#[test]
fn a_draft_is_added_without_an_answer() {
    let mut desk = Desk::with_models();
    let key = desk.state.open().key;
    desk.all([draft("Remember this\n"), Msg::Insert(Role::User)]);
    expect![[r#"
        -> TickAfter(1000)
        -> Change { conversation: ConversationKey(0), change: Insert { chat: None, role: User, message: Unsent { text: "Remember this", files: [] } } }
        -> FocusComposer
        -> ShowNewest
        header Off Choose a model: Nothing loaded
        new chat
          What would you like to ask?
        composer <Write a message> (send)
    "#]].assert_eq(&desk.told());
    let change = ChatChange::Insert {
        chat: None,
        role: Role::User,
        message: Unsent {
            text: "Remember this".into(),
            files: Vec::new(),
        },
    };
    let stored = chat(vec![message(11, Role::User, "Remember this")]);
    desk.all([changed(key, change.clone(), Ok(stored))]);
    assert_eq!(desk.state.open().chat, Some(ChatId(1)));
    // The last message can be answered where it has no answer.
    desk.all([Msg::RegenerateLast]);
    assert!(desk.log.contains("regenerate 1 message 11"), "{}", desk.log);

    let mut desk = Desk::with_models();
    let key = desk.state.open().key;
    desk.all([
        draft("Remember this"),
        Msg::Insert(Role::User),
        changed(key, change, Err(trouble())),
    ]);
    assert!(
        desk.told().contains("composer \"Remember this\" send"),
        "it is not lost"
    );
}

#[test]
fn a_message_is_copied_with_its_signs_or_without() {
    let mut desk = Desk::with_chats();
    let key = desk.state.open().key;
    desk.all([changed(
        key,
        edit("", false),
        Ok(chat(vec![answer(12, "Some **bold** text")])),
    )]);
    desk.log.clear();
    desk.all([Msg::CopyMessage(MessageId(12)), Msg::CopyPlain(MessageId(12))]);
    expect![[r#"
        -> Copy("Some **bold** text")
        -> Copy("Some bold text")
    "#]]
    .assert_eq(&desk.log);
}
