//! Model files on the disk.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize, Serializer};

use crate::{ByteSize, Error, FileId, RunEvent, UnixMillis};

/// A model file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LibraryFile {
    /// The file.
    pub id: FileId,
    /// Display name, such as `SmolLM2 135M Instruct`.
    pub name: String,
    /// Where it lies. In JSON, what is no Unicode text in it has a replacement character.
    #[serde(serialize_with = "as_text")]
    pub path: PathBuf,
    /// Its size.
    pub size: ByteSize,
    /// Where it is from.
    pub source: Source,
    /// Architecture as GGUF names it, such as `llama`; `None` where unknown.
    pub architecture: Option<String>,
    /// Quantisation, such as `Q4_K_M`; `None` where unknown.
    pub quantisation: Option<String>,
    /// Number of parameters; `None` where unknown.
    pub parameters: Option<u64>,
    /// Tokens of context it was trained for; `None` where unknown.
    pub context_length: Option<u32>,
    /// Whether it brings a chat template.
    pub has_chat_template: bool,
    /// Whether it can be used.
    pub state: FileState,
    /// When the file was last written.
    pub modified_at: UnixMillis,
}

/// A path as text, since JSON has no other: one odd name must not spoil a whole list.
fn as_text<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&path.display())
}

/// Where a model file is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// It came with Hearth.
    Starter,
    /// Hearth downloaded or imported it.
    Hearth,
    /// The Hugging Face cache.
    HuggingFace,
    /// LM Studio's folder.
    LmStudio,
    /// Ollama's store.
    Ollama,
    /// Jan's folder.
    Jan,
    /// GPT4All's folder.
    Gpt4All,
    /// A folder the person named.
    Folder,
}

/// Whether a model file can be used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum FileState {
    /// Yes.
    Ready,
    /// No.
    Damaged {
        /// Why, in words.
        reason: String,
    },
}

/// News of a scan.
#[derive(Debug, Clone, PartialEq)]
pub enum ScanEvent {
    /// A file was read.
    Found(LibraryFile),
    /// Something was passed over.
    Skipped {
        /// What.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// The scan is over.
    Finished {
        /// How many files the library holds now.
        files: u32,
    },
    /// It broke off.
    Failed(Error),
}

impl RunEvent for ScanEvent {
    fn is_terminal(&self) -> bool {
        matches!(self, Self::Finished { .. } | Self::Failed(_))
    }
    fn failed(error: Error) -> Self {
        Self::Failed(error)
    }
}

/// A file to take into the library.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportRequest {
    /// The file; for shards the first one.
    pub path: PathBuf,
    /// How.
    pub how: ImportMode,
}

/// How a file comes into the library.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImportMode {
    /// It is copied.
    Copy,
    /// It is moved.
    Move,
    /// It stays where it is.
    Link,
}

/// News of an import.
#[derive(Debug, Clone, PartialEq)]
pub enum ImportEvent {
    /// Bytes done and bytes in all.
    Progress(ByteSize, ByteSize),
    /// It is in the library.
    Finished(LibraryFile),
    /// It is not.
    Failed(Error),
}

impl RunEvent for ImportEvent {
    fn is_terminal(&self) -> bool {
        !matches!(self, Self::Progress(..))
    }
    fn failed(error: Error) -> Self {
        Self::Failed(error)
    }
}

/// What a file says of itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Inspection {
    /// The file.
    pub file: LibraryFile,
    /// GGUF metadata in file order; long arrays are given by their length.
    pub metadata: Vec<(String, String)>,
    /// The chat template's source.
    pub chat_template: Option<String>,
    /// Number of tensors.
    pub tensors: u64,
}
