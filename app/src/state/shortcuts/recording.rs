//! Giving an action other keys: it waits for them, and says why some will not do.

use super::Action;
use super::chord::Chord;
use crate::state::AppState;
use crate::text::say;

/// What is being done to the keys of an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Recording {
    /// Nothing.
    #[default]
    Resting,
    /// The next keys are to be its.
    Waiting(Action),
    /// These keys cannot be its.
    Refused {
        /// The action.
        action: Action,
        /// The keys.
        chord: Chord,
    },
}

/// A row of the settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ShortcutRow {
    /// Which.
    pub(crate) action: Action,
    /// What it does.
    pub(crate) label: String,
    /// Its keys, or what to do.
    pub(crate) keys: String,
    /// Why the keys that were pressed will not do.
    pub(crate) problem: String,
    /// Whether it waits for keys.
    pub(crate) waiting: bool,
    /// Whether it has other keys than the usual ones.
    pub(crate) changed: bool,
}

impl AppState {
    /// All actions with their keys.
    pub(crate) fn shortcut_rows(&self) -> Vec<ShortcutRow> {
        Action::all().map(|action| self.shortcut_row(action)).collect()
    }

    fn shortcut_row(&self, action: Action) -> ShortcutRow {
        let waiting = self.settings.recording == Recording::Waiting(action);
        let keys = self.keys(action);
        ShortcutRow {
            action,
            label: self.texts().say(action.words(), &[]),
            keys: match (waiting, keys.is_empty()) {
                (true, _) => say!(self.texts(), "shortcut-press"),
                (false, true) => say!(self.texts(), "shortcut-none"),
                (false, false) => keys,
            },
            problem: match self.settings.recording {
                Recording::Refused { action: of, chord } if of == action => self.problem(action, chord),
                _ => String::new(),
            },
            waiting,
            changed: action.chord(self.settings()) != action.usual(),
        }
    }

    /// Why an action cannot have these keys; empty where it can.
    fn problem(&self, action: Action, chord: Chord) -> String {
        if let Some(fault) = chord.fault() {
            return fault.words(self.texts());
        }
        match self.action_of(chord).filter(|other| *other != action) {
            Some(other) => {
                let (keys, other) = (chord.label(self.texts()), self.texts().say(other.words(), &[]));
                say!(self.texts(), "shortcut-taken", keys = keys, other = other)
            }
            None => String::new(),
        }
    }

    /// Whether the next keys are for an action.
    pub(crate) fn records_keys(&self) -> bool {
        matches!(self.settings.recording, Recording::Waiting(_))
    }

    pub(in crate::state) fn record_keys(&mut self, action: Action) {
        self.settings.recording = match self.settings.recording {
            Recording::Waiting(of) if of == action => Recording::Resting,
            _ => Recording::Waiting(action),
        };
    }

    pub(in crate::state) fn end_recording(&mut self) {
        self.settings.recording = Recording::Resting;
    }

    /// Takes the keys that were pressed; `None` takes the action's keys away.
    pub(in crate::state) fn take_recorded(&mut self, chord: Option<Chord>) {
        let Recording::Waiting(action) = self.settings.recording else {
            return;
        };
        self.give_keys(action, chord);
    }

    /// Gives an action the usual keys again.
    pub(in crate::state) fn reset_keys(&mut self, action: Action) {
        self.give_keys(action, action.usual());
    }

    fn give_keys(&mut self, action: Action, chord: Option<Chord>) {
        self.settings.recording = Recording::Resting;
        if let Some(chord) = chord.filter(|chord| !self.problem(action, *chord).is_empty()) {
            self.settings.recording = Recording::Refused { action, chord };
            return;
        }
        self.change_settings(|settings| {
            let name = action.name();
            if chord == action.usual() {
                settings.shortcuts.remove(name);
            } else {
                let keys = chord.map_or_else(String::new, Chord::written);
                settings.shortcuts.insert(name.to_owned(), keys);
            }
        });
    }
}
