//! Walks the folders of each source and describes the model files in them.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use hearth_protocol::library::{FileState, LibraryFile, Source};
use hearth_protocol::{ByteSize, FileId, UnixMillis};
use walkdir::WalkDir;

use super::gguf::{Gguf, GgufError};
use super::quant;

/// Folders within folders; also ends loops that the walker cannot see.
const MAX_DEPTH: usize = 12;

/// Architecture of image projectors, which are no models of their own (llama.cpp `clip.cpp`).
const PROJECTOR: &str = "clip";

/// What a walk found.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// Model files, damaged ones too.
    pub(super) files: Vec<LibraryFile>,
    /// What was passed over, and why.
    pub(super) skipped: Vec<(PathBuf, String)>,
}

impl Found {
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
        let id = FileId(format!("{}/{}", source_key(source), slashes(below)));
        match describe(id, source, path) {
            Some(file) => self.files.push(file),
            None => self.skipped.push((
                path.to_owned(),
                "it is an image projector, not a model of its own".into(),
            )),
        }
    }
}

/// Describes a model file, damaged or not; `None` for a projector.
pub(super) fn describe(id: FileId, source: Source, path: &Path) -> Option<LibraryFile> {
    let file_name = path
        .file_name()
        .map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let about = path.metadata().ok();
    let header = Gguf::open(path);
    let gguf = header.as_ref().ok();
    let architecture = gguf.and_then(|gguf| gguf.text("general.architecture"));
    if architecture == Some(PROJECTOR) {
        return None;
    }
    let context_length =
        architecture.and_then(|architecture| gguf?.number(&format!("{architecture}.context_length")));
    Some(LibraryFile {
        id,
        name: quant::display_name(&file_name),
        path: path.to_owned(),
        size: ByteSize(about.as_ref().map_or(0, std::fs::Metadata::len)),
        source,
        quantisation: quant::quantisation(&file_name, gguf.and_then(|gguf| gguf.number("general.file_type"))),
        parameters: gguf.map(|gguf| gguf.parameters).filter(|count| *count > 0),
        context_length,
        has_chat_template: gguf.is_some_and(|gguf| gguf.text("tokenizer.chat_template").is_some()),
        state: state(&header),
        modified_at: modified_at(about.as_ref()),
        architecture: architecture.map(str::to_owned),
    })
}

fn state(header: &Result<Gguf, GgufError>) -> FileState {
    match header {
        Err(error) => FileState::Damaged {
            reason: error.to_string(),
        },
        Ok(gguf) if gguf.tensors == 0 => FileState::Damaged {
            reason: "it holds a vocabulary and no weights".into(),
        },
        Ok(gguf) if gguf.text("general.architecture").is_none() => FileState::Damaged {
            reason: "it does not say which architecture it has".into(),
        },
        Ok(_) => FileState::Ready,
    }
}

fn modified_at(about: Option<&std::fs::Metadata>) -> UnixMillis {
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
