//! Which files a name stands for, as people type names. Pure.

use hearth_protocol::library::{FileState, LibraryFile};
use hearth_protocol::{Error, Result};

use super::{parts, quant};

/// Names offered when the one asked for is not there.
const MAX_SUGGESTIONS: usize = 5;

/// The files that are called so, usable ones first, else in the order of the list: by id, by the file's name with or
/// without its ending and its number among the parts, by display name, or as `owner/name` or `owner/name:Q4_K_M` of the
/// hub. Upper and lower case are one. An id stands for one file, whatever else is called so.
///
/// # Errors
/// [`Error::NotFound`] with names there are.
pub(super) fn find(files: Vec<LibraryFile>, name: &str) -> Result<Vec<LibraryFile>> {
    if let Some(file) = files.iter().find(|file| file.id.as_str() == name) {
        return Ok(vec![file.clone()]);
    }
    let missing = missing(&files, name);
    let wanted = name.to_lowercase();
    let is_called = |file: &LibraryFile| names(file).any(|name| name.to_lowercase() == wanted);
    let mut called: Vec<LibraryFile> = files.into_iter().filter(is_called).collect();
    called.sort_by_key(|file| file.state != FileState::Ready);
    if called.is_empty() {
        Err(missing)
    } else {
        Ok(called)
    }
}

fn missing(files: &[LibraryFile], name: &str) -> Error {
    let usable = files.iter().filter(|file| file.state == FileState::Ready);
    Error::NotFound {
        what: "model".into(),
        name: name.to_owned(),
        known: usable.take(MAX_SUGGESTIONS).map(typed_name).collect(),
    }
}

/// Everything that a file is called.
fn names(file: &LibraryFile) -> impl Iterator<Item = String> {
    let file_name = file_name(file);
    let stem = quant::stem(&file_name).to_owned();
    let set = parts::without_number(&stem).to_owned();
    let hub = file.model.as_ref().map(ToString::to_string);
    let quantised = hub
        .as_ref()
        .zip(file.quantisation.as_ref())
        .map(|(hub, quantisation)| format!("{hub}:{quantisation}"));
    let own = [file.id.to_string(), file_name, stem, set, file.name.clone()];
    own.into_iter().chain(hub).chain(quantised)
}

/// The name that is typed: the file's, without its ending and its number among the parts. One without an ending, as in
/// Ollama's store, tells nobody anything.
pub(crate) fn typed_name(file: &LibraryFile) -> String {
    let name = file_name(file);
    match quant::stem(&name) {
        stem if stem.len() == name.len() => file.name.clone(),
        stem => parts::without_number(stem).to_owned(),
    }
}

fn file_name(file: &LibraryFile) -> String {
    let name = file.path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}
