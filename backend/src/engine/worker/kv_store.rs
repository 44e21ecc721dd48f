//! KV state on the disk: what was computed for a text, so that yesterday's chat goes on without being read again.
//!
//! One file per text: a header with a fingerprint of everything the numbers depend on, the tokens, the state as
//! llama.cpp gives it, a checksum. Files are written in the background, under another name first, so that each is
//! whole or not there. What is damaged is dropped and what another model made is left alone; neither is ever loaded.
//! Workers of several models share a folder. When its files have too many bytes, those used longest ago go.
//!
//! A prompt is compared with each text when its answer begins: 4 µs for a thousand texts that differ early, 0.3 ms where they
//! begin with the same thousand tokens. Reading a file, if one is found, takes longer.

mod file;
pub(in crate::engine) mod folder;
mod one_file;
mod writer;

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use llama_cpp_2::token::LlamaToken;

use super::cache::common_beginning;
use file::{file_bytes, read_header, read_state};
use writer::Writer;

pub(super) use one_file::{read_file, write_file};

const ENDING: &str = "kv";

/// Ending of a file that is being written.
const UNFINISHED: &str = "part";

/// An unfinished file that is older was left by a worker that was killed.
const ABANDONED_AFTER: Duration = Duration::from_secs(600);

/// What the numbers of a state depend on: model, llama.cpp, formats, positions, adapters.
pub(super) type Fingerprint = [u8; 32];

/// The chat that a text belongs to. Its number stands in the file's name, so that all files of a chat can be found.
pub(super) type Chat = i64;

/// The texts whose state is kept.
pub(super) struct KvStore {
    folder: PathBuf,
    fingerprint: Fingerprint,
    /// Bytes of all files in the folder at most.
    limit: u64,
    texts: Vec<Text>,
    writer: Writer,
    files_named: u64,
}

/// A text with a file, or one on its way there.
struct Text {
    path: PathBuf,
    tokens: Arc<[LlamaToken]>,
    /// The state, until it is on the disk.
    unwritten: Option<Arc<Vec<u8>>>,
}

impl KvStore {
    /// Looks at the files of a folder, which is made if it is missing. Files of other models are left alone.
    ///
    /// # Errors
    /// Where the folder cannot be made or read.
    pub(super) fn open(folder: &Path, fingerprint: Fingerprint, limit: u64) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        let mut texts = Vec::new();
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if has_ending(&path, UNFINISHED) && is_abandoned(&path) {
                remove(&path);
            }
            if !has_ending(&path, ENDING) {
                continue;
            }
            match read_header(&path) {
                Ok(header) if header.fingerprint == fingerprint => texts.push(Text {
                    path,
                    tokens: header.tokens,
                    unwritten: None,
                }),
                Ok(_) => (),
                Err(_) => remove(&path),
            }
        }
        Ok(Self {
            folder: folder.to_owned(),
            fingerprint,
            limit,
            texts,
            writer: Writer::start(folder, limit),
            files_named: 0,
        })
    }

    /// How much of a prompt's beginning is kept, and as which text; `None` where nothing is.
    pub(super) fn longest_beginning(&self, prompt: &[LlamaToken]) -> Option<(usize, Arc<[LlamaToken]>)> {
        let texts = self.texts.iter();
        texts
            .map(|text| (common_beginning(&text.tokens, prompt), &text.tokens))
            .filter(|(common, _)| *common > 0)
            .max_by_key(|(common, _)| *common)
            .map(|(common, tokens)| (common, Arc::clone(tokens)))
    }

    /// Whether a text is kept, or one that begins with it.
    pub(super) fn holds(&self, tokens: &[LlamaToken]) -> bool {
        self.texts.iter().any(|text| text.tokens.starts_with(tokens))
    }

    /// Reads a text's state. `None` where it is damaged or gone; then the text is forgotten.
    pub(super) fn read(&mut self, tokens: &Arc<[LlamaToken]>) -> Option<Arc<Vec<u8>>> {
        self.hear_writer();
        let place = self
            .texts
            .iter()
            .position(|text| Arc::ptr_eq(&text.tokens, tokens))?;
        let text = &self.texts[place];
        if let Some(state) = &text.unwritten {
            return Some(Arc::clone(state));
        }
        match read_state(&text.path, &text.tokens, &self.fingerprint) {
            Ok(state) => {
                touch(&text.path);
                Some(Arc::new(state))
            }
            Err(_) => {
                remove(&text.path);
                self.texts.remove(place);
                None
            }
        }
    }

    /// Keeps a text's state, in the background. Texts that it begins with are not needed any more.
    pub(super) fn keep(&mut self, chat: Chat, tokens: &[LlamaToken], state: Vec<u8>) {
        self.hear_writer();
        if file_bytes(tokens.len(), state.len() as u64) > self.limit || self.holds(tokens) {
            return;
        }
        let (superseded, others) = std::mem::take(&mut self.texts)
            .into_iter()
            .partition(|text| tokens.starts_with(&text.tokens));
        self.texts = others;
        let text = Text {
            path: self.next_path(chat),
            tokens: tokens.into(),
            unwritten: Some(Arc::new(state)),
        };
        self.writer.write(&text, self.fingerprint);
        for text in superseded {
            self.writer.remove(text);
        }
        self.texts.push(text);
    }

    /// Forgets the texts of a chat, and removes their files in the order of all that was asked.
    pub(super) fn forget(&mut self, chat: Chat) {
        let (gone, others) = std::mem::take(&mut self.texts)
            .into_iter()
            .partition(|text| is_of(&text.path, chat));
        self.texts = others;
        for text in gone {
            self.writer.remove(text);
        }
    }

    /// Waits until all is written.
    pub(super) fn close(&mut self) {
        self.writer.close();
        self.hear_writer();
    }

    /// States that are on the disk by now need no memory; texts that could not be written are forgotten.
    fn hear_writer(&mut self) {
        while let Some((path, is_written)) = self.writer.next_done() {
            if !is_written {
                self.texts.retain(|text| text.path != path);
            } else if let Some(text) = self.texts.iter_mut().find(|text| text.path == path) {
                text.unwritten = None;
            }
        }
    }

    /// A name that no file has: several workers of one model may share the folder.
    fn next_path(&mut self, chat: Chat) -> PathBuf {
        self.files_named += 1;
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let time = since.unwrap_or_default().as_nanos();
        let name = format!(
            "{chat}-{time:x}-{:x}-{:x}.{ENDING}",
            std::process::id(),
            self.files_named
        );
        self.folder.join(name)
    }
}

fn is_of(path: &Path, chat: Chat) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    name.is_some_and(|name| name.starts_with(&prefix(chat)))
}

/// How the names of all files of a chat begin.
fn prefix(chat: Chat) -> String {
    format!("{chat}-")
}

fn has_ending(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|found| found == ending)
}

fn is_abandoned(path: &Path) -> bool {
    let written = fs::metadata(path).and_then(|about| about.modified());
    let age = written.ok().and_then(|written| written.elapsed().ok());
    age.is_some_and(|age| age > ABANDONED_AFTER)
}

/// Marks a file as used now, which is its time of change.
fn touch(path: &Path) {
    let touched = File::options().write(true).open(path);
    let touched = touched.and_then(|file| file.set_modified(SystemTime::now()));
    // A file that is not there yet will have its time when it is.
    drop(touched);
}

/// Removes a file. One that is gone already is what was wanted; one that stays is found again at the next start.
fn remove(path: &Path) {
    drop(fs::remove_file(path));
}

#[cfg(test)]
mod tests;
