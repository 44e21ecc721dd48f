//! Our own files (`docs/chats.md`).

use hearth_protocol::chat::attachment::Attachment;
use hearth_protocol::{Error, Result};
use serde::Deserialize;

use super::{parse, title_of};
use crate::chat::export::{ALL_KIND, AllChatsFile, ChatFile, FORM, KIND};
use crate::chat::whole::WholeChat;

/// What is looked at before the rest, which another form may have changed.
#[derive(Debug, Deserialize)]
struct Head {
    hearth: String,
    #[serde(default)]
    version: u32,
}

/// The chats of a file.
///
/// # Errors
/// [`Error::Invalid`] for a file of another kind, of a newer form, and for one that contradicts itself.
pub(super) fn chats(name: &str, text: &[u8]) -> Result<Vec<WholeChat>> {
    let head: Head = parse(name, text)?;
    if head.hearth != KIND && head.hearth != ALL_KIND {
        return Err(Error::invalid(
            name,
            format!("holds a {} and no chat", head.hearth),
        ));
    }
    if head.version > FORM {
        return Err(Error::invalid(
            name,
            "was written by a newer Hearth; update this one to read it",
        ));
    }
    let chats = match head.hearth == KIND {
        true => vec![parse::<ChatFile>(name, text)?.chat],
        false => parse::<AllChatsFile>(name, text)?.chats,
    };
    chats.into_iter().map(|chat| checked(name, chat)).collect()
}

/// A chat that does not contradict itself.
fn checked(name: &str, mut chat: WholeChat) -> Result<WholeChat> {
    for (place, message) in chat.messages.iter().enumerate() {
        if message.parent.is_some_and(|parent| parent >= place) {
            let problem = format!("is damaged: message {place} answers one that does not stand before it");
            return Err(Error::invalid(name, problem));
        }
        Attachment::validate_all(&message.attachments)?;
    }
    let (title, is_the_files) = title_of(Some(&chat.title), &chat.messages);
    chat.title_by_person &= is_the_files;
    chat.title = title;
    // What is not possible is not kept; the chat is.
    if let Err(error) = chat.options.validate() {
        tracing::warn!(%error, "the options of an imported chat are not possible");
        chat.options = hearth_protocol::chat::TurnOptions {
            system_prompt: chat.options.system_prompt,
            ..Default::default()
        };
    }
    Ok(chat)
}
