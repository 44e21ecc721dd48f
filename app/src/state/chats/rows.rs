//! The rows of the list: pinned chats, folders with theirs, then the others by the day of their last message.

use hearth_protocol::chat::ChatSummary;
use hearth_protocol::settings::Language;
use hearth_protocol::{ChatId, FolderId};
use jiff::civil::Date;

use super::Chats;
use crate::state::calendar::Present;
use crate::text::say;

/// What the rows depend on besides the chats.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::state) struct ListView {
    /// The language of the dates and groups.
    pub(in crate::state) language: Language,
    /// The day of the person, which the dates and groups are told from.
    pub(in crate::state) today: Option<Date>,
    /// The chat that is shown.
    pub(in crate::state) open: Option<ChatId>,
    /// Those in which an answer is being written.
    pub(in crate::state) running: Vec<ChatId>,
}

/// A row of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ListRow {
    /// The title of a group.
    Group(String),
    /// A folder. Its chats follow, unless it is closed.
    Folder(FolderRow),
    /// A folder that is not made yet: its name is being typed.
    NewFolder,
    /// A chat.
    Chat(ChatRow),
}

/// What a row stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum RowKey {
    /// A chat.
    Chat(ChatId),
    /// A folder.
    Folder(FolderId),
    /// The folder that is being made.
    NewFolder,
}

/// A folder in the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FolderRow {
    /// Which.
    pub(crate) folder: FolderId,
    /// Its name.
    pub(crate) name: String,
    /// How many chats it shows when it is open: the pinned ones stand at the top.
    pub(crate) chats: usize,
    /// Whether they are shown.
    pub(crate) open: bool,
}

/// A chat in the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ChatRow {
    /// Which.
    pub(crate) chat: ChatId,
    /// Its title.
    pub(crate) title: String,
    /// When a message last came, as in `14:32` or `12 Oct`.
    pub(crate) date: String,
    /// Whether it stands at the top.
    pub(crate) pinned: bool,
    /// Whether it stands below its folder.
    pub(crate) nested: bool,
    /// Whether it is shown.
    pub(crate) open: bool,
    /// Whether an answer is being written in it.
    pub(crate) running: bool,
}

impl ListRow {
    /// What it stands for, unless it is a title.
    pub(crate) fn key(&self) -> Option<RowKey> {
        match self {
            Self::Group(_) => None,
            Self::Folder(row) => Some(RowKey::Folder(row.folder)),
            Self::NewFolder => Some(RowKey::NewFolder),
            Self::Chat(row) => Some(RowKey::Chat(row.chat)),
        }
    }

    /// The chat, if it is one.
    pub(crate) fn chat(&self) -> Option<&ChatRow> {
        match self {
            Self::Chat(row) => Some(row),
            Self::Group(_) | Self::Folder(_) | Self::NewFolder => None,
        }
    }
}

impl Chats {
    /// The rows with their groups.
    pub(crate) fn rows(&self) -> &[ListRow] {
        &self.rows
    }

    /// Makes the rows anew if something they show has changed. While text streams in nothing has.
    pub(in crate::state) fn refresh(&mut self, present: &Present, view: ListView) {
        if self.rows_for.as_ref() != Some(&view) {
            self.rows = self.rows_in(present, &view);
            self.rows_for = Some(view);
        }
    }

    /// The rows as they are now.
    pub(in crate::state) fn rows_in(&self, present: &Present, view: &ListView) -> Vec<ListRow> {
        let row = |summary: &ChatSummary, nested| {
            ListRow::Chat(ChatRow {
                chat: summary.id,
                title: summary.title.clone(),
                date: present.label(summary.updated_at),
                pinned: summary.pinned,
                nested,
                open: view.open == Some(summary.id),
                running: view.running.contains(&summary.id),
            })
        };
        let mut rows = Vec::with_capacity(self.summaries.len() + self.folders.len() + 8);
        let mut pinned = self.summaries.iter().filter(|summary| summary.pinned).peekable();
        if pinned.peek().is_some() {
            rows.push(ListRow::Group(say!(present.texts, "list-pinned")));
            rows.extend(pinned.map(|summary| row(summary, false)));
        }
        let is_making = self
            .rename
            .as_ref()
            .is_some_and(|rename| rename.of == RowKey::NewFolder);
        if is_making || !self.folders.is_empty() {
            rows.push(ListRow::Group(say!(present.texts, "list-folders")));
            rows.extend(is_making.then_some(ListRow::NewFolder));
        }
        for folder in &self.folders {
            let is_in = |summary: &&ChatSummary| !summary.pinned && summary.folder == Some(folder.id);
            let inside = self.summaries.iter().filter(is_in);
            let open = !self.collapsed.contains(&folder.id);
            rows.push(ListRow::Folder(FolderRow {
                folder: folder.id,
                name: folder.name.clone(),
                chats: inside.clone().count(),
                open,
            }));
            if open {
                rows.extend(inside.map(|summary| row(summary, true)));
            }
        }
        let mut last_group = None;
        for summary in self.summaries.iter().filter(|summary| self.is_loose(summary)) {
            let group = present.group(summary.updated_at);
            if last_group.as_ref() != Some(&group) {
                rows.push(ListRow::Group(group.clone()));
                last_group = Some(group);
            }
            rows.push(row(summary, false));
        }
        rows
    }

    /// Whether a chat stands by its day: it is not pinned and lies in no folder that is known.
    fn is_loose(&self, summary: &ChatSummary) -> bool {
        let folder = summary.folder.and_then(|folder| self.folder(folder));
        !summary.pinned && folder.is_none()
    }
}
