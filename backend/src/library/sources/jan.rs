//! Jan's folder: models in `llamacpp/models`, each in a folder of its own with a `model.yml` that says where its file
//! lies, which may be anywhere; of versions up to 0.6 in `models`.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use hearth_protocol::ModelId;
use hearth_protocol::hub::link::HOSTS;
use hearth_protocol::library::Source;
use serde::Deserialize;
use walkdir::WalkDir;

use super::super::found::{self, Found};
use super::super::scan::Told;

/// What a note of a model is called.
pub(super) const NOTE: &str = "model.yml";
/// What a model's file is called where Jan chose the name.
const PLAIN_NAME: &str = "model.gguf";
/// Longest note that is read; real ones have some lines.
const MAX_NOTE: u64 = 64 << 10;
/// Folders within folders that hold notes: a publisher's and a model's.
const DEPTH: usize = 4;

/// What is read of a note.
#[derive(Deserialize)]
struct Note {
    /// The model's file: absolute, or from Jan's folder on.
    model_path: PathBuf,
}

/// The folders with models in Jan's.
pub(super) fn folders(root: &Path) -> [PathBuf; 2] {
    [root.join("llamacpp").join("models"), root.join("models")]
}

/// Adds the models of Jan's folder.
pub(super) fn look_through(found: &mut Found, root: &Path) {
    let folders = folders(root);
    for folder in &folders {
        found.walk(Source::Jan, root, folder, tell);
    }
    for entry in WalkDir::new(&folders[0]).max_depth(DEPTH).sort_by_file_name() {
        // What cannot be looked at has been told by the walk before.
        let Ok(entry) = entry else { continue };
        if entry.file_name() == NOTE
            && let Err(reason) = add(found, root, &folders, entry.path())
        {
            found.skipped.push((entry.into_path(), reason));
        }
    }
}

/// Adds a model whose file lies elsewhere.
fn add(found: &mut Found, root: &Path, folders: &[PathBuf], note: &Path) -> Result<(), String> {
    let path = root.join(read(note)?.model_path);
    if !path.is_file() {
        return Err(format!("its file {} is missing", path.display()));
    }
    if folders.iter().any(|folder| path.starts_with(folder)) {
        return Ok(());
    }
    let folder = note.parent().unwrap_or(note);
    let below = folder.strip_prefix(root).unwrap_or(folder);
    let told = Told {
        called: name(folder),
        ..Told::default()
    };
    found.add(Source::Jan, found::id(Source::Jan, below, &path), &path, told);
    Ok(())
}

fn read(note: &Path) -> Result<Note, String> {
    let mut text = String::new();
    let file = File::open(note).map_err(|error| error.to_string())?;
    file.take(MAX_NOTE)
        .read_to_string(&mut text)
        .map_err(|error| error.to_string())?;
    serde_saphyr::from_str(&text).map_err(|_| "it does not say where the model's file is".to_owned())
}

/// What the place of a file tells: of one that is only called `model` the folder's name, and whose it is below the name
/// of the hub.
fn tell(below: &Path) -> Told {
    let called = match (below.file_name(), below.parent()) {
        (Some(file), Some(folder)) if file == PLAIN_NAME => name(folder),
        _ => None,
    };
    let parts: Vec<_> = below.iter().map(|part| part.to_str()).collect();
    let model = parts.windows(4).find_map(|parts| match parts {
        [Some(hub), Some(publisher), Some(repository), _] if HOSTS.contains(hub) => {
            Some(ModelId(format!("{publisher}/{repository}")))
        }
        _ => None,
    });
    Told {
        called,
        model,
        ..Told::default()
    }
}

fn name(folder: &Path) -> Option<String> {
    Some(folder.file_name()?.to_string_lossy().into_owned())
}
