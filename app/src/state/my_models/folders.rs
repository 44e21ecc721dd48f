//! Where models are looked for: Hearth's own folder, those of the person, and those of other programs.

use std::path::{Path, PathBuf};

use hearth_protocol::FileId;
use hearth_protocol::library::{LibraryFile, Source};
use hearth_protocol::settings::DownloadPlace;

use super::view::source_name;
use crate::state::overlay::path_form::with_home;
use crate::state::{AppState, format};
use crate::text::{Key, key, say};

/// A folder that is looked through.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FolderRow {
    /// Whose it is.
    pub(crate) kind: FolderKind,
    /// Its path, with `~` for the person's folder; the name of the program where its folder is not known.
    pub(crate) label: String,
    /// The path itself, where it is known.
    pub(crate) path: Option<PathBuf>,
    /// As in `5 models`.
    pub(crate) models: String,
    /// What is special about it.
    pub(crate) tag: Key,
}

/// Whose a folder is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum FolderKind {
    /// Hearth's own.
    Hearth,
    /// One that the person named.
    Person(PathBuf),
    /// Another program's, or the cache.
    Program(Source),
    /// The same, whose models are left out.
    Ignored(Source),
}

/// The programs whose models are listed where they are found.
const PROGRAMS: [Source; 6] = [
    Source::HuggingFace,
    Source::LmStudio,
    Source::Ollama,
    Source::Jan,
    Source::Gpt4All,
    Source::LlamaCpp,
];

/// All folders: Hearth's, the person's, then those of programs in which something was found, or which are left out.
pub(super) fn rows(state: &AppState) -> Vec<FolderRow> {
    let settings = state.settings();
    let files = state.models.files.as_deref().unwrap_or_default();
    let count = |passes: &dyn Fn(&LibraryFile) -> bool| {
        let count = files.iter().filter(|file| passes(file)).count();
        let number = format::count(count as u64);
        say!(
            state.texts(),
            "my-models-folder-count",
            count = count,
            number = number
        )
    };
    let models = with_home(&state.places.models, &state.places.home).unwrap_or_default();
    let own = FolderRow {
        kind: FolderKind::Hearth,
        label: short(&models, &state.places.home),
        path: Some(models),
        models: count(&|file| file.source == Source::Hearth),
        tag: match settings.download_place {
            DownloadPlace::Folder => key!("my-models-downloads-here"),
            DownloadPlace::HubCache => key!("my-models-imports-here"),
        },
    };
    let persons = settings.model_folders.iter().map(|folder| FolderRow {
        kind: FolderKind::Person(folder.clone()),
        label: short(folder, &state.places.home),
        path: Some(folder.clone()),
        models: count(&|file| file.source == Source::Folder && file.path.starts_with(folder)),
        tag: key!("my-models-your-folder"),
    });
    let programs = PROGRAMS.into_iter().filter_map(|source| {
        let name = || state.texts().say(source_name(source), &[]);
        if settings.ignored_sources.contains(&source) {
            return Some(FolderRow {
                kind: FolderKind::Ignored(source),
                label: name(),
                path: None,
                models: String::new(),
                tag: key!("my-models-left-out"),
            });
        }
        let file = files.iter().find(|file| file.source == source)?;
        let path = root(file);
        Some(FolderRow {
            kind: FolderKind::Program(source),
            label: path
                .as_deref()
                .map_or_else(name, |path| short(path, &state.places.home)),
            path,
            models: count(&|file| file.source == source),
            tag: match (source, settings.download_place) {
                (Source::HuggingFace, DownloadPlace::HubCache) => key!("my-models-downloads-here"),
                _ => source_name(source),
            },
        })
    });
    std::iter::once(own).chain(persons).chain(programs).collect()
}

/// The folder of the program whose file this is, as far as the file's own place tells it.
fn root(file: &LibraryFile) -> Option<PathBuf> {
    let name = |path: &Path| {
        path.file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned()
    };
    let mut above = file.path.ancestors();
    match file.source {
        Source::HuggingFace => above.find(|path| name(path).starts_with("models--"))?.parent(),
        Source::Ollama => above.find(|path| name(path) == "blobs")?.parent(),
        _ => {
            let below = below_source(&file.id)?;
            let rest = file.path.to_str()?.replace('\\', "/");
            let depth = below.split('/').count();
            rest.ends_with(below).then(|| above.nth(depth)).flatten()
        }
    }
    .map(Path::to_owned)
}

/// The part of an id behind its source.
fn below_source(id: &FileId) -> Option<&str> {
    id.as_str().split_once('/').map(|(_, below)| below)
}

/// A path with `~` for the person's folder.
pub(super) fn short(path: &Path, home: &str) -> String {
    match path.strip_prefix(home) {
        Ok(below) if !home.is_empty() => Path::new("~").join(below).display().to_string(),
        _ => path.display().to_string(),
    }
}
