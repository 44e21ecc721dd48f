//! The rows of settings as they are shown, and what is typed into them.

use std::collections::BTreeMap;

use hearth_protocol::settings::Settings;

use super::knob::{Card, Kind, Knob, chosen, read_sampling, write_sampling};
use crate::state::AppState;
use crate::state::number::Fault;
use crate::text::{Key, Texts};

/// A row.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SettingRow {
    /// Which setting.
    pub(crate) knob: Knob,
    /// What it is called.
    pub(crate) label: Key,
    /// What it means.
    pub(crate) help: Key,
    /// What changes it.
    pub(crate) control: Control,
    /// Whether it differs from its default.
    pub(crate) changed: bool,
    /// Why what was typed or chosen does not do; empty where nothing is wrong.
    pub(crate) problem: String,
}

/// What changes a setting.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Control {
    /// A switch.
    Switch(bool),
    /// Buttons side by side, and the one that is on.
    Choice {
        /// Their words.
        words: Vec<Key>,
        /// The one that is on.
        chosen: Option<usize>,
    },
    /// A field.
    Field {
        /// Its text.
        text: String,
        /// What it says while it is empty.
        empty: Key,
        /// What is counted.
        unit: Option<Key>,
        /// Whether it is for more than a number.
        wide: bool,
    },
}

/// What is typed, and what was refused.
#[derive(Debug, Default)]
pub(crate) struct Typing {
    /// Texts that differ from what counts.
    texts: BTreeMap<Knob, String>,
    /// Why a change did not come about.
    problems: BTreeMap<Knob, String>,
}

impl Typing {
    /// The fields that something is typed into.
    pub(in crate::state) fn knobs(&self) -> Vec<Knob> {
        self.texts.keys().copied().collect()
    }

    /// Takes a text as it is typed.
    pub(in crate::state) fn put(&mut self, knob: Knob, text: String) {
        self.problems.remove(&knob);
        self.texts.insert(knob, text);
    }

    /// The text that was typed, which gives way to what counts.
    pub(in crate::state) fn take(&mut self, knob: Knob) -> Option<String> {
        self.texts.remove(&knob)
    }

    /// Says why a change did not come about; what was typed stays.
    pub(in crate::state) fn refuse(&mut self, knob: Knob, text: Option<String>, why: String) {
        if let Some(text) = text {
            self.texts.insert(knob, text);
        }
        self.problems.insert(knob, why);
    }

    /// Forgets what was wrong with a setting.
    pub(in crate::state) fn forgive(&mut self, knob: Knob) {
        self.problems.remove(&knob);
        self.texts.remove(&knob);
    }

    /// Forgets all; whether there was anything.
    pub(in crate::state) fn clear(&mut self) -> bool {
        let was_there = !(self.texts.is_empty() && self.problems.is_empty());
        *self = Self::default();
        was_there
    }
}

/// A change of the settings.
pub(in crate::state) type Change = Box<dyn FnOnce(&mut Settings)>;

/// What was typed into the field of a setting, as a change of the settings.
///
/// # Errors
/// What is wrong with it.
pub(in crate::state) fn typed(knob: Knob, text: &str, texts: &Texts) -> Result<Change, String> {
    let words = |fault: Fault| fault.words(texts);
    match knob.kind() {
        Kind::Number { shape, write, .. } => {
            let number = shape.read(text).map_err(words)?;
            Ok(Box::new(move |settings| write(settings, number)))
        }
        Kind::Sampling(parameter) => {
            let number = parameter.shape().read(text).map_err(words)?;
            Ok(Box::new(move |settings| {
                write_sampling(parameter, settings, number);
            }))
        }
        Kind::Text { write, .. } => {
            let text = Some(text.trim().trim_end_matches('/').to_owned()).filter(|text| !text.is_empty());
            Ok(Box::new(move |settings| write(settings, text)))
        }
        Kind::Switch { .. } | Kind::Choice(_) | Kind::Look(_) => Ok(Box::new(|_| ())),
    }
}

impl AppState {
    /// The rows of a card.
    pub(crate) fn setting_rows(&self, card: Card) -> Vec<SettingRow> {
        let rows = card.knobs().iter().filter_map(|knob| self.setting_row(*knob));
        rows.collect()
    }

    fn setting_row(&self, knob: Knob) -> Option<SettingRow> {
        let (settings, typing) = (self.settings.shown(), &self.settings.typing);
        let (label, help) = knob.words();
        let field = |counts: String, empty: Option<Key>, unit, wide| Control::Field {
            text: typing.texts.get(&knob).cloned().unwrap_or(counts),
            empty: empty.unwrap_or(label),
            unit,
            wide,
        };
        let control = match knob.kind() {
            Kind::Switch { read, .. } => Control::Switch(read(settings)),
            Kind::Choice(choices) => Control::Choice {
                words: choices.iter().map(|(words, _)| *words).collect(),
                chosen: chosen(choices, settings),
            },
            Kind::Number {
                shape, unit, read, ..
            } => field(shape.text(read(settings)), shape.empty, unit, false),
            Kind::Sampling(parameter) => field(
                parameter.shape().text(read_sampling(parameter, settings)),
                parameter.shape().empty,
                None,
                false,
            ),
            Kind::Text { empty, read, .. } => field(
                read(settings).unwrap_or_default().to_owned(),
                Some(empty),
                None,
                true,
            ),
            Kind::Look(_) => return None,
        };
        Some(SettingRow {
            knob,
            label,
            help,
            control,
            changed: knob.is_changed(settings),
            problem: typing.problems.get(&knob).cloned().unwrap_or_default(),
        })
    }
}
