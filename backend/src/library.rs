//! Model files on the disk: where they are, what they say of themselves, whether they can be used.
//!
//! Reads files and never writes one. Every file passes the GGUF reader here before the engine sees it.

#[allow(
    dead_code,
    reason = "the guards of the engine and the catalogue take the rest of it"
)]
pub(crate) mod estimate;
mod gguf;
mod quant;
mod scan;
#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use hearth_protocol::engine::ModelRef;
use hearth_protocol::library::{FileState, LibraryFile, ScanEvent, Source};
use hearth_protocol::{Error, EventSink, FileId, Result};

use crate::config::Config;
use crate::net::Net;
use scan::Found;

/// Names offered when the one asked for is not there.
const MAX_SUGGESTIONS: usize = 5;

/// The files of all sources. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Library {
    starter: PathBuf,
    models: PathBuf,
    hub_cache: Option<PathBuf>,
    net: Net,
}

impl Library {
    /// A library over the folders of `config`; nothing is read yet.
    pub(crate) fn new(config: &Config, net: Net) -> Self {
        Self {
            starter: config.starter_models.clone(),
            models: config.models(),
            hub_cache: config.hub_cache.clone(),
            net,
        }
    }

    /// All files, damaged ones too, starter first, then by name.
    ///
    /// # Errors
    /// [`Error::Internal`] where the reading thread broke off.
    pub(crate) async fn list(&self) -> Result<Vec<LibraryFile>> {
        self.find().await.map(|found| found.files)
    }

    /// Reads all folders and tells each file, then what was passed over.
    pub(crate) async fn scan(&self, mut events: EventSink<ScanEvent>) {
        let found = match self.find().await {
            Ok(found) => found,
            Err(error) => return events.refuse(error),
        };
        let files = u32::try_from(found.files.len()).unwrap_or(u32::MAX);
        let files_found = found.files.into_iter().map(ScanEvent::Found);
        let skipped = found
            .skipped
            .into_iter()
            .map(|(path, reason)| ScanEvent::Skipped { path, reason });
        for event in files_found.chain(skipped).chain([ScanEvent::Finished { files }]) {
            if events.send(event).is_err() {
                return;
            }
        }
    }

    /// The file that is meant, read anew and found usable.
    ///
    /// # Errors
    /// [`Error::NotFound`] with the names there are, [`Error::BadModelFile`] with the reason.
    pub(crate) async fn resolve(&self, model: &ModelRef) -> Result<LibraryFile> {
        let file = match model {
            ModelRef::Path(path) => at_path(path.clone()).await?,
            ModelRef::File(_) | ModelRef::Name(_) => pick(self.list().await?, model)?,
        };
        match file.state {
            FileState::Ready => Ok(file),
            FileState::Damaged { reason } => Err(Error::BadModelFile {
                file: file.path.display().to_string(),
                reason,
            }),
        }
    }

    async fn find(&self) -> Result<Found> {
        let hub = self.hub_files().await;
        let library = self.clone();
        tokio::task::spawn_blocking(move || {
            let mut found = Found::default();
            found.walk(Source::Starter, &library.starter);
            found.walk(Source::Hearth, &library.models);
            for (below, path) in hub {
                found.add(Source::HuggingFace, &below, &path);
            }
            let starters_first =
                |file: &LibraryFile| (file.source != Source::Starter, file.name.to_lowercase());
            found.files.sort_by_cached_key(starters_first);
            found
        })
        .await
        .map_err(Error::internal)
    }

    /// The model files of the Hugging Face cache, as `owner/name/file` and their paths. A file that several
    /// revisions share is given once. A cache that cannot be read is logged and holds none.
    async fn hub_files(&self) -> Vec<(PathBuf, PathBuf)> {
        let Some(cache) = self.hub_cache.as_deref().filter(|cache| cache.exists()) else {
            return Vec::new();
        };
        let info = match self.net.hub(cache) {
            Ok(hub) => hub.scan_cache().send().await,
            Err(error) => return log_unread(cache, &error),
        };
        let info = match info {
            Ok(info) => info,
            Err(error) => return log_unread(cache, &error),
        };
        for warning in &info.warnings {
            tracing::debug!(%warning, "passed over in the Hugging Face cache");
        }
        let mut blobs = HashSet::new();
        let mut files = Vec::new();
        for repo in info.repos {
            for file in repo.revisions.into_iter().flat_map(|revision| revision.files) {
                if scan::is_model_name(file.file_name.as_ref()) && blobs.insert(file.blob_path) {
                    files.push((Path::new(&repo.repo_id).join(&file.file_name), file.file_path));
                }
            }
        }
        files
    }
}

fn log_unread(cache: &Path, error: &dyn std::fmt::Display) -> Vec<(PathBuf, PathBuf)> {
    tracing::warn!(cache = %cache.display(), %error, "the Hugging Face cache cannot be read");
    Vec::new()
}

/// Describes a file anywhere on the disk. Its path is its id.
async fn at_path(path: PathBuf) -> Result<LibraryFile> {
    let name = path.display().to_string();
    let path = std::path::absolute(&path).map_err(|error| Error::File {
        path: name.clone(),
        reason: error.to_string(),
    })?;
    let described = tokio::task::spawn_blocking(move || {
        if !path.exists() {
            return Err(Error::NotFound {
                what: "file".into(),
                name,
                known: Vec::new(),
            });
        }
        let id = FileId(path.display().to_string());
        scan::describe(id, Source::Folder, &path).ok_or_else(|| Error::BadModelFile {
            file: name,
            reason: "it is an image projector, not a model of its own".into(),
        })
    });
    described.await.map_err(Error::internal)?
}

/// The file with this id, else the only one or the first usable one with this name.
fn pick(files: Vec<LibraryFile>, model: &ModelRef) -> Result<LibraryFile> {
    let wanted = model.to_string();
    let wanted_lower = wanted.to_lowercase();
    let named = |file: &LibraryFile| {
        let file_name = file
            .path
            .file_name()
            .map(|name| name.to_string_lossy().into_owned())
            .unwrap_or_default();
        [file.id.as_str(), &file_name, quant::stem(&file_name), &file.name]
            .into_iter()
            .any(|name| name.to_lowercase() == wanted_lower)
    };
    let known: Vec<String> = files.iter().take(MAX_SUGGESTIONS).map(typed_name).collect();
    let mut matches: Vec<LibraryFile> = match model {
        ModelRef::File(id) => files.into_iter().filter(|file| &file.id == id).collect(),
        _ => files.into_iter().filter(named).collect(),
    };
    // A usable copy before a damaged one; the order of the list otherwise.
    matches.sort_by_key(|file| file.state != FileState::Ready);
    matches.into_iter().next().ok_or_else(|| Error::NotFound {
        what: "model".into(),
        name: wanted,
        known,
    })
}

/// The name that is typed: the file's, without its ending.
fn typed_name(file: &LibraryFile) -> String {
    file.path.file_name().map_or_else(
        || file.name.clone(),
        |name| quant::stem(&name.to_string_lossy()).to_owned(),
    )
}
