//! Model files on the disk.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize, Serializer};

use crate::{ByteSize, Error, FileId, ModelId, RunEvent, UnixMillis};

/// What the person wrote of a model file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FileNotes {
    /// Notes; empty where there are none.
    pub notes: String,
    /// Tags, each once.
    pub tags: Vec<String>,
    /// Whether it is a favourite.
    pub favourite: bool,
}

/// What Hearth remembers of a model file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileRecord {
    /// The file.
    pub file: FileId,
    /// What the person wrote of it. Of a file of a model that the catalogue has it is what was written of that model.
    pub notes: FileNotes,
    /// When it last answered in a chat; `None` where it never has.
    pub used_at: Option<UnixMillis>,
}

/// A model file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LibraryFile {
    /// The file.
    pub id: FileId,
    /// Display name: the person's, else one read from the file's, such as `SmolLM2 135M Instruct`.
    pub name: String,
    /// The model on the hub that it is a file of, where its place tells: in the Hugging Face cache, and in folders laid
    /// out as `publisher/repository/file`.
    pub model: Option<ModelId>,
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
    /// llama.cpp's cache.
    LlamaCpp,
    /// A folder the person named.
    Folder,
}

impl Source {
    /// As a person reads it, such as `LM Studio`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Starter => "Hearth's starter models",
            Self::Hearth => "Hearth",
            Self::HuggingFace => "the Hugging Face cache",
            Self::LmStudio => "LM Studio",
            Self::Ollama => "Ollama",
            Self::Jan => "Jan",
            Self::Gpt4All => "GPT4All",
            Self::LlamaCpp => "llama.cpp",
            Self::Folder => "a folder of yours",
        }
    }
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
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ScanEvent {
    /// A file was read.
    Found(LibraryFile),
    /// Something was passed over.
    Skipped {
        /// What. In JSON as a file's.
        #[serde(serialize_with = "as_text")]
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

/// The library, now and after each change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LibraryEvent {
    /// All files, damaged ones too, starter first, then by name.
    Files(Vec<LibraryFile>),
    /// No more news.
    Closed(Error),
}

impl RunEvent for LibraryEvent {
    fn is_terminal(&self) -> bool {
        matches!(self, Self::Closed(_))
    }
    fn failed(error: Error) -> Self {
        Self::Closed(error)
    }
}

/// A file to take into the library.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportRequest {
    /// The file; of several parts any one, which stands for all.
    pub path: PathBuf,
    /// How.
    pub how: ImportMode,
}

/// How a file comes into Hearth's own folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ImportMode {
    /// It is copied.
    Copy,
    /// It is moved.
    Move,
    /// It gets a second name, as only the same file system can give; either may be deleted without the other.
    HardLink,
    /// It stays where it is, and a link leads there.
    SymbolicLink,
}

/// News of an import.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
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

/// A file to delete from the disk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeleteRequest {
    /// The file; of several parts all of them go.
    pub file: FileId,
    /// The other program whose file it is, where the person has been told its name and wants it deleted all the same.
    /// Without it such a file is refused with [`Error::Unconfirmed`].
    pub confirmed: Option<Source>,
}

/// What went with a file that was deleted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileDeleted {
    /// Whether it was the default model of the settings, which name none now.
    pub was_default: bool,
}

/// What a file says of itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Inspection {
    /// The file.
    pub file: LibraryFile,
    /// GGUF metadata in file order. Of a long array the first values and its length are given.
    pub metadata: Vec<(String, String)>,
    /// The chat template's source.
    pub chat_template: Option<String>,
    /// Its tensors in file order; of several parts those of all.
    pub tensors: Vec<Tensor>,
}

/// A tensor of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tensor {
    /// Its name, such as `blk.0.attn_q.weight`.
    pub name: String,
    /// How its weights are stored, such as `Q4_K`; a number where this Hearth has no name for it.
    pub kind: String,
    /// Its size along each dimension, the fastest first.
    pub shape: Vec<u64>,
    /// Its bytes; `None` where the kind is not known.
    pub size: Option<ByteSize>,
}

/// What model files take on the disk. Bytes that have several names count once.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiskUse {
    /// All of it.
    pub total: ByteSize,
    /// By where the files are from, the largest first.
    pub sources: Vec<SourceUse>,
    /// By model, the largest first.
    pub models: Vec<ModelUse>,
    /// What leftovers take besides.
    pub leftovers: ByteSize,
    /// What is free on the disk that downloads go to; `None` where the system does not say.
    pub free: Option<ByteSize>,
}

/// What the files of one source take on the disk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceUse {
    /// The source.
    pub source: Source,
    /// How many models.
    pub models: u32,
    /// Their bytes.
    pub size: ByteSize,
}

/// What one model takes on the disk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelUse {
    /// Its file.
    pub file: FileId,
    /// Its bytes, parts added up.
    pub size: ByteSize,
}

/// A file that is of no use any more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Leftover {
    /// Where it lies.
    #[serde(serialize_with = "as_text")]
    pub path: PathBuf,
    /// Its size; 0 for a link.
    pub size: ByteSize,
    /// What it is.
    pub kind: LeftoverKind,
    /// Whose it is.
    pub source: Source,
    /// When it was last written.
    pub modified_at: UnixMillis,
}

/// What a leftover is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LeftoverKind {
    /// The beginning of a download that is in no list.
    Partial,
    /// Bytes in a cache that no name leads to.
    Orphan,
    /// A link to what is not there.
    DanglingLink,
}

/// What a clean-up did.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cleaned {
    /// How many leftovers are gone.
    pub removed: u32,
    /// The bytes that are free again.
    pub freed: ByteSize,
    /// Those that stay, and why.
    pub kept: Vec<(PathBuf, String)>,
}
