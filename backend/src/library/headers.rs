//! What the headers of model files say, remembered from one look at the folders to the next.
//!
//! A header is read again where the file's length or its time of writing has changed. What is not met on a look is
//! forgotten with it, so that the memory never grows beyond the files there are.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use super::gguf::{Gguf, GgufError};

/// What is kept of a header.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Header {
    pub(super) architecture: Option<String>,
    /// llama.cpp's number for the quantisation.
    pub(super) file_type: Option<u32>,
    /// Tokens it was trained for.
    pub(super) context_length: Option<u32>,
    pub(super) has_chat_template: bool,
    pub(super) tensors: u64,
    /// Weights in all tensors.
    pub(super) parameters: u64,
    /// Files the model is split into; 0 or 1 where it is not.
    pub(super) parts: u32,
    /// Which of them this is, from 0.
    pub(super) part: u32,
}

impl From<Gguf> for Header {
    fn from(gguf: Gguf) -> Self {
        let architecture = gguf.text("general.architecture").map(str::to_owned);
        let context_length = architecture
            .as_ref()
            .and_then(|architecture| gguf.number(&format!("{architecture}.context_length")));
        Self {
            architecture,
            file_type: gguf.number("general.file_type"),
            context_length,
            has_chat_template: gguf.text("tokenizer.chat_template").is_some(),
            tensors: gguf.tensors,
            parameters: gguf.parameters,
            parts: gguf.number("split.count").unwrap_or(0),
            part: gguf.number("split.no").unwrap_or(0),
        }
    }
}

#[derive(Debug, Clone)]
struct Known {
    length: u64,
    written: SystemTime,
    header: Result<Header, GgufError>,
}

/// The headers of the last look. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub(super) struct Memory(Arc<Mutex<Arc<HashMap<PathBuf, Known>>>>);

impl Memory {
    /// Begins a look.
    pub(super) fn look(&self) -> Headers {
        Headers {
            before: Arc::clone(&self.lock()),
            now: HashMap::new(),
        }
    }

    /// Remembers what a look has met, and nothing else.
    pub(super) fn keep(&self, look: Headers) {
        *self.lock() = Arc::new(look.now);
    }

    fn lock(&self) -> MutexGuard<'_, Arc<HashMap<PathBuf, Known>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The headers of one look. One that began without a memory reads all files.
#[derive(Debug, Default)]
pub(super) struct Headers {
    before: Arc<HashMap<PathBuf, Known>>,
    now: HashMap<PathBuf, Known>,
}

impl Headers {
    /// The header of a file, read anew only where the file has changed.
    ///
    /// # Errors
    /// [`GgufError`] says what is wrong with the file; it is remembered too, unless the system refused to read it,
    /// which can change while the file does not.
    pub(super) fn read(&mut self, path: &Path) -> Result<Header, GgufError> {
        let read = || Gguf::open(path).map(Header::from);
        let about = path.metadata();
        let Some((length, written)) = about
            .ok()
            .and_then(|about| Some((about.len(), about.modified().ok()?)))
        else {
            return read();
        };
        let is_same = |known: &&Known| known.length == length && known.written == written;
        let known = self.now.get(path).or_else(|| self.before.get(path));
        let known = match known.filter(is_same) {
            Some(known) => known.clone(),
            None => Known {
                length,
                written,
                header: read(),
            },
        };
        let header = known.header.clone();
        if !matches!(header, Err(GgufError::Io(_))) {
            self.now.insert(path.to_owned(), known);
        }
        header
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};
    use std::time::Duration;

    use super::*;

    /// A whole file of an architecture with five letters, so that all are equally long.
    fn write(path: &Path, architecture: &str, written: SystemTime) {
        let text = |text: &str| [&(text.len() as u64).to_le_bytes()[..], text.as_bytes()].concat();
        let bytes = [
            b"GGUF\x03\0\0\0".to_vec(),
            0_u64.to_le_bytes().to_vec(),
            1_u64.to_le_bytes().to_vec(),
            text("general.architecture"),
            8_u32.to_le_bytes().to_vec(),
            text(architecture),
        ];
        fs::write(path, bytes.concat()).expect("write");
        let file = File::options().write(true).open(path).expect("open");
        file.set_modified(written).expect("set the time");
    }

    fn architecture(memory: &Memory, path: &Path) -> Option<String> {
        let mut look = memory.look();
        let header = look.read(path);
        memory.keep(look);
        header.ok().and_then(|header| header.architecture)
    }

    #[test]
    fn a_file_is_read_again_only_where_it_has_changed() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("m.gguf");
        let (memory, then) = (
            Memory::default(),
            SystemTime::UNIX_EPOCH + Duration::from_secs(1_000),
        );
        write(&path, "llama", then);
        assert_eq!(architecture(&memory, &path).as_deref(), Some("llama"));
        // Nothing tells that this was written: the old header shows that the file was not read.
        write(&path, "gemma", then);
        assert_eq!(architecture(&memory, &path).as_deref(), Some("llama"));
        write(&path, "gemma", then + Duration::from_nanos(1));
        assert_eq!(architecture(&memory, &path).as_deref(), Some("gemma"));
        write(&path, "qwen35", then + Duration::from_nanos(1));
        assert_eq!(architecture(&memory, &path).as_deref(), Some("qwen35"));
    }

    #[test]
    fn a_damaged_file_is_remembered_and_read_again_once_it_is_whole() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("m.gguf");
        let (memory, then) = (
            Memory::default(),
            SystemTime::UNIX_EPOCH + Duration::from_secs(1_000),
        );
        fs::write(&path, "<html>").expect("write");
        let mut look = memory.look();
        assert_eq!(look.read(&path), Err(GgufError::WebPage));
        memory.keep(look);
        assert_eq!(memory.lock().len(), 1);
        write(&path, "llama", then);
        assert_eq!(architecture(&memory, &path).as_deref(), Some("llama"));
    }

    #[test]
    fn what_a_look_does_not_meet_is_forgotten() {
        let folder = tempfile::tempdir().expect("folder");
        let (kept, deleted) = (
            folder.path().join("kept.gguf"),
            folder.path().join("deleted.gguf"),
        );
        let (memory, then) = (
            Memory::default(),
            SystemTime::UNIX_EPOCH + Duration::from_secs(1_000),
        );
        for path in [&kept, &deleted] {
            write(path, "llama", then);
        }
        let mut look = memory.look();
        assert!(look.read(&kept).is_ok() && look.read(&deleted).is_ok());
        memory.keep(look);
        assert_eq!(memory.lock().len(), 2);

        fs::remove_file(&deleted).expect("delete");
        let mut look = memory.look();
        assert!(look.read(&kept).is_ok());
        assert!(matches!(look.read(&deleted), Err(GgufError::Io(_))));
        memory.keep(look);
        assert_eq!(memory.lock().keys().collect::<Vec<_>>(), [&kept]);
    }
}
