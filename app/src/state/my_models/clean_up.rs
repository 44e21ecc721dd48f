//! Files that are of no use any more, as the dialog lists them before they are removed.

use std::path::PathBuf;

use hearth_protocol::library::{Leftover, LeftoverKind, Source};
use hearth_protocol::{ByteSize, Result};

use super::folders::short;
use super::view::source_name;
use crate::state::{AppState, failure, format};
use crate::text::{Key, key, say};

/// The dialog.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct CleanUp {
    /// What was found; `None` while it is looked for.
    pub(crate) found: Option<Result<Vec<Leftover>>>,
    /// Whether each is to be removed.
    ticked: Vec<bool>,
    /// Whether they are being removed.
    pub(crate) running: bool,
}

/// A leftover as it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LeftoverRow {
    /// Its path, with `~` for the person's folder.
    pub(crate) path: String,
    /// What it is and whose, as in `Part of a download, Hearth`.
    pub(crate) reason: String,
    /// Its size.
    pub(crate) size: String,
    /// Whether it is to be removed.
    pub(crate) ticked: bool,
}

impl CleanUp {
    /// Takes what was found. What is Hearth's own is ticked; what is another program's waits for the person.
    pub(in crate::state) fn take(&mut self, found: Result<Vec<Leftover>>) {
        let leftovers = found.as_deref().unwrap_or_default();
        self.ticked = leftovers.iter().map(|it| it.source == Source::Hearth).collect();
        self.found = Some(found);
    }

    /// Ticks one, or unticks it.
    pub(in crate::state) fn tick(&mut self, index: usize) {
        if let Some(ticked) = self.ticked.get_mut(index).filter(|_| !self.running) {
            *ticked = !*ticked;
        }
    }

    /// The paths of those that are ticked, and the other programs whose they are.
    pub(in crate::state) fn wanted(&self) -> (Vec<PathBuf>, Vec<Source>) {
        let paths = self.ticked().map(|it| it.path.clone()).collect();
        let mut owners = Vec::new();
        for owner in self.ticked().map(|it| it.source) {
            if owner != Source::Hearth && !owners.contains(&owner) {
                owners.push(owner);
            }
        }
        (paths, owners)
    }

    fn ticked(&self) -> impl Iterator<Item = &Leftover> {
        let found = self.found.as_ref().and_then(|found| found.as_ref().ok());
        let both = found.into_iter().flatten().zip(&self.ticked);
        both.filter(|(_, ticked)| **ticked).map(|(leftover, _)| leftover)
    }
}

impl AppState {
    /// The rows of the dialog.
    pub(crate) fn leftover_rows(&self, dialog: &CleanUp) -> Vec<LeftoverRow> {
        let found = dialog.found.as_ref().and_then(|found| found.as_ref().ok());
        let row = |(leftover, ticked): (&Leftover, &bool)| {
            let what = self.texts().say(kind_words(leftover.kind), &[]);
            let whose = self.texts().say(source_name(leftover.source), &[]);
            LeftoverRow {
                path: short(&leftover.path, &self.places.home),
                reason: format!("{what} · {whose}"),
                size: format::size(self.texts(), leftover.size),
                ticked: *ticked,
            }
        };
        found.into_iter().flatten().zip(&dialog.ticked).map(row).collect()
    }

    /// What the dialog says above its rows.
    pub(crate) fn clean_up_words(&self, dialog: &CleanUp) -> String {
        match &dialog.found {
            None => say!(self.texts(), "clean-up-looking"),
            Some(Ok(found)) if found.is_empty() => say!(self.texts(), "clean-up-nothing"),
            Some(Ok(_)) => say!(self.texts(), "clean-up-text"),
            Some(Err(error)) => failure::words(self.texts(), error),
        }
    }

    /// The words on its button while nothing can be removed.
    pub(crate) fn clean_up_nothing(&self) -> String {
        say!(self.texts(), "action-remove")
    }

    /// The words on its button; `None` while nothing can be removed.
    pub(crate) fn clean_up_button(&self, dialog: &CleanUp) -> Option<String> {
        let count = dialog.ticked().count();
        let size = ByteSize(dialog.ticked().map(|it| it.size.0).sum());
        let size = format::size(self.texts(), size);
        let can = count > 0 && !dialog.running;
        can.then(|| say!(self.texts(), "clean-up-do", count = count, size = size))
    }
}

fn kind_words(kind: LeftoverKind) -> Key {
    match kind {
        LeftoverKind::Partial => key!("leftover-partial"),
        LeftoverKind::Orphan => key!("leftover-orphan"),
        LeftoverKind::DanglingLink => key!("leftover-link"),
    }
}
