//! Tables over `update`: messages in, effects and what the window shows out.

mod answers;
mod background;
mod changing;
mod composer;
mod deleting;
mod discover;
mod downloads;
mod failures;
mod filing;
mod first_start;
mod keeping;
mod links;
mod list;
mod load_dialog;
mod loading;
mod models;
mod my_models;
mod notices;
mod overlays;
mod panel;
mod picture;
mod searching;
mod server;
mod settings;
mod settings_page;
mod waiting;
mod walk;

use expect_test::Expect;
use hearth_protocol::chat::list::{ChatsEvent, Folder};
use hearth_protocol::chat::{Chat, ChatEvent, ChatSummary, Message, Role, TurnOptions};
use hearth_protocol::engine::{Activity, EngineEvent, LoadedModel};
use hearth_protocol::generate::{StopReason, TurnStats};
use hearth_protocol::library::{FileState, LibraryFile, Source};
use hearth_protocol::settings::Settings;
use hearth_protocol::{ByteSize, ChatId, Error, FileId, FolderId, LoadedId, MessageId, UnixMillis};
use jiff::tz::TimeZone;

use super::conversation::Contents;
use super::{AppState, Page, Places};
use crate::effect::{ChatChange, Effect, RowChange, Run, WindowEffect};
use crate::msg::{Msg, News};
use picture::{effect_line, snapshot};

const SMOL: &str = "starter/smol.gguf";
const QWEN: &str = "hearth/qwen.gguf";

/// 2026-10-14 14:32 UTC, a Wednesday.
const NOW: i64 = 1_792_074_720_000;
const MINUTE: i64 = 60_000;
const DAY: i64 = 24 * 60 * MINUTE;

/// Hands the messages to a fresh state, one a second, and compares what each wants and what is shown at the end.
fn check(msgs: impl IntoIterator<Item = Msg>, expected: Expect) {
    let mut desk = Desk::new();
    desk.all(msgs);
    expected.assert_eq(&desk.told());
}

/// A state, its clock and what was told so far.
struct Desk {
    state: AppState,
    now: i64,
    log: String,
}

impl Desk {
    fn new() -> Self {
        let places = Places {
            data: "~/Hearth".into(),
            models: "~/Hearth/models".into(),
            home: "/home/ada".into(),
            handed: None,
        };
        Self {
            state: AppState::new(places, TimeZone::UTC),
            now: NOW,
            log: String::new(),
        }
    }

    /// A desk where the usual models are listed and nothing is told yet.
    fn with_models() -> Self {
        let mut desk = Self::new();
        desk.all([files()]);
        desk.log.clear();
        desk
    }

    /// A desk where the first of three chats is shown, with its question and answer, and nothing is told yet.
    fn with_chats() -> Self {
        let mut desk = Self::with_models();
        desk.all([three(), Msg::OpenChat(ChatId(1)), opened(1)]);
        desk.log.clear();
        desk
    }

    /// A desk where the answer to "Tell" has begun, as run 1 in chat 1, and nothing is told yet.
    fn with_answer_begun() -> Self {
        let mut desk = Self::with_models();
        desk.all([draft("Tell"), Msg::Send, started(1, 1, "Tell")]);
        desk.log.clear();
        desk
    }

    fn all(&mut self, msgs: impl IntoIterator<Item = Msg>) {
        for msg in msgs {
            self.now += 1_000;
            for effect in self.state.update(msg, UnixMillis(self.now)) {
                self.log += &format!("-> {}\n", effect_line(&effect));
            }
        }
    }

    /// The effects so far, then what is shown.
    fn told(&mut self) -> String {
        let told = std::mem::take(&mut self.log) + &snapshot(&self.state);
        told.replace('\u{a0}', "_")
    }
}

// What happens in these tests.

fn files() -> Msg {
    Msg::Backend(News::Files(Ok(vec![
        file("starter/smol.gguf", Source::Starter),
        file("hearth/qwen.gguf", Source::Hearth),
        LibraryFile {
            state: FileState::Damaged {
                reason: "It is a web page; download it again".into(),
            },
            ..file("hearth/broken.gguf", Source::Hearth)
        },
    ])))
}

fn file(id: &str, source: Source) -> LibraryFile {
    LibraryFile {
        id: FileId::from(id),
        name: name_of(id),
        model: None,
        path: id.into(),
        size: ByteSize(98_362_432),
        source,
        architecture: Some("llama".into()),
        quantisation: Some("Q4_1".into()),
        parameters: None,
        context_length: Some(2048),
        has_chat_template: true,
        state: FileState::Ready,
        modified_at: UnixMillis(0),
    }
}

fn name_of(file: &str) -> String {
    let name = file.rsplit('/').next().unwrap_or(file);
    name.trim_end_matches(".gguf").to_owned()
}

fn load(file: &str) -> Msg {
    Msg::Load(FileId::from(file))
}

