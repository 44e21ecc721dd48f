//! Which files the downloads of the list use, as their side files tell. For whoever cleans up: another process may work on
//! the list meanwhile, and nothing of it is taken or changed here.

use std::collections::HashSet;
use std::path::PathBuf;

use hearth_protocol::Result;

use super::place::Places;
use super::side_file::{self, Intent, Record, Unread};
use crate::config::Config;
use crate::files::file_error;

/// Where the list is and where its files lie. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Claims {
    folder: PathBuf,
    places: Places,
}

/// What the list was found to use.
#[derive(Debug, Default)]
pub(crate) struct Claimed {
    /// The files of downloads that are not done, each by every path it has on its way.
    pub(crate) files: HashSet<PathBuf>,
    /// Side files of which nobody can make anything.
    pub(crate) damaged: Vec<PathBuf>,
    /// Beginnings of side files; one that was written lately is about to get its name.
    pub(crate) unnamed: Vec<PathBuf>,
    /// Whether that is all: no side file is kept from being read, or is a newer Hearth's.
    pub(crate) is_known: bool,
}

impl Claims {
    /// Those of a configuration; nothing is read.
    pub(crate) fn new(config: &Config) -> Self {
        Self {
            folder: config.downloads(),
            places: Places::new(config),
        }
    }

    /// Reads the side files. Waits for the disk.
    ///
    /// # Errors
    /// [`hearth_protocol::Error::File`] where their folder is there and cannot be read.
    pub(crate) fn read(&self) -> Result<Claimed> {
        let mut claimed = Claimed {
            is_known: true,
            ..Claimed::default()
        };
        let entries = match std::fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(claimed),
            Err(error) => return Err(file_error(&self.folder, &error)),
        };
        for entry in entries {
            let path = entry.map_err(|error| file_error(&self.folder, &error))?.path();
            match path.extension().and_then(|ending| ending.to_str()) {
                Some("new") => claimed.unnamed.push(path),
                Some("json") => match side_file::read(&path) {
                    Ok(record) => self.claim(&record, &mut claimed.files),
                    Err(Unread::Damaged(_)) => claimed.damaged.push(path),
                    // It was removed since.
                    Err(Unread::Refused(error)) if error.kind() == std::io::ErrorKind::NotFound => (),
                    Err(Unread::Refused(_) | Unread::Foreign(_)) => claimed.is_known = false,
                },
                _ => (),
            }
        }
        Ok(claimed)
    }

    fn claim(&self, record: &Record, files: &mut HashSet<PathBuf>) {
        if !matches!(record.intent, Intent::Rest { .. }) {
            files.extend(self.places.paths(record));
        }
    }
}
