//! What a download remembers of itself on the disk: one JSON file each, from which alone the list is made again.
//!
//! It never tells of bytes that are not on the disk: those are synced first, and the file is replaced whole.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use hearth_protocol::download::DownloadRequest;
use hearth_protocol::settings::DownloadPlace;
use hearth_protocol::{DownloadId, Error, FileId, ModelId, Result};
use serde::{Deserialize, Serialize};

use super::hasher::SavedHash;
use super::ranges::Ranges;
use crate::files::{self, file_error, sync_parent};

/// The form of the file; others are left alone.
const VERSION: u32 = 1;

/// Longest side file that is read, in bytes: that of a set of a thousand parts has under a megabyte.
const MAX_LENGTH: u64 = 64 << 20;

/// All that is known of a download.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Record {
    version: u32,
    /// The download.
    pub(super) id: DownloadId,
    /// What is downloaded.
    pub(super) request: DownloadRequest,
    /// The name that the model was asked for by, where the hub calls it by another now.
    #[serde(default)]
    pub(super) asked_as: Option<ModelId>,
    /// Its place in the queue: lower ones go first.
    pub(super) position: u64,
    /// What it shall do.
    pub(super) intent: Intent,
    /// Where its files go; stays what it was at the start.
    pub(super) place: DownloadPlace,
    /// The commit and its files, once the hub has said.
    pub(super) set: Option<FileSet>,
}

/// What a download shall do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Intent {
    /// Go on.
    Go,
    /// Wait; `None` by the person's wish.
    Wait(Option<Error>),
    /// Nothing: it failed.
    Fail(Error),
    /// Nothing: it is done, with or without a hash to compare with.
    Rest {
        /// Whether every file was compared with its hash.
        verified: bool,
        /// The library's file, where it is a model.
        #[serde(default)]
        file: Option<FileId>,
    },
}

/// The files of a download at one commit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct FileSet {
    /// 40 hexadecimal digits.
    pub(super) commit: String,
    /// The files, in the order in which they are fetched.
    pub(super) files: Vec<FileRecord>,
}

/// A file and what of it is there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct FileRecord {
    /// Its path in the repository.
    pub(super) path: String,
    /// Its bytes.
    pub(super) size: u64,
    /// Its name among the blobs of the cache: the sha256, else the git object.
    pub(super) blob: String,
    /// Its sha256, where the hub tells one.
    pub(super) sha256: Option<String>,
    /// The bytes that are on the disk.
    pub(super) have: Ranges,
    /// The hash of its beginning, so that this need not be read again.
    pub(super) hashed: Option<SavedHash>,
    /// Host and strong ETag under which the bytes came.
    pub(super) etag: Option<(String, String)>,
    /// The mark that this download put on the file of these bytes; without it there they are not this one's.
    #[serde(default)]
    pub(super) mark: Option<u64>,
    /// How far it is.
    pub(super) stage: Stage,
}

/// How far a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Stage {
    /// Bytes are missing or not compared.
    Fetching,
    /// All bytes are right; it is given its name.
    Naming,
    /// It has its name, and this download fetched it.
    Fetched,
    /// It was there already.
    Found,
}

/// A record and its file. Shared by those who change it.
#[derive(Debug)]
pub(super) struct SideFile {
    path: PathBuf,
    /// Held for a moment only, so that looking never waits for the disk.
    record: Mutex<Record>,
    /// Held by who changes the record, until that is written.
    changing: Mutex<()>,
}

impl Record {
    /// A download that has not begun.
    pub(super) fn new(id: DownloadId, position: u64, request: DownloadRequest, place: DownloadPlace) -> Self {
        Self {
            version: VERSION,
            id,
            request,
            asked_as: None,
            position,
            intent: Intent::Go,
            place,
            set: None,
        }
    }

    /// Whether this is what a request asks for, by the model's present name or by the one it was asked for by.
    pub(super) fn answers(&self, request: &DownloadRequest) -> bool {
        let model = &request.model;
        let is_model = self.request.model == *model || self.asked_as.as_ref() == Some(model);
        is_model && self.request.file == request.file && self.request.revision == request.revision
    }

    /// Calls the model as the hub does now.
    pub(super) fn rename(&mut self, model: ModelId) {
        let asked_as = std::mem::replace(&mut self.request.model, model);
        self.asked_as.get_or_insert(asked_as);
    }

    /// Bytes that are there, and all of them.
    pub(super) fn progress(&self) -> (u64, Option<u64>) {
        let Some(set) = &self.set else { return (0, None) };
        let done = set.files.iter().map(|file| file.done()).sum();
        (done, Some(set.files.iter().map(|file| file.size).sum()))
    }
}

impl FileRecord {
    /// Bytes that are there.
    pub(super) fn done(&self) -> u64 {
        match self.stage {
            Stage::Fetching => self.have.total(),
            Stage::Naming | Stage::Fetched | Stage::Found => self.size,
        }
    }

    /// Forgets every byte.
    pub(super) fn reset(&mut self) {
        self.have = Ranges::default();
        self.hashed = None;
        self.etag = None;
        self.stage = Stage::Fetching;
    }
}

impl SideFile {
    /// Writes the file of a new download.
    ///
    /// # Errors
    /// [`Error::File`].
    pub(super) fn create(folder: &Path, record: Record) -> Result<Arc<Self>> {
        let path = folder.join(format!("{}.json", record.id));
        write(&path, &record)?;
        Ok(Arc::new(Self::of(path, record)))
    }

