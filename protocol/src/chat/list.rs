//! The list of chats: its folders, its news, and what is searched, written and read of it.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::chat::ChatSummary;
use crate::{ChatId, Error, FolderId, MessageId, RunEvent};

/// A folder in the list of chats.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Folder {
    /// The folder.
    pub id: FolderId,
    /// Its name, one line.
    pub name: String,
    /// How many chats lie in it.
    pub chats: u32,
}

/// News of the list of chats, whoever changed it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChatsEvent {
    /// The list as it is now.
    Chats {
        /// All chats, pinned first, then the newest.
        chats: Vec<ChatSummary>,
        /// All folders, by name.
        folders: Vec<Folder>,
        /// The chats in which something was written, changed or deleted since the last time; `None` where that is not
        /// known, so that it may be any.
        changed: Option<Vec<ChatId>>,
    },
    /// No more news.
    Closed(Error),
}

impl RunEvent for ChatsEvent {
    fn is_terminal(&self) -> bool {
        matches!(self, Self::Closed(_))
    }
    fn failed(error: Error) -> Self {
        Self::Closed(error)
    }
}

/// A place where a search found its words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchHit {
    /// The chat.
    pub chat: ChatSummary,
    /// The message; `None` for a hit in the title. It may be a version that is not shown: selecting it shows it.
    pub message: Option<MessageId>,
    /// The text around the hit, as one line.
    pub snippet: String,
    /// Byte ranges of the hits in the snippet, in order.
    pub matches: Vec<(usize, usize)>,
}

/// Formats of an exported chat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExportFormat {
    /// The path that is shown, for people.
    Markdown,
    /// The whole tree, to be imported again.
    Json,
}

/// An export to write.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExportRequest {
    /// The chat.
    pub chat: ChatId,
    /// The format.
    pub format: ExportFormat,
    /// The file to write; an existing one is refused.
    pub path: PathBuf,
}

/// What an import brought.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Imported {
    /// The chats that came, in the file's order.
    pub chats: Vec<ChatSummary>,
    /// Chats that an earlier import brought with the same contents, and that are still there: they are not doubled.
    pub known: Vec<ChatSummary>,
    /// How many of the file's chats hold no message.
    pub empty: u32,
}
