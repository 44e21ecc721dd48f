//! Reads chats from files: ours, ChatGPT's `conversations.json`, LM Studio's `*.conversation.json`. A file that is damaged
//! brings nothing.

mod chatgpt;
mod hearth;
mod lm_studio;
#[cfg(test)]
mod tests;

use std::io::Read;
use std::path::{Path, PathBuf};

use hearth_protocol::chat::Role;
use hearth_protocol::chat::list::Imported;
use hearth_protocol::{Error, Result, UnixMillis};
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use sha2::{Digest, Sha256};

use super::whole::{WholeChat, WholeMessage};
use super::{Chats, title};
use crate::files::{blocking, file_error};
use crate::store::copies::NewChat;
use crate::store::now;

/// Longest file that is read, in bytes; exports of years of chats have some hundred millions.
const LONGEST: u64 = 2 << 30;

/// How the files of a folder end.
const FOLDER_ENDING: &str = ".conversation.json";

/// What tells the kinds of files apart.
#[derive(Debug, Deserialize)]
struct Probe {
    hearth: Option<String>,
    mapping: Option<IgnoredAny>,
    messages: Option<IgnoredAny>,
}

impl Chats {
    /// Stores the chats of a file as new ones. Those that an earlier import brought with the same contents are not doubled
    /// while they are still there.
    ///
    /// # Errors
    /// [`Error::File`]; [`Error::Invalid`] says what is wrong with the file, of which nothing is stored then.
    pub(crate) async fn import(&self, path: PathBuf) -> Result<Imported> {
        let read = blocking(move || {
            let chats = read(&path)?;
            chats
                .into_iter()
                .map(|chat| Ok((hash(&chat)?, chat)))
                .collect::<Result<Vec<_>>>()
        });
        let mut imported = Imported::default();
        let mut new: Vec<NewChat> = Vec::new();
        for (hash, chat) in read.await? {
            if chat.messages.is_empty() {
                imported.empty += 1;
            } else if let Some(known) = self.store.imported_chat(&hash).await? {
                imported.known.push(known);
            } else if !new.iter().any(|chat| chat.hash.as_ref() == Some(&hash)) {
                new.push(NewChat {
                    chat,
                    folder: None,
                    hash: Some(hash),
                });
            }
        }
        imported.chats = self.store.add_chats(&new).await?;
        for chat in &imported.chats {
            self.news.of(chat.id);
        }
        Ok(imported)
    }
}

/// The chats of a file.
fn read(path: &Path) -> Result<Vec<WholeChat>> {
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    let odd = |problem: &str| Err(Error::invalid(&name, problem));
    let about = path.metadata().map_err(|error| file_error(path, &error))?;
    if about.is_dir() {
        return read_folder(&name, path);
    }
    if !about.is_file() {
        return odd("is no file");
    }
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).map_err(|error| file_error(path, &error))?;
    let read = file.take(LONGEST + 1).read_to_end(&mut bytes);
    read.map_err(|error| file_error(path, &error))?;
    if bytes.len() as u64 > LONGEST {
        return odd("is longer than 2 GiB");
    }
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    match text.iter().find(|byte| !byte.is_ascii_whitespace()) {
        None => odd("is empty"),
        Some(b'P') if text.starts_with(b"PK") => {
            odd("is an archive; unpack it and import conversations.json in it")
        }
        Some(b'[') => chatgpt::chats(parse(&name, text)?),
        Some(b'{') => {
            let probe: Probe = parse(&name, text)?;
            if probe.hearth.is_some() {
                hearth::chats(&name, text)
            } else if probe.mapping.is_some() {
                chatgpt::chats(vec![parse(&name, text)?])
            } else if probe.messages.is_some() {
                Ok(vec![lm_studio::chat(parse(&name, text)?)])
            } else {
                odd(UNKNOWN)
            }
        }
        Some(_) => odd(UNKNOWN),
    }
}

/// The chats of all files of LM Studio's in a folder and below, which keeps each in a file of its own.
fn read_folder(name: &str, folder: &Path) -> Result<Vec<WholeChat>> {
    let entries = walkdir::WalkDir::new(folder).sort_by_file_name();
    let mut chats = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|error| Error::File {
            path: folder.display().to_string(),
            reason: error.to_string(),
        })?;
        let is_chat = entry
            .file_name()
            .to_str()
            .is_some_and(|name| name.ends_with(FOLDER_ENDING));
        if is_chat && entry.file_type().is_file() {
            chats.extend(read(entry.path())?);
        }
    }
    match chats.is_empty() {
        true => Err(Error::invalid(
            name,
            format!("holds no file that ends in {FOLDER_ENDING}"),
        )),
        false => Ok(chats),
    }
}

/// What is said of a file of another kind.
const UNKNOWN: &str = "is no export of chats that Hearth knows: its own, ChatGPT's conversations.json or \
    LM Studio's .conversation.json";

/// # Errors
/// [`Error::Invalid`] names the place that cannot be read.
fn parse<T: DeserializeOwned>(name: &str, text: &[u8]) -> Result<T> {
    let mut reader = serde_json::Deserializer::from_slice(text);
    let parsed = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        let (place, reason) = (error.path().to_string(), error.into_inner());
        let place = if place == "." {
            String::new()
        } else {
            format!(" at {place}")
        };
        Error::invalid(
            name,
            format!("is damaged{place} ({reason}), so nothing of it was imported"),
        )
    })?;
    reader.end().map_err(|error| {
        Error::invalid(
            name,
            format!("is damaged ({error}), so nothing of it was imported"),
        )
    })?;
    Ok(parsed)
}

/// What tells a chat from all others.
fn hash(chat: &WholeChat) -> Result<String> {
    let contents = serde_json::to_vec(chat).map_err(Error::internal)?;
    Ok(Sha256::digest(contents)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect())
}

/// The title of a file's chat as one line; the first words where it has none. Gives whether it is the file's.
fn title_of(title: Option<&str>, messages: &[WholeMessage]) -> (String, bool) {
    if let Some(title) = title.and_then(title::from_person) {
        return (title, true);
    }
    let asked = messages.iter().find(|message| message.role == Role::User);
    let text = asked.map_or("", |message| message.text.as_str());
    (title::from_message(text, &[]), false)
}

/// Times of a chat: when it was begun and when a message last came, as far as the file says it.
fn times_of(created: Option<UnixMillis>, messages: &[WholeMessage]) -> (UnixMillis, UnixMillis) {
    let times = messages.iter().map(|message| message.created_at);
    let created = created.or(times.clone().min()).unwrap_or(UnixMillis(now()));
    (created, times.max().unwrap_or(created).max(created))
}
