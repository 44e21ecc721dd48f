//! The folders with models as the settings show them: Hearth's own, those of other programs, the person's.

use std::path::{Path, PathBuf};

use hearth_protocol::library::{DiskUse, Source};
use hearth_protocol::settings::DownloadPlace;

use crate::state::{AppState, format};
use crate::text::{key, say};

/// Places that another program keeps, in the order in which they are shown.
const PROGRAMS: [Source; 6] = [
    Source::HuggingFace,
    Source::LmStudio,
    Source::Ollama,
    Source::Jan,
    Source::Gpt4All,
    Source::LlamaCpp,
];

/// A place with models.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FolderRow {
    /// Which.
    pub(crate) of: FolderOf,
    /// A path, or the name of a program.
    pub(crate) label: String,
    /// How many models, and what they take; empty where there is nothing, or it is not known yet.
    pub(crate) detail: String,
    /// Whether downloads go there.
    pub(crate) takes_downloads: bool,
}

/// What a place is.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum FolderOf {
    /// Hearth's own.
    Hearth,
    /// Another program's, and whether its models are used.
    Program(Source, bool),
    /// One that the person named.
    Person(PathBuf),
}

impl AppState {
    /// All places with models.
    pub(crate) fn folder_rows(&self) -> Vec<FolderRow> {
        let settings = self.settings.shown();
        let is_cache = settings.download_place == DownloadPlace::HubCache;
        let mut rows = vec![FolderRow {
            of: FolderOf::Hearth,
            label: self.places.models.clone(),
            detail: self.source_detail(Source::Hearth),
            takes_downloads: !is_cache,
        }];
        for source in PROGRAMS {
            let used = !settings.ignored_sources.contains(&source);
            let detail = self.source_detail(source);
            let is_goal = source == Source::HuggingFace && is_cache;
            // A program that is not here is no row.
            if detail.is_empty() && used && !is_goal {
                continue;
            }
            rows.push(FolderRow {
                of: FolderOf::Program(source, used),
                label: self.source_name(source),
                detail,
                takes_downloads: is_goal,
            });
        }
        let own = settings.model_folders.iter().map(|folder| FolderRow {
            of: FolderOf::Person(folder.clone()),
            label: self.shown_path(folder),
            detail: String::new(),
            takes_downloads: false,
        });
        rows.extend(own);
        rows
    }

    /// What all models take.
    pub(crate) fn models_total(&self) -> String {
        let used = self.settings.disk_use.as_ref();
        used.map_or_else(String::new, |used| self.disk_words(used))
    }

    fn disk_words(&self, used: &DiskUse) -> String {
        let texts = self.texts();
        let total = format::size(texts, used.total);
        match used.free {
            Some(free) => say!(
                texts,
                "models-total-free",
                total = total,
                free = format::size(texts, free)
            ),
            None => say!(texts, "models-total", total = total),
        }
    }

    fn source_detail(&self, source: Source) -> String {
        let sources = self.settings.disk_use.iter().flat_map(|used| &used.sources);
        let found = sources
            .into_iter()
            .find(|it| it.source == source && it.models > 0);
        found.map_or_else(String::new, |it| {
            say!(
                self.texts(),
                "models-of-source",
                count = it.models,
                size = format::size(self.texts(), it.size),
            )
        })
    }

    fn source_name(&self, source: Source) -> String {
        match source {
            Source::HuggingFace => self.texts().say(key!("source-hugging-face"), &[]),
            other => other.name().to_owned(),
        }
    }

    /// A path with `~` for the person's own folder.
    fn shown_path(&self, path: &Path) -> String {
        match path.strip_prefix(&self.places.home) {
            Ok(rest) if !self.places.home.is_empty() => format!("~/{}", rest.display()),
            _ => path.display().to_string(),
        }
    }
}
