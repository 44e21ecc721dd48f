//! Every command there is goes over the wire and comes back.

use std::fmt::Debug;

use serde_json::json;

use super::*;
use crate::catalogue::search::CatalogueQuery;
use crate::catalogue::{DetailsRequest, ModelEdits};
use crate::chat::attachment::Attachment;
use crate::chat::list::{ExportFormat, ExportRequest};
use crate::chat::{DraftToCount, NewMessage, Role, ScrollPlace, TurnOptions, TurnRequest};
use crate::completion::CompletionRequest;
use crate::download::{DownloadRequest, QueuePlace};
use crate::embed::{EmbedInput, EmbedOptions, EmbedRequest};
use crate::engine::{KeepLoaded, LoadOptions, SlotAction};
use crate::library::{DeleteRequest, FileNotes, ImportMode, ImportRequest, Source};
use crate::prompt::{Prompt, PromptMessage, TokenizeInput, TokenizeRequest};
use crate::server::ServerConfig;
use crate::settings::Settings;
use crate::window::Handed;
use crate::{
    Answer, ChatId, DownloadId, FileId, FolderId, Image, LoadedId, MessageId, ModelId, RunEvent, UndoToken,
};

/// What was asked, whatever it is answered with.
trait Asked {
    /// What came, as text.
    fn came(&self) -> String;
}

impl<T: Debug> Asked for Answer<T> {
    fn came(&self) -> String {
        format!("{:?}", self.try_take())
    }
}

impl<E: Debug + RunEvent> Asked for Events<E> {
    fn came(&self) -> String {
        let failed = format!("{:?}", E::failed(Error::Cancelled));
        match self.try_next() {
            Some(event) if format!("{:?}", event.body) == failed => "Some(Err(Cancelled))".into(),
            other => format!("{:?}", other.map(|event| event.body)),
        }
    }
}

fn chats(client: &Client, run: RequestId) -> Vec<Box<dyn Asked>> {
    let (chat, message) = (ChatId(4), MessageId(-5));
    let options = TurnOptions {
        model: Some(ModelRef::File(FileId("starter/x.gguf".into()))),
        system_prompt: Some("Be \"kind\"\n🦀".into()),
        ..TurnOptions::default()
    };
    let attachment = Attachment {
        name: "a.csv".into(),
        text: "1;2\r\n".into(),
    };
    let turn = TurnRequest {
        chat: Some(chat),
        text: "Hi\u{2028}there".into(),
        images: vec![Image::new(b"GIF89a..".to_vec()).expect("a picture")],
        attachments: vec![attachment.clone()],
        options: options.clone(),
        keep_options: true,
    };
    let new = NewMessage {
        chat: None,
        role: Role::System,
        text: "new".into(),
        attachments: vec![attachment.clone()],
    };
    let draft = DraftToCount {
        text: "draft".into(),
        attachments: vec![attachment],
        ..DraftToCount::default()
    };
    let place = ScrollPlace {
        message,
        offset: 12.5,
    };
    let export = ExportRequest {
        chat,
        format: ExportFormat::Markdown,
        path: "/tmp/ü.md".into(),
    };
    vec![
        Box::new(client.send(turn)),
        Box::new(client.stop(run)),
        Box::new(client.regenerate(message, options.clone())),
        Box::new(client.insert_message(new)),
        Box::new(client.edit_message(message, "text".into())),
        Box::new(client.continue_answer(message, options.clone())),
        Box::new(client.duplicate_chat(chat)),
        Box::new(client.branch_chat(message)),
        Box::new(client.select_version(message, Some(1))),
        Box::new(client.delete_message(message)),
        Box::new(client.list_chats()),
        Box::new(client.watch_chats()),
        Box::new(client.list_folders()),
        Box::new(client.make_folder("f".into())),
        Box::new(client.rename_folder(FolderId(6), "g".into())),
        Box::new(client.delete_folder(FolderId(6))),
        Box::new(client.write_chat_options(chat, options.clone())),
        Box::new(client.read_chat_defaults("starter/x.gguf".into())),
        Box::new(client.write_chat_defaults("starter/x.gguf".into(), options.clone())),
        Box::new(client.read_draft(None)),
        Box::new(client.write_draft(Some(chat), "d".into())),
        Box::new(client.write_place(chat, Some(place))),
        Box::new(client.read_attachment("/tmp/a.csv".into())),
        Box::new(client.count_tokens(draft)),
        Box::new(client.open_chat(chat)),
        Box::new(client.rename_chat(chat, "t".into())),
        Box::new(client.pin_chat(chat, true)),
        Box::new(client.move_chat(chat, Some(FolderId(6)))),
        Box::new(client.delete_chat(chat)),
        Box::new(client.undo(UndoToken(7))),
        Box::new(client.search_chats("words".into())),
        Box::new(client.export_chat(export)),
        Box::new(client.export_all_chats("/tmp/all.json".into())),
        Box::new(client.import_chats("/tmp/a.json".into())),
        Box::new(client.list_presets()),
        Box::new(client.save_preset("p".into(), options)),
        Box::new(client.rename_preset("p".into(), "q".into())),
        Box::new(client.delete_preset("p".into())),
        Box::new(client.export_preset("p".into(), "/tmp/p.json".into())),
        Box::new(client.import_preset("/tmp/p.json".into())),
    ]
}

