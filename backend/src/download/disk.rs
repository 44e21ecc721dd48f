//! One thread that owns the file of a download while bytes come: it writes them and hashes them.
//!
//! Pieces wait in a short queue, so that a slow disk slows the network down. Every megabyte a second thread (`teller`)
//! syncs the file and only then tells of it in the side file; so what a kill costs is bounded by a [`Margin`].

mod teller;

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use hearth_protocol::{Error, Result};
use tokio::sync::mpsc;
use tokio::time::timeout;

use super::hasher::Hasher;
use super::place::FilePlace;
use super::progress::Progress;
use super::ranges::Ranges;
use super::side_file::{FileRecord, SideFile};
use crate::files::{self, SPARE_ROOM, file_error};
use teller::{Margin, News, Teller};

/// How long written bytes stay untold at a slow speed.
const UNSAFE_TIME: Duration = Duration::from_millis(250);

/// Pieces that wait to be written; a piece is what the network gives at once, some 16 kB.
const QUEUE: usize = 16;

/// What is sent to the thread.
#[derive(Debug)]
pub(super) enum Piece {
    /// Bytes at an offset.
    Bytes(u64, Bytes),
    /// All bytes so far are worthless.
    Reset,
    /// Host and ETag under which the bytes come from now on.
    Etag(String, String),
}

/// How a file stands when no more pieces come.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Written {
    /// Bytes are missing.
    Partly,
    /// All bytes are there; the sha256 of them, if one was wanted.
    Whole(Option<String>),
}

/// The end of the queue that is written to, and the thread.
pub(super) struct Disk {
    pub(super) pieces: mpsc::Sender<Piece>,
    thread: tokio::task::JoinHandle<Result<(Written, File)>>,
}

/// What the thread owns.
struct Writer {
    file: File,
    teller: Teller,
    size: u64,
    have: Ranges,
    hasher: Option<Hasher>,
    etag: Option<(String, String)>,
    progress: Arc<Progress>,
    /// Which file of the download this is.
    index: usize,
    /// Written since it was last begun to tell.
    untold: u64,
    /// What is being told of.
    telling: u64,
    told_at: Instant,
    margin: Margin,
}

impl Disk {
    /// Opens the file and begins to write to it. What the side file tells of is taken for there, as far as the file
    /// reaches.
    ///
    /// # Errors
    /// [`Error::Busy`] where another download writes to it; [`Error::File`], [`Error::DiskFull`].
    pub(super) fn open(
        place: &FilePlace,
        side: &Arc<SideFile>,
        index: usize,
        progress: &Arc<Progress>,
    ) -> Result<(Self, FileRecord)> {
        let mut record = side.read(|record| {
            let files = record.set.as_ref().map(|set| &set.files);
            files.and_then(|files| files.get(index).cloned())
        });
        let record = record
            .as_mut()
            .ok_or_else(|| Error::internal("a download without files"))?;
        files::make_parent(&place.partial)?;
        let file =
            open(&place.partial, record).map_err(|error| words(&place.partial, &error, record.size))?;
        let there = record.have.end_from(0);
        let syncing = file
            .try_clone()
            .and_then(|file| Teller::start(file, Arc::clone(side), index));
        let mut writer = Writer {
            teller: syncing.map_err(|error| words(&place.partial, &error, record.size))?,
            file,
            size: record.size,
            have: record.have.clone(),
            hasher: record
                .sha256
                .is_some()
                .then(|| Hasher::resume(record.hashed.as_ref(), there)),
            etag: record.etag.clone(),
            progress: Arc::clone(progress),
            index,
            untold: 0,
            telling: 0,
            told_at: Instant::now(),
            margin: Margin::default(),
        };
        let (pieces, queue) = mpsc::channel(QUEUE);
        let path = place.partial.clone();
        let thread = tokio::task::spawn_blocking(move || match writer.work(queue) {
            // The other thread ends first, and with it its hold on the file.
            Ok(written) => {
                drop(writer.teller);
                Ok((written, writer.file))
            }
            Err(Failure::Disk(error)) => Err(words(&path, &error, writer.size - writer.have.total())),
            Err(Failure::Side(error)) => Err(error),
        });
        Ok((Self { pieces, thread }, record.clone()))
    }

    /// Lets the thread write what waits, and gives what is there then. As long as the file that is given lives, no other
    /// download writes to it.
    ///
    /// # Errors
    /// [`Error::File`], [`Error::DiskFull`].
    pub(super) async fn close(self) -> Result<(Written, File)> {
        drop(self.pieces);
        self.thread.await.map_err(Error::internal)?
    }
}

/// Opens or makes the file. What a record tells of bytes that are not there is forgotten.
fn open(path: &Path, record: &mut FileRecord) -> io::Result<File> {
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)?;
    match file.try_lock() {
        Ok(()) => (),
        Err(TryLockError::WouldBlock) => return Err(io::ErrorKind::WouldBlock.into()),
        Err(TryLockError::Error(error)) => {
            tracing::debug!(path = %path.display(), %error, "the disk knows no locks");
        }
    }
    let length = file.metadata()?.len();
    if length < record.size {
        record.have.clip(length);
    }
    // A hole as long as the file, so that parts can be written anywhere.
    file.set_len(record.size)?;
    Ok(file)
}

