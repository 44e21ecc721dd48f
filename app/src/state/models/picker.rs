//! The picker of models: what is searched for in it, its rows, and the one that Enter takes.

use hearth_protocol::catalogue::Capability;
use hearth_protocol::library::{FileState, LibraryFile};
use hearth_protocol::{FileId, LoadedId};

use super::Models;
use super::abilities::SHOWN;
use crate::state::format;
use crate::text::{Key, Texts, key};

/// The picker while it is open.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Picker {
    /// What was typed.
    pub(crate) words: String,
    /// The model that the arrow keys went to; before they did, and once it is no longer listed, the first counts.
    pub(crate) chosen: Option<FileId>,
}

/// A row of the picker.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum PickerRow {
    /// The title of a group.
    Group(Key),
    /// A model file.
    Model(PickerModel),
    /// There are models, and none matches what was typed.
    NoMatch,
    /// There is no model at all.
    NoModel,
}

/// A model file in the picker.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PickerModel {
    /// The file.
    pub(crate) file: FileId,
    /// Display name.
    pub(crate) name: String,
    /// Quantisation, where known.
    pub(crate) quantisation: Option<String>,
    /// Size, as in `5.03 GB`.
    pub(crate) size: String,
    /// What it can do beyond text.
    pub(crate) abilities: Vec<Capability>,
    /// What can be done with it.
    pub(crate) state: PickerState,
}

/// What can be done with a model file.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum PickerState {
    /// It is in memory: it can answer, and can be ejected.
    Loaded(LoadedId),
    /// It is being loaded: share done, from 0.0 to 1.0.
    Loading(f32),
    /// It can be loaded.
    Ready,
    /// It cannot be used: why, and what to do.
    Damaged(String),
}

impl PickerModel {
    /// Whether it can be chosen.
    pub(crate) fn can_be_chosen(&self) -> bool {
        !matches!(self.state, PickerState::Damaged(_))
    }

    /// What it is called in memory, where it is there.
    pub(crate) fn loaded(&self) -> Option<LoadedId> {
        match self.state {
            PickerState::Loaded(id) => Some(id),
            _ => None,
        }
    }

    /// What it can do, in words.
    pub(crate) fn ability_words(&self, texts: &Texts) -> Vec<String> {
        let shown = SHOWN
            .into_iter()
            .filter(|(ability, _)| self.abilities.contains(ability));
        shown.map(|(_, words)| texts.say(words, &[])).collect()
    }

    /// Whether all words stand in its name, its quantisation or what it can do.
    fn has(&self, words: &[String], texts: &Texts) -> bool {
        let quantisation = self.quantisation.as_deref().unwrap_or_default();
        let abilities = self.ability_words(texts).join(" ");
        let text = format!("{} {quantisation} {abilities}", self.name).to_lowercase();
        words.iter().all(|word| text.contains(word))
    }
}

impl Models {
    /// The rows for what was typed: the models in memory first, then the others, each by name.
    pub(crate) fn picker_rows(&self, typed: &str, texts: &Texts) -> Vec<PickerRow> {
        let words: Vec<_> = typed.split_whitespace().map(str::to_lowercase).collect();
        let mut models: Vec<_> = self.files().map(|file| self.picker_model(file, texts)).collect();
        models.sort_by_cached_key(|model| (model.name.to_lowercase(), model.file.clone()));
        let is_empty = models.is_empty();
        models.retain(|model| model.has(&words, texts));
        let (loaded, here): (Vec<_>, Vec<_>) = models
            .into_iter()
            .partition(|model| matches!(model.state, PickerState::Loaded(_)));
        let mut rows = Vec::new();
        for (title, models) in [(key!("picker-loaded"), loaded), (key!("picker-here"), here)] {
            if !models.is_empty() {
                rows.push(PickerRow::Group(title));
                rows.extend(models.into_iter().map(PickerRow::Model));
            }
        }
        // Before the list has come, nothing is known to be missing.
        if rows.is_empty() && self.files.is_some() {
            rows.push(if is_empty {
                PickerRow::NoModel
            } else {
                PickerRow::NoMatch
            });
        }
        rows
    }

    fn picker_model(&self, file: &LibraryFile, texts: &Texts) -> PickerModel {
        PickerModel {
            file: file.id.clone(),
            name: file.name.clone(),
            quantisation: file.quantisation.clone(),
            size: format::size(texts, file.size),
            abilities: self.abilities.of(file),
            state: self.state_of(file),
        }
    }

    /// What can be done with a file.
    pub(in crate::state) fn state_of(&self, file: &LibraryFile) -> PickerState {
        if let Some(loaded) = self.loaded.iter().find(|loaded| loaded.file == file.id) {
            return PickerState::Loaded(loaded.id);
        }
        if let Some(load) = self.load.as_ref().filter(|load| load.file == file.id) {
            return PickerState::Loading(load.share);
        }
        match &file.state {
            FileState::Ready => PickerState::Ready,
            FileState::Damaged { reason } => PickerState::Damaged(reason.clone()),
        }
    }
}

impl Picker {
    /// The model among these rows that Enter takes; `None` where none can be chosen.
    pub(crate) fn chosen<'a>(&self, rows: &'a [PickerRow]) -> Option<&'a PickerModel> {
        let mut models = choosable(rows);
        let chosen = models
            .clone()
            .find(|model| self.chosen.as_ref() == Some(&model.file));
        chosen.or_else(|| models.next())
    }

    /// Goes to the next model among these rows that can be chosen, or the one before; past the last comes the first.
    pub(in crate::state) fn step(&mut self, rows: &[PickerRow], back: bool) {
        let models: Vec<_> = choosable(rows).collect();
        let Some(chosen) = self.chosen(rows) else { return };
        let at = models
            .iter()
            .position(|model| model.file == chosen.file)
            .unwrap_or(0);
        let next = if back { at + models.len() - 1 } else { at + 1 } % models.len();
        self.chosen = models.get(next).map(|model| model.file.clone());
    }
}

fn choosable(rows: &[PickerRow]) -> impl Iterator<Item = &PickerModel> + Clone {
    rows.iter().filter_map(|row| match row {
        PickerRow::Model(model) if model.can_be_chosen() => Some(model),
        _ => None,
    })
}
