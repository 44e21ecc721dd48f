//! KV state on the disk: what was computed for a text, so that yesterday's chat goes on without being read again.
//!
//! One file per text: a header with a fingerprint of everything the numbers depend on, the tokens, the state as
//! llama.cpp gives it, a checksum. Files are written in the background, under another name first, so that each is
//! whole or not there. What is damaged is dropped and what another model made is left alone; neither is ever loaded.
//! Workers of several models share a folder. When its files have too many bytes, those used longest ago go.
//!
//! ```text
//! "HEARTHKV"  version u32  fingerprint [u8; 32]  tokens u32  state bytes u64  [token i32]  [state u8]  crc32 u32
//! ```
//! All numbers are little-endian; the checksum is over all that stands before it.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, SystemTime};

use llama_cpp_2::token::LlamaToken;

use super::cache::common_beginning;

const MAGIC: [u8; 8] = *b"HEARTHKV";
const VERSION: u32 = 1;
const ENDING: &str = "kv";

/// Ending of a file that is being written.
const UNFINISHED: &str = "part";

/// An unfinished file that is older was left by a worker that was killed.
const ABANDONED_AFTER: Duration = Duration::from_secs(600);

/// Tokens in a file at most: a guard against a header that lies.
const MOST_TOKENS: u32 = 1 << 24;

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

/// The thread that writes and removes files, in the order it is told to.
struct Writer {
    orders: Option<Sender<Order>>,
    /// Files that were to be written, and whether they are.
    done: Receiver<(PathBuf, bool)>,
    thread: Option<JoinHandle<()>>,
}

enum Order {
    Write {
        path: PathBuf,
        fingerprint: Fingerprint,
        tokens: Arc<[LlamaToken]>,
        state: Arc<Vec<u8>>,
    },
    Remove(PathBuf),
}

impl Writer {
    fn start(folder: &Path, limit: u64) -> Self {
        let (orders, inbox) = channel();
        let (tell, done) = channel();
        let folder = folder.to_owned();
        let work = move || {
            keep_within_limit(&folder, limit);
            for order in inbox {
                match order {
                    Order::Write {
                        path,
                        fingerprint,
                        tokens,
                        state,
                    } => {
                        let is_written = write(&path, &fingerprint, &tokens, &state).is_ok();
                        // Nobody listens once the store is dropped, which ends the orders too.
                        drop(tell.send((path, is_written)));
                        keep_within_limit(&folder, limit);
                    }
                    Order::Remove(path) => remove(&path),
                }
            }
        };
        let thread = std::thread::Builder::new().name("hearth-kv".into()).spawn(work);
        Self {
            orders: Some(orders),
            done,
            thread: thread.ok(),
        }
    }

    fn write(&self, text: &Text, fingerprint: Fingerprint) {
        if let Some(state) = &text.unwritten {
            self.order(Order::Write {
                path: text.path.clone(),
                fingerprint,
                tokens: Arc::clone(&text.tokens),
                state: Arc::clone(state),
            });
        }
    }

    fn remove(&self, text: Text) {
        self.order(Order::Remove(text.path));
    }

    fn order(&self, order: Order) {
        // A thread that did not start takes none; what is in memory can be used from there.
        if let Some(orders) = &self.orders {
            drop(orders.send(order));
        }
    }

    fn next_done(&self) -> Option<(PathBuf, bool)> {
        self.done.try_recv().ok()
    }

    fn close(&mut self) {
        drop(self.orders.take());
        if let Some(thread) = self.thread.take() {
            // A panic there has been told on standard error; the files are whole or not there.
            drop(thread.join());
        }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.close();
    }
}

/// What stands before a state.
struct Header {
    fingerprint: Fingerprint,
    tokens: Arc<[LlamaToken]>,
    state_bytes: u64,
}

/// Bytes of a file with so many tokens and bytes of state.
fn file_bytes(tokens: usize, state: u64) -> u64 {
    let around = MAGIC.len() + 4 + size_of::<Fingerprint>() + 4 + 8 + tokens * 4 + 4;
    state.saturating_add(around as u64)
}

fn read_header(path: &Path) -> io::Result<Header> {
    let file = File::open(path)?;
    let length = file.metadata()?.len();
    let header = parse_header(&mut BufReader::new(file))?;
    if length != file_bytes(header.tokens.len(), header.state_bytes) {
        return Err(damaged());
    }
    Ok(header)
}

