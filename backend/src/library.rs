//! Model files on the disk: where they are, what they say of themselves, whether they can be used.
//!
//! Every file passes the GGUF reader here before the engine sees it. Looking only reads; `import`, `delete` and
//! `leftovers` are all that writes.

mod called;
mod choice;
mod delete;
mod disk_use;
pub(crate) mod estimate;
mod found;
pub(crate) mod gguf;
mod headers;
pub(crate) mod hub_folder;
mod import;
mod inspect;
mod leftovers;
mod names;
mod ollama;
pub(crate) mod parts;
pub(crate) mod quant;
pub(crate) mod role;
mod scan;
mod sources;
#[cfg(test)]
mod tests;
mod watch;

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hearth_protocol::engine::ModelRef;
use hearth_protocol::library::{FileState, LibraryFile, ScanEvent, Source};
use hearth_protocol::{Error, EventSink, FileId, Result};
use tokio::runtime::Handle;

use crate::config::{Config, ProgramFolder};
use crate::download::claims::Claims;
use crate::files::{blocking, file_error};
use crate::net::Net;
pub(crate) use called::typed_name;
use choice::Choices;
use found::Found;
use headers::{Headers, Memory};
use import::Imports;
use names::Names;
use ollama::OllamaStore;
use scan::{Described, Told};
use sources::HubCache;
use watch::Watching;

/// The files of all sources. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Library {
    starter: PathBuf,
    models: PathBuf,
    hub_cache: Option<HubCache>,
    other_programs: Arc<[ProgramFolder]>,
    /// What the settings say.
    choices: Choices,
    /// Spares reading the headers of files that have not changed.
    memory: Memory,
    watching: Watching,
    /// What the person calls files.
    names: Names,
    /// What downloads use.
    claims: Claims,
    imports: Imports,
}

