//! Model files on the disk: where they are, what they say of themselves, whether they can be used.
//!
//! Every file passes the GGUF reader here before the engine sees it. Looking only reads; `import`, `delete` and
//! `leftovers` are all that writes.

mod delete;
pub(crate) mod estimate;
pub(crate) mod gguf;
mod headers;
mod hub_folder;
mod import;
mod leftovers;
mod names;
mod ollama_store;
pub(crate) mod parts;
pub(crate) mod quant;
mod scan;
#[cfg(test)]
mod tests;

use std::cmp::Reverse;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use hearth_protocol::engine::ModelRef;
use hearth_protocol::library::{FileState, LibraryFile, ScanEvent, Source};
use hearth_protocol::{Error, EventSink, FileId, Result};
use hf_hub::HFClient;

use crate::config::{Config, ProgramFolder};
use crate::download::claims::Claims;
use crate::net::Net;
use headers::{Headers, Memory};
use import::Imports;
use names::Names;
use ollama_store::OllamaStore;
use scan::{Described, Found, Model};

/// Names offered when the one asked for is not there.
const MAX_SUGGESTIONS: usize = 5;

/// The files of all sources. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Library {
    starter: PathBuf,
    models: PathBuf,
    hub_cache: Option<PathBuf>,
    other_programs: Arc<[ProgramFolder]>,
    net: Net,
    /// What reads the cache; made at the first look, since that reads the system's certificates.
    hub: Arc<OnceLock<HFClient>>,
    /// Spares reading the headers of files that have not changed.
    memory: Memory,
    /// What the person calls files.
    names: Names,
    /// What downloads use.
    claims: Claims,
    imports: Imports,
}

impl Library {
    /// A library over the folders of `config`; nothing is read yet.
    pub(crate) fn new(config: &Config, net: Net) -> Self {
        Self {
            starter: config.starter_models.clone(),
            models: config.models(),
            hub_cache: config.hub_cache.clone(),
            other_programs: config.other_programs.as_slice().into(),
            net,
            hub: Arc::default(),
            memory: Memory::default(),
            names: Names::default(),
            claims: Claims::new(config),
            imports: Imports::default(),
        }
    }

    /// All files, damaged ones too, starter first, then by name.
    ///
    /// # Errors
    /// [`Error::Internal`] where the reading thread broke off.
    pub(crate) async fn list(&self) -> Result<Vec<LibraryFile>> {
        let found = self.find().await?;
        Ok(found.models.into_iter().map(|model| model.file).collect())
    }