fn parse_header(reader: &mut impl Read) -> io::Result<Header> {
    if bytes::<8>(reader)? != MAGIC || u32::from_le_bytes(bytes(reader)?) != VERSION {
        return Err(damaged());
    }
    let fingerprint = bytes(reader)?;
    let count = u32::from_le_bytes(bytes(reader)?);
    let state_bytes = u64::from_le_bytes(bytes(reader)?);
    if count > MOST_TOKENS {
        return Err(damaged());
    }
    let mut tokens = Vec::new();
    for _ in 0..count {
        tokens.push(LlamaToken(i32::from_le_bytes(bytes(reader)?)));
    }
    Ok(Header {
        fingerprint,
        tokens: tokens.into(),
        state_bytes,
    })
}

/// The state in a file, if it is whole and the one that is expected.
fn read_state(path: &Path, tokens: &[LlamaToken], fingerprint: &Fingerprint) -> io::Result<Vec<u8>> {
    let mut all = fs::read(path)?;
    let end = all.len().checked_sub(4).ok_or_else(damaged)?;
    let sum = crc32fast::hash(&all[..end]);
    if all[end..] != sum.to_le_bytes() {
        return Err(damaged());
    }
    let header = parse_header(&mut all.as_slice())?;
    if header.fingerprint != *fingerprint || *header.tokens != *tokens {
        return Err(damaged());
    }
    all.truncate(end);
    let start = end.checked_sub(header.state_bytes as usize).ok_or_else(damaged)?;
    all.drain(..start);
    Ok(all)
}

fn write(path: &Path, fingerprint: &Fingerprint, tokens: &[LlamaToken], state: &[u8]) -> io::Result<()> {
    let beside = path.with_extension(UNFINISHED);
    let written = write_to(&beside, fingerprint, tokens, state).and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        remove(&beside);
    }
    written
}

fn write_to(path: &Path, fingerprint: &Fingerprint, tokens: &[LlamaToken], state: &[u8]) -> io::Result<()> {
    let mut header = Vec::with_capacity(56 + tokens.len() * 4);
    header.extend_from_slice(&MAGIC);
    header.extend_from_slice(&VERSION.to_le_bytes());
    header.extend_from_slice(fingerprint);
    header.extend_from_slice(&(tokens.len() as u32).to_le_bytes());
    header.extend_from_slice(&(state.len() as u64).to_le_bytes());
    for token in tokens {
        header.extend_from_slice(&token.0.to_le_bytes());
    }
    let mut sum = crc32fast::Hasher::new();
    sum.update(&header);
    sum.update(state);
    let mut file = BufWriter::new(File::create(path)?);
    file.write_all(&header)?;
    file.write_all(state)?;
    file.write_all(&sum.finalize().to_le_bytes())?;
    file.into_inner()?.sync_data()
}

/// Removes the files used longest ago until the others have few enough bytes.
fn keep_within_limit(folder: &Path, limit: u64) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    let file = |entry: fs::DirEntry| {
        let about = entry.metadata().ok()?;
        Some((about.modified().ok()?, about.len(), entry.path()))
    };
    let mut files: Vec<_> = entries
        .flatten()
        .filter(|entry| has_ending(&entry.path(), ENDING))
        .filter_map(file)
        .collect();
    files.sort();
    let mut bytes: u64 = files.iter().map(|(_, bytes, _)| bytes).sum();
    for (_, length, path) in files {
        if bytes <= limit {
            break;
        }
        remove(&path);
        bytes -= length;
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

/// Removes all files of a chat from a folder, whatever model made them; for chats that are deleted while no worker
/// has them in memory.
///
/// # Errors
/// Where the folder is there and cannot be read, or a file cannot be removed.
pub(in crate::engine) fn remove_chat(folder: &Path, chat: Chat) -> io::Result<()> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    for entry in entries {
        let path = entry?.path();
        if is_of(&path, chat) {
            fs::remove_file(path)?;
        }
    }
    Ok(())
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

fn bytes<const COUNT: usize>(reader: &mut impl Read) -> io::Result<[u8; COUNT]> {
    let mut bytes = [0; COUNT];
    reader.read_exact(&mut bytes)?;
    Ok(bytes)
}

fn damaged() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "the file is damaged")
}

#[cfg(test)]
mod tests;
