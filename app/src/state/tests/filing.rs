//! Folders, pins, copies, and news of the list.

use expect_test::expect;

use super::*;

fn row_changed(change: RowChange, result: Result<ChatSummary, Error>) -> Msg {
    Msg::Backend(News::RowChanged { change, result })
}

#[test]
fn folders_stand_between_the_pinned_and_the_others() {
    let mut desk = Desk::with_models();
    desk.all([
        filed(),
        Msg::PinChat {
            chat: ChatId(3),
            pinned: true,
        },
        Msg::ToggleFolder(FolderId(2)),
    ]);
    expect![[r#"
        -> PinChat { chat: ChatId(3), pinned: true }
        [Pinned]
        - Third 14:32 pinned
        [Folders]
        / Italian 0 closed
        / Work 1
        - Second 14:31 nested
        [Today]
        - First 14:32
        header Off Choose a model: Nothing loaded
        new chat
          What would you like to ask?
        composer <Write a message> (send)
    "#]]
    .assert_eq(&desk.told());
    desk.all([Msg::ToggleFolder(FolderId(1))]);
    assert!(!desk.told().contains("Second"), "a closed folder shows no chats");
}

#[test]
fn a_folder_is_made_for_a_chat_that_then_goes_into_it() {
    let mut desk = Desk::with_models();
    desk.all([
        three(),
        Msg::BeginFolder(Some(ChatId(2))),
        Msg::RenameChanged(" Work ".into()),
    ]);
    expect![[r#"
        -> FocusRename(NewFolder)
        [Folders]
        / new
        [Today]
        - First 14:32
        - Second 14:31
        [Yesterday]
        - Third 14:32
        renaming NewFolder " Work "
        header Off Choose a model: Nothing loaded
        new chat
          What would you like to ask?
        composer <Write a message> (send)
    "#]]
    .assert_eq(&desk.told());
    desk.all([
        Msg::CommitRename,
        Msg::Backend(News::FolderMade {
            holds: Some(ChatId(2)),
            result: Ok(folder(1, "Work")),
        }),
    ]);
    expect![[r#"
        -> MakeFolder { name: "Work", holds: Some(ChatId(2)) }
        -> MoveChat { chat: ChatId(2), folder: Some(FolderId(1)) }
        [Folders]
        / Work 1
        - Second 14:31 nested
        [Today]
        - First 14:32
        [Yesterday]
        - Third 14:32
        header Off Choose a model: Nothing loaded
        new chat
          What would you like to ask?
        composer <Write a message> (send)
    "#]]
    .assert_eq(&desk.told());
}

#[test]
fn a_folder_without_a_name_is_not_made() {
    let mut desk = Desk::with_models();
    desk.all([
        Msg::BeginFolder(None),
        Msg::RenameChanged("  ".into()),
        Msg::CommitRename,
    ]);
    desk.all([
        Msg::BeginFolder(None),
        Msg::RenameChanged("X".into()),
        Msg::Escape,
    ]);
    assert!(!desk.log.contains("MakeFolder"), "{}", desk.log);
    assert!(!desk.told().contains("[Folders]"));
}

#[test]
fn a_folder_is_renamed_and_comes_back_where_that_is_refused() {
    let mut desk = Desk::with_models();
    desk.all([
        filed(),
        Msg::BeginRenameFolder(FolderId(2)),
        Msg::RenameChanged("Zulu".into()),
        Msg::CommitRename,
    ]);
    assert!(desk.told().contains("/ Work 1\n- Second 14:31 nested\n/ Zulu 0"));
    desk.all([Msg::Backend(News::FolderRenamed(Err(trouble()))), filed()]);
    let told = desk.told();
    assert!(told.contains("-> WatchChats"), "{told}");
    assert!(told.contains("The folder was not renamed"), "{told}");
}

#[test]
fn a_folder_is_deleted_after_a_question_and_its_chats_stay() {
    let mut desk = Desk::with_models();
    desk.all([filed(), Msg::AskDeleteFolder(FolderId(1))]);
    expect![[r#"
        -> FocusOverlay
        [Folders]
        / Italian 0
        / Work 1
        - Second 14:31 nested
        [Today]
        - First 14:32
        [Yesterday]
        - Third 14:32
        confirm Delete the folder “Work”? The chat in it stays, outside of it. [Delete folder]
        header Off Choose a model: Nothing loaded
        new chat
          What would you like to ask?
        composer <Write a message> (send)
    "#]]
    .assert_eq(&desk.told());
    desk.all([Msg::TakeConfirmed]);
    expect![[r#"
        -> FocusComposer
        -> DeleteFolder(FolderId(1))
        [Folders]
        / Italian 0
        [Today]
        - First 14:32
        - Second 14:31
        [Yesterday]
        - Third 14:32
        header Off Choose a model: Nothing loaded
        new chat
          What would you like to ask?
        composer <Write a message> (send)
    "#]]
    .assert_eq(&desk.told());
}

#[test]
fn what_was_changed_and_refused_is_read_anew() {
    for (change, title) in [
        (RowChange::Title, "The chat was not renamed"),
        (RowChange::Pin, "The chat was not pinned or unpinned"),
        (RowChange::Folder, "The chat was not moved"),
        (RowChange::Copy, "The chat was not duplicated"),
        (RowChange::Branch, "The chat was not branched"),
    ] {
        let mut desk = Desk::with_chats();
        desk.all([row_changed(change, Err(trouble()))]);
        let told = desk.told();
        assert!(told.contains("-> WatchChats") && told.contains(title), "{told}");
    }
}

#[test]
fn a_copy_is_shown() {
    for change in [RowChange::Copy, RowChange::Branch] {
        let mut desk = Desk::with_chats();
        desk.all([row_changed(change, Ok(summary(9, "First", NOW)))]);
        assert_eq!(desk.state.open().chat, Some(ChatId(9)));
    }
}

#[test]
fn chats_that_someone_else_wrote_show_at_once() {
    let news = |changed| {
        Msg::Backend(News::Chats(ChatsEvent::Chats {
            chats: vec![
                summary(7, "From the terminal", NOW),
                summary(1, "First", NOW - MINUTE),
            ],
            folders: Vec::new(),
            changed,
        }))
    };
    let mut desk = Desk::with_chats();
    desk.all([news(Some(vec![ChatId(7)]))]);
    let told = desk.told();
    assert!(told.contains("- From the terminal 14:32"), "{told}");
    assert!(!told.contains("OpenChat"), "the open chat is as it was: {told}");
    for changed in [Some(vec![ChatId(7), ChatId(1)]), None] {
        desk.all([news(changed)]);
        assert!(
            desk.told().contains("-> OpenChat(ChatId(1))"),
            "it may have changed"
        );
    }
}

#[test]
fn the_open_chat_takes_what_someone_else_wrote_and_keeps_its_place() {
    let mut desk = Desk::with_chats();
    let Msg::Backend(News::Opened { result, .. }) = opened(1) else {
        panic!("another message");
    };
    let mut chat = result.expect("a chat");
    chat.messages.push(message(13, Role::User, "More"));
    desk.all([Msg::Backend(News::Opened {
        chat: ChatId(1),
        result: Ok(chat),
    })]);
    let told = desk.told();
    assert!(told.contains("> 13 \"More\""), "{told}");
    assert!(!told.contains("ShowNewest"), "{told}");
}