impl Library {
    /// A library over the folders of `config`; nothing is read yet.
    pub(crate) fn new(config: &Config, net: Net) -> Self {
        let hub_cache = config.hub_cache.clone();
        Self {
            starter: config.starter_models.clone(),
            models: config.models(),
            hub_cache: hub_cache.map(|folder| HubCache::new(folder, net)),
            other_programs: config.other_programs.as_slice().into(),
            choices: Choices::default(),
            memory: Memory::default(),
            watching: Watching::default(),
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
        self.find().await.map(Found::files)
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

    /// The file that is meant, as it is now, found usable. At a path it may lie outside of the library; that path is its
    /// id then.
    ///
    /// # Errors
    /// [`Error::NotFound`] with the names there are, [`Error::BadModelFile`] with the reason.
    pub(crate) async fn resolve(&self, model: &ModelRef) -> Result<LibraryFile> {
        let file = match model {
            ModelRef::Path(path) => at_path(path.clone()).await?,
            ModelRef::File(id) => match self.listed(id).await {
                // The id of a model that was opened by its path is that path.
                Err(Error::NotFound { .. }) if Path::new(id.as_str()).is_absolute() => {
                    at_path(PathBuf::from(id.as_str())).await?
                }
                listed => listed?,
            },
            ModelRef::Name(name) => called::find(self.list().await?, name)?.swap_remove(0),
        };
        match file.state {
            FileState::Ready => Ok(file),
            FileState::Damaged { reason } => Err(Error::BadModelFile {
                file: file.path.display().to_string(),
                reason,
            }),
        }
    }

    /// All listed files that are meant, usable ones first; of an id and of a path there is one.
    ///
    /// # Errors
    /// [`Error::NotFound`] with the names there are.
    pub(crate) async fn matches(&self, model: &ModelRef) -> Result<Vec<LibraryFile>> {
        match model {
            ModelRef::Path(path) => {
                let real = |path: &Path| path.canonicalize().ok();
                let same = |file: &LibraryFile| file.path == *path || real(&file.path) == real(path);
                let listed = self.list().await?.into_iter().find(same);
                listed
                    .map(|file| vec![file])
                    .ok_or_else(|| missing("file", model))
            }
            ModelRef::File(id) => self.listed(id).await.map(|file| vec![file]),
            ModelRef::Name(name) => called::find(self.list().await?, name),
        }
    }

    /// The file with this id as it is listed.
    async fn listed(&self, id: &FileId) -> Result<LibraryFile> {
        let listed = self.list().await?.into_iter().find(|file| file.id == *id);
        listed.ok_or_else(|| unknown(id))
    }

    async fn find(&self) -> Result<Found> {
        let (library, runtime) = (self.clone(), Handle::current());
        blocking(move || Ok(library.look(&runtime))).await
    }

    /// Looks through all folders. Waits for the disk.
    fn look(&self, runtime: &Handle) -> Found {
        self.look_but_for(&self.choices.now().ignored, runtime)
    }

    /// Looks through all folders but those of these sources. Waits for the disk.
    fn look_but_for(&self, ignored: &[Source], runtime: &Handle) -> Found {
        let mut found = Found::new(self.memory.look());
        for (source, folder) in self.folders() {
            found.own(source, &folder);
        }
        sources::look_through(&mut found, Source::Starter, &self.starter);
        sources::look_through(&mut found, Source::Hearth, &self.models);
        let choice = self.choices.now();
        let is_left_out = |source| ignored.contains(&source);
        if let Some(cache) = &self.hub_cache
            && is_left_out(Source::HuggingFace)
        {
            found.leave_out(&cache.folder);
        } else if let Some(cache) = &self.hub_cache {
            // It is called asynchronous and waits for the disk all the same (hf-hub 1.0.0, `scan_cache_dir`).
            runtime.block_on(cache.look_through(&mut found));
        }
        // Before the person's folders: what lies in another program's is that program's, whoever else leads there.
        let mut seen = HashSet::new();
        for ProgramFolder { program, folder } in self.other_programs.iter() {
            // Two folders of one program may hold different files under one name, and whichever goes, the other keeps
            // its id.
            found.by_path = !seen.insert(*program);
            if is_left_out(*program) {
                found.leave_out(folder);
            } else {
                sources::look_through(&mut found, *program, folder);
            }
        }
        found.by_path = false;
        for folder in &choice.folders {
            sources::look_through(&mut found, Source::Folder, folder);
        }
        found.settle();
        self.names
            .apply(found.models.iter_mut().map(|model| &mut model.file));
        found.sort();
        self.memory.keep(std::mem::take(&mut found.headers));
        found
    }

    /// The folders whose changes change the list; they need not exist.
    fn roots(&self) -> Vec<PathBuf> {
        let choice = self.choices.now();
        let is_own = |source| matches!(source, Source::Starter | Source::Hearth);
        let sources = self.folders().into_iter();
        let sources = sources.filter(|(source, _)| is_own(*source) || !choice.ignored.contains(source));
        sources.map(|(_, folder)| folder).chain(choice.folders).collect()
    }

    /// The folders with models of all sources but the person's, those that are left out too.
    fn folders(&self) -> Vec<(Source, PathBuf)> {
        let own = [(Source::Starter, &self.starter), (Source::Hearth, &self.models)];
        let hub = self.hub_cache.iter();
        let hub = hub.map(|cache| (Source::HuggingFace, &cache.folder));
        let programs = self.other_programs.iter();
        let programs = programs.map(|program| (program.program, &program.folder));
        let all = own.into_iter().chain(hub).chain(programs);
        all.flat_map(|(source, folder)| {
            let folders = sources::watched(source, folder).into_iter();
            folders.map(move |folder| (source, folder))
        })
        .collect()
    }

    /// The Hugging Face cache, where it is looked at.
    fn cache(&self) -> Option<&Path> {
        self.hub_cache.as_ref().map(|cache| cache.folder.as_path())
    }

    /// Ollama's stores.
    fn ollama_stores(&self) -> impl Iterator<Item = OllamaStore> {
        let is_ollama = |folder: &&ProgramFolder| folder.program == Source::Ollama;
        let folders = self.other_programs.iter().filter(is_ollama);
        folders.map(|folder| OllamaStore::read(&folder.folder))
    }
}

/// The id under which the library lists a file that lies at `below` in its source; `None` where it is no model of its
/// own. Reads the file's header.
pub(crate) fn id_of(source: Source, below: &Path, path: &Path) -> Option<FileId> {
    let root = path.ancestors().nth(below.components().count())?;
    let source = match found::lies_outside(source, root, path.parent()?) {
        Some(_) => Source::Folder,
        None => source,
    };
    let id = found::id(source, below, path);
    let described =
        |path: &Path| scan::describe(id.clone(), source, path, Told::default(), &mut Headers::default());
    let is_model = |path: &Path| matches!(described(path), Described::Model(..));
    (scan::is_model_name(path.file_name()?) && is_model(path)).then_some(id)
}

/// Nothing is listed under this id.
fn unknown(id: &FileId) -> Error {
    missing("model", id)
}

fn missing(what: &str, name: &impl ToString) -> Error {
    Error::NotFound {
        what: what.into(),
        name: name.to_string(),
        known: Vec::new(),
    }
}

/// Describes a file anywhere on the disk. Its path is its id.
async fn at_path(path: PathBuf) -> Result<LibraryFile> {
    let name = path.display().to_string();
    let path = std::path::absolute(&path).map_err(|error| file_error(&path, &error))?;
    let described = blocking(move || {
        if !path.exists() {
            return Err(Error::NotFound {
                what: "file".into(),
                name,
                known: Vec::new(),
            });
        }
        let mut headers = Headers::default();
        let mut describe = |path: &Path| {
            let id = found::id(Source::Folder, path, path);
            scan::describe(id, Source::Folder, path, Told::default(), &mut headers)
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
    described.await
}
