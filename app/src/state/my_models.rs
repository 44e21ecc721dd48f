//! The page of model files: which of them are shown and in which order, which are selected, and what is being done with
//! them. The files themselves stand in `models`; what changes this is `update::my_models`.

pub(crate) mod clean_up;
pub(crate) mod deleting;
pub(crate) mod details;
pub(crate) mod folders;
pub(crate) mod import;
mod menus;
pub(crate) mod order;
pub(crate) mod view;

use std::collections::{BTreeSet, HashMap};

use hearth_protocol::FileId;
use hearth_protocol::library::{DiskUse, FileNotes, FileRecord, LibraryFile};

use super::AppState;
use deleting::Deleting;
use details::Details;
use folders::FolderRow;
use import::Importing;
use order::{Made, Sort};

pub(crate) use order::Column;

/// The page of model files.
#[derive(Debug, Default)]
pub(crate) struct MyModels {
    /// The words that models must have.
    pub(crate) filter: String,
    /// Whether favourites only are shown.
    pub(crate) favourites: bool,
    /// What the models are sorted by.
    pub(crate) sort: Sort,
    /// What they take on the disk; `None` until it is reckoned.
    pub(crate) disk: Option<DiskUse>,
    /// What a file says of itself, while that is open.
    pub(crate) details: Option<Details>,
    /// Imports that run, oldest first.
    pub(crate) imports: Vec<Importing>,
    /// What the open menu is of.
    pub(crate) menu: Option<MenuTarget>,
    pub(super) deleting: Deleting,
    pub(super) selection: Selection,
    pub(super) records: HashMap<FileId, FileRecord>,
    /// What is on its way to be written of files, each with what follows.
    writing: HashMap<FileId, Option<FileNotes>>,
    /// Beginnings and ends of writing, and how many there had been when the records were asked for last.
    writes: u64,
    writes_asked: u64,
    /// Grows with each change of the records.
    pub(super) revision: u64,
    /// Whether changes of the files are told.
    pub(super) watching: bool,
    pub(super) order: Vec<usize>,
    pub(super) folders: Vec<FolderRow>,
    /// What order and folders were made of.
    pub(super) made: Option<Made>,
}

/// What a menu of the page is of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum MenuTarget {
    /// A model.
    Model(FileId),
    /// A folder, by its place.
    Folder(usize),
}

/// How a model is selected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pick {
    /// It alone.
    One,
    /// It beside the others, or no longer.
    Toggle,
    /// All from the one that was taken last up to it.
    UpTo,
}

/// Which models are selected.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Selection {
    files: BTreeSet<FileId>,
    /// Where a range begins.
    anchor: Option<FileId>,
}

impl Selection {
    /// Whether a model is selected.
    pub(crate) fn has(&self, file: &FileId) -> bool {
        self.files.contains(file)
    }

    /// How many are.
    pub(crate) fn len(&self) -> usize {
        self.files.len()
    }

    /// Selects as a click or a key does among these, which are shown in this order.
    pub(super) fn pick(&mut self, file: FileId, how: Pick, shown: &[FileId]) {
        let place = |wanted: &FileId| shown.iter().position(|it| it == wanted);
        let Some(at) = place(&file) else { return };
        match how {
            Pick::One => self.files = BTreeSet::from([file.clone()]),
            Pick::Toggle => {
                if !self.files.remove(&file) {
                    self.files.insert(file.clone());
                }
            }
            Pick::UpTo => {
                let from = self.anchor.as_ref().and_then(place).unwrap_or(at);
                let (first, last) = (from.min(at), from.max(at));
                self.files = shown[first..=last].iter().cloned().collect();
                return;
            }
        }
        self.anchor = Some(file);
    }

    pub(super) fn all(&mut self, shown: Vec<FileId>) {
        self.files = shown.into_iter().collect();
    }

    /// Selects none; whether any was.
    pub(super) fn clear(&mut self) -> bool {
        let had = !self.files.is_empty();
        *self = Self::default();
        had
    }

    /// Keeps those that are still there.
    pub(super) fn keep(&mut self, is_there: impl Fn(&FileId) -> bool) {
        self.files.retain(&is_there);
        self.anchor.take_if(|anchor| !is_there(anchor));
    }
}

impl MyModels {
    /// Which models are selected.
    pub(crate) fn selection(&self) -> &Selection {
        &self.selection
    }

    /// The folders that are looked through.
    pub(crate) fn folders(&self) -> &[FolderRow] {
        &self.folders
    }

    /// What the person wrote of a file.
    pub(crate) fn notes(&self, file: &FileId) -> FileNotes {
        let record = self.records.get(file);
        record.map(|record| record.notes.clone()).unwrap_or_default()
    }

    /// Whether a file is a favourite.
    pub(super) fn is_favourite(&self, file: &FileId) -> bool {
        let record = self.records.get(file);
        record.is_some_and(|record| record.notes.favourite)
    }

    pub(super) fn take_records(&mut self, records: Vec<FileRecord>) {
        let by_file = records.into_iter().map(|record| (record.file.clone(), record));
        self.records = by_file.collect();
        self.revision += 1;
    }

    /// The records are asked for.
    pub(super) fn ask_records(&mut self) {
        self.writes_asked = self.writes;
    }

    /// Whether the records that come now may lack what was written meanwhile.
    pub(super) fn are_records_old(&self) -> bool {
        self.writes_asked != self.writes
    }

    /// Notes what is to be written of a file; whether it can be asked for now. Two on their way at once could come to rest in
    /// the wrong order, so that the newest waits for the one before.
    pub(super) fn begins_writing(&mut self, file: &FileId, notes: &FileNotes) -> bool {
        self.writes += 1;
        match self.writing.get_mut(file) {
            Some(next) => {
                *next = Some(notes.clone());
                false
            }
            None => {
                self.writing.insert(file.clone(), None);
                true
            }
        }
    }

    /// A write is over; gives what is to be written next.
    pub(super) fn end_writing(&mut self, file: &FileId) -> Option<FileNotes> {
        self.writes += 1;
        let next = self.writing.remove(file).flatten();
        if next.is_some() {
            self.writing.insert(file.clone(), None);
        }
        next
    }

    pub(super) fn take_notes(&mut self, file: &FileId, notes: FileNotes) {
        let record = self.records.entry(file.clone()).or_insert_with(|| FileRecord {
            file: file.clone(),
            notes: FileNotes::default(),
            used_at: None,
        });
        record.notes = notes;
        self.revision += 1;
    }
}

impl AppState {
    /// The files that are shown, in their order.
    pub(crate) fn shown_files(&self) -> impl Iterator<Item = &LibraryFile> {
        let files = self.models.files.as_deref().unwrap_or_default();
        self.my_models.order.iter().filter_map(|index| files.get(*index))
    }

    /// How many files are shown.
    pub(crate) fn shown_count(&self) -> usize {
        self.my_models.order.len()
    }

    /// The file at this place of those that are shown.
    pub(crate) fn shown_file(&self, index: usize) -> Option<&LibraryFile> {
        let file = self.my_models.order.get(index)?;
        self.models.files.as_deref()?.get(*file)
    }

    /// A file of the library, damaged or not.
    pub(crate) fn file(&self, id: &FileId) -> Option<&LibraryFile> {
        self.models.files.iter().flatten().find(|file| file.id == *id)
    }
}