fn engine(client: &Client, run: RequestId) -> Vec<Box<dyn Asked>> {
    let model = || ModelRef::Path("/m/x.gguf".into());
    let load = LoadRequest {
        model: model(),
        options: Some(LoadOptions {
            threads: Some(3),
            tensor_split: vec![0.1, 0.7],
            ..LoadOptions::default()
        }),
        force: true,
        keep: KeepLoaded::Seconds(9),
    };
    let prompt = Prompt::chat(vec![PromptMessage::text(Role::User, "Hi")]);
    let mut completion = CompletionRequest::new(Some(model()), prompt);
    completion.sampling.temperature = 0.3;
    completion
        .answer
        .template_arguments
        .insert("a".into(), json!({ "b": [1, null] }));
    completion.slot = Some(2);
    let tokenize = TokenizeRequest {
        model: None,
        input: TokenizeInput::Text {
            text: "a".into(),
            add_special: true,
            parse_special: false,
        },
    };
    let embed = EmbedRequest {
        model: model(),
        inputs: vec![EmbedInput::Text("a".into()), EmbedInput::Tokens(vec![1, 2])],
        options: EmbedOptions {
            dimensions: Some(8),
            ..EmbedOptions::default()
        },
        keep: KeepLoaded::Seconds(60),
    };
    vec![
        Box::new(client.load(load)),
        Box::new(client.cancel_load(run)),
        Box::new(client.eject(LoadedId(8))),
        Box::new(client.eject_file(FileId("a/b.gguf".into()))),
        Box::new(client.list_loaded()),
        Box::new(client.watch_engine()),
        Box::new(client.answering_model()),
        Box::new(client.complete(completion)),
        Box::new(client.tokenize(tokenize)),
        Box::new(client.detokenize(Some(model()), vec![1, u32::MAX])),
        Box::new(client.slots(LoadedId(8))),
        Box::new(client.change_slot(LoadedId(8), 1, SlotAction::Save("/tmp/s".into()))),
        Box::new(client.embed(embed)),
        Box::new(client.devices()),
        Box::new(client.estimate_memory(model(), LoadOptions::default())),
        Box::new(client.watch_usage()),
        Box::new(client.kv_stored()),
        Box::new(client.empty_kv_store()),
    ]
}

fn library(client: &Client) -> Vec<Box<dyn Asked>> {
    let file = || FileId("starter/x.gguf".into());
    let import = ImportRequest {
        path: "/tmp/x.gguf".into(),
        how: ImportMode::HardLink,
    };
    let delete = DeleteRequest {
        file: file(),
        confirmed: Some(Source::LmStudio),
    };
    vec![
        Box::new(client.list_files()),
        Box::new(client.find_files(ModelRef::Name("x".into()))),
        Box::new(client.scan_library()),
        Box::new(client.watch_library()),
        Box::new(client.import_file(import)),
        Box::new(client.rename_file(file(), Some("n".into()))),
        Box::new(client.file_records()),
        Box::new(client.write_file_notes(file(), FileNotes::default())),
        Box::new(client.delete_file(delete)),
        Box::new(client.inspect_file(file())),
        Box::new(client.disk_use()),
        Box::new(client.leftovers()),
        Box::new(client.clean_leftovers(vec!["/tmp/p".into()], vec![Source::Jan])),
        Box::new(client.read_load_options(file())),
        Box::new(client.write_load_options(file(), Some(LoadOptions::default()))),
        Box::new(client.write_load_options(file(), None)),
    ]
}

