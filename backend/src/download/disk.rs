//! One thread that owns the file of a download while bytes come: it writes them and hashes them.
//!
//! Pieces wait in a short queue, so that a slow disk slows the network down. Every megabyte a second thread (`teller`)
//! syncs the file and only then tells of it in the side file; so what a kill costs is bounded by a [`Margin`].

mod teller;
#[cfg(test)]
mod tests;

use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use hearth_protocol::{Error, Result};
use tokio::sync::mpsc;
use tokio::time::timeout;

use super::hasher::Hasher;
use super::partial;
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
    side: Arc<SideFile>,
    teller: Teller,
    size: u64,
    mark: u64,
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
    /// Opens the file and begins to write to it. What the side file tells of is taken for there where nobody else has
    /// written to the file since; else what they tell of who has.
    ///
    /// # Errors
    /// [`Error::Busy`] where another download writes to it; [`Error::File`], [`Error::DiskFull`].
    pub(super) fn open(
        place: &FilePlace,
        side: &Arc<SideFile>,
        index: usize,
        progress: &Arc<Progress>,
    ) -> Result<(Self, FileRecord)> {
        files::make_parent(&place.partial)?;
        let size = noted(side, index)?.size;
        let opened = open(&place.partial, side, index);
        let (file, record, mark) = opened.map_err(|failure| failure.words(&place.partial, size))?;
        progress.set_done(index, record.have.total());
        let there = record.have.end_from(0);
        let syncing = file
            .try_clone()
            .and_then(|file| Teller::start(file, Arc::clone(side), index));
        let mut writer = Writer {
            teller: syncing.map_err(|error| words(&place.partial, &error, record.size))?,
            file,
            side: Arc::clone(side),
            size: record.size,
            mark,
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
            Err(failure) => Err(failure.words(&path, writer.size - writer.have.total())),
        });
        Ok((Self { pieces, thread }, record))
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

/// Opens or makes the file. Where it does not bear the mark of this download, what its record tells of is forgotten: the
/// file is new, or another wrote to it. What that one remembers of it is this one's then, and no more its own.
fn open(path: &Path, side: &SideFile, index: usize) -> std::result::Result<(File, FileRecord, u64), Failure> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    let file = match options.open(path) {
        // Since its folder was made, it was removed with the last of another download.
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            files::make_parent(path).map_err(Failure::Side)?;
            options.open(path)?
        }
        opened => opened?,
    };
    partial::lock(&file, path)?;
    // From here on nobody else changes what they remember of the file.
    let mut record = noted(side, index).map_err(Failure::Side)?;
    let found = partial::mark(&file, record.size)?;
    if let Some(mark) = found.filter(|found| record.mark == Some(*found)) {
        return Ok((file, record, mark));
    }
    let other = found.and_then(|mark| side.other_with(mark));
    let other = other.filter(|other| (&other.blob, other.size) == (&record.blob, record.size));
    (record.have, record.hashed, record.etag) =
        other.map_or_else(Default::default, |other| (other.have, other.hashed, other.etag));
    let mark = partial::new_mark();
    record.mark = Some(mark);
    // The side file first: with this mark on the file it is believed.
    note(&record, side, index)?;
    partial::put_mark(&file, record.size, mark)?;
    Ok((file, record, mark))
}

/// What the side file tells of a file.
fn noted(side: &SideFile, index: usize) -> Result<FileRecord> {
    let file = side.read(|record| {
        let files = record.set.as_ref().map(|set| &set.files);
        files.and_then(|files| files.get(index).cloned())
    });
    file.ok_or_else(|| Error::internal("a download without files"))
}

/// Tells in the side file, so that it outlives a power loss, what a record has.
fn note(record: &FileRecord, side: &SideFile, index: usize) -> std::result::Result<(), Failure> {
    let noted = side.update(|noted| {
        let files = noted.set.as_mut().map(|set| &mut set.files);
        if let Some(file) = files.and_then(|files| files.get_mut(index)) {
            file.clone_from(record);
        }
    });
    noted.map_err(Failure::Side)?;
    side.sync_name();
    Ok(())
}

/// Why the thread ended early, or did not begin.
enum Failure {
    Disk(io::Error),
    Side(Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Disk(error)
    }
}

impl Failure {
    /// The same in the protocol's words, where so many bytes are still to be written to this file.
    fn words(self, path: &Path, missing: u64) -> Error {
        match self {
            Self::Disk(error) => words(path, &error, missing),
            Self::Side(error) => error,
        }
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
        self.side.sync_name();
        self.file.set_len(0)?;
        partial::put_mark(&self.file, self.size, self.mark)?;
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
