//! A message as it is shown.

use hearth_protocol::chat::{Message, Role};
use hearth_protocol::generate::{StopReason, TurnStats};
use hearth_protocol::{MessageId, UnixMillis};

use super::{Cause, Failure};
use crate::state::aside::Aside;
use crate::state::blocks::MessageText;
use crate::state::composer::draft::{FileMark, Unsent};

/// A message as it is shown.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    /// The message; `None` until it is stored.
    pub(crate) id: Option<MessageId>,
    /// Whether the person wrote it; else it is an answer.
    pub(crate) from_person: bool,
    /// Its text and its blocks.
    pub(crate) body: MessageText,
    /// The files beside it.
    pub(crate) files: Vec<FileMark>,
    /// What the model did besides: thoughts first, then tools.
    pub(crate) asides: Vec<Aside>,
    /// Display name of the model that wrote it.
    pub(crate) model: Option<String>,
    /// When it was begun; `None` until it is stored.
    pub(crate) created_at: Option<UnixMillis>,
    /// Why it ended.
    pub(crate) stop: Option<StopReason>,
    /// What it cost.
    pub(crate) stats: Option<TurnStats>,
    /// Which of its versions this is, from 0, and how many there are.
    pub(crate) version: (u32, u32),
    /// Why there is no whole answer.
    pub(crate) failure: Option<Failure>,
}

impl Entry {
    /// A message of the person that is not stored yet.
    pub(in crate::state) fn sent(message: &Unsent) -> Self {
        Self {
            from_person: true,
            body: MessageText::plain(message.text.clone()),
            files: FileMark::all(&message.files),
            ..Self::awaited()
        }
    }

    /// An answer that is awaited.
    pub(in crate::state) fn awaited() -> Self {
        Self {
            id: None,
            from_person: false,
            body: MessageText::default(),
            files: Vec::new(),
            asides: Vec::new(),
            model: None,
            created_at: None,
            stop: None,
            stats: None,
            version: (0, 1),
            failure: None,
        }
    }

    /// Whether it shows this message as it is stored.
    pub(super) fn shows(&self, message: &Message) -> bool {
        let failed = matches!(message.stop, Some(StopReason::Failed { .. }) | None) && !self.from_person;
        self.body.text() == message.text
            && self.files == FileMark::all(&message.attachments)
            && Aside::are_of(&self.asides, message)
            && self.model == message.model
            && self.stop == message.stop
            && self.stats == message.stats
            && self.version == message.version
            && self.failure.is_some() == failed
    }

    /// Opens what was open, and reads what was read, of what it is shown instead of.
    pub(in crate::state) fn shown_like(mut self, before: &Self) -> Self {
        if before.body.is_read() {
            self.body.blocks();
        }
        for (aside, before) in self.asides.iter_mut().zip(&before.asides) {
            aside.open = before.open;
        }
        self
    }

    /// A stored message.
    pub(crate) fn stored(message: Message) -> Self {
        let from_person = message.role == Role::User;
        let failure = match &message.stop {
            _ if from_person => None,
            Some(StopReason::Failed { message }) => Some(Failure::stored(Cause::Stored(message.clone()))),
            Some(_) => None,
            None => Some(Failure::stored(Cause::CutOff)),
        };
        Self {
            asides: Aside::all(&message),
            id: Some(message.id),
            from_person,
            files: FileMark::all(&message.attachments),
            body: if from_person {
                MessageText::plain(message.text)
            } else {
                MessageText::marked(message.text)
            },
            model: message.model,
            created_at: Some(message.created_at),
            stop: message.stop,
            stats: message.stats,
            version: message.version,
            failure,
        }
    }
}
