//! Files beside the draft: asked for, read, refused, sent, and never lost.

use expect_test::expect;
use hearth_protocol::chat::attachment::MOST_ATTACHMENTS;

use super::*;
use crate::state::composer::draft::Unsent;
use crate::state::queue::QueuedId;

#[test]
fn a_file_is_asked_for_by_path_or_dialog_read_and_sent_with_the_message() {
    let mut desk = Desk::with_models();
    desk.all([
        act(ComposerMsg::AskFile),
        // There is no dialog: the path is typed.
        act(ComposerMsg::FilesPicked(Vec::new())),
        Msg::PathChanged("~/eggs.csv".into()),
        Msg::TakePath,
    ]);
    expect![[r#"
        -> FocusOverlay
        -> PickFiles { title: "Attach a file" }
        -> Composer(ReadFile { conversation: ConversationKey(0), chat: None, path: "/home/ada/eggs.csv" })
    "#]]
    .assert_eq(&std::mem::take(&mut desk.log));
    desk.all([read(ConversationKey(0), None, Ok(notes("eggs.csv")))]);
    assert!(desk.state.overlay.is_none());
    assert_eq!(
        desk.composer_line(),
        "composer <Write a message> [eggs.csv 7 B] send"
    );

    // The message may be no more than the file.
    desk.all([Msg::Send]);
    let told = desk.told();
    assert!(told.contains("-> send 1 to a new chat \"\" [eggs.csv]"), "{told}");
    assert!(told.contains("> - \"\" [eggs.csv]"), "{told}");
    assert!(
        told.contains("composer <Write the next message while this one finishes> stop"),
        "{told}"
    );
}

#[test]
fn a_file_from_the_dialog_is_read_at_once_and_one_that_is_refused_says_why() {
    let mut desk = Desk::with_chats();
    desk.all([
        act(ComposerMsg::AskFile),
        act(ComposerMsg::FilesPicked(vec!["/tmp/a.gguf".into()])),
    ]);
    assert!(desk.log.contains("path: \"/tmp/a.gguf\""), "{}", desk.log);
    let key = desk.state.open().key;
    desk.all([read(key, Some(1), Err(Error::invalid("a.gguf", "is no text")))]);
    let told = desk.told();
    assert!(told.contains("fault: a.gguf is no text"), "{told}");
    // Where the form was closed meanwhile, a toast says it.
    desk.all([
        Msg::TakePath,
        Msg::CloseOverlay,
        read(key, Some(1), Err(Error::invalid("a.gguf", "is no text"))),
    ]);
    let told = desk.told();
    assert!(
        told.contains("toast Failed The file was not attached: a.gguf is no text"),
        "{told}"
    );
}

#[test]
fn several_files_of_the_dialog_are_read_one_after_the_other_and_a_bad_one_ends_none_of_the_others() {
    let mut desk = Desk::with_chats();
    let key = desk.state.open().key;
    let paths = ["/tmp/a.txt", "/tmp/b.bin", "/tmp/c.txt"].map(String::from);
    desk.all([
        act(ComposerMsg::AskFile),
        act(ComposerMsg::FilesPicked(paths.into())),
    ]);
    for (answer, next) in [
        (Ok(notes("a.txt")), Some("/tmp/b.bin")),
        (Err(Error::invalid("b.bin", "is no text")), Some("/tmp/c.txt")),
        (Ok(notes("c.txt")), None),
    ] {
        desk.log.clear();
        desk.all([read(key, Some(1), answer)]);
        let reads = desk.log.matches("ReadFile").count();
        assert_eq!(reads, usize::from(next.is_some()), "{}", desk.log);
        assert!(next.is_none_or(|next| desk.log.contains(next)), "{}", desk.log);
    }
    assert!(desk.state.overlay.is_none());
    let told = desk.told();
    assert!(told.contains("[a.txt 7 B] [c.txt 7 B]"), "{told}");
    assert!(
        told.contains("toast Failed The file was not attached: b.bin is no text"),
        "{told}"
    );
}

#[test]
fn files_beyond_the_most_that_can_be_sent_are_refused() {
    let mut desk = Desk::with_chats();
    for index in 0..MOST_ATTACHMENTS {
        desk.attach(&format!("{index}.txt"));
    }
    assert!(desk.state.overlay.is_none());
    desk.attach("more.txt");
    let told = desk.told();
    assert!(told.contains("attachments are more than 20"), "{told}");
    assert_eq!(desk.state.composer().files.len(), MOST_ATTACHMENTS);
}

#[test]
fn files_stay_with_the_draft_of_their_chat_and_are_taken_away_one_by_one() {
    let mut desk = Desk::with_chats();
    desk.attach("a.txt");
    desk.attach("b.txt");
    desk.all([draft("Why?"), Msg::OpenChat(ChatId(2)), opened(2)]);
    assert!(desk.state.composer().files.is_empty());
    desk.all([Msg::OpenChat(ChatId(1)), opened(1)]);
    assert_eq!(
        desk.composer_line(),
        "composer \"Why?\" [a.txt 7 B] [b.txt 7 B] send 42 / 2_048"
    );
    desk.all([act(ComposerMsg::RemoveFile(0)), act(ComposerMsg::RemoveFile(7))]);
    assert_eq!(
        desk.composer_line(),
        "composer \"Why?\" [b.txt 7 B] send 42 / 2_048"
    );
}

#[test]
fn a_file_comes_to_its_chat_where_that_began_or_another_is_shown_meanwhile() {
    let mut desk = Desk::with_models();
    let key = desk.state.open().key;
    desk.all([
        act(ComposerMsg::AskFile),
        act(ComposerMsg::FilesPicked(vec!["/tmp/a.txt".into()])),
        Msg::CloseOverlay,
        draft("Tell"),
        Msg::Send,
        started(1, 1, "Tell"),
        Msg::NewChat,
        read(key, None, Ok(notes("a.txt"))),
    ]);
    assert!(desk.state.composer().files.is_empty());
    desk.all([Msg::OpenChat(ChatId(1))]);
    assert!(desk.composer_line().contains("[a.txt 7 B]"));
}

#[test]
fn a_file_that_comes_before_the_kept_draft_does_not_take_its_place() {
    let mut desk = Desk::with_models();
    desk.all([three(), Msg::OpenChat(ChatId(1))]);
    desk.attach("a.txt");
    let Msg::Backend(News::Opened {
        chat,
        result: Ok(read),
    }) = opened(1)
    else {
        panic!("another message");
    };
    let read = Chat {
        draft: "Kept".into(),
        ..read
    };
    desk.all([Msg::Backend(News::Opened {
        chat,
        result: Ok(read),
    })]);
    let line = desk.composer_line();
    assert!(line.starts_with("composer \"Kept\" [a.txt 7 B]"), "{line}");
}

#[test]
fn a_message_that_waits_keeps_its_files_on_every_way() {
    let waiting = || {
        let mut desk = Desk::with_answer_begun();
        desk.attach("a.txt");
        desk.all([draft("And this?"), Msg::Send, draft("Half")]);
        let told = desk.told();
        assert!(told.contains("waits \"And this?\" [a.txt]"), "{told}");
        desk
    };
    let mut sent = waiting();
    sent.all([turn(1, ChatEvent::Finished(answer(12, "So")))]);
    let told = sent.told();
    assert!(told.contains("send 2 to chat 1 \"And this?\" [a.txt]"), "{told}");
    // Refused before it began: it comes back whole.
    sent.all([failed(2, busy(), None)]);
    assert!(
        sent.composer_line()
            .starts_with("composer \"And this?\\n\\nHalf\" [a.txt 7 B]")
    );

    for back in [failed(1, trouble(), None), Msg::EditQueued(QueuedId(0))] {
        let mut desk = waiting();
        desk.all([back]);
        let line = desk.composer_line();
        assert!(
            line.starts_with("composer \"And this?\\n\\nHalf\" [a.txt 7 B]"),
            "{line}"
        );
    }
}

#[test]
fn a_file_is_added_without_an_answer_and_comes_back_where_that_is_refused() {
    let mut desk = Desk::with_chats();
    desk.attach("a.txt");
    desk.all([Msg::Insert(Role::User)]);
    assert!(
        desk.log.contains("files: [Attachment { name: \"a.txt\""),
        "{}",
        desk.log
    );
    assert!(desk.state.composer().files.is_empty());
    let change = ChatChange::Insert {
        chat: Some(ChatId(1)),
        role: Role::User,
        message: Unsent {
            text: String::new(),
            files: vec![notes("a.txt")],
        },
    };
    let key = desk.state.open().key;
    desk.all([Msg::Backend(News::Changed {
        conversation: key,
        change,
        result: Err(busy()),
    })]);
    assert!(desk.composer_line().contains("[a.txt 7 B]"));
}