fn loaded(id: u64, file: &str) -> LoadedModel {
    LoadedModel {
        id: LoadedId(id),
        file: FileId::from(file),
        name: name_of(file),
        quantisation: Some("Q4_1".into()),
        size: ByteSize(98_362_432),
        context_length: 2048,
        has_chat_template: true,
        gpu_layers: (0, 30),
        slots: 4,
        threads: 2,
        process: 1,
        activity: Activity::Idle,
        time_to_live: None,
        notices: Vec::new(),
    }
}

fn engine(models: impl IntoIterator<Item = LoadedModel>) -> Msg {
    Msg::Backend(News::Engine(EngineEvent::Loaded(models.into_iter().collect())))
}

fn summary(id: i64, title: &str, updated_at: i64) -> ChatSummary {
    ChatSummary {
        id: ChatId(id),
        title: title.into(),
        pinned: false,
        folder: None,
        created_at: UnixMillis(updated_at),
        updated_at: UnixMillis(updated_at),
    }
}

fn three() -> Msg {
    chats([
        summary(1, "First", NOW),
        summary(2, "Second", NOW - MINUTE),
        summary(3, "Third", NOW - DAY),
    ])
}

fn trouble() -> Error {
    Error::Storage {
        reason: "the disk is full".into(),
    }
}

fn chats(summaries: impl IntoIterator<Item = ChatSummary>) -> Msg {
    Msg::Backend(News::Chats(ChatsEvent::Chats {
        chats: summaries.into_iter().collect(),
        folders: Vec::new(),
        changed: Some(Vec::new()),
    }))
}

fn folder(id: i64, name: &str) -> Folder {
    Folder {
        id: FolderId(id),
        name: name.into(),
        chats: 0,
    }
}

/// The three chats, the second in the first of two folders.
fn filed() -> Msg {
    Msg::Backend(News::Chats(ChatsEvent::Chats {
        chats: vec![
            summary(1, "First", NOW),
            ChatSummary {
                folder: Some(FolderId(1)),
                ..summary(2, "Second", NOW - MINUTE)
            },
            summary(3, "Third", NOW - DAY),
        ],
        folders: vec![folder(1, "Work"), folder(2, "Italian")],
        changed: Some(Vec::new()),
    }))
}

fn message(id: i64, role: Role, text: &str) -> Message {
    Message {
        id: MessageId(id),
        parent: (id % 10 > 1).then(|| MessageId(id - 1)),
        role,
        text: text.into(),
        reasoning: None,
        tool_calls: Vec::new(),
        attachments: Vec::new(),
        model: (role == Role::Assistant).then(|| "smol".into()),
        created_at: UnixMillis(NOW),
        stop: None,
        stats: None,
        version: (0, 1),
    }
}

fn answer(id: i64, text: &str) -> Message {
    Message {
        stop: Some(StopReason::EndOfText),
        stats: Some(TurnStats {
            prompt_tokens: 40,
            generated_tokens: 2,
            time_to_first_token_ms: 210.0,
            generated_tokens_per_second: 61.3,
            context_used: 42,
            context_length: 2048,
            ..TurnStats::default()
        }),
        ..message(id, Role::Assistant, text)
    }
}

/// A chat with a question and an answer; its messages are numbered after it, from 11 in chat 1.
fn opened(id: i64) -> Msg {
    Msg::Backend(News::Opened {
        chat: ChatId(id),
        result: Ok(Chat {
            summary: summary(id, &format!("Chat {id}"), NOW),
            system_prompt: None,
            options: TurnOptions::default(),
            draft: String::new(),
            place: None,
            messages: vec![
                message(id * 10 + 1, Role::User, "Question"),
                answer(id * 10 + 2, "Answer"),
            ],
        }),
    })
}

fn turn(run: u64, event: ChatEvent) -> Msg {
    Msg::Backend(News::Turn { run: Run(run), event })
}

/// The first event of an answer to `text` in a chat, whose messages are numbered after it.
fn started(run: u64, chat: i64, text: &str) -> Msg {
    turn(
        run,
        ChatEvent::Started {
            chat: summary(chat, text, NOW),
            user: Some(message(chat * 10 + 1, Role::User, text)),
            answer: message(chat * 10 + 2, Role::Assistant, ""),
        },
    )
}

fn delta(run: u64, text: &str) -> Msg {
    turn(run, ChatEvent::Delta(text.into()))
}

fn failed(run: u64, error: Error, answer: Option<Message>) -> Msg {
    turn(run, ChatEvent::Failed { error, answer })
}

fn busy() -> Error {
    Error::Busy {
        what: "This chat".into(),
        reason: "an answer is being written".into(),
    }
}

fn draft(text: &str) -> Msg {
    Msg::DraftChanged(text.into())
}

fn settings_read() -> Msg {
    Msg::Backend(News::SettingsRead(Ok(Settings::default())))
}

/// Whether an effect is meant for the window's timer.
fn tick(effects: &[Effect]) -> Option<u64> {
    effects.iter().find_map(|effect| match effect {
        Effect::Window(WindowEffect::TickAfter(millis)) => Some(*millis),
        _ => None,
    })
}
