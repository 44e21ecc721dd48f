//! `hearth-cli chats`: lists and searches chats, and carries them to files and from them.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use hearth_protocol::chat::ChatSummary;
use hearth_protocol::chat::list::{ExportFormat, ExportRequest, Imported};
use hearth_protocol::{ChatId, Client};

use crate::arguments::{ChatsArguments, ChatsCommand};
use crate::exit::{Exit, Failure};
use crate::list::{json, table};
use crate::text::printable;
use crate::time;

const NO_CHATS: &str = "There is no chat yet. `hearth-cli run MODEL` begins one.";

const NOTHING_FOUND: &str = "No chat and no message has these words.";

/// Lists chats, or does what is asked with them.
pub(crate) fn chats(client: &Client, arguments: ChatsArguments) -> Result<Exit, Failure> {
    let as_json = arguments.json;
    match arguments.command {
        None => list(client, as_json),
        Some(ChatsCommand::Search { words }) => search(client, words.join(" "), as_json),
        Some(ChatsCommand::Export { chat, file }) => export(client, ChatId(chat), &file),
        Some(ChatsCommand::Import { file }) => import(client, &file, as_json),
    }
}

fn list(client: &Client, as_json: bool) -> Result<Exit, Failure> {
    let chats = client.list_chats().wait()?;
    if as_json {
        return json(&chats);
    }
    let folders = client.list_folders().wait()?;
    let row = |chat: &ChatSummary| {
        let folder = folders.iter().find(|folder| Some(folder.id) == chat.folder);
        let folder = folder.map_or("-", |folder| &folder.name);
        let time = time::minute(chat.updated_at);
        [chat.id.to_string(), time, folder.to_owned(), chat.title.clone()]
    };
    let rows: Vec<_> = chats.iter().map(row).collect();
    table(["CHAT", "CHANGED", "FOLDER", "TITLE"], &rows, NO_CHATS)
}

fn search(client: &Client, words: String, as_json: bool) -> Result<Exit, Failure> {
    let hits = client.search_chats(words).wait()?;
    if as_json {
        return json(&hits);
    }
    let rows: Vec<_> = hits
        .iter()
        .map(|hit| {
            let text = hit.message.map_or("-", |_| &hit.snippet);
            [hit.chat.id.to_string(), hit.chat.title.clone(), text.to_owned()]
        })
        .collect();
    table(["CHAT", "TITLE", "TEXT"], &rows, NOTHING_FOUND)
}

fn export(client: &Client, chat: ChatId, file: &Path) -> Result<Exit, Failure> {
    let is_markdown = file
        .extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("md"));
    let format = if is_markdown {
        ExportFormat::Markdown
    } else {
        ExportFormat::Json
    };
    let path = whole(file)?;
    client.export_chat(ExportRequest { chat, format, path }).wait()?;
    Ok(Exit::Done)
}

fn import(client: &Client, file: &Path, as_json: bool) -> Result<Exit, Failure> {
    let imported = client.import_chats(whole(file)?).wait()?;
    if as_json {
        return json(&imported);
    }
    let mut output = io::stdout().lock();
    let Imported { chats, known, empty } = imported;
    for chat in chats {
        writeln!(output, "{}  {}", chat.id, printable(&chat.title))?;
    }
    for chat in known {
        writeln!(
            output,
            "{}  {} (was there already)",
            chat.id,
            printable(&chat.title)
        )?;
    }
    if empty > 0 {
        writeln!(output, "{empty} without a message left out")?;
    }
    Ok(Exit::Done)
}

/// A path that the Hearth which runs understands, whose folder is another.
fn whole(file: &Path) -> io::Result<PathBuf> {
    std::path::absolute(file)
}
