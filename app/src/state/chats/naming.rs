//! Naming in place: chats, folders, and folders that are being made.

use hearth_protocol::{ChatId, FolderId};

use super::{Chats, RowKey};

/// A name that is being typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Rename {
    /// Of what.
    pub(crate) of: RowKey,
    /// The name as typed so far.
    pub(crate) text: String,
    /// The chat that goes into the folder that is being made.
    holds: Option<ChatId>,
}

/// A name that was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::state) enum Named {
    /// A chat has this title now.
    Chat(ChatId, String),
    /// A folder has this name now.
    Folder(FolderId, String),
    /// A folder of this name is to be made, for this chat.
    NewFolder(String, Option<ChatId>),
}

impl Chats {
    /// Begins to rename a chat or a folder of the list; whether it is there.
    pub(in crate::state) fn begin_rename(&mut self, of: RowKey) -> bool {
        let name = match of {
            RowKey::Chat(chat) => self.get(chat).map(|summary| summary.title.clone()),
            RowKey::Folder(folder) => self.folder(folder).map(|folder| folder.name.clone()),
            RowKey::NewFolder => None,
        };
        self.rename = name.map(|text| Rename {
            of,
            text,
            holds: None,
        });
        self.rename.is_some()
    }

    /// Begins to make a folder, which a chat then goes into if one is given.
    pub(in crate::state) fn begin_folder(&mut self, holds: Option<ChatId>) {
        self.rename = Some(Rename {
            of: RowKey::NewFolder,
            text: String::new(),
            holds,
        });
        self.rows_for = None;
    }

    /// Gives up naming.
    pub(in crate::state) fn give_up_rename(&mut self) {
        self.rename = None;
        self.rows_for = None;
    }

    /// Takes the new name and shows it at once. `None` where nothing changes.
    pub(in crate::state) fn commit_rename(&mut self) -> Option<Named> {
        let Rename { of, text, holds } = self.rename.take()?;
        self.rows_for = None;
        let name = text.trim().to_owned();
        if name.is_empty() {
            return None;
        }
        let (known, named) = match of {
            RowKey::Chat(chat) => {
                let summary = self.summaries.iter_mut().find(|summary| summary.id == chat)?;
                (&mut summary.title, Named::Chat(chat, name.clone()))
            }
            RowKey::Folder(folder) => {
                let known = self.folders.iter_mut().find(|known| known.id == folder)?;
                (&mut known.name, Named::Folder(folder, name.clone()))
            }
            RowKey::NewFolder => return Some(Named::NewFolder(name, holds)),
        };
        if *known == name {
            return None;
        }
        *known = name;
        self.sort();
        Some(named)
    }

    /// Gives up naming what is not in the list any more.
    pub(super) fn end_rename_of_what_is_gone(&mut self) {
        let is_gone = |rename: &Rename| match rename.of {
            RowKey::Chat(chat) => self.get(chat).is_none(),
            RowKey::Folder(folder) => self.folder(folder).is_none(),
            RowKey::NewFolder => false,
        };
        if self.rename.as_ref().is_some_and(is_gone) {
            self.rename = None;
        }
    }
}