fn others(client: &Client) -> Vec<Box<dyn Asked>> {
    let model = || ModelId("o/n".into());
    let query = CatalogueQuery {
        text: "qwen".into(),
        gated: Some(false),
        page: 2,
        ..CatalogueQuery::default()
    };
    let edits = ModelEdits {
        tags: vec!["a".into()],
        ..ModelEdits::default()
    };
    let download = DownloadRequest {
        model: model(),
        file: None,
        revision: Some("main".into()),
    };
    let id = DownloadId(1);
    let settings = Settings {
        offline: true,
        idle_unload_minutes: None,
        ..Settings::default()
    };
    vec![
        Box::new(client.search_catalogue(query)),
        Box::new(client.featured_models()),
        Box::new(client.model_details(DetailsRequest::of(model()))),
        Box::new(client.edit_model(model(), edits)),
        Box::new(client.start_download(download)),
        Box::new(client.pause_download(id)),
        Box::new(client.resume_download(id)),
        Box::new(client.cancel_download(id)),
        Box::new(client.retry_download(id)),
        Box::new(client.move_download(id, QueuePlace::Before(DownloadId(2)))),
        Box::new(client.list_downloads()),
        Box::new(client.watch_downloads()),
        Box::new(client.hub_status()),
        Box::new(client.hub_account()),
        Box::new(client.set_hub_token(Secret::new("hf_x"))),
        Box::new(client.forget_hub_token()),
        Box::new(client.start_server(ServerConfig::default())),
        Box::new(client.stop_server()),
        Box::new(client.server_status()),
        Box::new(client.watch_server()),
        Box::new(client.make_api_key("k".into())),
        Box::new(client.list_api_keys()),
        Box::new(client.revoke_api_key(ApiKeyId(3))),
        Box::new(client.read_settings()),
        Box::new(client.watch_settings()),
        Box::new(client.watch_window()),
        Box::new(client.show_window(Handed::read("hearth://a/b:Q4_0"))),
        Box::new(client.write_settings(settings)),
        Box::new(client.check_storage()),
        Box::new(client.delete_all()),
        Box::new(client.move_data("/data/hearth".into())),
    ]
}

#[test]
fn every_command_survives_the_wire_and_so_does_its_answer() {
    let mut wired = Wired::new();
    // Both sides number runs from 1, so that a command reads the same on both; this run is one that others can mean.
    let (events, _sink) = wired.load();
    let (client, run) = (wired.client.clone(), events.request());
    let asked: Vec<_> = [
        chats(&client, run),
        engine(&client, run),
        library(&client),
        others(&client),
    ]
    .into_iter()
    .flatten()
    .collect();
    let sent: Vec<_> = wired.asked.try_iter().collect();
    assert_eq!(sent.len(), asked.len());
    let mut names = Vec::new();
    for (command, asked) in sent.into_iter().zip(&asked) {
        let (name, text) = (command.name(), format!("{command:?}"));
        let line = wired.asking.ask(command).expect("it can be told");
        assert!(!line.contains('\n'), "{line}");
        assert_eq!(wired.serving.hear(&line), Ok(None), "{name}");
        let arrived = wired.served.try_recv().expect("a command");
        assert_eq!(format!("{arrived:?}"), text);
        assert_eq!(asked.came(), "None", "{name}");
        arrived.refuse(Error::Cancelled);
        wired.carry();
        assert_eq!(asked.came(), "Some(Err(Cancelled))", "{name}");
        names.push(name);
    }
    for name in Command::NAMES {
        assert!(names.contains(name), "{name} is not in this table");
    }
}
