//! One look for leftovers.

use std::collections::HashSet;
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use hearth_protocol::ByteSize;
use hearth_protocol::library::{Leftover, LeftoverKind, Source};
use walkdir::WalkDir;

use super::super::hub_folder::HubFolder;
use super::super::ollama::OllamaStore;
use super::super::{import, scan};
use crate::download::claims::Claimed;
use crate::download::place::{MOMENTARY, PARTIAL_BLOB, PARTIAL_FILE};

/// The beginnings of `huggingface_hub`'s downloads.
const HUB_PARTIAL: &str = ".incomplete";

/// Of Ollama's.
const OLLAMA_PARTIAL: &str = "-partial";

/// How long nobody has written to what another program may go on with.
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// How long nobody has written to a partial file in Hearth's folder that Hearth did not make there: browsers call their
/// downloads so too.
const MOMENT: Duration = Duration::from_secs(60);

/// What was found so far.
pub(super) struct Look {
    pub(super) found: Vec<Leftover>,
    claimed: Claimed,
    /// What the library's names lead to, wherever they lie.
    needed: HashSet<PathBuf>,
    now: SystemTime,
}

impl Look {
    pub(super) fn new(claimed: Claimed, needed: HashSet<PathBuf>) -> Self {
        Self {
            found: Vec::new(),
            claimed,
            needed,
            now: SystemTime::now(),
        }
    }

    /// Side files of which nobody can make anything.
    pub(super) fn through_downloads(&mut self) {
        for path in std::mem::take(&mut self.claimed.damaged) {
            self.add(&path, LeftoverKind::Partial, Source::Hearth);
        }
        for path in std::mem::take(&mut self.claimed.unnamed) {
            if self.is_older(&path, DAY) {
                self.add(&path, LeftoverKind::Partial, Source::Hearth);
            }
        }
    }

    /// What downloads and imports left in Hearth's folder, and links in it that lead nowhere.
    pub(super) fn through_models(&mut self, models: &Path) {
        let imported = models.join(import::FOLDER);
        for entry in WalkDir::new(models).into_iter().flatten() {
            let (path, kind) = (entry.path(), entry.file_type());
            let is_partial = entry
                .file_name()
                .as_encoded_bytes()
                .ends_with(PARTIAL_FILE.as_bytes());
            if kind.is_symlink() && is_dangling(path) {
                self.add(path, LeftoverKind::DanglingLink, Source::Hearth);
            } else if kind.is_file() && is_partial {
                let is_ours = path.starts_with(&imported);
                if (is_ours || self.is_older(path, MOMENT)) && self.is_free(path) {
                    self.add(path, LeftoverKind::Partial, Source::Hearth);
                }
            }
        }
    }

    /// What the Hugging Face cache holds in vain.
    pub(super) fn through_cache(&mut self, cache: &Path) {
        for folder in HubFolder::all(cache) {
            for path in folder.blobs() {
                let name = path
                    .file_name()
                    .unwrap_or_default()
                    .to_string_lossy()
                    .into_owned();
                if !path.is_file() || path.is_symlink() {
                    continue;
                }
                if name.ends_with(PARTIAL_BLOB) {
                    if self.is_free(&path) {
                        self.add(&path, LeftoverKind::Partial, Source::Hearth);
                    }
                } else if name.starts_with(MOMENTARY) {
                    self.add_old(&path, LeftoverKind::Partial, Source::Hearth);
                } else if name.ends_with(HUB_PARTIAL) {
                    self.add_old(&path, LeftoverKind::Partial, Source::HuggingFace);
                } else if folder.is_known
                    && !folder.uses(&path, None)
                    && !self.is_needed(&path)
                    && self.is_free(&path)
                {
                    self.add(&path, LeftoverKind::Orphan, Source::HuggingFace);
                }
            }
            let dangling = folder.names.iter().filter(|name| name.is_dangling());
            for name in dangling
                .filter(|name| !self.claimed.files.contains(&name.path))
                .collect::<Vec<_>>()
            {
                self.add(&name.path, LeftoverKind::DanglingLink, Source::HuggingFace);
            }
            // What stands for the name of a branch for a moment.
            for entry in std::fs::read_dir(folder.folder.path())
                .into_iter()
                .flatten()
                .flatten()
            {
                if entry
                    .file_name()
                    .as_encoded_bytes()
                    .starts_with(MOMENTARY.as_bytes())
                {
                    self.add_old(&entry.path(), LeftoverKind::Partial, Source::Hearth);
                }
            }
        }
    }

    /// What Ollama's store holds in vain. What a download of Ollama's has brought is named by nobody before all of it is
    /// there.
    pub(super) fn through_ollama(&mut self, store: &OllamaStore) {
        for path in store.unnamed() {
            if self.is_needed(&path) {
                continue;
            }
            let name = path
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            let kind = match name.contains(OLLAMA_PARTIAL) {
                true => LeftoverKind::Partial,
                false => LeftoverKind::Orphan,
            };
            self.add_old(&path, kind, Source::Ollama);
        }
    }

    /// Adds what nobody has written to for a day.
    fn add_old(&mut self, path: &Path, kind: LeftoverKind, source: Source) {
        if self.is_older(path, DAY) {
            self.add(path, kind, source);
        }
    }

    fn add(&mut self, path: &Path, kind: LeftoverKind, source: Source) {
        let about = path.symlink_metadata().ok();
        self.found.push(Leftover {
            path: path.to_owned(),
            size: match kind {
                LeftoverKind::DanglingLink => ByteSize(0),
                _ => about.as_ref().map_or(ByteSize(0), super::size),
            },
            kind,
            source,
            modified_at: scan::modified_at(about.as_ref()),
        });
    }

    /// Whether a name in the library leads to a file, as a link of the person's from another folder.
    fn is_needed(&self, path: &Path) -> bool {
        path.canonicalize().is_ok_and(|real| self.needed.contains(&real))
    }

    /// Whether no download of the list needs a file, and no process writes to it.
    fn is_free(&self, path: &Path) -> bool {
        if !self.claimed.is_known || self.claimed.files.contains(path) {
            return false;
        }
        match File::open(path).map(|file| file.try_lock()) {
            Ok(Ok(())) => true,
            // A disk that knows no locks.
            Ok(Err(TryLockError::Error(_))) => self.is_older(path, DAY),
            Ok(Err(TryLockError::WouldBlock)) | Err(_) => false,
        }
    }

    /// Whether nobody has written to a file for so long.
    fn is_older(&self, path: &Path, age: Duration) -> bool {
        let written = path.symlink_metadata().and_then(|about| about.modified());
        written.is_ok_and(|written| self.now.duration_since(written).is_ok_and(|since| since >= age))
    }
}

fn is_dangling(link: &Path) -> bool {
    link.metadata()
        .is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound)
}