/// Why the thread ended early.
enum Failure {
    Disk(io::Error),
    Side(Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Disk(error)
    }
}

impl Writer {
    fn work(&mut self, mut queue: mpsc::Receiver<Piece>) -> std::result::Result<Written, Failure> {
        let runtime = tokio::runtime::Handle::current();
        loop {
            let next = runtime.block_on(async { timeout(UNSAFE_TIME, queue.recv()).await });
            let piece = match next {
                Ok(Some(piece)) => piece,
                Ok(None) => break,
                Err(_) => {
                    self.tell_if_due()?;
                    continue;
                }
            };
            match piece {
                Piece::Bytes(offset, bytes) => self.write(offset, &bytes)?,
                Piece::Reset => self.reset()?,
                Piece::Etag(host, etag) => self.etag = Some((host, etag)),
            }
            self.tell_if_due()?;
        }
        self.catch_up()?;
        self.tell_all()?;
        if self.have.total() < self.size {
            return Ok(Written::Partly);
        }
        Ok(Written::Whole(self.hasher.take().map(Hasher::finish)))
    }

    fn write(&mut self, offset: u64, bytes: &[u8]) -> std::result::Result<(), Failure> {
        self.file.seek(SeekFrom::Start(offset))?;
        self.file.write_all(bytes)?;
        let length = bytes.len() as u64;
        self.have.insert(offset..offset + length);
        self.untold += length;
        self.progress.set_done(self.index, self.have.total());
        if let Some(hasher) = &mut self.hasher {
            hasher.take(offset, bytes);
        }
        self.catch_up()
    }

    fn catch_up(&mut self) -> std::result::Result<(), Failure> {
        if let Some(hasher) = &mut self.hasher {
            let end = self.have.end_from(hasher.frontier());
            hasher.catch_up(&mut self.file, end)?;
        }
        Ok(())
    }

    fn reset(&mut self) -> std::result::Result<(), Failure> {
        self.have = Ranges::default();
        self.hasher = self.hasher.is_some().then(Hasher::default);
        self.etag = None;
        // The side file first: it must not tell of bytes that are gone.
        self.tell_all()?;
        self.file.set_len(0)?;
        self.file.set_len(self.size)?;
        Ok(())
    }

    /// Begins to tell where it is time, and waits where too much would be lost.
    fn tell_if_due(&mut self) -> std::result::Result<(), Failure> {
        if !self.teller.is_busy()? {
            self.telling = 0;
        } else if self.margin.is_full(self.untold + self.telling) {
            self.teller.wait()?;
            self.telling = 0;
            self.margin.widen();
        }
        if self.telling > 0 || self.untold == 0 {
            return Ok(());
        }
        if self.margin.is_half(self.untold) {
            return self.tell();
        }
        if self.told_at.elapsed() >= UNSAFE_TIME {
            self.margin.fit(self.untold);
            return self.tell();
        }
        Ok(())
    }

    fn tell(&mut self) -> std::result::Result<(), Failure> {
        self.teller.tell(News {
            have: self.have.clone(),
            hashed: self.hasher.as_ref().map(Hasher::save),
            etag: self.etag.clone(),
        })?;
        self.telling = std::mem::take(&mut self.untold);
        self.told_at = Instant::now();
        Ok(())
    }

    /// Tells of everything and waits for it.
    fn tell_all(&mut self) -> std::result::Result<(), Failure> {
        self.tell()?;
        self.teller.wait()
    }
}

/// What the system says of the file, in the protocol's words.
fn words(path: &Path, error: &io::Error, missing: u64) -> Error {
    if files::is_full(error) {
        let folder = path.parent().unwrap_or(path);
        let needs = missing.saturating_add(SPARE_ROOM);
        return files::full(folder, needs, files::free_space(folder).unwrap_or_default());
    }
    if error.kind() == io::ErrorKind::WouldBlock {
        return Error::Busy {
            what: path.display().to_string(),
            reason: "another download writes to it".into(),
        };
    }
    file_error(path, error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disk_that_fills_up_says_what_is_needed_and_what_there_is() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("m.part");
        for kind in [io::ErrorKind::StorageFull, io::ErrorKind::QuotaExceeded] {
            let Error::DiskFull {
                needs,
                has,
                folder: named,
            } = words(&path, &kind.into(), 7_000)
            else {
                panic!("{kind}");
            };
            assert_eq!(needs.0, 7_000 + SPARE_ROOM);
            assert!(has.0 > 0);
            assert_eq!(Path::new(&named), folder.path());
        }
        let other = words(&path, &io::ErrorKind::PermissionDenied.into(), 7_000);
        assert!(matches!(other, Error::File { .. }), "{other}");
    }
}