    /// Reads the files of all downloads, in the order of the queue. A damaged one is logged and left alone.
    pub(super) fn read_all(folder: &Path) -> Result<Vec<Arc<Self>>> {
        let entries = std::fs::read_dir(folder).map_err(|error| file_error(folder, &error))?;
        let mut found: Vec<Self> = Vec::new();
        for entry in entries.flatten() {
            let path = entry.path();
            if !is_one(&path) {
                continue;
            }
            match read(&path) {
                Ok(record) => found.push(Self::of(path, record)),
                Err(unread) => tracing::warn!(path = %path.display(), %unread, "a download is passed over"),
            }
        }
        found.sort_by_key(|file| file.read(|record| (record.position, record.id)));
        Ok(found.into_iter().map(Arc::new).collect())
    }

    /// Whether there is the file of any download. A folder that is not there has none.
    ///
    /// # Errors
    /// [`Error::File`].
    pub(super) fn any(folder: &Path) -> Result<bool> {
        match std::fs::read_dir(folder) {
            Ok(entries) => Ok(entries.flatten().any(|entry| is_one(&entry.path()))),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(file_error(folder, &error)),
        }
    }

    /// Looks at the record.
    pub(super) fn read<T>(&self, look: impl FnOnce(&Record) -> T) -> T {
        look(&self.record.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Changes the record, on the disk first. Waits for the disk.
    ///
    /// # Errors
    /// [`Error::File`]; nothing is changed then.
    pub(super) fn update<T>(&self, change: impl FnOnce(&mut Record) -> T) -> Result<T> {
        let _changing = self.changing.lock().unwrap_or_else(PoisonError::into_inner);
        let before = self.read(Record::clone);
        let mut changed = before.clone();
        let outcome = change(&mut changed);
        if changed != before {
            write(&self.path, &changed)?;
            self.set(changed);
        }
        Ok(outcome)
    }

    /// Changes what the download shall do: here even where it cannot be written, since a full disk must not start again
    /// what it has just ended.
    ///
    /// # Errors
    /// [`Error::File`]; it is written with the next change then.
    pub(super) fn intend(&self, intent: Intent) -> Result<()> {
        let _changing = self.changing.lock().unwrap_or_else(PoisonError::into_inner);
        let mut changed = self.read(Record::clone);
        changed.intent = intent;
        self.set(changed.clone());
        write(&self.path, &changed)
    }

    /// Lets the last change outlive a power loss too, before what it tells of is changed. Waits for the disk.
    pub(super) fn sync_name(&self) {
        sync_parent(&self.path);
    }

    /// What another download of the list remembers of the file that bears its mark. Waits for the disk.
    pub(super) fn other_with(&self, mark: u64) -> Option<FileRecord> {
        let entries = std::fs::read_dir(self.path.parent()?).ok()?;
        let paths = entries.flatten().map(|entry| entry.path());
        let mut others = paths.filter(|path| is_one(path) && *path != self.path);
        others.find_map(|path| {
            let files = read(&path).ok()?.set?.files;
            files.into_iter().find(|file| file.mark == Some(mark))
        })
    }

    fn of(path: PathBuf, record: Record) -> Self {
        Self {
            path,
            record: Mutex::new(record),
            changing: Mutex::default(),
        }
    }

    fn set(&self, record: Record) {
        *self.record.lock().unwrap_or_else(PoisonError::into_inner) = record;
    }

    /// Removes the file.
    ///
    /// # Errors
    /// [`Error::File`].
    pub(super) fn remove(&self) -> Result<()> {
        match std::fs::remove_file(&self.path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(file_error(&self.path, &error)),
            _ => Ok(()),
        }
    }
}

/// Whether a path is called as the file of a download.
fn is_one(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "json")
}

/// Why a side file is not taken.
#[derive(Debug, thiserror::Error)]
pub(super) enum Unread {
    /// The system does not give it.
    #[error("{0}")]
    Refused(#[from] std::io::Error),
    /// It is of another Hearth, which may go on with it.
    #[error("it has version {0}, this Hearth knows {VERSION}")]
    Foreign(u32),
    /// Nobody can go on with it.
    #[error("it is damaged: {0}")]
    Damaged(String),
}

/// Reads the record of a side file.
///
/// # Errors
/// Why it is not taken.
pub(super) fn read(path: &Path) -> std::result::Result<Record, Unread> {
    /// What every version has.
    #[derive(Deserialize)]
    struct Any {
        version: u32,
    }
    let damaged = |error: &dyn std::fmt::Display| Unread::Damaged(error.to_string());
    let text = files::read_small(path, MAX_LENGTH).map_err(|error| match error.kind() {
        std::io::ErrorKind::InvalidData => damaged(&error),
        _ => Unread::Refused(error),
    })?;
    match serde_json::from_slice(&text) {
        Ok(Any { version: VERSION }) => serde_json::from_slice(&text).map_err(|error| damaged(&error)),
        Ok(Any { version }) => Err(Unread::Foreign(version)),
        Err(error) => Err(damaged(&error)),
    }
}

fn write(path: &Path, record: &Record) -> Result<()> {
    let text = serde_json::to_vec(record).map_err(Error::internal)?;
    write_whole(path, &text).map_err(|error| file_error(path, &error))
}

/// Writes a file so that there is always the old one or the new one, whole.
fn write_whole(path: &Path, text: &[u8]) -> std::io::Result<()> {
    let new = path.with_extension("new");
    let mut file = std::fs::File::create(&new)?;
    file.write_all(text)?;
    file.sync_all()?;
    std::fs::rename(&new, path)
}

#[cfg(test)]
mod tests;
