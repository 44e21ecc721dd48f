//! The list of chats: groups, opening, renaming.

use expect_test::expect;

use super::*;

#[test]
fn the_start_asks_for_everything() {
    check(
        [Msg::Start, files(), chats([])],
        expect![[r#"
            -> CheckStorage
            -> WatchSettings
            -> WatchWindow
            -> WatchChats
            -> ReadDraft
            -> ListFiles
            -> WatchEngine
            -> Server(Watch)
            -> Server(ListKeys)
            -> Downloads(Watch)
            -> FocusComposer
            header Off Choose a model: Nothing loaded
            new chat
              What would you like to ask?
            composer <Write a message> (send)
        "#]],
    );
}

#[test]
fn chats_stand_in_groups_newest_first() {
    let pinned = ChatSummary {
        pinned: true,
        ..summary(6, "Old and pinned", NOW - 400 * DAY)
    };
    check(
        [chats([
            summary(1, "Long ago", NOW - 300 * DAY),
            summary(2, "Yesterday", NOW - DAY),
            pinned,
            summary(3, "Now", NOW),
            summary(4, "Last week", NOW - 4 * DAY),
            summary(5, "Earlier", NOW - 60 * MINUTE),
        ])],
        expect![[r#"
            [Pinned]
            - Old and pinned 10 Sep 2025 pinned
            [Today]
            - Now 14:32
            - Earlier 13:32
            [Yesterday]
            - Yesterday 14:32
            [Last week]
            - Last week Sun
            [December 2025]
            - Long ago 19 Dec 2025
            header Off Choose a model: Nothing loaded
            new chat
              What would you like to ask?
            composer <Write a message> (send)
        "#]],
    );
}

#[test]
fn an_empty_list_is_known_to_be_empty_once_it_came() {
    let mut desk = Desk::new();
    assert!(!desk.state.chats.is_empty());
    desk.all([chats([])]);
    assert!(desk.state.chats.is_empty());
}

#[test]
fn a_chat_is_read_when_it_is_opened() {
    let mut desk = Desk::with_models();
    desk.all([three(), Msg::ShowPage(Page::Settings), Msg::OpenChat(ChatId(2))]);
    expect![[r#"
        -> FocusComposer
        -> OpenChat(ChatId(2))
        -> ShowNewest
        [Today]
        - First 14:32
        - Second 14:31 open
        [Yesterday]
        - Third 14:32
        header Off Choose a model: Nothing loaded
        chat 2, being read
        composer <Write a message> (send)
    "#]]
    .assert_eq(&desk.told());
    desk.all([opened(2), Msg::OpenChat(ChatId(2))]);
    expect![[r#"
        -> ShowNewest
        -> FocusComposer
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
fn only_the_chat_that_is_shown_takes_what_was_read() {
    let mut desk = Desk::with_models();
    desk.all([
        three(),
        Msg::OpenChat(ChatId(1)),
        Msg::OpenChat(ChatId(2)),
        opened(1),
    ]);
    assert_eq!(desk.state.open().contents, Contents::Reading);
    desk.all([Msg::OpenChat(ChatId(1)), opened(2), opened(1), opened(1)]);
    assert_eq!(
        (desk.state.open().chat, desk.state.open().entries.len()),
        (Some(ChatId(1)), 2)
    );
}

#[test]
fn a_chat_that_cannot_be_read_can_be_opened_again() {
    let refused = Msg::Backend(News::Opened {
        chat: ChatId(1),
        result: Err(trouble()),
    });
    let mut desk = Desk::with_models();
    desk.all([three(), Msg::OpenChat(ChatId(1)), refused, draft("Hi"), Msg::Send]);
    desk.log.clear();
    expect![[r#"
        [Today]
        - First 14:32 open
        - Second 14:31
        [Yesterday]
        - Third 14:32
        header Off Choose a model: Nothing loaded
        chat 1, not read: The database of chats: the disk is full.
        composer "Hi" (send)
    "#]]
    .assert_eq(&desk.told());
    desk.all([Msg::OpenChat(ChatId(1)), opened(1)]);
    expect![[r#"
        -> FocusComposer
        -> OpenChat(ChatId(1))
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
        composer "Hi" send 42 / 2_048
    "#]]
    .assert_eq(&desk.told());
}

#[test]
fn a_new_chat_is_new_once() {
    let mut desk = Desk::with_models();
    desk.all([draft("Half a thought"), Msg::NewChat]);
    let key = desk.state.open().key;
    desk.all([Msg::NewChat]);
    assert_eq!(desk.state.open().key, key);
    expect![[r#"
        -> TickAfter(1000)
        -> FocusComposer
        -> FocusComposer
        header Off Choose a model: Nothing loaded
        new chat
          What would you like to ask?
        composer "Half a thought" send
    "#]]
    .assert_eq(&desk.told());
}

#[test]
fn a_chat_is_renamed_at_once() {
    let mut desk = Desk::with_models();
    desk.all([
        three(),
        Msg::BeginRename(ChatId(2)),
        Msg::RenameChanged("  Better ".into()),
    ]);
    expect![[r#"
        -> FocusRename(Chat(ChatId(2)))
        [Today]
        - First 14:32
        - Second 14:31
        [Yesterday]
        - Third 14:32
        renaming Chat(ChatId(2)) "  Better "
        header Off Choose a model: Nothing loaded
        new chat
          What would you like to ask?
        composer <Write a message> (send)
    "#]]
    .assert_eq(&desk.told());
    desk.all([Msg::CommitRename, Msg::CommitRename]);
    expect![[r#"
        -> RenameChat { chat: ChatId(2), title: "Better" }
        [Today]
        - First 14:32
        - Better 14:31
        [Yesterday]
        - Third 14:32
        header Off Choose a model: Nothing loaded
        new chat
          What would you like to ask?
        composer <Write a message> (send)
    "#]]
    .assert_eq(&desk.told());
    desk.all([
        Msg::Backend(News::RowChanged {
            change: RowChange::Title,
            result: Err(trouble()),
        }),
        three(),
    ]);
    expect![[r#"
        -> WatchChats
        [Today]
        - First 14:32
        - Second 14:31
        [Yesterday]
        - Third 14:32
        header Off Choose a model: Nothing loaded
        new chat
          What would you like to ask?
        composer <Write a message> (send)
        toast Failed The chat was not renamed: The database of chats: the disk is full.
    "#]]
    .assert_eq(&desk.told());
}

#[test]
fn going_elsewhere_takes_the_title() {
    for leave in [
        Msg::ShowPage(Page::Settings),
        Msg::NewChat,
        Msg::OpenChat(ChatId(1)),
        Msg::BeginRename(ChatId(1)),
    ] {
        let mut desk = Desk::with_models();
        desk.all([
            three(),
            Msg::BeginRename(ChatId(2)),
            Msg::RenameChanged("Better".into()),
            leave,
        ]);
        assert_eq!(desk.state.chats.get(ChatId(2)).expect("chat").title, "Better");
    }
}

#[test]
fn a_chat_is_renamed_only_where_its_row_is_seen() {
    let mut desk = Desk::with_chats();
    desk.all([Msg::ShowPage(Page::Settings), Msg::BeginRename(ChatId(1))]);
    assert_eq!((desk.log.as_str(), &desk.state.chats.rename), ("", &None));
}

#[test]
fn a_title_stays_when_nothing_better_is_given() {
    let mut desk = Desk::with_models();
    desk.all([three()]);
    desk.log.clear();
    for title in ["", "  \t", "Second", " Second "] {
        desk.all([
            Msg::BeginRename(ChatId(2)),
            Msg::RenameChanged(title.into()),
            Msg::CommitRename,
        ]);
    }
    desk.all([
        Msg::BeginRename(ChatId(2)),
        Msg::RenameChanged("X".into()),
        Msg::Escape,
        Msg::CommitRename,
    ]);
    desk.all([
        Msg::BeginRename(ChatId(99)),
        Msg::RenameChanged("X".into()),
        Msg::CommitRename,
    ]);
    assert!(!desk.log.contains("RenameChat"), "{}", desk.log);
    assert_eq!(desk.state.chats.get(ChatId(2)).expect("chat").title, "Second");
}

#[test]
fn a_list_that_was_read_before_a_chat_began_does_not_lose_it() {
    let mut desk = Desk::with_models();
    desk.all([draft("Tell"), Msg::Send, started(1, 9, "Tell"), three()]);
    assert!(desk.state.chats.get(ChatId(9)).is_some());
}
