//! Toasts: short notices that leave by themselves, unless something went wrong.

use hearth_protocol::chat::preset::Preset;
use hearth_protocol::{ChatId, FileId, UndoToken, UnixMillis};

use crate::text::{Key, key};

/// How long a toast stays that tells of nothing bad, in milliseconds.
const STAYS_MS: i64 = 5_000;
/// Most toasts at once; the oldest gives way.
pub(crate) const MOST: usize = 3;

/// Names a toast.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct ToastId(pub(crate) u64);

/// A notice in the corner.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Toast {
    /// Its name.
    pub(crate) id: ToastId,
    /// What it tells of.
    pub(crate) kind: ToastKind,
    /// What happened, in a few words.
    pub(crate) title: String,
    /// More of it, and what to do. May be empty.
    pub(crate) text: String,
    /// What its button does.
    pub(crate) action: Option<ToastAction>,
    /// When it leaves; `None` stays.
    leaves_at: Option<UnixMillis>,
}

/// What a toast tells of, for its icon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ToastKind {
    /// Something was deleted.
    Deleted,
    /// Something is done.
    Done,
    /// Something went wrong.
    Failed,
}

/// What the button of a toast does.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ToastAction {
    /// Brings a chat or messages back.
    Undo {
        /// What the delete gave.
        token: UndoToken,
        /// Whether to show it.
        reopen: bool,
    },
    /// Shows a chat.
    Show(ChatId),
    /// Opens the dialog that sets how a model is loaded.
    SetLoad(FileId),
    /// Saves a preset again that was deleted.
    RestorePreset(Box<Preset>),
    /// Begins a chat with a model.
    UseInChat(FileId),
    /// Opens the panel of downloads.
    ShowDownloads,
}

impl ToastAction {
    /// The words on the button.
    pub(crate) fn label(&self) -> Key {
        match self {
            Self::Undo { .. } | Self::RestorePreset(_) => key!("action-undo"),
            Self::SetLoad(_) => key!("action-set-load"),
            Self::Show(_) | Self::ShowDownloads => key!("action-show"),
            Self::UseInChat(_) => key!("downloads-use"),
        }
    }
}

/// All toasts that are shown.
#[derive(Debug, Default)]
pub(crate) struct Toasts {
    shown: Vec<Toast>,
    held: bool,
    next: u64,
}

impl Toasts {
    /// The toasts, oldest first.
    pub(crate) fn shown(&self) -> &[Toast] {
        &self.shown
    }

    /// Tells that something was deleted and can come back.
    pub(super) fn deleted(&mut self, title: &str, text: String, undo: ToastAction, now: UnixMillis) {
        self.push(ToastKind::Deleted, title.into(), text, Some(undo), now);
    }

    /// Tells that something is done.
    pub(super) fn done(&mut self, title: &str, text: String, action: Option<ToastAction>, now: UnixMillis) {
        self.push(ToastKind::Done, title.into(), text, action, now);
    }

    /// Tells that something went wrong. The same trouble again takes the place of the older toast.
    pub(super) fn trouble(
        &mut self,
        title: &str,
        text: String,
        action: Option<ToastAction>,
        now: UnixMillis,
    ) {
        let title = title.to_owned();
        let is_same = |toast: &Toast| toast.title == title && toast.text == text && toast.action == action;
        self.shown.retain(|toast| !is_same(toast));
        self.push(ToastKind::Failed, title, text, action, now);
    }

    fn push(
        &mut self,
        kind: ToastKind,
        title: String,
        text: String,
        action: Option<ToastAction>,
        now: UnixMillis,
    ) {
        let leaves_at = (kind != ToastKind::Failed).then(|| after(now, STAYS_MS));
        let id = ToastId(self.next);
        self.next += 1;
        self.shown.push(Toast {
            id,
            kind,
            title,
            text,
            action,
            leaves_at,
        });
        if self.shown.len() > MOST {
            self.shown.remove(0);
        }
    }

    /// Takes a toast away and gives it.
    pub(super) fn take(&mut self, id: ToastId) -> Option<Toast> {
        let index = self.shown.iter().position(|toast| toast.id == id)?;
        let toast = self.shown.remove(index);
        // The pointer leaves the place with the last toast, without a word from the window.
        self.held &= !self.shown.is_empty();
        Some(toast)
    }

    /// Keeps all, or lets them go again after their whole time.
    pub(super) fn hold(&mut self, held: bool, now: UnixMillis) {
        let released = self.held && !held;
        self.held = held;
        if released {
            for toast in &mut self.shown {
                toast.leaves_at = toast.leaves_at.map(|_| after(now, STAYS_MS));
            }
        }
    }

    /// Lets those go whose time is over.
    pub(super) fn expire(&mut self, now: UnixMillis) {
        if !self.held {
            self.shown
                .retain(|toast| toast.leaves_at.is_none_or(|at| at > now));
        }
    }

    /// When the next one leaves; `None` where none will.
    pub(super) fn next_leaves_at(&self) -> Option<UnixMillis> {
        let next = self.shown.iter().filter_map(|toast| toast.leaves_at).min();
        next.filter(|_| !self.held)
    }
}

fn after(now: UnixMillis, millis: i64) -> UnixMillis {
    UnixMillis(now.0.saturating_add(millis))
}
