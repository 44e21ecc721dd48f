//! Ollama's store: `manifests/HOST/NAMESPACE/MODEL/TAG` are JSON, whose layers lie in `blobs` by their sha256 (its
//! `server/manifest.go`, `server/modelpath.go` and `server/images.go`). What no manifest names is of no use.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use hearth_protocol::{Error, Result};
use serde::Deserialize;
use walkdir::WalkDir;

use super::delete::remove_patiently;

/// The folder of manifests.
pub(super) const MANIFESTS: &str = "manifests";

/// The folder of what they name.
const BLOBS: &str = "blobs";

/// Longest manifest that is read; real ones have about 1 kB.
const MAX_MANIFEST: u64 = 1 << 20;

/// How digests begin, and how the names of blobs do, which have no colon.
const DIGEST: &str = "sha256:";
const BLOB: &str = "sha256-";

/// A store as it was when it was read.
pub(super) struct OllamaStore {
    folder: PathBuf,
    /// By path.
    pub(super) manifests: Vec<(PathBuf, Manifest)>,
    /// What in the folder of manifests is none, and why; nothing is known to be without a name then.
    pub(super) unread: Vec<(PathBuf, String)>,
}

/// What belongs to a model.
#[derive(Debug, Deserialize)]
pub(super) struct Manifest {
    layers: Vec<Layer>,
    config: Option<Config>,
}

#[derive(Debug, Deserialize)]
struct Layer {
    #[serde(default, rename = "mediaType")]
    media_type: String,
    digest: String,
}

#[derive(Debug, Deserialize)]
struct Config {
    digest: String,
}

impl Manifest {
    fn read(path: &Path) -> std::result::Result<Self, String> {
        let mut text = Vec::new();
        let file = File::open(path).map_err(|error| error.to_string())?;
        file.take(MAX_MANIFEST)
            .read_to_end(&mut text)
            .map_err(|error| error.to_string())?;
        serde_json::from_slice(&text).map_err(|error| format!("it is not a manifest of Ollama: {error}"))
    }

    /// Whether all that it names can be a blob.
    fn is_sound(&self) -> bool {
        let layers = self.layers.iter().map(|layer| &layer.digest);
        let mut digests = layers.chain(self.config.iter().map(|config| &config.digest));
        digests.all(|digest| blob_name(digest).is_some())
    }

    /// The digest of the first layer of a kind.
    pub(super) fn layer(&self, kind: &str) -> Option<&str> {
        let layer = self.layers.iter().find(|layer| layer.media_type == kind)?;
        Some(&layer.digest)
    }

    /// The names of all its blobs. What is no digest names none.
    fn blobs(&self) -> impl Iterator<Item = String> {
        let layers = self.layers.iter().map(|layer| &layer.digest);
        let config = self.config.iter().map(|config| &config.digest);
        layers.chain(config).filter_map(|digest| blob_name(digest))
    }
}

impl OllamaStore {
    /// Reads the manifests of the store in a folder.
    pub(super) fn read(folder: &Path) -> Self {
        let (mut manifests, mut unread) = (Vec::new(), Vec::new());
        let root = folder.join(MANIFESTS);
        for entry in WalkDir::new(&root).follow_links(true).sort_by_file_name() {
            match entry {
                Ok(entry) if entry.file_type().is_file() => match Manifest::read(entry.path()) {
                    Ok(manifest) => manifests.push((entry.into_path(), manifest)),
                    // What a file manager leaves there is no manifest.
                    Err(_) if entry.file_name().as_encoded_bytes().starts_with(b".") => (),
                    Err(reason) => unread.push((entry.into_path(), reason)),
                },
                Ok(_) => (),
                Err(error) => {
                    let path = error.path().unwrap_or(&root).to_owned();
                    unread.push((path, error.to_string()));
                }
            }
        }
        Self {
            folder: folder.to_owned(),
            manifests,
            unread,
        }
    }

    /// Where a manifest lies below the folder of all of them.
    pub(super) fn below<'a>(&self, manifest: &'a Path) -> &'a Path {
        let below = manifest.strip_prefix(self.folder.join(MANIFESTS));
        below.unwrap_or(manifest)
    }

    /// The file of a digest, under today's name or the one of versions up to 0.1.24; `None` where there is none.
    pub(super) fn blob(&self, digest: &str) -> Option<PathBuf> {
        let files = self.files_of(&blob_name(digest)?);
        files.into_iter().find(|path| path.is_file())
    }

    /// Whether a path lies in it.
    pub(super) fn holds(&self, path: &Path) -> bool {
        path.starts_with(self.folder.join(BLOBS))
    }

    /// The blobs that no manifest names, and the beginnings of blobs. None where that is not known for sure.
    pub(super) fn unnamed(&self) -> Vec<PathBuf> {
        let named: HashSet<String> = self.names().collect();
        let entries = fs::read_dir(self.folder.join(BLOBS)).into_iter().flatten();
        let is_unnamed = |path: &PathBuf| {
            name_of(path).is_some_and(|name| name.starts_with(BLOB) && !named.contains(&name))
        };
        let paths = entries.flatten().map(|entry| entry.path()).filter(is_unnamed);
        paths.filter(|_| self.is_known()).collect()
    }

    /// Removes a model by its manifest: the manifest, and its blobs that no other manifest names.
    ///
    /// # Errors
    /// [`Error::File`].
    pub(super) fn remove(&self, path: &Path) -> Result<()> {
        if !self.is_known() {
            return Err(Error::File {
                path: self.folder.display().to_string(),
                reason: "some of Ollama's manifests cannot be read; remove the model with `ollama rm`".into(),
            });
        }
        let (gone, kept): (Vec<_>, Vec<_>) = self
            .manifests
            .iter()
            .map(|(path, manifest)| (path, manifest))
            .partition(|(manifest, _)| *manifest == path);
        let needed: HashSet<String> = kept.iter().flat_map(|(_, manifest)| manifest.blobs()).collect();
        // The manifest last: where a blob cannot be removed, the model stays listed.
        for name in gone.iter().flat_map(|(_, manifest)| manifest.blobs()) {
            if !needed.contains(&name) {
                for file in self.files_of(&name) {
                    remove_patiently(&file)?;
                }
            }
        }
        gone.iter().try_for_each(|(path, _)| remove_patiently(path))
    }

    /// Where a blob of this name can lie: up to version 0.1.24 they were called by the digest itself.
    fn files_of(&self, name: &str) -> [PathBuf; 2] {
        let blobs = self.folder.join(BLOBS);
        [blobs.join(name), blobs.join(name.replacen(BLOB, DIGEST, 1))]
    }

    /// Whether all that is needed is known.
    fn is_known(&self) -> bool {
        let are_sound = self.manifests.iter().all(|(_, manifest)| manifest.is_sound());
        are_sound && self.unread.is_empty() && self.folder.join(MANIFESTS).is_dir()
    }

    fn names(&self) -> impl Iterator<Item = String> {
        self.manifests.iter().flat_map(|(_, manifest)| manifest.blobs())
    }
}

/// The name of the blob with this digest. What is no digest is no name of a file either.
fn blob_name(digest: &str) -> Option<String> {
    let hex = digest
        .strip_prefix(DIGEST)
        .or_else(|| digest.strip_prefix(BLOB))?;
    let is_hash = hex.len() == 64 && hex.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hash.then(|| format!("{BLOB}{hex}"))
}

/// What a blob is called, whichever version wrote it.
fn name_of(blob: &Path) -> Option<String> {
    Some(blob.file_name()?.to_str()?.replace(':', "-"))
}
