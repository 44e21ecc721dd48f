//! Walks the folders of each source and describes the model files in them.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use hearth_protocol::library::{FileState, LibraryFile, Source};
use hearth_protocol::{ByteSize, FileId, UnixMillis};
use walkdir::WalkDir;

use super::gguf::GgufError;
use super::headers::{Header, Headers};
use super::parts::{self, Belongs, Set};
use super::quant;

/// Folders within folders that are looked into; also ends loops that the walker cannot see.
const MAX_DEPTH: usize = 12;

/// Architecture of image projectors, which are no models of their own (llama.cpp `clip.cpp`).
const PROJECTOR: &str = "clip";

/// What a walk found.
#[derive(Debug)]
pub(super) struct Found {
    /// The headers that were read on the way.
    pub(super) headers: Headers,
    /// Model files, damaged ones too.
    pub(super) models: Vec<Model>,
    /// What was passed over, and why.
    pub(super) skipped: Vec<(PathBuf, String)>,
}

/// A model and its files.
#[derive(Debug)]
pub(super) struct Model {
    /// What is listed.
    pub(super) file: LibraryFile,
    /// Its files, of several parts all that are there.
    pub(super) files: Vec<PathBuf>,
}

/// What is the same for two names of the same bytes. Some file systems number all files alike, so the number alone does
/// not tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Bytes {
    number: file_id::FileId,
    length: u64,
    written: Option<SystemTime>,
}

impl Bytes {
    /// Those behind a path; `None` where the system does not say.
    pub(super) fn of(path: &Path) -> Option<Self> {
        let about = path.metadata().ok()?;
        Some(Self {
            number: file_id::get_file_id(path).ok()?,
            length: about.len(),
            written: about.modified().ok(),
        })
    }
}

impl Found {
    /// Nothing yet.
    pub(super) fn new(headers: Headers) -> Self {
        Self {
            headers,
            models: Vec::new(),
            skipped: Vec::new(),
        }
    }

    /// Adds the model files below `root`. A missing folder holds none.
    pub(super) fn walk(&mut self, source: Source, root: &Path) {
        if !root.exists() {
            return;
        }
        // Links are followed, since people link models in; the walker itself refuses loops.
        for entry in WalkDir::new(root)
            .follow_links(true)
            .max_depth(MAX_DEPTH)
            .sort_by_file_name()
        {
            match entry {
                Ok(entry) if entry.file_type().is_file() && is_model_name(entry.file_name()) => {
                    let below = entry.path().strip_prefix(root).unwrap_or(entry.path());
                    self.add(source, below, entry.path());
                }
                Ok(entry) if entry.file_type().is_dir() && entry.depth() == MAX_DEPTH => {
                    let reason = format!("folders are looked into {MAX_DEPTH} deep, and this one is not");
                    self.skipped.push((entry.into_path(), reason));
                }
                Ok(_) => (),
                Err(error) => {
                    let path = error.path().unwrap_or(root).to_owned();
                    let reason = match error.loop_ancestor() {
                        Some(ancestor) => format!("it links back to {}", ancestor.display()),
                        None => error
                            .io_error()
                            .map_or_else(|| error.to_string(), ToString::to_string),
                    };
                    self.skipped.push((path, reason));
                }
            }
        }
    }

    /// Adds one file under the id `source/below`.
    pub(super) fn add(&mut self, source: Source, below: &Path, path: &Path) {
        match describe(id(source, below), source, path, &mut self.headers) {
            Described::Model(file, files) => self.models.push(Model { file: *file, files }),
            // The first part stands for it.
            Described::PartBehind(_) => (),
            Described::Projector => self.skipped.push((path.to_owned(), NO_MODEL.into())),
        }
    }
}

/// The id of a file that lies at `below` in its source.
pub(super) fn id(source: Source, below: &Path) -> FileId {
    FileId(format!("{}/{}", source_key(source), slashes(below)))
}

