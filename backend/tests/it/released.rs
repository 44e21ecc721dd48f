//! Data folders of released versions: each is opened by this one, and holds what it held.
//!
//! `backend/tests/released/VERSION` has what that version left: `home`, its data folder, and `told.json`, what it said of it.
//! A release adds its own by `make_the_data_of_this_version`; nothing there is ever changed.

use std::path::{Path, PathBuf};
use std::{fs, io};

use hearth_protocol::FileId;
use hearth_protocol::chat::{NewMessage, Role, TurnOptions};
use hearth_protocol::engine::LoadOptions;
use hearth_protocol::generate::SamplingParams;
use serde_json::{Value, json};

use crate::app::{App, without_titles};

/// A file that options are kept for. It is nowhere.
const FILE: &str = "hearth/some/owl-Q4_K_M.gguf";

fn released() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/released")
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let place = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &place)?;
        } else {
            fs::copy(entry.path(), place)?;
        }
    }
    Ok(())
}

/// All that a person would miss.
fn told(app: &App) -> Value {
    let client = &app.client;
    let chats = client.list_chats().wait().expect("the chats");
    let opened: Vec<_> = chats
        .iter()
        .map(|chat| {
            let draft = client.read_draft(Some(chat.id)).wait().expect("the draft");
            json!({"chat": client.open_chat(chat.id).wait().expect("the chat"), "draft": draft})
        })
        .collect();
    let file = FileId::from(FILE);
    json!({
        "chats": chats,
        "opened": opened,
        "folders": client.list_folders().wait().expect("the folders"),
        "found": client.search_chats("zweite".into()).wait().expect("the hits"),
        "presets": client.list_presets().wait().expect("the presets"),
        "settings": client.read_settings().wait().expect("the settings"),
        "keys": client.list_api_keys().wait().expect("the keys"),
        "load": client.read_load_options(file.clone()).wait().expect("the options"),
        "defaults": client.read_chat_defaults(file).wait().expect("the defaults"),
    })
}

/// Where what is told now lacks something of what was told then; it may say more.
fn lacks(now: &Value, then: &Value, place: &str, missing: &mut Vec<String>) {
    match (now, then) {
        (Value::Object(now), Value::Object(then)) => {
            for (key, then) in then {
                match now.get(key) {
                    Some(now) => lacks(now, then, &format!("{place}.{key}"), missing),
                    // What is not told is what was nothing.
                    None if then.is_null() => (),
                    None => missing.push(format!("{place}.{key} is gone: {then}")),
                }
            }
        }
        (Value::Array(now), Value::Array(then)) if now.len() >= then.len() => {
            for (at, (now, then)) in now.iter().zip(then).enumerate() {
                lacks(now, then, &format!("{place}[{at}]"), missing);
            }
        }
        (now, then) if now != then => missing.push(format!("{place} is {now} and was {then}")),
        _ => (),
    }
}

#[test]
fn data_of_every_released_version_opens() {
    let mut versions = 0;
    for entry in fs::read_dir(released()).expect("the versions") {
        let folder = entry.expect("an entry").path();
        let mut app = App::without_worker();
        app.shut_down();
        fs::remove_dir_all(&app.config.home).expect("removed");
        copy(&folder.join("home"), &app.config.home).expect("copied");
        app.start_again();
        let then = fs::read_to_string(folder.join("told.json")).expect("what was told");
        let then = serde_json::from_str(&then).expect("JSON");
        let mut missing = Vec::new();
        lacks(&told(&app), &then, "", &mut missing);
        assert!(missing.is_empty(), "{}: {missing:#?}", folder.display());
        // It is still one that can be written.
        let kept = app.client.write_draft(None, "on".into()).wait();
        assert_eq!(kept, Ok(()), "{}", folder.display());
        app.shut_down();
        versions += 1;
    }
    assert!(versions > 0, "there is no released version");
}

#[test]
fn what_is_missing_is_named() {
    let mut missing = Vec::new();
    let then = json!({"a": [1, 2], "b": {"c": "x", "d": null}});
    lacks(
        &json!({"a": [1, 2, 3], "b": {"c": "x", "e": 1}, "f": 0}),
        &then,
        "",
        &mut missing,
    );
    assert!(missing.is_empty(), "{missing:?}");
    lacks(&json!({"a": [1], "b": {}}), &then, "", &mut missing);
    assert_eq!(missing, [".a is [1] and was [1,2]", ".b.c is gone: \"x\""]);
}

/// Leaves the data of this version in its folder, which must not be there yet.
#[test]
#[ignore = "a step of a release, which writes into the tree"]
fn make_the_data_of_this_version() {
    let folder = released().join(env!("CARGO_PKG_VERSION"));
    assert!(
        !folder.exists(),
        "{} is there, and stays as it is",
        folder.display()
    );
    let mut app = App::without_worker();
    let client = app.client.clone();
    let insert = |chat, role, text: &str| {
        let text = text.to_owned();
        let attachments = Vec::new();
        let message = NewMessage {
            chat,
            role,
            text,
            attachments,
        };
        client.insert_message(message).wait().expect("inserted")
    };
    let chat = insert(None, Role::User, "What is a hearth? 你好 🔥").summary.id;
    let answer = insert(
        Some(chat),
        Role::Assistant,
        "A place for a fire.\n\n```rust\nfn main() {}\n```",
    );
    let last = answer.messages.last().expect("the answer").id;
    client
        .edit_message(last, "Die zweite Fassung.".into())
        .wait()
        .expect("edited");
    client.rename_chat(chat, "Hearths".into()).wait().expect("named");
    client.pin_chat(chat, true).wait().expect("pinned");
    client
        .write_draft(Some(chat), "And a chimney?".into())
        .wait()
        .expect("kept");
    let folder_of_chats = client.make_folder("Home".into()).wait().expect("made");
    let other = insert(None, Role::User, "Grüße").summary.id;
    client
        .move_chat(other, Some(folder_of_chats.id))
        .wait()
        .expect("moved");
    let options = TurnOptions {
        system_prompt: Some("Be brief.".into()),
        sampling: Some(SamplingParams {
            temperature: 0.5,
            ..SamplingParams::default()
        }),
        ..TurnOptions::default()
    };
    client
        .write_chat_options(other, options.clone())
        .wait()
        .expect("kept");
    client
        .save_preset("Brief".into(), options.clone())
        .wait()
        .expect("saved");
    let file = FileId::from(FILE);
    client
        .write_chat_defaults(file.clone(), options)
        .wait()
        .expect("kept");
    let load = LoadOptions {
        context_length: hearth_protocol::engine::ContextLength::Tokens(2048),
        ..LoadOptions::default()
    };
    client.write_load_options(file, Some(load)).wait().expect("kept");
    client.make_api_key("editor".into()).wait().expect("made");
    let mut settings = without_titles();
    settings.offline = true;
    settings.download_speed_limit = Some(hearth_protocol::ByteSize(1_000_000));
    client.write_settings(settings).wait().expect("kept");
    let told = told(&app);
    app.shut_down();
    copy(&app.config.home, &folder.join("home")).expect("copied");
    let told = serde_json::to_string_pretty(&told).expect("JSON") + "\n";
    fs::write(folder.join("told.json"), told).expect("written");
}
