//! What is kept: in files, with a chat, for a model.

use hearth_protocol::Error;
use hearth_protocol::chat::list::{ExportFormat, ExportRequest};
use hearth_protocol::chat::{Role, TurnOptions, TurnRequest};
use hearth_protocol::engine::ModelRef;

use super::{insert, list_len, texts};
use crate::app::{App, Turn, greedy};

#[test]
fn what_is_exported_can_be_imported_once() {
    let app = App::without_worker();
    let chat = insert(&app, None, Role::User, "Hello");
    insert(&app, Some(chat), Role::Assistant, "Hi");
    let message = app.client.open_chat(chat).wait().expect("the chat").messages[1].id;
    app.client
        .edit_message(message, "Hi!".into())
        .wait()
        .expect("edited");
    let export = |format, name: &str| {
        let path = app.path(name);
        app.client
            .export_chat(ExportRequest { chat, format, path })
            .wait()
    };
    export(ExportFormat::Json, "chat.json").expect("written");
    export(ExportFormat::Markdown, "chat.md").expect("written");
    let again = export(ExportFormat::Json, "chat.json");
    assert!(matches!(again, Err(Error::File { .. })), "{again:?}");
    let markdown = std::fs::read_to_string(app.path("chat.md")).expect("read");
    assert_eq!(markdown, "# Hello\n\n## You\n\nHello\n\n## Assistant\n\nHi!\n");

    let imported = app
        .client
        .import_chats(app.path("chat.json"))
        .wait()
        .expect("imported");
    let [twin] = &imported.chats[..] else {
        panic!("{imported:?}");
    };
    assert_eq!(twin.title, "Hello");
    assert_eq!(texts(&app, twin.id), ["Hello", "Hi!"]);
    let again = app
        .client
        .import_chats(app.path("chat.json"))
        .wait()
        .expect("read");
    assert_eq!(
        (again.chats.len(), &again.known[..]),
        (0, &[twin.clone()][..]),
        "it is not doubled"
    );
    app.client.delete_chat(twin.id).wait().expect("deleted");
    let again = app
        .client
        .import_chats(app.path("chat.json"))
        .wait()
        .expect("imported");
    assert_eq!(again.chats.len(), 1, "one that is deleted comes back");

    let refused = app.client.import_chats(app.path("chat.md")).wait();
    assert!(matches!(refused, Err(Error::Invalid { .. })), "{refused:?}");
    let missing = app.client.import_chats(app.path("none.json")).wait();
    assert!(matches!(missing, Err(Error::File { .. })), "{missing:?}");
    assert_eq!(list_len(&app), 2);
}

#[test]
fn what_is_typed_and_how_a_model_answers_is_kept() {
    let mut app = App::without_worker();
    let chat = insert(&app, None, Role::User, "Hello");
    app.client
        .write_draft(Some(chat), "half a".into())
        .wait()
        .expect("kept");
    app.client
        .write_draft(None, "of a new one".into())
        .wait()
        .expect("kept");
    let file = || "starter/x.gguf".into();
    let options = TurnOptions {
        sampling: Some(greedy(3)),
        ..TurnOptions::default()
    };
    app.client
        .write_chat_defaults(file(), options.clone())
        .wait()
        .expect("kept");
    app.shut_down();
    app.start_again();
    assert_eq!(app.client.read_draft(Some(chat)).wait().as_deref(), Ok("half a"));
    assert_eq!(app.client.read_draft(None).wait().as_deref(), Ok("of a new one"));
    assert_eq!(app.client.read_chat_defaults(file()).wait(), Ok(options));
    app.client
        .write_chat_defaults(file(), TurnOptions::default())
        .wait()
        .expect("forgotten");
    assert_eq!(
        app.client.read_chat_defaults(file()).wait(),
        Ok(TurnOptions::default())
    );
    app.client
        .write_draft(None, String::new())
        .wait()
        .expect("emptied");
    assert_eq!(app.client.read_draft(None).wait().as_deref(), Ok(""));
    let hot = TurnOptions {
        sampling: Some(hearth_protocol::generate::SamplingParams {
            temperature: 9.0,
            ..greedy(1)
        }),
        ..TurnOptions::default()
    };
    let named = TurnOptions {
        model: Some(ModelRef::Name("x".into())),
        ..TurnOptions::default()
    };
    let refused = [
        app.client.write_chat_options(chat, hot.clone()).wait().err(),
        app.client.write_chat_defaults(file(), hot).wait().err(),
        app.client.write_chat_defaults(file(), named).wait().err(),
    ];
    for error in refused {
        assert!(matches!(error, Some(Error::Invalid { .. })), "{error:?}");
    }
}

/// Model defaults count where neither the request nor the chat says anything.
#[test]
fn a_models_own_defaults_count_last() {
    let app = App::real();
    let path = app.tiny();
    let file = app.load_with_context(&path, 256).file;
    let tokens = |options: TurnOptions, chat| {
        let turn = TurnRequest {
            chat,
            text: "hello".into(),
            options,
            ..TurnRequest::default()
        };
        let answer = Turn(app.client.send(turn)).finish();
        (answer.stats().generated_tokens, Some(answer.chat))
    };
    let with = |count| TurnOptions {
        sampling: Some(greedy(count)),
        ..TurnOptions::default()
    };
    app.client
        .write_chat_defaults(file, with(2))
        .wait()
        .expect("kept");
    let (count, chat) = tokens(TurnOptions::default(), None);
    assert_eq!(count, 2);
    app.client
        .write_chat_options(chat.expect("a chat"), with(3))
        .wait()
        .expect("kept");
    assert_eq!(tokens(TurnOptions::default(), chat).0, 3);
    assert_eq!(tokens(with(4), chat).0, 4);
    assert_eq!(
        tokens(TurnOptions::default(), chat).0,
        3,
        "what was asked once is not kept"
    );
}
