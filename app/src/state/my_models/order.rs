//! Which models are shown and in which order. Made anew only when something that it is made of has changed: thousands of
//! models are looked at then, and not with each frame.

use std::cmp::{Ordering, Reverse};
use std::path::PathBuf;

use hearth_protocol::library::{FileState, LibraryFile, Source};
use hearth_protocol::settings::Language;
use hearth_protocol::{LoadedId, UnixMillis};

use super::folders;
use super::view::{publisher, source_name};
use crate::state::{AppState, Page};

/// A column of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Column {
    /// Display name.
    Name,
    /// Whose repository it is of.
    Publisher,
    /// Architecture.
    Architecture,
    /// Number of parameters.
    Parameters,
    /// Quantisation.
    Quantisation,
    /// Size of the file.
    Size,
    /// Where it is from.
    Source,
    /// When it answered last.
    Used,
}

/// What the table is sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sort {
    /// The column.
    pub(crate) by: Column,
    /// Whether the largest comes first.
    pub(crate) falling: bool,
}

impl Default for Sort {
    fn default() -> Self {
        Self::first(Column::Used)
    }
}

impl Sort {
    /// Sorted by a column as a person wants it first: words from A, numbers and moments from the largest.
    fn first(by: Column) -> Self {
        let falling = matches!(by, Column::Parameters | Column::Size | Column::Used);
        Self { by, falling }
    }

    /// Sorted by this column, or by the same one the other way round.
    pub(in crate::state) fn turn(self, by: Column) -> Self {
        match by == self.by {
            true => Self {
                falling: !self.falling,
                ..self
            },
            false => Self::first(by),
        }
    }
}

/// What order and folders are made of.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Made {
    files: u64,
    records: u64,
    filter: String,
    favourites: bool,
    sort: Sort,
    loaded: Vec<LoadedId>,
    folders: Vec<PathBuf>,
    ignored: Vec<Source>,
    language: Language,
}

impl AppState {
    /// Brings the order of the models and the folders up to date, while their page is shown.
    pub(in crate::state) fn refresh_my_models(&mut self) {
        if self.page() != Page::Models {
            return;
        }
        let (page, settings) = (&self.my_models, self.settings());
        let made = Made {
            files: self.models.revision,
            records: page.revision,
            filter: page.filter.clone(),
            favourites: page.favourites,
            sort: page.sort,
            loaded: self.models.loaded.iter().map(|model| model.id).collect(),
            folders: settings.model_folders.clone(),
            ignored: settings.ignored_sources.clone(),
            language: self.texts().language(),
        };
        if self.my_models.made.as_ref() != Some(&made) {
            self.my_models.order = self.sorted_files();
            self.my_models.folders = folders::rows(self);
            self.my_models.made = Some(made);
        }
        self.refresh_preview();
    }

    fn sorted_files(&self) -> Vec<usize> {
        let files = self.models.files.as_deref().unwrap_or_default();
        let words = self.my_models.filter.split_whitespace();
        let words: Vec<_> = words.map(str::to_lowercase).collect();
        let passes = |file: &LibraryFile| {
            let is_wanted = !self.my_models.favourites || self.my_models.is_favourite(&file.id);
            is_wanted && (words.is_empty() || self.has_words(file, &words))
        };
        let names: Vec<_> = files.iter().map(|file| file.name.to_lowercase()).collect();
        let mut order: Vec<_> = (0..files.len()).filter(|index| passes(&files[*index])).collect();
        let sort = self.my_models.sort;
        // A damaged one stands last, whatever the order.
        let is_damaged = |index: &usize| files[*index].state != FileState::Ready;
        order.sort_by(|one, other| {
            let damaged = is_damaged(one).cmp(&is_damaged(other));
            let by = self.compare(&files[*one], &files[*other], sort.by);
            let by = if sort.falling { by.reverse() } else { by };
            let by_name = || (&names[*one], &files[*one].id).cmp(&(&names[*other], &files[*other].id));
            let by = match (by, sort) {
                (
                    Ordering::Equal,
                    Sort {
                        by: Column::Name,
                        falling: true,
                    },
                ) => by_name().reverse(),
                (by, _) => by.then_with(by_name),
            };
            damaged.then(by)
        });
        order
    }

    /// Whether all words stand in what is shown of a file, in its tags, or in the name of the file itself.
    fn has_words(&self, file: &LibraryFile, words: &[String]) -> bool {
        let record = self.my_models.records.get(&file.id);
        let tags = record
            .map(|record| record.notes.tags.join(" "))
            .unwrap_or_default();
        let text = format!(
            "{} {} {} {} {} {} {tags}",
            file.name,
            publisher(file),
            file.architecture.as_deref().unwrap_or_default(),
            file.quantisation.as_deref().unwrap_or_default(),
            self.texts().say(source_name(file.source), &[]),
            file.path.file_name().unwrap_or_default().display(),
        );
        let text = text.to_lowercase();
        words.iter().all(|word| text.contains(word))
    }

    fn compare(&self, one: &LibraryFile, other: &LibraryFile, by: Column) -> Ordering {
        let text = |text: &Option<String>| text.as_deref().unwrap_or_default().to_lowercase();
        match by {
            // The order of names decides wherever nothing else does.
            Column::Name => Ordering::Equal,
            Column::Publisher => publisher(one)
                .to_lowercase()
                .cmp(&publisher(other).to_lowercase()),
            Column::Architecture => text(&one.architecture).cmp(&text(&other.architecture)),
            Column::Parameters => one.parameters.cmp(&other.parameters),
            Column::Quantisation => text(&one.quantisation).cmp(&text(&other.quantisation)),
            Column::Size => one.size.0.cmp(&other.size.0),
            Column::Source => {
                let said = |file: &LibraryFile| self.texts().say(source_name(file.source), &[]);
                said(one).cmp(&said(other))
            }
            Column::Used => self.used(one).cmp(&self.used(other)),
        }
    }

    /// When a file was used, for comparing: those in memory last of all, the newest loaded after the others.
    fn used(&self, file: &LibraryFile) -> (Option<Reverse<usize>>, Option<UnixMillis>) {
        let loaded = self.models.loaded.iter();
        let place = loaded.map(|model| &model.file).position(|it| *it == file.id);
        (place.map(Reverse), self.used_at(&file.id))
    }
}
