//! Whatever happens in whatever order, what must hold holds.

use std::collections::HashSet;

use hearth_protocol::UndoToken;
use hearth_protocol::chat::Deleted;
use hearth_protocol::chat::attachment::Attachment;
use hearth_protocol::engine::LoadEvent;
use hearth_protocol::settings::Theme;
use proptest::prelude::*;
use proptest::sample::select;

use super::*;
use crate::msg::composer::{ComposerMsg, ComposerNews};
use crate::msg::settings::SettingsMsg;
use crate::state::chats::{ListRow, ListView, RowKey};
use crate::state::composer::ComposerButton;
use crate::state::conversation::{Conversation, ConversationKey};
use crate::state::overlay::menu::{MenuOf, Place};
use crate::state::queue::QueuedId;
use crate::state::toast::{MOST, ToastId};

/// A chat that begins has the number of its run above this one.
const NEW: i64 = 100;

/// Few names, so that messages meet: stored chats, and those that begin.
fn chat_id() -> impl Strategy<Value = ChatId> {
    select(vec![1, 2, 3, NEW + 1, NEW + 2]).prop_map(ChatId)
}

/// The message as it can happen: only a chat of the list is opened, and an answer begins in its own chat.
fn possible(state: &AppState, msg: Msg) -> Msg {
    match msg {
        Msg::OpenChat(chat) if state.chats.get(chat).is_none() => Msg::Tick,
        Msg::Backend(News::Turn {
            run,
            event: ChatEvent::Started { chat, user, answer },
        }) => {
            let is_it = |it: &&Conversation| it.turn.as_ref().is_some_and(|turn| turn.run == run);
            let known = state.conversations().find(is_it).and_then(|it| it.chat);
            let id = known.unwrap_or(ChatId(NEW + run.0 as i64));
            let chat = ChatSummary { id, ..chat };
            Msg::Backend(News::Turn {
                run,
                event: ChatEvent::Started { chat, user, answer },
            })
        }
        other => other,
    }
}

fn error() -> impl Strategy<Value = Error> {
    select(vec![
        busy(),
        Error::Cancelled,
        Error::Internal { reason: "x".into() },
        Error::Storage {
            reason: "full".into(),
        },
    ])
}

fn file_id() -> impl Strategy<Value = FileId> {
    select(vec![
        "starter/smol.gguf",
        "hearth/qwen.gguf",
        "hearth/broken.gguf",
    ])
    .prop_map(FileId::from)
}

fn models() -> impl Strategy<Value = Vec<LoadedModel>> {
    select(vec![
        vec![],
        vec![loaded(1, "starter/smol.gguf")],
        vec![loaded(2, "hearth/qwen.gguf"), loaded(1, "starter/smol.gguf")],
    ])
}

