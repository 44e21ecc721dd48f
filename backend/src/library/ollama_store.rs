//! Ollama's store, as far as something is removed from it: manifests name the blobs that are needed, and what none names is
//! of no use (its `server/manifest.go`, `server/images.go`).

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use hearth_protocol::{Error, Result};
use serde_json::Value;
use walkdir::WalkDir;

use super::delete::remove_patiently;

/// Longest manifest that is read; real ones have about 1 kB.
const MAX_MANIFEST: u64 = 1 << 20;

/// How the blobs are called: the digest `sha256:` and 64 hexadecimal digits, of which a file's name has no colon.
const BLOB: &str = "sha256-";

/// A store as it was when it was read.
pub(super) struct OllamaStore {
    folder: PathBuf,
    /// Manifests, and the names of the blobs of each.
    manifests: Vec<(PathBuf, HashSet<String>)>,
    /// Whether all manifests could be read; else nothing is known to be without a name.
    is_known: bool,
}

impl OllamaStore {
    /// Reads the manifests of the store in a folder.
    pub(super) fn read(folder: &Path) -> Self {
        let (mut manifests, mut is_known) = (Vec::new(), folder.join("manifests").is_dir());
        for entry in WalkDir::new(folder.join("manifests")).follow_links(true) {
            match entry {
                Ok(entry) if entry.file_type().is_file() => match digests(entry.path()) {
                    Some(names) => manifests.push((entry.into_path(), names)),
                    // What a file manager leaves there is no manifest.
                    None => is_known &= entry.file_name().as_encoded_bytes().starts_with(b"."),
                },
                Ok(_) => (),
                Err(_) => is_known = false,
            }
        }
        Self {
            folder: folder.to_owned(),
            manifests,
            is_known,
        }
    }

    /// Whether a path lies in it.
    pub(super) fn holds(&self, path: &Path) -> bool {
        path.starts_with(self.folder.join("blobs"))
    }

    /// The blobs that no manifest names, and the beginnings of blobs. None where that is not known for sure.
    pub(super) fn unnamed(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.folder.join("blobs"))
            .into_iter()
            .flatten()
            .flatten();
        let is_unnamed = |path: &PathBuf| match name_of(path) {
            Some(name) => name.starts_with(BLOB) && !self.names().any(|named| *named == name),
            None => false,
        };
        let paths = entries.map(|entry| entry.path()).filter(is_unnamed);
        paths.filter(|_| self.is_known).collect()
    }

    fn names(&self) -> impl Iterator<Item = &String> {
        self.manifests.iter().flat_map(|(_, names)| names)
    }

    /// Removes a model by its blob: the manifests that name it, and their blobs that no other manifest names.
    ///
    /// # Errors
    /// [`Error::File`].
    pub(super) fn remove(&self, blob: &Path) -> Result<()> {
        let name = name_of(blob).unwrap_or_default();
        if !self.is_known {
            return Err(Error::File {
                path: self.folder.display().to_string(),
                reason: "some of Ollama's manifests cannot be read; remove the model with `ollama rm`".into(),
            });
        }
        let (gone, kept): (Vec<_>, Vec<_>) = self
            .manifests
            .iter()
            .partition(|(_, names)| names.contains(&name));
        let needed: HashSet<&String> = kept.iter().flat_map(|(_, names)| names).collect();
        let named = gone.iter().flat_map(|(_, names)| names);
        let unneeded: HashSet<&String> = named.filter(|name| !needed.contains(name)).collect();
        // The model's own file first: where it cannot be removed, all stays as it is.
        remove_patiently(blob)?;
        for name in unneeded {
            // Up to version 0.1.24 blobs were called by the digest itself.
            for name in [name.clone(), name.replacen('-', ":", 1)] {
                remove_patiently(&self.folder.join("blobs").join(name))?;
            }
        }
        gone.iter()
            .try_for_each(|(manifest, _)| remove_patiently(manifest))
    }
}

/// The names of the blobs of a manifest; `None` where it is none.
fn digests(manifest: &Path) -> Option<HashSet<String>> {
    let about = manifest.metadata().ok()?;
    let text = (about.len() <= MAX_MANIFEST).then(|| fs::read(manifest))?.ok()?;
    let manifest: Value = serde_json::from_slice(&text).ok()?;
    let layers = manifest.get("layers")?.as_array()?;
    let digest = |layer: &Value| Some(layer.get("digest")?.as_str()?.replace(':', "-"));
    let mut names: HashSet<String> = layers.iter().map(digest).collect::<Option<_>>()?;
    names.extend(manifest.get("config").and_then(digest));
    Some(names)
}

fn name_of(blob: &Path) -> Option<String> {
    Some(blob.file_name()?.to_str()?.replace(':', "-"))
}
