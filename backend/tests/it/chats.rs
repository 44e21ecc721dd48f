//! The list of chats and what happens within one, through the client: with real answers where there must be some, else
//! with messages that are stored without.

mod kept;

use hearth_protocol::chat::list::ChatsEvent;
use hearth_protocol::chat::{DraftToCount, NewMessage, Role, TurnOptions, TurnRequest};
use hearth_protocol::engine::ModelRef;
use hearth_protocol::generate::StopReason;
use hearth_protocol::settings::Settings;
use hearth_protocol::{ChatId, Error, MessageId};
use serde_json::json;

use crate::app::{App, Turn, greedy, next};

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

fn texts(app: &App, chat: ChatId) -> Vec<String> {
    let chat = app.client.open_chat(chat).wait().expect("the chat");
    chat.messages.into_iter().map(|message| message.text).collect()
}

#[test]
fn an_answer_that_ended_early_goes_on_as_the_same_message() {
    let mut app = App::real();
    let path = app.tiny();
    let whole = app.ask(&path, None, "tell me a story", greedy(12));
    let begun = app.ask(&path, None, "tell me a story", greedy(5));
    let message = begun.message().id;
    let options = TurnOptions {
        model: Some(ModelRef::Path(path.clone())),
        sampling: Some(greedy(7)),
        ..TurnOptions::default()
    };
    let more = Turn(app.client.continue_answer(message, options)).finish();
    let answer = more.message();
    assert_eq!(
        (answer.id, answer.version, &answer.text),
        (message, (0, 1), &whole.text().to_owned())
    );
    assert_eq!(begun.streamed + &more.streamed, answer.text);
    assert_eq!(more.stats().generated_tokens, 12, "all that was written counts");
    app.shut_down();
    app.start_again();
    assert_eq!(
        texts(&app, more.chat),
        ["tell me a story".to_owned(), answer.text.clone()]
    );
    let chat = app.client.open_chat(more.chat).wait().expect("the chat");
    let context = chat.context().expect("it was measured");
    assert!(context.used > 12 && context.length >= context.used && context.messages_left_out == 0);

    let question = Turn(
        app.client
            .continue_answer(chat.messages[0].id, TurnOptions::default()),
    )
    .finish();
    assert!(
        matches!(question.error, Some(Error::Invalid { .. })),
        "{:?}",
        question.error
    );
}

#[test]
fn files_beside_a_message_are_read_and_stay_with_it() {
    let mut app = App::real();
    let path = app.tiny();
    let file = app.path("figures.csv");
    std::fs::write(&file, "a;1\nb;2\n").expect("written");
    let attachment = app.client.read_attachment(file.clone()).wait().expect("read");
    std::fs::remove_file(&file).expect("removed");
    let without = app.ask(&path, None, "Sum?", greedy(3));
    let options = TurnOptions {
        model: Some(ModelRef::Path(path.clone())),
        sampling: Some(greedy(3)),
        ..TurnOptions::default()
    };
    let with = Turn(app.client.send(TurnRequest {
        text: "Sum?".into(),
        attachments: vec![attachment.clone()],
        options,
        keep_options: true,
        ..TurnRequest::default()
    }))
    .finish();
    // The tiny model has a token for each byte.
    let more = with.stats().prompt_tokens - without.stats().prompt_tokens;
    assert_eq!(more as usize, "figures.csv:\n```csv\na;1\nb;2\n```\n\n".len());
    app.shut_down();
    app.start_again();
    let chat = app.client.open_chat(with.chat).wait().expect("the chat");
    assert_eq!(chat.messages[0].attachments, [attachment]);
    assert_eq!(
        chat.options.sampling,
        Some(greedy(3)),
        "the options were kept with it"
    );
    let again = Turn(app.client.regenerate(chat.messages[1].id, TurnOptions::default())).finish();
    assert_eq!(
        again.stats().generated_tokens,
        3,
        "and count where none are given"
    );
}

#[test]
fn nothing_is_loaded_to_count_tokens() {
    let app = App::real();
    let path = app.tiny();
    let draft = || DraftToCount {
        text: "hello".into(),
        ..DraftToCount::default()
    };
    assert_eq!(app.client.count_tokens(draft()).wait(), Ok(None));
    let named = DraftToCount {
        model: Some(ModelRef::Path(path.clone())),
        ..draft()
    };
    assert_eq!(app.client.count_tokens(named.clone()).wait(), Ok(None));
    assert_eq!(app.loaded(), []);
    app.load_with_context(&path, 256);
    assert_eq!(app.client.count_tokens(draft()).wait(), Ok(Some(5)));
    assert_eq!(app.client.count_tokens(named).wait(), Ok(Some(5)));
}

