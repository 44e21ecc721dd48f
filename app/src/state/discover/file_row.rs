//! A file of the model that is shown, in words, and what can be done with it now.

use hearth_protocol::catalogue::{CatalogueFile, Fit};
use hearth_protocol::download::{Download, DownloadState};
use hearth_protocol::library::{FileState, LibraryFile};
use hearth_protocol::{ByteSize, DownloadId, FileId};

use super::shown::FileName;
use crate::state::{AppState, failure, format};
use crate::text::say;

/// A file of the table.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FileRow {
    /// Which.
    pub(crate) file: FileName,
    /// Its quantisation, or its name.
    pub(crate) label: String,
    /// `5.03 GB`; empty where unknown.
    pub(crate) size: String,
    /// How it fits this machine.
    pub(crate) fit: Fit,
    /// Whether it is the one to take.
    pub(crate) is_recommended: bool,
    /// Whether its memory is told above the table.
    pub(crate) is_looked_at: bool,
    /// What is wrong with it on the hub.
    pub(crate) problem: Option<String>,
    /// What can be done with it.
    pub(crate) state: FileDoing,
}

/// What can be done with a file.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum FileDoing {
    /// It can be downloaded.
    Absent,
    /// It cannot be of use here, and why.
    Useless(String),
    /// It is on its way, or waits for its turn.
    Coming {
        /// Its download.
        download: DownloadId,
        /// Share done, 0.0 to 1.0.
        share: f32,
        /// `62 %`.
        percent: String,
        /// `48 MB/s`, or what it does instead.
        speed: String,
        /// Whether it can be paused.
        can_pause: bool,
    },
    /// It waits, and goes on when it is asked to.
    Paused {
        /// Its download.
        download: DownloadId,
        /// Share done, 0.0 to 1.0.
        share: f32,
        /// `62 %`.
        percent: String,
        /// Why, or that it is paused.
        why: String,
    },
    /// It failed.
    Failed {
        /// Its download.
        download: DownloadId,
        /// Why.
        why: String,
    },
    /// It is here.
    Here(FileId),
}

impl AppState {
    /// The files of the model that is shown.
    pub(crate) fn file_rows(&self) -> Vec<FileRow> {
        let Some(shown) = &self.discover.shown else {
            return Vec::new();
        };
        let looked_at = shown.looked_at().map(FileName::of);
        let row = |file: &CatalogueFile| {
            let name = FileName::of(file);
            FileRow {
                label: file
                    .quantisation
                    .clone()
                    .unwrap_or_else(|| file_name(&file.name).to_owned()),
                size: file
                    .size
                    .map_or_else(String::new, |size| format::size(self.texts(), size)),
                fit: file.fit,
                is_recommended: file.recommended.is_some(),
                is_looked_at: looked_at.as_ref() == Some(&name),
                problem: file.problem.clone(),
                state: self.doing(file),
                file: name,
            }
        };
        shown.files().map(row).collect()
    }

    /// What can be done with a file.
    pub(super) fn doing(&self, file: &CatalogueFile) -> FileDoing {
        let download = self.downloads.of_file(&file.repository, &file.name);
        if let Some(here) = self.file_here(&FileName::of(file)) {
            return FileDoing::Here(here);
        }
        if let Some(coming) = download.and_then(|download| self.coming(download)) {
            return coming;
        }
        if let Some(number) = file.missing_parts.first() {
            return FileDoing::Useless(say!(self.texts(), "discover-part-missing", part = *number));
        }
        let lacking = file
            .estimate
            .filter(|_| file.fit == Fit::TooLarge)
            .map(|estimate| lack(estimate.total(), estimate.gpu_room, estimate.memory_room));
        match lacking {
            Some(lacking) => FileDoing::Useless(say!(
                self.texts(),
                "discover-lacks-memory",
                size = format::size(self.texts(), lacking)
            )),
            None => FileDoing::Absent,
        }
    }

    /// The file of the library that is this one, where it can be used.
    pub(in crate::state) fn file_here(&self, file: &FileName) -> Option<FileId> {
        let is_it = |own: &&LibraryFile| {
            own.state == FileState::Ready
                && own.model.as_ref() == Some(&file.repository)
                && own.path.ends_with(&file.name)
        };
        let mut files = self.models.files.iter().flatten();
        files.find(is_it).map(|own| own.id.clone())
    }

    fn coming(&self, download: &Download) -> Option<FileDoing> {
        let texts = self.texts();
        let (id, share) = (download.id, share_of(download));
        let percent = format::percent(share);
        let coming = |speed, can_pause| FileDoing::Coming {
            download: id,
            share,
            percent: percent.clone(),
            speed,
            can_pause,
        };
        Some(match &download.state {
            DownloadState::Queued => coming(say!(texts, "discover-queued"), true),
            DownloadState::Running { bytes_per_second, .. } => {
                let speed = ByteSize(bytes_per_second.max(0.0) as u64);
                coming(
                    say!(texts, "number-per-second", size = format::size(texts, speed)),
                    true,
                )
            }
            DownloadState::Verifying => coming(say!(texts, "discover-verifying"), false),
            DownloadState::Paused { reason } => FileDoing::Paused {
                download: id,
                share,
                percent,
                why: match reason {
                    Some(error) => failure::words(texts, error),
                    None => say!(texts, "discover-paused"),
                },
            },
            DownloadState::Failed { error } => FileDoing::Failed {
                download: id,
                why: failure::words(texts, error),
            },
            // It is in the library, or was: the list of files says which.
            DownloadState::Done { .. } => return None,
        })
    }
}

/// Bytes that are short of what is needed.
fn lack(needs: ByteSize, cards: ByteSize, memory: ByteSize) -> ByteSize {
    // Where graphics share the main memory, both are the same room.
    let room = match cards == memory {
        true => memory.0,
        false => memory.0.saturating_add(cards.0),
    };
    ByteSize(needs.0.saturating_sub(room))
}

fn share_of(download: &Download) -> f32 {
    match download.total {
        Some(total) if total.0 > 0 => (download.done.0 as f64 / total.0 as f64) as f32,
        _ => 0.0,
    }
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