fn person() -> impl Strategy<Value = Msg> {
    prop_oneof![
        1 => Just(Msg::Start),
        1 => Just(Msg::Tick),
        1 => Just(Msg::Escape),
        1 => select(vec![Page::Chat, Page::Settings]).prop_map(Msg::ShowPage),
        3 => Just(Msg::NewChat),
        3 => chat_id().prop_map(Msg::OpenChat),
        1 => chat_id().prop_map(Msg::BeginRename),
        1 => "[a-z ]{0,3}".prop_map(Msg::RenameChanged),
        1 => Just(Msg::CommitRename),
        2 => chat_id().prop_map(Msg::DeleteChat),
        3 => "[a-z \n]{0,3}".prop_map(Msg::DraftChanged),
        1 => (0_usize..6).prop_map(Msg::PickSuggestion),
        6 => Just(Msg::Send),
        2 => Just(Msg::Stop),
        2 => (11_i64..33).prop_map(|id| Msg::Regenerate(MessageId(id))),
        2 => Just(Msg::RegenerateLast),
        1 => Just(Msg::CopyLastAnswer),
        2 => Just(Msg::TogglePicker),
        1 => select(vec!["", "s", "q4", "x"]).prop_map(|it| Msg::PickerChanged(it.into())),
        1 => Just(Msg::ShowFirstStart),
        2 => any::<bool>().prop_map(|back| Msg::StepFirstStart { back }),
        2 => file_id().prop_map(Msg::Load),
        1 => Just(Msg::CancelLoad),
        1 => (1_u64..3).prop_map(|id| Msg::Eject(LoadedId(id))),
        1 => Just(Msg::EjectCurrent),
        1 => (chat_id(), any::<bool>()).prop_map(|(chat, pinned)| Msg::PinChat { chat, pinned }),
        1 => (chat_id(), 0_i64..3).prop_map(|(chat, id)| Msg::MoveChat {
            chat,
            folder: (id > 0).then_some(FolderId(id)),
        }),
        1 => Just(Msg::BeginFolder(None)),
        1 => Just(Msg::ToggleFolder(FolderId(1))),
        1 => Just(Msg::AskDeleteFolder(FolderId(1))),
        1 => (11_i64..33).prop_map(|id| Msg::BeginEdit(MessageId(id))),
        1 => "[a-z ]{0,3}".prop_map(Msg::EditChanged),
        1 => any::<bool>().prop_map(|answer| Msg::CommitEdit { answer }),
        1 => (11_i64..33).prop_map(|id| Msg::DeleteMessage(MessageId(id))),
        1 => (11_i64..33).prop_map(|id| Msg::Continue(MessageId(id))),
        1 => Just(Msg::Insert(Role::User)),
        1 => (0_u64..4).prop_map(|id| Msg::EditQueued(QueuedId(id))),
        1 => chat_id().prop_map(|chat| Msg::OpenMenu { of: MenuOf::Chat(chat), at: Place::default() }),
        1 => Just(Msg::TogglePalette),
        2 => any::<bool>().prop_map(|back| Msg::StepItem { back }),
        2 => Just(Msg::TakeChosenItem),
        1 => Just(Msg::TakeConfirmed),
        1 => select(vec!["https://a.example", "mailto:a", "javascript:x"]).prop_map(|it| Msg::FollowLink(it.into())),
        1 => Just(Msg::OpenAskedLink),
        1 => Just(Msg::CopyAskedLink),
        1 => Just(Msg::Closing),
        1 => select(vec![Theme::System, Theme::Dark, Theme::Light])
            .prop_map(|theme| Msg::Settings(SettingsMsg::Theme(theme))),
        1 => (0_u64..9).prop_map(|id| Msg::TakeToastAction(ToastId(id))),
        1 => any::<bool>().prop_map(Msg::HoldToasts),
        1 => select(vec![
            ComposerMsg::AskFile,
            ComposerMsg::RemoveFile(0),
            ComposerMsg::Recall { newer: false },
            ComposerMsg::Recall { newer: true },
        ]).prop_map(Msg::Composer),
        1 => Just(Msg::Composer(ComposerMsg::FilesPicked(vec!["/tmp/a.txt".into(), "/tmp/b.txt".into()]))),
        1 => (11_i64..33).prop_map(|id| Msg::SelectText(MessageId(id))),
    ]
}

fn chat_event() -> impl Strategy<Value = ChatEvent> {
    prop_oneof![
        3 => (1_i64..4).prop_map(|chat| ChatEvent::Started {
            chat: summary(chat, "Chat", NOW),
            user: Some(message(chat * 10 + 1, Role::User, "Question")),
            answer: message(chat * 10 + 2, Role::Assistant, ""),
        }),
        1 => any::<f32>().prop_map(ChatEvent::Loading),
        1 => any::<(u32, u32)>().prop_map(|(processed, total)| ChatEvent::PromptProgress { processed, total }),
        3 => "[a-z#`\n-]{0,5}".prop_map(ChatEvent::Delta),
        1 => (1_i64..4).prop_map(|chat| ChatEvent::Finished(answer(chat * 10 + 2, "Answer"))),
        1 => error().prop_map(|error| ChatEvent::Failed { error, answer: None }),
    ]
}

fn load_event() -> impl Strategy<Value = LoadEvent> {
    prop_oneof![
        1 => any::<f32>().prop_map(LoadEvent::Progress),
        1 => Just(LoadEvent::Loaded(loaded(1, "starter/smol.gguf"))),
        1 => error().prop_map(LoadEvent::Failed),
    ]
}

