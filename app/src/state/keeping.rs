//! What is to be kept by the backend shortly: drafts, and where the window and the views of chats stand. A second's
//! changes are kept together.

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
    /// Whether the window stands elsewhere.
    window: bool,
    due: Option<UnixMillis>,
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

    /// When what has changed is to be kept; `None` where nothing has.
    pub(super) fn due(&self) -> Option<UnixMillis> {
        self.due
    }

    /// Takes what has changed: drafts and places.
    pub(super) fn take(&mut self) -> (BTreeSet<Option<ChatId>>, BTreeSet<ChatId>) {
        self.due = None;
        (std::mem::take(&mut self.drafts), std::mem::take(&mut self.places))
    }

    fn await_more(&mut self, now: UnixMillis) {
        self.due.get_or_insert(UnixMillis(now.0.saturating_add(WAIT_MS)));
    }
}
