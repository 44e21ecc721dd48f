//! All that is kept: how much of it, written to one file, brought back, and deleted.

use hearth_protocol::chat::{NewMessage, Role};
use hearth_protocol::engine::UsageEvent;
use hearth_protocol::settings::Settings;
use hearth_protocol::{ByteSize, ChatId, Error};

use crate::app::{App, next};

fn insert(app: &App, chat: Option<ChatId>, role: Role, text: &str) -> ChatId {
    let message = NewMessage {
        chat,
        role,
        text: text.into(),
        attachments: Vec::new(),
    };
    let chat = app.client.insert_message(message).wait().expect("inserted");
    chat.summary.id
}

/// Title and texts of each chat, in the order of the list.
fn told(app: &App) -> Vec<(String, Vec<String>)> {
    let chats = app.client.list_chats().wait().expect("the list");
    let one = |chat: hearth_protocol::chat::ChatSummary| {
        let opened = app.client.open_chat(chat.id).wait().expect("the chat");
        let texts = opened.messages.into_iter().map(|message| message.text);
        (chat.title, texts.collect())
    };
    chats.into_iter().map(one).collect()
}

#[test]
fn all_chats_go_to_one_file_and_come_back_from_it() {
    let (app, other) = (App::without_worker(), App::without_worker());
    for number in 0..30 {
        let chat = insert(&app, None, Role::User, &format!("question {number}"));
        insert(
            &app,
            Some(chat),
            Role::Assistant,
            &format!("answer {number}\n\n\"🦀\""),
        );
        app.client
            .rename_chat(chat, format!("Chat {number}"))
            .wait()
            .expect("named");
    }
    let path = app.path("all.json");
    assert_eq!(app.client.export_all_chats(path.clone()).wait(), Ok(30));
    let again = app.client.export_all_chats(path.clone()).wait();
    assert!(matches!(again, Err(Error::File { .. })), "{again:?}");

    let imported = other.client.import_chats(path.clone()).wait().expect("imported");
    assert_eq!(
        (imported.chats.len(), imported.known.len(), imported.empty),
        (30, 0, 0)
    );
    assert_eq!(told(&other), told(&app));
    // Nothing is doubled.
    let imported = other.client.import_chats(path.clone()).wait().expect("imported");
    assert_eq!((imported.chats.len(), imported.known.len()), (0, 30));

    // Half a file brings nothing.
    let whole = std::fs::read(&path).expect("the file");
    let half = app.path("half.json");
    std::fs::write(&half, &whole[..whole.len() / 2]).expect("written");
    let damaged = App::without_worker();
    let refused = damaged.client.import_chats(half).wait();
    assert!(matches!(refused, Err(Error::Invalid { .. })), "{refused:?}");
    assert_eq!(told(&damaged), []);
}

#[test]
fn no_chats_are_a_file_too() {
    let app = App::without_worker();
    let path = app.path("none.json");
    assert_eq!(app.client.export_all_chats(path.clone()).wait(), Ok(0));
    let imported = app.client.import_chats(path).wait().expect("imported");
    assert_eq!((imported.chats.len(), imported.empty), (0, 0));
}

#[test]
fn what_states_take_is_told_and_goes_when_it_is_wanted() {
    let app = App::without_worker();
    assert_eq!(app.client.kv_stored().wait(), Ok(ByteSize(0)));
    let folder = app.config.home.join("kv");
    std::fs::create_dir_all(&folder).expect("made");
    std::fs::write(folder.join("1-a-b-1.kv"), [0; 1000]).expect("written");
    assert_eq!(app.client.kv_stored().wait(), Ok(ByteSize(1000)));
    assert_eq!(app.client.empty_kv_store().wait(), Ok(ByteSize(1000)));
    assert_eq!(app.client.kv_stored().wait(), Ok(ByteSize(0)));
}

#[test]
fn all_is_deleted_when_hearth_ends_and_models_stay() {
    let mut app = App::without_worker();
    let chat = insert(&app, None, Role::User, "secret");
    let changed = Settings {
        offline: true,
        ..app.client.read_settings().wait().expect("read")
    };
    app.client.write_settings(changed).wait().expect("written");
    let model = app.config.home.join("models").join("mine.gguf");
    std::fs::create_dir_all(model.parent().expect("a folder")).expect("made");
    std::fs::write(&model, "GGUF").expect("written");
    assert_eq!(app.client.delete_all().wait(), Ok(()));
    // Until it ends, it goes on as before.
    assert!(app.client.open_chat(chat).wait().is_ok());
    app.shut_down();
    let database = app.config.home.join("hearth.db");
    assert!(!database.exists());
    assert!(model.exists());

    app.start_again();
    assert_eq!(app.client.list_chats().wait(), Ok(Vec::new()));
    assert_eq!(app.client.read_settings().wait(), Ok(Settings::default()));
    insert(&app, None, Role::User, "new");
    app.shut_down();
    // It was wanted once.
    app.start_again();
    assert_eq!(told(&app).len(), 1);
}

#[test]
fn all_is_moved_when_hearth_ends_and_found_in_its_new_place() {
    let mut app = App::without_worker();
    let chat = insert(&app, None, Role::User, "kept");
    let model = std::path::Path::new("models/mine.gguf");
    std::fs::create_dir_all(app.config.home.join("models")).expect("made");
    std::fs::write(app.config.home.join(model), "GGUF").expect("written");
    let new = tempfile::tempdir().expect("a folder");
    let (old, to) = (app.config.home.clone(), new.path().join("hearth"));
    let refused = app.client.move_data("hearth".into()).wait();
    assert!(matches!(refused, Err(Error::Invalid { .. })), "{refused:?}");
    assert_eq!(app.client.move_data(to.clone()).wait(), Ok(()));
    // Until it ends, it goes on as before.
    assert!(app.client.open_chat(chat).wait().is_ok());
    app.shut_down();
    assert!(!old.join("hearth.db").exists());
    assert!(to.join(model).exists());

    app.config.home = to;
    app.start_again();
    assert!(app.client.open_chat(chat).wait().is_ok());
}

#[test]
fn who_listens_is_told_what_hearth_takes() {
    let app = App::without_worker();
    let events = app.client.watch_usage();
    let Some(UsageEvent::Usage(first)) = next(&events) else {
        panic!("nothing is measured");
    };
    assert!(first.memory > ByteSize(1_000_000), "{first:?}");
    let Some(UsageEvent::Usage(second)) = next(&events) else {
        panic!("nothing more is measured");
    };
    assert!(second.cpu_percent.is_some(), "{second:?}");
}