    /// Looks through all folders and tells each file, then what was passed over.
    pub(crate) async fn scan(&self, mut events: EventSink<ScanEvent>) {
        let found = match self.find().await {
            Ok(found) => found,
            Err(error) => return events.refuse(error),
        };
        let files = u32::try_from(found.models.len()).unwrap_or(u32::MAX);
        let files_found = found.models.into_iter().map(|model| ScanEvent::Found(model.file));
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

    /// The file that is meant, as it is now, damaged or not.
    ///
    /// # Errors
    /// [`Error::NotFound`] with the names there are; [`Error::BadModelFile`] for a path to what is no model.
    pub(crate) async fn locate(&self, model: &ModelRef) -> Result<LibraryFile> {
        match model {
            ModelRef::Path(path) => at_path(path.clone()).await,
            ModelRef::File(_) | ModelRef::Name(_) => pick(self.list().await?, model),
        }
    }

    /// The file that is meant, found usable.
    ///
    /// # Errors
    /// Those of [`Self::locate`]; [`Error::BadModelFile`] with the reason.
    pub(crate) async fn resolve(&self, model: &ModelRef) -> Result<LibraryFile> {
        let file = self.locate(model).await?;
        match file.state {
            FileState::Ready => Ok(file),
            FileState::Damaged { reason } => Err(Error::BadModelFile {
                file: file.path.display().to_string(),
                reason,
            }),
        }
    }

    async fn find(&self) -> Result<Found> {
        let library = self.clone();
        let runtime = tokio::runtime::Handle::current();
        tokio::task::spawn_blocking(move || {
            let mut found = Found::new(library.memory.look());
            found.walk(Source::Starter, &library.starter);
            found.walk(Source::Hearth, &library.models);
            // It is called asynchronous and waits for the disk all the same (hf-hub 1.0.0, `scan_cache_dir`).
            for (below, path) in runtime.block_on(library.hub_files()) {
                found.add(Source::HuggingFace, &below, &path);
            }
            library.memory.keep(std::mem::take(&mut found.headers));
            library
                .names
                .apply(found.models.iter_mut().map(|model| &mut model.file));
            let starters_first = |model: &Model| {
                (
                    model.file.source != Source::Starter,
                    model.file.name.to_lowercase(),
                )
            };
            found.models.sort_by_cached_key(starters_first);
            found
        })
        .await
        .map_err(Error::internal)
    }

    /// The model files of the Hugging Face cache, as `owner/name/file` and their paths. Of a file that several
    /// revisions hold the one of the branch `main` is given, else the newest. A cache that cannot be read is logged
    /// and holds none.
    async fn hub_files(&self) -> Vec<(PathBuf, PathBuf)> {
        let Some(cache) = self.hub_cache.as_deref().filter(|cache| cache.exists()) else {
            return Vec::new();
        };
        let info = match self.hub(cache) {
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
        let mut seen = HashSet::new();
        let mut files = Vec::new();
        for mut repo in info.repos {
            repo.revisions.sort_by_key(|revision| {
                let is_main = revision.refs.iter().any(|name| name == "main");
                Reverse((is_main, revision.last_modified))
            });
            for file in repo.revisions.into_iter().flat_map(|revision| revision.files) {
                let below = Path::new(&repo.repo_id).join(&file.file_name);
                if scan::is_model_name(file.file_name.as_ref()) && seen.insert(below.clone()) {
                    files.push((below, file.file_path));
                }
            }
        }
        files
    }
}

impl Library {
    /// The Hugging Face cache, where it is looked at.
    fn cache(&self) -> Option<&Path> {
        self.hub_cache.as_deref()
    }

    /// Ollama's stores.
    fn ollama_stores(&self) -> impl Iterator<Item = OllamaStore> {
        let is_ollama = |folder: &&ProgramFolder| folder.program == Source::Ollama;
        let folders = self.other_programs.iter().filter(is_ollama);
        folders.map(|folder| OllamaStore::read(&folder.folder))
    }

    fn hub(&self, cache: &Path) -> Result<HFClient> {
        if let Some(hub) = self.hub.get() {
            return Ok(hub.clone());
        }
        let made = self.net.hub(cache)?;
        Ok(self.hub.get_or_init(|| made).clone())
    }
}

/// The id under which the library lists a file that lies at `below` in its source; `None` where it is no model of its
/// own. Reads the file's header.
pub(crate) fn id_of(source: Source, below: &Path, path: &Path) -> Option<FileId> {
    let id = scan::id(source, below);
    let is_model = |path: &Path| {
        let described = scan::describe(id.clone(), source, path, &mut Headers::default());
        matches!(described, Described::Model(..))
    };
    (scan::is_model_name(path.file_name()?) && is_model(path)).then_some(id)
}

/// Nothing is listed under this id.
fn unknown(id: &FileId) -> Error {
    Error::NotFound {
        what: "model".into(),
        name: id.to_string(),
        known: Vec::new(),
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
        let mut headers = Headers::default();
        let mut describe = |path: &Path| {
            let id = FileId(path.display().to_string());
            scan::describe(id, Source::Folder, path, &mut headers)
        };
        let described = match describe(&path) {
            // Of a model in several files the first is loaded, whichever was named.
            Described::PartBehind(first) => describe(&first),
            described => described,
        };
        match described {
            Described::Model(file, _) => Ok(*file),
            Described::PartBehind(_) | Described::Projector => Err(Error::BadModelFile {
                file: name,
                reason: scan::NO_MODEL.into(),
            }),
        }
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
        let stem = quant::stem(&file_name);
        let set = parts::without_number(stem);
        let names = [file.id.as_str(), &file_name, stem, set, &file.name];
        let is = |name: &str| name.to_lowercase() == wanted_lower;
        names.into_iter().any(is) || hub_names(file).iter().any(|name| is(name))
    };
    let usable = files.iter().filter(|file| file.state == FileState::Ready);
    let known: Vec<String> = usable.take(MAX_SUGGESTIONS).map(typed_name).collect();
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

/// Its names on the hub: `owner/name`, and `owner/name:Q4_K_M`.
fn hub_names(file: &LibraryFile) -> Vec<String> {
    let Some(model) = &file.model else {
        return Vec::new();
    };
    let with_quantisation = file
        .quantisation
        .iter()
        .map(|quantisation| format!("{model}:{quantisation}"));
    with_quantisation.chain([model.to_string()]).collect()
}

/// The name that is typed: the file's, without its ending and its number among the parts.
fn typed_name(file: &LibraryFile) -> String {
    file.path.file_name().map_or_else(
        || file.name.clone(),
        |name| parts::without_number(quant::stem(&name.to_string_lossy())).to_owned(),
    )
}
