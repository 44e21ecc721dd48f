//! Where a message is written: a draft for each chat, what can be done with it, and how full the context is.

pub(crate) mod count;
pub(crate) mod draft;
pub(super) mod recall;

use hearth_protocol::Error;

use super::AppState;
use super::format;
use super::queue::Queued;
use crate::text::{Key, key, say};
use draft::FileMark;

/// The beginning of a message, offered in an empty chat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Suggestion {
    /// What it is for.
    pub(crate) title: Key,
    /// How to go on.
    pub(crate) text: Key,
    /// What it puts into the composer, before an empty line.
    pub(crate) draft: Key,
}

/// What an empty chat offers.
pub(crate) const SUGGESTIONS: [Suggestion; 4] = [
    Suggestion {
        title: key!("suggestion-tidy"),
        text: key!("suggestion-tidy-hint"),
        draft: key!("suggestion-tidy-draft"),
    },
    Suggestion {
        title: key!("suggestion-explain"),
        text: key!("suggestion-explain-hint"),
        draft: key!("suggestion-explain-draft"),
    },
    Suggestion {
        title: key!("suggestion-summarise"),
        text: key!("suggestion-summarise-hint"),
        draft: key!("suggestion-summarise-draft"),
    },
    Suggestion {
        title: key!("suggestion-choose"),
        text: key!("suggestion-choose-hint"),
        draft: key!("suggestion-choose-draft"),
    },
];

/// Share of the context from which the meter warns.
const NEARLY_FULL: f32 = 0.85;

/// The composer as it is to be drawn.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ComposerView<'a> {
    /// The text in it.
    pub(crate) draft: &'a str,
    /// Whether that is what the person said before, which the arrows go through.
    pub(crate) is_recalled: bool,
    /// The files beside it.
    pub(crate) files: Vec<FileMark>,
    /// `16 tokens`, of both; empty where it is not known.
    pub(crate) tokens: String,
    /// What stands in it while it is empty.
    pub(crate) placeholder: Key,
    /// The button at its right.
    pub(crate) button: ComposerButton,
    /// Why nothing can be sent at all. What is typed is kept.
    pub(crate) obstacle: Option<Obstacle>,
    /// How full the context is; `None` where it is not known.
    pub(crate) meter: Option<Meter>,
    /// Messages that wait for the answer to end.
    pub(crate) queue: &'a [Queued],
}

/// The button of the composer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ComposerButton {
    /// Sends; off while there is nothing to send.
    Send {
        /// Whether it can be pressed.
        enabled: bool,
    },
    /// Stops the answer; off once it was pressed.
    Stop {
        /// Whether it can be pressed.
        enabled: bool,
    },
}

/// Why nothing can be sent, and what to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Obstacle {
    /// There is no usable model.
    NoModel,
    /// The chats can only be read. The banner says why.
    ReadOnly,
    /// There is no database. The banner says why.
    NoStorage,
    /// The backend has stopped. The banner says so.
    BackendGone,
}

impl Obstacle {
    /// What stands in the composer's place for text.
    pub(crate) fn placeholder(self) -> Key {
        match self {
            Self::NoModel => key!("composer-no-model"),
            Self::ReadOnly => key!("composer-read-only"),
            Self::NoStorage => key!("composer-no-storage"),
            Self::BackendGone => key!("composer-restart"),
        }
    }
}

/// How full the context is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Meter {
    /// Tokens in the context.
    pub(crate) used: u32,
    /// Tokens it holds; not 0.
    pub(crate) length: u32,
}

/// How worrying the meter is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MeterLevel {
    /// There is room.
    Roomy,
    /// From 85 %.
    NearlyFull,
    /// 100 %.
    Full,
}

impl Meter {
    /// `1 842 / 8 192`.
    pub(crate) fn label(self) -> String {
        let (used, length) = (u64::from(self.used), u64::from(self.length));
        format!("{} / {}", format::count(used), format::count(length))
    }

    /// From 0.0 to 1.0.
    pub(crate) fn share(self) -> f32 {
        format::share(self.used, self.length)
    }

    /// How worrying it is.
    pub(crate) fn level(self) -> MeterLevel {
        match self.share() {
            share if share >= 1.0 => MeterLevel::Full,
            share if share >= NEARLY_FULL => MeterLevel::NearlyFull,
            _ => MeterLevel::Roomy,
        }
    }
}

impl AppState {
    /// The composer of the open chat.
    pub(crate) fn composer(&self) -> ComposerView<'_> {
        let open = self.open();
        let obstacle = self.obstacle();
        let button = match &open.turn {
            Some(turn) => ComposerButton::Stop {
                enabled: !turn.stopping,
            },
            None => ComposerButton::Send {
                enabled: self.can_send(),
            },
        };
        let placeholder = match obstacle {
            Some(obstacle) => obstacle.placeholder(),
            None if open.is_running() => key!("composer-next"),
            None => key!("composer-empty"),
        };
        ComposerView {
            draft: self.drafts.text(open.chat),
            is_recalled: self.shows_recalled(),
            files: FileMark::all(self.drafts.files(open.chat)),
            tokens: self.draft_tokens(),
            placeholder,
            button,
            obstacle,
            meter: self.meter(),
            queue: &open.queue,
        }
    }

    /// Whether the draft of the open chat can be sent now.
    pub(super) fn can_send(&self) -> bool {
        self.open().can_change() && self.obstacle().is_none() && self.has_draft()
    }

    /// Whether the draft of the open chat can wait for the answer that is being written.
    pub(super) fn can_queue(&self) -> bool {
        self.open().is_running() && self.obstacle().is_none() && self.has_draft()
    }

    /// Whether the draft of the open chat can be put into it without an answer, which needs no model.
    pub(super) fn can_insert(&self) -> bool {
        let is_free = matches!(self.obstacle(), None | Some(Obstacle::NoModel));
        self.open().can_change() && is_free && self.has_draft()
    }

    fn has_draft(&self) -> bool {
        !self.drafts.is_blank(self.open().chat)
    }

    fn draft_tokens(&self) -> String {
        let Some(tokens) = self.count.tokens() else {
            return String::new();
        };
        let count = format::count(u64::from(tokens));
        say!(self.texts(), "composer-tokens", tokens = tokens, count = count)
    }

    fn obstacle(&self) -> Option<Obstacle> {
        if self.health.backend_gone {
            return Some(Obstacle::BackendGone);
        }
        match &self.health.storage {
            Some(Error::NewerDatabase { .. }) => Some(Obstacle::ReadOnly),
            Some(_) => Some(Obstacle::NoStorage),
            None => self.models.are_missing().then_some(Obstacle::NoModel),
        }
    }

    fn meter(&self) -> Option<Meter> {
        let open = self.open();
        let after_last = open.context_after_last();
        let loaded = self.models.current().map(|model| model.context_length);
        // The next message goes to the loaded model, whose context may be another than that of the last answer.
        let length = loaded
            .or(after_last.map(|(_, length)| length))
            .filter(|length| *length > 0)?;
        let written = open.turn.as_ref().and_then(|turn| turn.tokens_in_context());
        let used = written.or(after_last.map(|(used, _)| used)).unwrap_or(0);
        Some(Meter { used, length })
    }
}
