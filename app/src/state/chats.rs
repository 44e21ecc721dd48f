//! The list of chats: what is in it, its folders, and what is being deleted.

mod naming;
mod rows;

use std::collections::BTreeSet;

use hearth_protocol::chat::ChatSummary;
use hearth_protocol::chat::list::Folder;
use hearth_protocol::{ChatId, FolderId};

pub(super) use naming::Named;
pub(crate) use naming::Rename;
pub(super) use rows::ListView;
pub(crate) use rows::{ListRow, RowKey};

/// All chats and folders.
#[derive(Debug, Default)]
pub(crate) struct Chats {
    /// Whether the list has come.
    pub(crate) listed: bool,
    /// What is named in place.
    pub(crate) rename: Option<Rename>,
    /// Pinned first, then the newest.
    summaries: Vec<ChatSummary>,
    /// By name.
    folders: Vec<Folder>,
    /// Folders whose chats are not shown.
    collapsed: BTreeSet<FolderId>,
    /// Those whose delete is under way. Not shown.
    deleting: Vec<Deleting>,
    rows: Vec<ListRow>,
    /// What the rows were made for; `None` when they are to be made anew.
    rows_for: Option<ListView>,
}

/// A chat whose delete is under way.
#[derive(Debug)]
pub(super) struct Deleting {
    /// Its row.
    pub(super) summary: ChatSummary,
    /// Whether it was shown.
    pub(super) was_open: bool,
}

impl Chats {
    /// Whether there is no chat and no folder, which is known once the list has come.
    pub(crate) fn is_empty(&self) -> bool {
        self.listed && self.summaries.is_empty() && self.folders.is_empty() && self.rename.is_none()
    }

    /// The row of a chat.
    pub(crate) fn get(&self, chat: ChatId) -> Option<&ChatSummary> {
        self.summaries.iter().find(|summary| summary.id == chat)
    }

    /// All chats, pinned first, then the newest.
    pub(crate) fn all(&self) -> &[ChatSummary] {
        &self.summaries
    }

    /// A folder.
    pub(crate) fn folder(&self, folder: FolderId) -> Option<&Folder> {
        self.folders.iter().find(|known| known.id == folder)
    }

    /// All folders, by name.
    pub(crate) fn folders(&self) -> &[Folder] {
        &self.folders
    }

    /// How many chats lie in a folder, pinned ones too.
    pub(crate) fn count_in(&self, folder: FolderId) -> usize {
        let is_in = |summary: &&ChatSummary| summary.folder == Some(folder);
        self.summaries.iter().filter(is_in).count()
    }

    /// Takes the whole list. What is being deleted stays away.
    pub(super) fn set_all(&mut self, mut summaries: Vec<ChatSummary>, folders: Vec<Folder>) {
        summaries.retain(|summary| !self.is_being_deleted(summary.id));
        self.summaries = summaries;
        self.folders = folders;
        self.listed = true;
        self.sort();
        self.end_rename_of_what_is_gone();
    }

    /// Takes a new or changed row. One that is being deleted stays away.
    pub(super) fn put(&mut self, summary: ChatSummary) {
        if self.is_being_deleted(summary.id) {
            return;
        }
        match self.summaries.iter_mut().find(|known| known.id == summary.id) {
            Some(known) => *known = summary,
            None => self.summaries.push(summary),
        }
        self.sort();
    }

    /// Changes the row of a chat at once, before the backend has; whether it is there.
    pub(super) fn change(&mut self, chat: ChatId, change: impl FnOnce(&mut ChatSummary)) -> bool {
        let Some(summary) = self.summaries.iter_mut().find(|summary| summary.id == chat) else {
            return false;
        };
        change(summary);
        self.sort();
        true
    }

    /// Takes a new or renamed folder.
    pub(super) fn put_folder(&mut self, folder: Folder) {
        match self.folders.iter_mut().find(|known| known.id == folder.id) {
            Some(known) => *known = folder,
            None => self.folders.push(folder),
        }
        self.sort();
    }

    /// Takes a folder out of the list; its chats stay, outside of it.
    pub(super) fn remove_folder(&mut self, folder: FolderId) {
        self.folders.retain(|known| known.id != folder);
        self.rows_for = None;
        self.end_rename_of_what_is_gone();
    }

    /// Shows the chats of a folder, or hides them.
    pub(super) fn toggle_folder(&mut self, folder: FolderId) {
        if !self.collapsed.remove(&folder) {
            self.collapsed.insert(folder);
        }
        self.rows_for = None;
    }

    /// The folders whose chats are not shown; those that are gone are left out.
    pub(super) fn folded(&self) -> BTreeSet<FolderId> {
        let is_there = |folder: &&FolderId| !self.listed || self.folder(**folder).is_some();
        self.collapsed.iter().filter(is_there).copied().collect()
    }

    /// Hides the chats of these folders and shows those of all others.
    pub(super) fn fold_only(&mut self, folders: &BTreeSet<FolderId>) {
        if self.collapsed != *folders {
            self.collapsed.clone_from(folders);
            self.rows_for = None;
        }
    }

    /// Shows the chats of a folder.
    pub(super) fn unfold(&mut self, folder: FolderId) {
        self.collapsed.remove(&folder);
        self.rows_for = None;
    }

    /// Takes a chat out of the list while it is being deleted; whether it was there.
    pub(super) fn begin_delete(&mut self, chat: ChatId, was_open: bool) -> bool {
        let Some(index) = self.summaries.iter().position(|summary| summary.id == chat) else {
            return false;
        };
        let summary = self.summaries.remove(index);
        self.rows_for = None;
        self.deleting.push(Deleting { summary, was_open });
        self.end_rename_of_what_is_gone();
        true
    }

    /// The delete is over, one way or the other.
    pub(super) fn end_delete(&mut self, chat: ChatId) -> Option<Deleting> {
        let index = self
            .deleting
            .iter()
            .position(|deleting| deleting.summary.id == chat)?;
        Some(self.deleting.remove(index))
    }

    fn is_being_deleted(&self, chat: ChatId) -> bool {
        self.deleting.iter().any(|deleting| deleting.summary.id == chat)
    }

    /// Restores the order after a change.
    fn sort(&mut self) {
        self.rows_for = None;
        self.summaries
            .sort_by_key(|summary| std::cmp::Reverse((summary.pinned, summary.updated_at, summary.id)));
        self.folders
            .sort_by_cached_key(|folder| (folder.name.to_lowercase(), folder.id));
    }
}
