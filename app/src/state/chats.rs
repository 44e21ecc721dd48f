//! The list of chats: its rows and groups, renaming in place, and what is being deleted.

use hearth_protocol::ChatId;
use hearth_protocol::chat::ChatSummary;
use jiff::civil::Date;

use super::calendar::Present;

/// All chats.
#[derive(Debug, Default)]
pub(crate) struct Chats {
    /// Whether the list has come.
    pub(crate) listed: bool,
    /// The chat that is renamed in place.
    pub(crate) rename: Option<Rename>,
    /// Pinned first, then the newest.
    summaries: Vec<ChatSummary>,
    /// Those whose delete is under way. Not shown.
    deleting: Vec<Deleting>,
    rows: Vec<ListRow>,
    /// What the rows were made for; `None` when they are to be made anew.
    rows_for: Option<ListView>,
}

/// What the rows depend on besides the chats.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ListView {
    /// The day of the person, which the dates and groups are told from.
    pub(super) today: Option<Date>,
    /// The chat that is shown.
    pub(super) open: Option<ChatId>,
    /// Those in which an answer is being written.
    pub(super) running: Vec<ChatId>,
}

/// A chat that is renamed in place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Rename {
    /// Which.
    pub(crate) chat: ChatId,
    /// The title as typed so far.
    pub(crate) text: String,
}

/// A chat whose delete is under way.
#[derive(Debug)]
pub(super) struct Deleting {
    /// Its row.
    pub(super) summary: ChatSummary,
    /// Whether it was shown.
    pub(super) was_open: bool,
}

/// A row of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ListRow {
    /// The title of a group.
    Group(String),
    /// A chat.
    Chat(ChatRow),
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
    /// Whether it is shown.
    pub(crate) open: bool,
    /// Whether an answer is being written in it.
    pub(crate) running: bool,
}

impl ListRow {
    /// The chat, unless it is a group.
    pub(crate) fn chat(&self) -> Option<ChatId> {
        match self {
            Self::Group(_) => None,
            Self::Chat(row) => Some(row.chat),
        }
    }
}

impl Chats {
    /// The rows with their groups.
    pub(crate) fn rows(&self) -> &[ListRow] {
        &self.rows
    }

    /// Makes the rows anew if something they show has changed. While text streams in nothing has.
    pub(super) fn refresh(&mut self, present: &Present, view: ListView) {
        if self.rows_for.as_ref() != Some(&view) {
            self.rows = self.rows_in(present, &view);
            self.rows_for = Some(view);
        }
    }

    /// The rows as they are now.
    pub(super) fn rows_in(&self, present: &Present, view: &ListView) -> Vec<ListRow> {
        let mut rows = Vec::with_capacity(self.summaries.len() + 8);
        let mut last_group = None;
        for summary in &self.summaries {
            let group = if summary.pinned {
                "Pinned".to_owned()
            } else {
                present.group(summary.updated_at)
            };
            if last_group.as_ref() != Some(&group) {
                rows.push(ListRow::Group(group.clone()));
                last_group = Some(group);
            }
            rows.push(ListRow::Chat(ChatRow {
                chat: summary.id,
                title: summary.title.clone(),
                date: present.label(summary.updated_at),
                pinned: summary.pinned,
                open: view.open == Some(summary.id),
                running: view.running.contains(&summary.id),
            }));
        }
        rows
    }

    /// Whether there is no chat, which is known once the list has come.
    pub(crate) fn is_empty(&self) -> bool {
        self.listed && self.summaries.is_empty()
    }

    /// The row of a chat.
    pub(crate) fn get(&self, chat: ChatId) -> Option<&ChatSummary> {
        self.summaries.iter().find(|summary| summary.id == chat)
    }

    /// Takes the whole list. What is being deleted stays away.
    pub(super) fn set_all(&mut self, mut summaries: Vec<ChatSummary>) {
        summaries.retain(|summary| !self.is_being_deleted(summary.id));
        self.summaries = summaries;
        self.listed = true;
        self.sort();
        if self
            .rename
            .as_ref()
            .is_some_and(|rename| self.get(rename.chat).is_none())
        {
            self.rename = None;
        }
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

    /// Begins to rename a chat of the list; whether it is there.
    pub(super) fn begin_rename(&mut self, chat: ChatId) -> bool {
        self.rename = self.get(chat).map(|summary| Rename {
            chat,
            text: summary.title.clone(),
        });
        self.rename.is_some()
    }

    /// Takes the new title and shows it at once. `None` where nothing changes.
    pub(super) fn commit_rename(&mut self) -> Option<(ChatId, String)> {
        let Rename { chat, text } = self.rename.take()?;
        let title = text.trim();
        let summary = self.summaries.iter_mut().find(|summary| summary.id == chat)?;
        if title.is_empty() || title == summary.title {
            return None;
        }
        summary.title = title.to_owned();
        self.rows_for = None;
        Some((chat, title.to_owned()))
    }

    /// Takes a chat out of the list while it is being deleted; whether it was there.
    pub(super) fn begin_delete(&mut self, chat: ChatId, was_open: bool) -> bool {
        let Some(index) = self.summaries.iter().position(|summary| summary.id == chat) else {
            return false;
        };
        let summary = self.summaries.remove(index);
        self.rows_for = None;
        self.deleting.push(Deleting { summary, was_open });
        if self.rename.as_ref().is_some_and(|rename| rename.chat == chat) {
            self.rename = None;
        }
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
    }
}
