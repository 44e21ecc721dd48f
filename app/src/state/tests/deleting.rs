//! Deleting chats and bringing them back.

use expect_test::expect;
use hearth_protocol::chat::Deleted;
use hearth_protocol::{Result, UndoToken};

use super::*;
use crate::state::toast::ToastId;

const TOKEN: UndoToken = UndoToken(5);

fn deleted(chat: i64, result: Result<Deleted>) -> Msg {
    Msg::Backend(News::Deleted {
        chat: ChatId(chat),
        result,
    })
}

fn undone(reopen: bool, result: Result<ChatSummary>) -> Msg {
    Msg::Backend(News::Undone {
        token: TOKEN,
        reopen,
        result,
    })
}

#[test]
fn deleting_the_open_chat_shows_a_new_one_and_undo_brings_it_back() {
    let mut desk = Desk::with_chats();
    desk.all([Msg::DeleteChat(ChatId(1)), Msg::DeleteChat(ChatId(1))]);
    expect![[r#"
        -> FocusComposer
        -> DeleteChat(ChatId(1))
        [Today]
        - Second 14:31
        [Yesterday]
        - Third 14:32
        header Off Choose a model: Nothing loaded
        new chat
          What would you like to ask?
        composer <Write a message> (send)
    "#]]
    .assert_eq(&desk.told());
    desk.all([deleted(1, Ok(Deleted { undo: TOKEN }))]);
    expect![[r#"
        -> TickAfter(5000)
        [Today]
        - Second 14:31
        [Yesterday]
        - Third 14:32
        header Off Choose a model: Nothing loaded
        new chat
          What would you like to ask?
        composer <Write a message> (send)
        toast Deleted Chat deleted: First [Undo]
    "#]]
    .assert_eq(&desk.told());
    desk.all([Msg::TakeToastAction(ToastId(0)), Msg::TakeToastAction(ToastId(0))]);
    expect![[r#"
        -> Undo { token: UndoToken(5), reopen: true }
        [Today]
        - Second 14:31
        [Yesterday]
        - Third 14:32
        header Off Choose a model: Nothing loaded
        new chat
          What would you like to ask?
        composer <Write a message> (send)
    "#]]
    .assert_eq(&desk.told());
    desk.all([undone(true, Ok(summary(1, "First", NOW))), opened(1)]);
    expect![[r#"
        -> FocusComposer
        -> OpenChat(ChatId(1))
        -> ShowNewest
        -> ShowNewest
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
    "#]]
    .assert_eq(&desk.told());
}

#[test]
fn undo_does_not_tear_anyone_away_from_another_chat() {
    let mut desk = Desk::with_chats();
    desk.all([
        Msg::DeleteChat(ChatId(1)),
        deleted(1, Ok(Deleted { undo: TOKEN })),
        Msg::OpenChat(ChatId(2)),
        opened(2),
    ]);
    desk.log.clear();
    desk.all([
        Msg::TakeToastAction(ToastId(0)),
        undone(true, Ok(summary(1, "First", NOW))),
    ]);
    expect![[r#"
        -> Undo { token: UndoToken(5), reopen: true }
        [Today]
        - First 14:32
        - Second 14:31 open
        [Yesterday]
        - Third 14:32
        header Off Choose a model: Nothing loaded
        chat 2
          > 21 "Question"
          < 22 "Answer"
            61.3_tok/s · 2_tokens · TTFT 0.21_s · stop: end of text
        composer <Write a message> (send) 42 / 2_048
    "#]]
    .assert_eq(&desk.told());
}

#[test]
fn undo_does_not_tear_anyone_away_from_another_page() {
    let mut desk = Desk::with_chats();
    desk.all([
        Msg::DeleteChat(ChatId(1)),
        deleted(1, Ok(Deleted { undo: TOKEN })),
        Msg::ShowPage(Page::Settings),
        Msg::TakeToastAction(ToastId(0)),
        undone(true, Ok(summary(1, "First", NOW))),
    ]);
    assert_eq!(desk.state.page(), Page::Settings);
    assert!(
        desk.state.chats.get(ChatId(1)).is_some(),
        "it is in the list again"
    );
}

#[test]
fn deleting_another_chat_leaves_the_open_one() {
    let mut desk = Desk::with_chats();
    desk.all([
        Msg::DeleteChat(ChatId(3)),
        deleted(3, Ok(Deleted { undo: TOKEN })),
        Msg::TakeToastAction(ToastId(0)),
    ]);
    desk.log.clear();
    desk.all([undone(false, Ok(summary(3, "Third", NOW - DAY)))]);
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
    "#]]
    .assert_eq(&desk.told());
}

#[test]
fn a_chat_that_was_not_deleted_is_there_again() {
    let mut desk = Desk::with_chats();
    desk.all([Msg::DeleteChat(ChatId(1)), deleted(1, Err(trouble())), opened(1)]);
    expect![[r#"
        -> FocusComposer
        -> DeleteChat(ChatId(1))
        -> FocusComposer
        -> OpenChat(ChatId(1))
        -> ShowNewest
        -> ShowNewest
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
        toast Failed The chat was not deleted: The database of chats: the disk is full.
    "#]]
    .assert_eq(&desk.told());
}

#[test]
fn a_chat_that_does_not_come_back_can_be_asked_for_again() {
    let mut desk = Desk::with_models();
    desk.all([
        three(),
        Msg::DeleteChat(ChatId(1)),
        deleted(1, Ok(Deleted { undo: TOKEN })),
    ]);
    desk.log.clear();
    desk.all([Msg::TakeToastAction(ToastId(0)), undone(false, Err(trouble()))]);
    expect![[r#"
        -> Undo { token: UndoToken(5), reopen: false }
        [Today]
        - Second 14:31
        [Yesterday]
        - Third 14:32
        header Off Choose a model: Nothing loaded
        new chat
          What would you like to ask?
        composer <Write a message> (send)
        toast Failed What was deleted did not come back: The database of chats: the disk is full. [Undo]
    "#]]
    .assert_eq(&desk.told());
    // It can be tried again.
    desk.all([Msg::TakeToastAction(ToastId(1))]);
    assert_eq!(desk.log, "-> Undo { token: UndoToken(5), reopen: false }\n");
}

#[test]
fn deleting_a_chat_that_is_answered_forgets_its_run() {
    for elsewhere in [false, true] {
        let mut desk = Desk::with_answer_begun();
        desk.all([delta(1, "Once")]);
        if elsewhere {
            desk.all([Msg::NewChat]);
        }
        desk.log.clear();
        desk.all([
            Msg::DeleteChat(ChatId(1)),
            delta(1, " upon"),
            turn(1, ChatEvent::Finished(answer(12, "Once upon"))),
        ]);
        assert!(desk.state.open().is_empty() && !desk.state.is_streaming());
        assert!(desk.log.contains("DeleteChat(ChatId(1))"));
        assert!(desk.state.chats.get(ChatId(1)).is_none());
    }
}

#[test]
fn a_list_that_was_read_before_a_delete_does_not_bring_the_chat_back() {
    let mut desk = Desk::with_models();
    desk.all([three(), Msg::DeleteChat(ChatId(1)), three()]);
    assert!(desk.state.chats.get(ChatId(1)).is_none());
}