#[test]
fn the_list_tells_every_change() {
    let app = App::without_worker();
    let watching = app.client.watch_chats();
    let list = || match next(&watching).expect("it goes on") {
        ChatsEvent::Chats {
            chats,
            folders,
            changed,
        } => (chats, folders, changed),
        ChatsEvent::Closed(error) => panic!("{error}"),
    };
    assert_eq!(list(), (Vec::new(), Vec::new(), Some(Vec::new())));
    let chat = insert(&app, None, Role::User, "Hello");
    let (chats, _, changed) = list();
    assert_eq!((chats[0].title.as_str(), changed), ("Hello", Some(vec![chat])));
    let folder = app.client.make_folder(" Work\n".into()).wait().expect("made").id;
    assert_eq!((list().1[0].name.as_str(), list_len(&app)), ("Work", 1));
    app.client.move_chat(chat, Some(folder)).wait().expect("moved");
    let (chats, folders, _) = list();
    assert_eq!((chats[0].folder, folders[0].chats), (Some(folder), 1));
    app.client
        .rename_folder(folder, "Home".into())
        .wait()
        .expect("renamed");
    assert_eq!(list().1[0].name, "Home");
    app.client.delete_folder(folder).wait().expect("deleted");
    let (chats, folders, _) = list();
    assert_eq!((chats[0].folder, folders.len()), (None, 0));
    let deleted = app.client.delete_chat(chat).wait().expect("deleted");
    assert_eq!(list().0.len(), 0);
    app.client.undo(deleted.undo).wait().expect("undone");
    assert_eq!(list().0.len(), 1);
}

fn list_len(app: &App) -> usize {
    app.client.list_chats().wait().expect("the list").len()
}

#[test]
fn folders_have_names_of_their_own() {
    let app = App::without_worker();
    let folder = app.client.make_folder("Work".into()).wait().expect("made").id;
    app.client.make_folder("Übung".into()).wait().expect("made");
    let chat = insert(&app, None, Role::User, "Hello");
    let refused = [
        app.client.make_folder("WORK".into()).wait().err(),
        app.client.make_folder(" ".into()).wait().err(),
        app.client.rename_folder(folder, "übung".into()).wait().err(),
    ];
    for error in refused {
        assert!(matches!(error, Some(Error::Invalid { .. })), "{error:?}");
    }
    let missing = hearth_protocol::FolderId(99);
    let missing = [
        app.client.move_chat(chat, Some(missing)).wait().err(),
        app.client.move_chat(ChatId(99), Some(folder)).wait().err(),
        app.client.delete_folder(missing).wait().err(),
        app.client.rename_folder(missing, "x".into()).wait().err(),
    ];
    for error in missing {
        assert!(matches!(error, Some(Error::NotFound { .. })), "{error:?}");
    }
    // Its own name in other letters is no other's.
    assert_eq!(
        app.client
            .rename_folder(folder, "work".into())
            .wait()
            .expect("renamed")
            .name,
        "work"
    );
}

#[test]
fn chats_are_branched_and_doubled_with_what_they_keep() {
    let app = App::without_worker();
    let chat = insert(&app, None, Role::User, "Hello");
    insert(&app, Some(chat), Role::Assistant, "Hi");
    insert(&app, Some(chat), Role::User, "More");
    let options = TurnOptions {
        system_prompt: Some("Be kind.".into()),
        sampling: Some(greedy(3)),
        ..TurnOptions::default()
    };
    app.client
        .write_chat_options(chat, options.clone())
        .wait()
        .expect("kept");
    let folder = app.client.make_folder("Work".into()).wait().expect("made").id;
    app.client.move_chat(chat, Some(folder)).wait().expect("moved");
    let message = app.client.open_chat(chat).wait().expect("the chat").messages[1].id;
    app.client
        .edit_message(message, "Hi!".into())
        .wait()
        .expect("edited");

    let branch = app.client.branch_chat(message).wait().expect("branched");
    assert_eq!(
        (branch.title.as_str(), branch.folder),
        ("Hello (2)", Some(folder))
    );
    assert_eq!(texts(&app, branch.id), ["Hello", "Hi"]);
    let copy = app.client.duplicate_chat(chat).wait().expect("copied");
    assert_eq!(copy.title, "Hello (3)");
    let copied = app.client.open_chat(copy.id).wait().expect("the chat");
    assert_eq!((copied.options, copied.messages[1].version), (options, (1, 2)));
    assert_eq!(texts(&app, copy.id), ["Hello", "Hi!"]);
    let missing = app.client.branch_chat(MessageId(99)).wait();
    assert!(matches!(missing, Err(Error::NotFound { .. })), "{missing:?}");
}

fn answers(text: &str) -> [serde_json::Value; 4] {
    [
        json!({"await": "generate"}),
        json!({"say": {"response": "begun", "id": "$id", "left_out": 0}}),
        json!({"say": {"response": "piece", "id": "$id", "piece": {"text": text}}}),
        json!({"say": {"response": "finished", "id": "$id", "stop": {"reason": "end_of_text"}, "stats": {}}}),
    ]
}

#[test]
fn a_model_that_has_time_gives_a_title() {
    let app = App::scripted(&json!([]));
    let settings = Settings {
        automatic_titles: true,
        ..Settings::default()
    };
    app.client.write_settings(settings).wait().expect("written");
    let model = json!({"response": "loaded", "context_length": 512, "has_chat_template": true,
        "gpu_layers": [0, 5], "threads": 1});
    let mut script = vec![json!({"await": "load"}), json!({"say": model})];
    script.extend(answers("It scatters."));
    script.extend(answers("Title: \"Blue skies\"\n"));
    app.script(&json!(script));
    let watching = app.client.watch_chats();
    let answer = app.ask(&app.tiny(), None, "Why is the sky blue?", greedy(9));
    assert_eq!(answer.stop(), &StopReason::EndOfText);
    let mut titles = Vec::new();
    while titles.last().is_none_or(|title| title != "Blue skies") {
        if let Some(ChatsEvent::Chats { chats, .. }) = next(&watching) {
            titles.extend(chats.into_iter().map(|chat| chat.title));
        }
    }
    assert!(titles.contains(&"Why is the sky blue?".to_owned()), "{titles:?}");
}
