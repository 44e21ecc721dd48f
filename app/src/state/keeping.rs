//! What is to be kept by the backend shortly: drafts, where the window and the views of chats stand, and how chats are
//! answered. A second's changes are kept together.

use std::collections::BTreeSet;

use hearth_protocol::{ChatId, UnixMillis};

/// How long a change waits for those that follow it, in milliseconds.
const WAIT_MS: i64 = 1_000;

/// What has changed since it was kept.
#[derive(Debug, Default)]
pub(super) struct Keeping {
    /// Chats whose draft has changed; `None` is the new chat.
    drafts: BTreeSet<Option<ChatId>>,
    /// Chats whose view stands elsewhere.
    places: BTreeSet<ChatId>,
    /// Chats whose settings have changed.
    settings: BTreeSet<ChatId>,
    /// Whether the window stands elsewhere.
    window: bool,
    due: Option<UnixMillis>,
}

/// What is to be kept now.
#[derive(Debug)]
pub(super) struct Changed {
    /// Chats whose draft has changed; `None` is the new chat.
    pub(super) drafts: BTreeSet<Option<ChatId>>,
    /// Chats whose view stands elsewhere.
    pub(super) places: BTreeSet<ChatId>,
    /// Chats whose settings have changed.
    pub(super) settings: BTreeSet<ChatId>,
}

impl Keeping {
    /// Notes that the draft of a chat has changed.
    pub(super) fn note_draft(&mut self, chat: Option<ChatId>, now: UnixMillis) {
        self.drafts.insert(chat);
        self.await_more(now);
    }

    /// Notes that the view of a chat stands elsewhere.
    pub(super) fn note_place(&mut self, chat: ChatId, now: UnixMillis) {
        self.places.insert(chat);
        self.await_more(now);
    }

    /// Notes that the window stands elsewhere.
    pub(super) fn note_window(&mut self, now: UnixMillis) {
        self.window = true;
        self.await_more(now);
    }

    /// Whether the window stood elsewhere since it was asked last.
    pub(super) fn take_window(&mut self) -> bool {
        std::mem::take(&mut self.window)
    }

    /// Notes that the settings of a chat have changed.
    pub(super) fn note_settings(&mut self, chat: ChatId, now: UnixMillis) {
        self.settings.insert(chat);
        self.await_more(now);
    }

    /// Notes that something was typed that is kept with the rest.
    pub(super) fn note_typed(&mut self, now: UnixMillis) {
        self.await_more(now);
    }

    /// Whether the settings of a chat have changed.
    pub(super) fn holds_settings(&self, chat: ChatId) -> bool {
        self.settings.contains(&chat)
    }

    /// The settings of a chat are kept another way.
    pub(super) fn let_go_settings(&mut self, chat: ChatId) {
        self.settings.remove(&chat);
    }

    /// When what has changed is to be kept; `None` where nothing has.
    pub(super) fn due(&self) -> Option<UnixMillis> {
        self.due
    }

    /// Takes all that has changed, but for the window's place.
    pub(super) fn take(&mut self) -> Changed {
        self.due = None;
        Changed {
            drafts: std::mem::take(&mut self.drafts),
            places: std::mem::take(&mut self.places),
            settings: std::mem::take(&mut self.settings),
        }
    }

    fn await_more(&mut self, now: UnixMillis) {
        self.due.get_or_insert(UnixMillis(now.0.saturating_add(WAIT_MS)));
    }
}
