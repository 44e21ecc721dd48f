//! The first start: three steps that say what Hearth is, ask for its look, and tell which model answers.

use super::AppState;
use crate::text::say;

/// The steps while they are shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct FirstStart {
    /// The one that is shown.
    pub(crate) step: Step,
}

/// A step.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Step {
    /// What Hearth is, and that all stays on this machine.
    #[default]
    Welcome,
    /// Theme and language.
    Look,
    /// The model that answers.
    Model,
}

/// Whether the steps are to be shown by themselves. Decided once, when all that counts for it has come.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Due {
    /// Whether neither the steps nor a window were seen before, as the stored settings say.
    is_new: Option<bool>,
    /// Whether there is no chat.
    is_empty: Option<bool>,
    /// Whether anything can be stored. What hinders everything is told first, and hides nothing.
    can_store: Option<bool>,
    decided: bool,
}

impl Step {
    /// All of them, in their order.
    pub(crate) const ALL: [Self; 3] = [Self::Welcome, Self::Look, Self::Model];

    /// Its place among them, from 0.
    pub(crate) fn index(self) -> usize {
        Self::ALL
            .iter()
            .position(|step| *step == self)
            .unwrap_or_default()
    }
}

impl FirstStart {
    /// Goes on, or back; whether there is such a step.
    pub(super) fn step(&mut self, back: bool) -> bool {
        let index = self.step.index();
        let next = if back {
            index.checked_sub(1)
        } else {
            Some(index + 1)
        };
        let next = next.and_then(|next| Step::ALL.get(next));
        if let Some(next) = next {
            self.step = *next;
        }
        next.is_some()
    }
}

impl Due {
    /// Whether it has been decided.
    #[cfg(feature = "probe")]
    pub(crate) fn is_decided(self) -> bool {
        self.decided
    }

    /// Notes whether the stored settings are those of a first start.
    pub(super) fn note_settings(&mut self, is_new: bool) {
        self.is_new.get_or_insert(is_new);
    }

    /// Notes whether there is no chat.
    pub(super) fn note_chats(&mut self, is_empty: bool) {
        self.is_empty.get_or_insert(is_empty);
    }

    /// Notes whether anything can be stored.
    pub(super) fn note_storage(&mut self, can_store: bool) {
        self.can_store.get_or_insert(can_store);
    }

    /// Decides, once all is known; whether the steps are to be shown.
    pub(super) fn decide(&mut self) -> bool {
        let known = [self.is_new, self.is_empty, self.can_store];
        if self.decided || known.iter().any(Option::is_none) {
            return false;
        }
        self.decided = true;
        known.iter().all(|is_so| *is_so == Some(true))
    }
}

impl AppState {
    /// What the last step says of the model that answers first.
    pub(crate) fn first_model(&self) -> String {
        let texts = self.texts();
        if self.models.are_missing() {
            let folder = self.places.models.as_str();
            return say!(texts, "greeting-missing-text", folder = folder);
        }
        match self.models.starter() {
            Some(model) => say!(texts, "first-model-starter", model = model),
            None => say!(texts, "first-model-own"),
        }
    }
}
