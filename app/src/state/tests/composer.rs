//! The draft's tokens, what was said before, and messages as text to select; below, the files beside it.

mod files;

use hearth_protocol::chat::attachment::Attachment;

use super::*;
use crate::effect::BackendEffect;
use crate::effect::composer::ComposerEffect;
use crate::msg::composer::{ComposerMsg, ComposerNews};
use crate::state::composer::count::Subject;
use crate::state::conversation::ConversationKey;
use crate::state::overlay::Overlay;

fn act(msg: ComposerMsg) -> Msg {
    Msg::Composer(msg)
}

fn recall(newer: bool) -> Msg {
    act(ComposerMsg::Recall { newer })
}

fn notes(name: &str) -> Attachment {
    Attachment {
        name: name.into(),
        text: "12 eggs".into(),
    }
}

/// A file that was asked for in this conversation was read.
fn read(conversation: ConversationKey, chat: Option<i64>, result: Result<Attachment, Error>) -> Msg {
    Msg::Backend(News::Composer(ComposerNews::FileRead {
        conversation,
        chat: chat.map(ChatId),
        result,
    }))
}

impl Desk {
    /// Puts a file beside the draft of the open chat.
    fn attach(&mut self, name: &str) {
        let open = self.state.open();
        let (key, chat) = (open.key, open.chat.map(|chat| chat.0));
        self.all([
            act(ComposerMsg::AskFile),
            act(ComposerMsg::FilesPicked(vec![format!("/tmp/{name}")])),
            read(key, chat, Ok(notes(name))),
        ]);
    }

    fn composer_line(&mut self) -> String {
        let told = self.told();
        let line = told.lines().find(|line| line.starts_with("composer"));
        line.unwrap_or_default().to_owned()
    }

    /// The counts that were asked for since the last time, with the texts and how many files.
    fn counts(&mut self, msgs: impl IntoIterator<Item = Msg>) -> Vec<(Subject, String, usize)> {
        let mut counts = Vec::new();
        for msg in msgs {
            self.now += 1_000;
            for effect in self.state.update(msg, UnixMillis(self.now)) {
                if let Effect::Backend(BackendEffect::Composer(ComposerEffect::Count { subject, draft })) =
                    effect
                {
                    counts.push((subject, draft.text, draft.attachments.len()));
                }
            }
        }
        counts
    }
}

fn counted(subject: &Subject, tokens: Option<u32>) -> Msg {
    Msg::Backend(News::Composer(ComposerNews::Counted {
        subject: subject.clone(),
        result: Ok(tokens),
    }))
}

#[test]
fn the_draft_and_its_files_are_counted_once_typing_rests() {
    let mut desk = Desk::with_models();
    desk.attach("a.txt");
    assert!(
        desk.counts([draft("Hi"), Msg::Tick]).is_empty(),
        "no model could tell"
    );

    let asked = desk.counts([engine([loaded(1, SMOL)]), Msg::Tick]);
    let [(first, text, files)] = &asked[..] else {
        panic!("{asked:?}");
    };
    assert_eq!((text.as_str(), *files), ("Hi", 1));
    // It is counted while more is typed: what it tells is not of this draft.
    assert!(
        desk.counts([draft("Hi there"), Msg::Tick]).is_empty(),
        "one at a time"
    );
    let asked = desk.counts([counted(first, Some(9))]);
    assert_eq!(desk.state.composer().tokens, "");
    let [(second, text, _)] = &asked[..] else {
        panic!("{asked:?}");
    };
    assert_eq!(text, "Hi there");
    desk.all([counted(second, Some(1_010))]);
    assert!(desk.composer_line().contains(" send 1_010 tokens"));
    // The last count stays while the next is on its way; a late one of before changes nothing.
    desk.all([draft("Hi there!"), counted(second, Some(7))]);
    assert!(desk.composer_line().contains(" 1_010 tokens"));

    desk.all([engine([])]);
    assert_eq!(desk.state.composer().tokens, "", "no model could tell any more");
}

#[test]
fn an_empty_draft_has_no_tokens_and_nobody_is_asked() {
    let mut desk = Desk::with_models();
    let asked = desk.counts([engine([loaded(1, SMOL)]), draft(" \n"), Msg::Tick]);
    assert_eq!(asked, []);
    let asked = desk.counts([draft("Hi"), Msg::Tick]);
    desk.all([counted(&asked[0].0, Some(1))]);
    assert_eq!(desk.state.composer().tokens, "1 token");
    desk.all([Msg::Send]);
    assert_eq!(desk.state.composer().tokens, "");
}

#[test]
fn what_was_said_is_gone_through_from_the_empty_composer() {
    let mut desk = Desk::with_models();
    let said = |id, text| message(id, Role::User, text);
    let Msg::Backend(News::Opened {
        chat,
        result: Ok(read),
    }) = opened(1)
    else {
        panic!("another message");
    };
    let read = Chat {
        messages: vec![
            said(11, "First"),
            answer(12, "Answer"),
            said(13, "Second"),
            said(14, "Second"),
            said(15, " "),
        ],
        ..read
    };
    let opened = Msg::Backend(News::Opened {
        chat,
        result: Ok(read),
    });
    desk.all([three(), Msg::OpenChat(ChatId(1)), opened]);
    let (older, newer) = (false, true);
    let steps = [
        (newer, ""),
        (older, "Second"),
        (older, "First"),
        (older, "First"),
        (newer, "Second"),
        (newer, ""),
        (newer, ""),
        (older, "Second"),
    ];
    for (index, (step, shown)) in steps.into_iter().enumerate() {
        desk.all([recall(step)]);
        assert_eq!(desk.state.composer().draft, shown, "step {index}");
        assert_eq!(
            desk.state.composer().is_recalled,
            !shown.is_empty(),
            "step {index}"
        );
    }
    // What is changed is a draft as any other, which no arrow takes away.
    desk.all([draft("Second!"), recall(older)]);
    assert_eq!(desk.state.composer().draft, "Second!");
    assert!(!desk.state.composer().is_recalled);
}

#[test]
fn what_was_said_is_of_one_chat_and_leaves_a_draft_alone() {
    let mut desk = Desk::with_chats();
    desk.all([draft("Half"), recall(false)]);
    assert_eq!(desk.state.composer().draft, "Half");
    desk.all([Msg::NewChat, recall(false)]);
    assert_eq!(desk.state.composer().draft, "");
}

#[test]
fn a_message_of_either_side_is_shown_to_select_from() {
    for (message, shown) in [
        (11, "text to select, Your message: \"Question\""),
        (12, "text to select, The answer: \"Answer\""),
    ] {
        let mut desk = Desk::with_chats();
        desk.all([Msg::SelectText(MessageId(message))]);
        let told = desk.told();
        assert!(told.contains(shown) && told.contains("-> FocusOverlay"), "{told}");
        desk.all([Msg::Escape]);
        assert!(desk.state.overlay.is_none());
        assert!(desk.told().contains("-> FocusComposer"));
    }
    let mut desk = Desk::with_chats();
    desk.all([Msg::SelectText(MessageId(99))]);
    assert!(
        !matches!(desk.state.overlay, Some(Overlay::TextView(_))),
        "it is gone"
    );
}
