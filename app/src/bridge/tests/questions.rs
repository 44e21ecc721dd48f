//! Every effect for the backend that has an answer, in one table.

use hearth_protocol::chat::list::{ExportFormat, ExportRequest};
use hearth_protocol::chat::preset::Preset;
use hearth_protocol::chat::{DraftToCount, Role};
use hearth_protocol::command::WindowCommand;
use hearth_protocol::engine::ModelRef;
use hearth_protocol::window::WindowEvent;
use hearth_protocol::{FileId, FolderId};

use super::*;
use crate::effect::composer::ComposerEffect;
use crate::effect::panel::PanelEffect;
use crate::state::composer::count::Subject;
use crate::state::composer::draft::{Changed, Unsent};
use crate::state::conversation::ConversationKey;
use crate::state::panel::Prompt;

/// Each effect becomes its command, and its answer the right news: here every one is refused.
#[test]
fn every_question_is_answered() {
    let options = TurnOptions::default();
    let effects = [
        BackendEffect::CheckStorage,
        BackendEffect::WatchSettings,
        BackendEffect::WriteSettings(Box::default()),
        BackendEffect::WatchChats,
        BackendEffect::Search {
            run: Run(9),
            words: "sea".into(),
        },
        BackendEffect::OpenChat(ChatId(1)),
        BackendEffect::RenameChat {
            chat: ChatId(1),
            title: "New".into(),
        },
        BackendEffect::PinChat {
            chat: ChatId(1),
            pinned: true,
        },
        BackendEffect::MoveChat {
            chat: ChatId(1),
            folder: Some(FolderId(2)),
        },
        BackendEffect::DuplicateChat(ChatId(1)),
        BackendEffect::Branch(MessageId(5)),
        BackendEffect::MakeFolder {
            name: "Work".into(),
            holds: Some(ChatId(1)),
        },
        BackendEffect::RenameFolder {
            folder: FolderId(2),
            name: "Work".into(),
        },
        BackendEffect::DeleteFolder(FolderId(2)),
        BackendEffect::Export(ExportRequest {
            chat: ChatId(1),
            format: ExportFormat::Json,
            path: "a.json".into(),
        }),
        BackendEffect::Import("a.json".into()),
        change(ChatChange::Insert {
            chat: None,
            role: Role::User,
            message: Unsent {
                text: "Hi".into(),
                files: Vec::new(),
            },
        }),
        change(ChatChange::Edit {
            message: MessageId(5),
            text: "Ho".into(),
            answer: true,
        }),
        change(ChatChange::Version {
            message: MessageId(5),
            version: Some(1),
        }),
        BackendEffect::DeleteMessage {
            message: MessageId(5),
            chat: ChatId(1),
            beginning: "Hi".into(),
        },
        BackendEffect::ReadDraft,
        BackendEffect::WriteDraft {
            chat: Some(ChatId(1)),
            text: "Hi".into(),
        },
        BackendEffect::WritePlace {
            chat: ChatId(1),
            place: None,
        },
        BackendEffect::DeleteChat(ChatId(1)),
        BackendEffect::Undo {
            token: UndoToken(3),
            reopen: true,
        },
        BackendEffect::ListFiles,
        BackendEffect::WatchEngine,
        BackendEffect::Regenerate {
            run: Run(4),
            message: MessageId(5),
            options: options.clone(),
        },
        BackendEffect::Continue {
            run: Run(7),
            message: MessageId(5),
            options,
        },
        BackendEffect::Eject(LoadedId(6)),
        BackendEffect::Composer(ComposerEffect::ReadFile {
            conversation: ConversationKey(3),
            chat: Some(ChatId(1)),
            path: "a.csv".into(),
        }),
        BackendEffect::Composer(ComposerEffect::Count {
            subject: Subject {
                chat: Some(ChatId(1)),
                model: ModelRef::File(FileId::from("a.gguf")),
                loaded: vec![LoadedId(6)],
                changed: Changed::default(),
            },
            draft: DraftToCount::default(),
        }),
        BackendEffect::Panel(PanelEffect::ListPresets),
        BackendEffect::Panel(PanelEffect::Save {
            name: "Brief".into(),
            options: Box::default(),
        }),
        BackendEffect::Panel(PanelEffect::Rename {
            name: "Brief".into(),
            to: "Short".into(),
        }),
        BackendEffect::Panel(PanelEffect::Delete(Box::new(preset()))),
        BackendEffect::Panel(PanelEffect::Export {
            name: "Brief".into(),
            path: "a.json".into(),
        }),
        BackendEffect::Panel(PanelEffect::Import("a.json".into())),
        BackendEffect::Panel(PanelEffect::ReadDefaults(FileId::from("a.gguf"))),
        BackendEffect::Panel(PanelEffect::KeepDefaults {
            file: FileId::from("a.gguf"),
            options: Box::default(),
        }),
        BackendEffect::Panel(PanelEffect::Count(Prompt {
            file: FileId::from("a.gguf"),
            text: "Be brief.".into(),
        })),
        BackendEffect::Panel(PanelEffect::Keep {
            chat: ChatId(1),
            options: Box::default(),
        }),
        BackendEffect::Server(ServerEffect::Watch),
        BackendEffect::Server(ServerEffect::Start(Box::default())),
        BackendEffect::Server(ServerEffect::Stop),
        BackendEffect::Server(ServerEffect::ListKeys),
        BackendEffect::Server(ServerEffect::MakeKey("Laptop".into())),
        BackendEffect::Server(ServerEffect::RevokeKey(ApiKeyId(7))),
    ];
    let mut desk = Desk::new();
    let mut told = String::new();
    for effect in effects {
        let command = desk.run(effect);
        told += command.name();
        command.refuse(Error::Cancelled);
        for msg in desk.bridge.drain() {
            told += &format!(": {msg:?}");
        }
        told.push('\n');
    }
    expect![[r#"
        settings.check_storage: Backend(StorageChecked(Err(Cancelled)))
        settings.watch: Backend(SettingsRead(Err(Cancelled)))
        settings.write: Backend(SettingsWritten(Err(Cancelled)))
        chat.watch: Backend(Chats(Closed(Cancelled)))
        chat.search: Backend(Found { run: Run(9), result: Err(Cancelled) })
        chat.open: Backend(Opened { chat: ChatId(1), result: Err(Cancelled) })
        chat.rename: Backend(RowChanged { change: Title, result: Err(Cancelled) })
        chat.pin: Backend(RowChanged { change: Pin, result: Err(Cancelled) })
        chat.move: Backend(RowChanged { change: Folder, result: Err(Cancelled) })
        chat.duplicate: Backend(RowChanged { change: Copy, result: Err(Cancelled) })
        chat.branch: Backend(RowChanged { change: Branch, result: Err(Cancelled) })
        chat.make_folder: Backend(FolderMade { holds: Some(ChatId(1)), result: Err(Cancelled) })
        chat.rename_folder: Backend(FolderRenamed(Err(Cancelled)))
        chat.delete_folder: Backend(FolderDeleted(Err(Cancelled)))
        chat.export: Backend(Exported(Err(Cancelled)))
        chat.import: Backend(Imported(Err(Cancelled)))
        chat.insert: Backend(Changed { conversation: ConversationKey(8), change: Insert { chat: None, role: User, message: Unsent { text: "Hi", files: [] } }, result: Err(Cancelled) })
        chat.edit: Backend(Changed { conversation: ConversationKey(8), change: Edit { message: MessageId(5), text: "Ho", answer: true }, result: Err(Cancelled) })
        chat.select_version: Backend(Changed { conversation: ConversationKey(8), change: Version { message: MessageId(5), version: Some(1) }, result: Err(Cancelled) })
        chat.delete_message: Backend(MessageDeleted { chat: ChatId(1), beginning: "Hi", result: Err(Cancelled) })
        chat.read_draft: Backend(DraftRead(Err(Cancelled)))
        chat.write_draft: Backend(NotKept(Cancelled))
        chat.write_place: Backend(NotKept(Cancelled))
        chat.delete: Backend(Deleted { chat: ChatId(1), result: Err(Cancelled) })
        chat.undo: Backend(Undone { token: UndoToken(3), reopen: true, result: Err(Cancelled) })
        library.list: Backend(Files(Err(Cancelled)))
        engine.watch: Backend(Engine(Closed(Cancelled)))
        chat.regenerate: Backend(Turn { run: Run(4), event: Failed { error: Cancelled, answer: None } })
        chat.continue: Backend(Turn { run: Run(7), event: Failed { error: Cancelled, answer: None } })
        engine.eject: Backend(Ejected { model: LoadedId(6), result: Err(Cancelled) })
        chat.read_attachment: Backend(Composer(FileRead { conversation: ConversationKey(3), chat: Some(ChatId(1)), result: Err(Cancelled) }))
        chat.count_tokens: Backend(Composer(Counted { subject: Subject { chat: Some(ChatId(1)), model: File(FileId("a.gguf")), loaded: [LoadedId(6)], changed: Changed { text: 0, files: 0 } }, result: Err(Cancelled) }))
        preset.list: Backend(Panel(Presets(Err(Cancelled))))
        preset.save: Backend(Panel(Saved(Err(Cancelled))))
        preset.rename: Backend(Panel(Renamed(Err(Cancelled))))
        preset.delete: Backend(Panel(Deleted { preset: Preset { name: "Brief", shipped: false, options: TurnOptions { model: None, sampling: None, system_prompt: None, answer: None } }, result: Err(Cancelled) }))
        preset.export: Backend(Panel(Exported(Err(Cancelled))))
        preset.import: Backend(Panel(Imported(Err(Cancelled))))
        chat.read_defaults: Backend(Panel(Defaults { file: FileId("a.gguf"), result: Err(Cancelled) }))
        chat.write_defaults: Backend(Panel(DefaultsKept { file: FileId("a.gguf"), options: TurnOptions { model: None, sampling: None, system_prompt: None, answer: None }, result: Err(Cancelled) }))
        chat.count_tokens: Backend(Panel(Counted { prompt: Prompt { file: FileId("a.gguf"), text: "Be brief." }, result: Err(Cancelled) }))
        chat.write_options: Backend(Panel(Kept { chat: ChatId(1), result: Err(Cancelled) }))
        server.watch: Backend(Server(Event(Closed(Cancelled))))
        server.start: Backend(Server(Started { config: ServerConfig { port: 1234, network: false, keys_required: false, cors_origins: [], hosts: [], tls: None, log_prompts: false, start_with_hearth: false }, result: Err(Cancelled) }))
        server.stop: Backend(Server(Stopped(Err(Cancelled))))
        server.list_keys: Backend(Server(Keys(Err(Cancelled))))
        server.make_key: Backend(Server(KeyMade(Err(Cancelled))))
        server.revoke_key: Backend(Server(KeyRevoked { key: ApiKeyId(7), result: Err(Cancelled) }))
    "#]]
    .assert_eq(&told);
}

/// The end of that news is told by all else.
#[test]
fn a_second_start_is_told_to_the_window() {
    let mut desk = Desk::new();
    desk.bridge.run(BackendEffect::WatchWindow);
    let Ok(Command::Window(WindowCommand::Watch { mut events })) = desk.commands.try_recv() else {
        panic!("another command");
    };
    events
        .send(WindowEvent::Show { handed: None })
        .expect("a listener");
    assert_eq!(desk.bridge.drain(), [Msg::Backend(News::ShowWindow(None))]);
    drop(events);
    assert_eq!(desk.bridge.drain(), []);
}

fn preset() -> Preset {
    Preset {
        name: "Brief".into(),
        shipped: false,
        options: TurnOptions::default(),
    }
}

fn change(change: ChatChange) -> BackendEffect {
    BackendEffect::Change {
        conversation: ConversationKey(8),
        change,
    }
}
