//! The server's log: the newest lines in memory for whoever watches, all of them in files that are rotated.
//!
//! Keys and tokens never stand in it, whoever wrote them where.

use std::collections::VecDeque;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use hearth_protocol::UnixMillis;
use hearth_protocol::server::{LogLevel, LogLine};
use tokio::sync::{mpsc, watch};

use crate::store::now;

mod redact;

use redact::redact;

/// Lines that are kept in memory.
const KEPT: usize = 5_000;

/// Bytes of lines that are kept in memory, whatever their number.
const KEPT_BYTES: usize = 16 << 20;

/// Longest line, in bytes; the rest of a longer one is left out.
const LONGEST: usize = 64 << 10;

/// Size of a file before the next one is begun, and how many older ones are kept.
const FILE_SIZE: u64 = 5 << 20;
const OLD_FILES: u32 = 4;

/// Lines that may wait for a slow disk. Those beyond are in memory only.
const WAITING: usize = 4_000;

/// The name of the newest file; older ones have `.1`, `.2` and so on behind it.
const FILE_NAME: &str = "server.log";

/// The log. Cheap to clone.
#[derive(Clone)]
pub(super) struct Log {
    kept: Arc<Mutex<Kept>>,
    /// How many lines there ever were.
    written: Arc<watch::Sender<u64>>,
    file: mpsc::Sender<LogLine>,
}

#[derive(Default)]
struct Kept {
    lines: VecDeque<LogLine>,
    /// How many lines there were before the first of these.
    before: u64,
    /// Bytes of these lines.
    bytes: usize,
}

impl Kept {
    fn push(&mut self, line: LogLine) {
        self.bytes += line.text.len();
        self.lines.push_back(line);
        while self.lines.len() > KEPT || self.bytes > KEPT_BYTES {
            let Some(gone) = self.lines.pop_front() else {
                return;
            };
            self.bytes -= gone.text.len();
            self.before += 1;
        }
    }
}

impl Log {
    /// A log whose files are in this folder. Must be called within the runtime.
    pub(super) fn open(folder: PathBuf) -> Self {
        let (file, waiting) = mpsc::channel(WAITING);
        tokio::task::spawn_blocking(move || write_files(&folder, waiting));
        Self {
            kept: Arc::default(),
            written: Arc::new(watch::Sender::new(0)),
            file,
        }
    }

    /// Writes a line, without what is secret in it.
    pub(super) fn write(&self, level: LogLevel, text: &str) {
        let line = LogLine {
            at: UnixMillis(now()),
            level,
            text: one_line(redact(text)),
        };
        // What the disk does not take in time is in memory all the same.
        if self.file.try_send(line.clone()).is_err() {
            tracing::debug!("a line of the server's log is not written to the disk");
        }
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push(line);
        let written = kept.before + kept.lines.len() as u64;
        drop(kept);
        self.written.send_replace(written);
    }

    /// How many lines there ever were, for those who wait for more.
    pub(super) fn written(&self) -> watch::Receiver<u64> {
        self.written.subscribe()
    }

    /// The lines behind the first `told` ones, how many of them are no longer there, and how many there ever were.
    pub(super) fn since(&self, told: u64) -> (Vec<LogLine>, u64, u64) {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let left_out = kept.before.saturating_sub(told);
        let skip = told.saturating_sub(kept.before);
        let skip = usize::try_from(skip).unwrap_or(usize::MAX);
        let lines = kept.lines.iter().skip(skip).cloned().collect();
        (lines, left_out, kept.before + kept.lines.len() as u64)
    }
}

/// A text as one line of a bounded length.
fn one_line(text: String) -> String {
    let mut line = text.replace(['\n', '\r'], " ");
    if line.len() > LONGEST {
        let mut end = LONGEST;
        while !line.is_char_boundary(end) {
            end -= 1;
        }
        line.truncate(end);
        line.push('…');
    }
    line
}

/// Writes lines to files until the log is dropped.
fn write_files(folder: &Path, mut waiting: mpsc::Receiver<LogLine>) {
    let mut file: Option<(File, u64)> = None;
    let mut has_failed = false;
    while let Some(line) = waiting.blocking_recv() {
        let text = format!("{} {:<7} {}\n", time(line.at), name(line.level), line.text);
        match write_line(folder, &mut file, &text) {
            Ok(()) => has_failed = false,
            Err(error) => {
                // Told once for each time the disk fails, not for each line.
                if !std::mem::replace(&mut has_failed, true) {
                    tracing::warn!(%error, "the server's log cannot be written to the disk");
                }
            }
        }
    }
}

/// Writes a line to the newest file. Where that fails, the next one is written to it anew.
fn write_line(folder: &Path, file: &mut Option<(File, u64)>, text: &str) -> std::io::Result<()> {
    let written = open_for(folder, file).and_then(|(file, size)| {
        *size += text.len() as u64;
        file.write_all(text.as_bytes())
    });
    if written.is_err() {
        *file = None;
    }
    written
}

/// The file that takes the next line, and its size.
fn open_for<'file>(
    folder: &Path,
    file: &'file mut Option<(File, u64)>,
) -> std::io::Result<&'file mut (File, u64)> {
    let path = folder.join(FILE_NAME);
    // Who has removed it meanwhile, or its folder, finds it there again.
    if file.is_some() && !path.exists() {
        *file = None;
    }
    if file.as_ref().is_some_and(|(_, size)| *size >= FILE_SIZE) {
        *file = None;
        rotate(folder)?;
    }
    if file.is_none() {
        std::fs::create_dir_all(folder)?;
        let mut opened = OpenOptions::new()
            .create(true)
            .append(true)
            .read(true)
            .open(&path)?;
        let mut size = opened.metadata()?.len();
        if is_torn(&mut opened, size)? {
            opened.write_all(b"\n")?;
            size += 1;
        }
        *file = Some((opened, size));
    }
    file.as_mut()
        .ok_or_else(|| std::io::Error::other("there is no file"))
}

/// Whether the last line is not whole, as where the disk was full: the next one begins on a line of its own.
fn is_torn(file: &mut File, size: u64) -> std::io::Result<bool> {
    if size == 0 {
        return Ok(false);
    }
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    Ok(last != *b"\n")
}

/// Gives each file the next number; the oldest goes.
fn rotate(folder: &Path) -> std::io::Result<()> {
    let numbered = |number: u32| match number {
        0 => folder.join(FILE_NAME),
        number => folder.join(format!("{FILE_NAME}.{number}")),
    };
    for number in (0..OLD_FILES).rev() {
        let from = numbered(number);
        if from.exists() {
            std::fs::rename(from, numbered(number + 1))?;
        }
    }
    Ok(())
}

/// A moment as RFC 3339 writes it.
fn time(at: UnixMillis) -> String {
    jiff::Timestamp::from_millisecond(at.0).map_or_else(|_| at.0.to_string(), |time| format!("{time:.3}"))
}

fn name(level: LogLevel) -> &'static str {
    match level {
        LogLevel::Info => "info",
        LogLevel::Request => "request",
        LogLevel::Warning => "warning",
        LogLevel::Error => "error",
    }
}

#[cfg(test)]
mod tests;
