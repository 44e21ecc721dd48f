//! Describes one model file: what it says of itself, and whether it can be used.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use hearth_protocol::library::{FileState, LibraryFile, Source};
use hearth_protocol::{ByteSize, FileId, ModelId, UnixMillis};

use super::gguf::GgufError;
use super::headers::{Header, Headers};
use super::parts::{self, Belongs, Set};
use super::quant;

/// Architecture of image projectors, which are no models of their own (llama.cpp `clip.cpp`).
const PROJECTOR: &str = "clip";

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

/// What the place of a file tells of it.
#[derive(Debug, Default)]
pub(super) struct Told {
    /// The model's name, where that is known better than from a file's name.
    pub(super) name: Option<String>,
    /// What stands for the file's name, where that says nothing.
    pub(super) called: Option<String>,
    /// The model on the hub.
    pub(super) model: Option<ModelId>,
    /// Where another program notes that it has the model, if that alone makes it one.
    pub(super) note: Option<PathBuf>,
}

/// Describes a model file.
pub(super) fn describe(
    id: FileId,
    source: Source,
    path: &Path,
    told: Told,
    headers: &mut Headers,
) -> Described {
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
    let file_name = told.called.unwrap_or_else(|| {
        path.file_name()
            .map_or_else(String::new, |name| name.to_string_lossy().into_owned())
    });
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
        name: told.name.unwrap_or_else(|| quant::display_name(&file_name)),
        model: told.model,
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
