//! How each source is looked through, and what the place of a file in it tells.

mod hub;
mod jan;
mod llama_cpp;
mod ollama;

use std::path::{Path, PathBuf};

use hearth_protocol::ModelId;
use hearth_protocol::library::Source;

use super::found::Found;
use super::import;
use super::scan::Told;

pub(super) use hub::HubCache;

/// Adds the models of a folder; of the Hugging Face cache [`HubCache`] does it.
pub(super) fn look_through(found: &mut Found, source: Source, folder: &Path) {
    match source {
        Source::Ollama => ollama::look_through(found, folder),
        Source::Jan => jan::look_through(found, folder),
        Source::LlamaCpp => llama_cpp::look_through(found, folder),
        Source::Hearth | Source::LmStudio => found.walk(source, folder, folder, by_publisher),
        Source::Starter | Source::HuggingFace | Source::Gpt4All | Source::Folder => {
            found.walk(source, folder, folder, |_| Told::default());
        }
    }
}

/// The folders of a source whose changes matter.
pub(super) fn watched(source: Source, folder: &Path) -> Vec<PathBuf> {
    match source {
        // Beside the models it keeps chats, logs and programs there.
        Source::Jan => jan::folders(folder).into(),
        _ => vec![folder.to_owned()],
    }
}

/// Whether another program notes at this path what models it has.
pub(super) fn is_note(path: &Path) -> bool {
    path.ends_with(jan::NOTE) || path.iter().any(|part| part == super::ollama::MANIFESTS)
}

/// What `publisher/repository/file` tells.
fn by_publisher(below: &Path) -> Told {
    let parts: Vec<_> = below.iter().map(|part| part.to_str()).collect();
    let model = match parts[..] {
        // No publisher.
        [Some(import::FOLDER), ..] => None,
        [Some(publisher), Some(repository), _, ..] => Some(ModelId(format!("{publisher}/{repository}"))),
        _ => None,
    };
    Told {
        model,
        ..Told::default()
    }
}
