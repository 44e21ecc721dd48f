//! Drafts and places that are kept.

use expect_test::expect;
use hearth_protocol::chat::ScrollPlace;

use super::*;

fn place(message: i64) -> ScrollPlace {
    ScrollPlace {
        message: MessageId(message),
        offset: 12.0,
    }
}

/// Chat `id` as it is read with this draft and this place.
fn opened_with(id: i64, draft: &str, place: Option<ScrollPlace>) -> Msg {
    let Msg::Backend(News::Opened {
        chat,
        result: Ok(read),
    }) = opened(id)
    else {
        panic!("another message");
    };
    Msg::Backend(News::Opened {
        chat,
        result: Ok(Chat {
            draft: draft.into(),
            place,
            ..read
        }),
    })
}

#[test]
fn a_draft_is_kept_a_second_after_it_was_begun() {
    let mut desk = Desk::with_chats();
    desk.all([draft("H"), draft("Hi")]);
    assert_eq!(desk.log, "-> TickAfter(1000)\n", "once for both");
    desk.log.clear();
    desk.all([Msg::Tick]);
    expect![[r#"
        -> WriteDraft { chat: Some(ChatId(1)), text: "Hi" }
    "#]]
    .assert_eq(&desk.log);
    desk.log.clear();
    desk.all([Msg::Tick]);
    assert_eq!(desk.log, "", "nothing has changed since");
}

#[test]
fn a_draft_is_kept_before_another_chat_is_shown_and_when_the_window_closes() {
    for (leave, chat) in [
        (Msg::OpenChat(ChatId(2)), Some(1)),
        (Msg::NewChat, Some(1)),
        (Msg::Closing, Some(1)),
    ] {
        let mut desk = Desk::with_chats();
        desk.all([draft("Hi"), leave]);
        let kept = format!("WriteDraft {{ chat: {:?}, text: \"Hi\" }}", chat.map(ChatId));
        assert!(desk.log.contains(&kept), "{}", desk.log);
    }
}

#[test]
fn a_draft_that_was_kept_comes_back_unless_something_was_typed_since() {
    let mut desk = Desk::with_models();
    desk.all([
        three(),
        Msg::Backend(News::DraftRead(Ok("From yesterday".into()))),
    ]);
    assert!(desk.told().contains("composer \"From yesterday\" send"));
    desk.all([Msg::OpenChat(ChatId(1)), opened_with(1, "Kept", None)]);
    assert!(desk.told().contains("composer \"Kept\" send"));
    desk.all([
        draft(""),
        Msg::OpenChat(ChatId(2)),
        Msg::OpenChat(ChatId(1)),
        opened_with(1, "Kept", None),
    ]);
    assert!(
        desk.told().contains("composer <Write a message>"),
        "it was taken away"
    );
}

#[test]
fn what_was_sent_is_no_draft_any_more() {
    let mut desk = Desk::with_models();
    desk.all([draft("Tell"), Msg::Send, Msg::Closing]);
    assert!(
        desk.log.contains("WriteDraft { chat: None, text: \"\" }"),
        "{}",
        desk.log
    );
}

#[test]
fn a_draft_that_is_not_kept_is_told() {
    let mut desk = Desk::with_chats();
    desk.all([Msg::Backend(News::NotKept(trouble()))]);
    assert!(desk.told().contains("toast Failed What you typed is not kept"));
}

#[test]
fn the_place_of_a_view_is_kept_and_shown_again() {
    let mut desk = Desk::with_chats();
    let key = desk.state.open().key;
    let stands = |place| Msg::PlaceChanged {
        conversation: key,
        place,
    };
    desk.all([
        stands(Some(place(11))),
        stands(Some(place(11))),
        Msg::OpenChat(ChatId(2)),
    ]);
    let kept =
        "WritePlace { chat: ChatId(1), place: Some(ScrollPlace { message: MessageId(11), offset: 12.0 }) }";
    assert_eq!(desk.log.matches(kept).count(), 1, "{}", desk.log);
    desk.log.clear();
    desk.all([Msg::OpenChat(ChatId(1)), opened_with(1, "", Some(place(11)))]);
    assert!(
        desk.log
            .contains("ShowPlace(ScrollPlace { message: MessageId(11), offset: 12.0 })"),
        "{}",
        desk.log
    );

    // A place in a message that is not there any more is none.
    desk.log.clear();
    desk.all([Msg::OpenChat(ChatId(2)), opened_with(2, "", Some(place(99)))]);
    assert!(!desk.log.contains("ShowPlace"), "{}", desk.log);
}