fn news() -> impl Strategy<Value = News> {
    prop_oneof![
           1 => Just(News::SettingsRead(Ok(Settings::default()))),
           1 => error().prop_map(|error| News::SettingsWritten(Err(error))),
           1 => Just(News::Chats(ChatsEvent::Chats { chats: vec![summary(1, "One", NOW), summary(2, "Two", NOW - DAY)], folders: Vec::new(), changed: None })),
           2 => chat_id().prop_map(|chat| News::Opened {
               chat,
               result: Ok(Chat {
                   summary: summary(chat.0, "Chat", NOW),
                   system_prompt: None,
    options: TurnOptions::default(), draft: String::new(), place: None,
                   messages: vec![message(chat.0 * 10 + 1, Role::User, "Q"), answer(chat.0 * 10 + 2, "A")],
               }),
           }),
           1 => (chat_id(), error()).prop_map(|(chat, error)| News::Opened { chat, result: Err(error) }),
           1 => Just(News::Chats(ChatsEvent::Chats {
               chats: vec![summary(1, "One", NOW)],
               folders: vec![folder(1, "Work")],
               changed: Some(Vec::new()),
           })),
           1 => error().prop_map(|error| News::RowChanged { change: RowChange::Title, result: Err(error) }),
           2 => chat_id().prop_map(|chat| News::Deleted { chat, result: Ok(Deleted { undo: UndoToken(chat.0) }) }),
           1 => (chat_id(), error()).prop_map(|(chat, error)| News::Deleted { chat, result: Err(error) }),
           1 => (any::<bool>(), 1_i64..4).prop_map(|(reopen, chat)| News::Undone {
               token: UndoToken(chat),
               reopen,
               result: Ok(summary(chat, "Back", NOW)),
           }),
           1 => models().prop_map(|models| News::Engine(EngineEvent::Loaded(models))),
           12 => (1_u64..12, chat_event()).prop_map(|(run, event)| News::Turn { run: Run(run), event }),
           3 => (1_u64..12, load_event()).prop_map(|(run, event)| News::Load { run: Run(run), event }),
           1 => (1_u64..3).prop_map(|id| News::Ejected { model: LoadedId(id), result: Ok(()) }),
           1 => error().prop_map(News::Refused),
           2 => (0_u64..4, chat_id()).prop_map(|(key, chat)| News::Composer(ComposerNews::FileRead {
               conversation: ConversationKey(key),
               chat: Some(chat),
               result: Ok(Attachment { name: "a.txt".into(), text: "eggs".into() }),
           })),
       ]
}

/// What must hold after every message.
fn check_invariants(state: &AppState) -> std::result::Result<(), TestCaseError> {
    prop_assert!(state.toasts.shown().len() <= MOST);

    let mut runs = HashSet::new();
    let mut answered = HashSet::new();
    let mut chats = HashSet::new();
    let mut keys = HashSet::new();
    for conversation in state.conversations() {
        prop_assert!(keys.insert(conversation.key));
        if let Some(turn) = &conversation.turn {
            prop_assert!(runs.insert(turn.run), "one conversation per run");
            if let Some(chat) = conversation.chat {
                prop_assert!(answered.insert(chat), "one answer at a time in a chat");
            }
            prop_assert_eq!(&conversation.contents, &Contents::Here);
            let last = conversation.entries.last();
            prop_assert!(
                last.is_some_and(|entry| !entry.from_person),
                "the answer stands last"
            );
        }
    }
    prop_assert!(
        state
            .background
            .iter()
            .all(|conversation| conversation.is_running())
    );
    let view = ListView {
        language: state.texts().language(),
        today: state.present().today(),
        open: state.open().chat,
        running: state
            .conversations()
            .filter(|it| it.is_running())
            .filter_map(|it| it.chat)
            .collect(),
    };
    prop_assert_eq!(
        state.list_rows(),
        &state.chats.rows_in(state.present(), &view)[..]
    );
    for row in state.list_rows() {
        if let ListRow::Chat(row) = row {
            prop_assert!(chats.insert(row.chat), "a chat stands once in the list");
        }
    }
    let renamed = state.chats.rename.as_ref().map(|rename| rename.of);
    let is_listed = |key| match key {
        RowKey::Chat(chat) => state.chats.get(chat).is_some(),
        RowKey::Folder(folder) => state.chats.folder(folder).is_some(),
        RowKey::NewFolder => true,
    };
    prop_assert!(renamed.is_none_or(is_listed));
    let sends = matches!(state.composer().button, ComposerButton::Send { .. });
    prop_assert_eq!(sends, !state.open().is_running());
    // Drawing everything must not fail either.
    snapshot(state);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_order_of_messages_leaves_a_sound_state(
        msgs in proptest::collection::vec(
            prop_oneof![person(), news().prop_map(Msg::Backend)],
            0..120,
        ),
    ) {
        let mut desk = Desk::with_models();
        desk.all([chats([summary(1, "One", NOW), summary(2, "Two", NOW - DAY)])]);
        for msg in msgs {
            let msg = possible(&desk.state, msg);
            desk.all([msg]);
            check_invariants(&desk.state)?;
        }
    }
}