/// Why an image projector is passed over.
pub(super) const NO_MODEL: &str = "it is an image projector, not a model of its own";

/// What a file turned out to be.
pub(super) enum Described {
    /// A model, damaged or not, and its files, the first of which is the one that was looked at.
    Model(Box<LibraryFile>, Vec<PathBuf>),
    /// A further part of the model whose first file this is.
    PartBehind(PathBuf),
    /// The part of a model that reads images.
    Projector,
}

/// Describes a model file.
pub(super) fn describe(id: FileId, source: Source, path: &Path, headers: &mut Headers) -> Described {
    let header = headers.read(path);
    let known = header.as_ref().ok();
    let architecture = known.and_then(|header| header.architecture.clone());
    if architecture.as_deref() == Some(PROJECTOR) {
        return Described::Projector;
    }
    let set = match parts::belongs(path, &header, headers) {
        Belongs::Alone => None,
        Belongs::First(set) => Some(set),
        Belongs::Behind(first) => return Described::PartBehind(first),
    };
    let file_name = path
        .file_name()
        .map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let about = path.metadata().ok();
    let length = about.as_ref().map_or(0, std::fs::Metadata::len);
    let parameters = known.map_or(0, |header| header.parameters);
    let (size, parameters) = match &set {
        Some(set) => (set.size, set.parameters),
        None => (length, parameters),
    };
    let files = match &set {
        Some(set) => set.files.clone(),
        None => vec![path.to_owned()],
    };
    let file = LibraryFile {
        id,
        name: quant::display_name(&file_name),
        model: None,
        path: path.to_owned(),
        size: ByteSize(size),
        source,
        quantisation: quant::quantisation(&file_name, known.and_then(|header| header.file_type)),
        parameters: Some(parameters).filter(|count| *count > 0),
        context_length: known.and_then(|header| header.context_length),
        has_chat_template: known.is_some_and(|header| header.has_chat_template),
        state: state(&header, set),
        modified_at: modified_at(about.as_ref()),
        architecture,
    };
    Described::Model(Box::new(file), files)
}

fn state(header: &Result<Header, GgufError>, set: Option<Set>) -> FileState {
    let problem = match (set.and_then(|set| set.problem), header) {
        (Some(problem), _) => problem,
        (None, Err(error)) => error.to_string(),
        (None, Ok(header)) if header.tensors == 0 && header.parts < 2 => {
            "it holds a vocabulary and no weights".into()
        }
        (None, Ok(header)) if header.architecture.is_none() => {
            "it does not say which architecture it has".into()
        }
        (None, Ok(_)) => return FileState::Ready,
    };
    FileState::Damaged { reason: problem }
}

pub(super) fn modified_at(about: Option<&std::fs::Metadata>) -> UnixMillis {
    let since = about.and_then(|about| about.modified().ok()?.duration_since(UNIX_EPOCH).ok());
    UnixMillis(since.map_or(0, |since| i64::try_from(since.as_millis()).unwrap_or(i64::MAX)))
}

/// Whether a file's name ends in `.gguf`, in whatever case. `.gguf.part` does not.
pub(super) fn is_model_name(name: &OsStr) -> bool {
    let path = Path::new(name);
    path.extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("gguf"))
}

fn source_key(source: Source) -> &'static str {
    match source {
        Source::Starter => "starter",
        Source::Hearth => "hearth",
        Source::HuggingFace => "hub",
        Source::LmStudio => "lm-studio",
        Source::Ollama => "ollama",
        Source::Jan => "jan",
        Source::Gpt4All => "gpt4all",
        Source::LlamaCpp => "llama-cpp",
        Source::Folder => "folder",
    }
}

/// A path with forward slashes on every system, so that ids are the same everywhere.
fn slashes(path: &Path) -> String {
    let parts: Vec<_> = path
        .components()
        .map(|part| part.as_os_str().to_string_lossy())
        .collect();
    parts.join("/")
}
