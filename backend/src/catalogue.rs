//! Models that can be had: the curated ones that Hearth brings, searching among all that are known, what the person
//! wrote of them, and how their files fit this machine.
//!
//! Rows live in the store; the decisions here are pure (`files`, `fit`, `recommend`, `query`).

mod files;
mod fit;
pub(crate) mod query;
mod recommend;
mod shipped;

use std::sync::Arc;

use hearth_protocol::catalogue::{
    CatalogueFile, CataloguePage, CatalogueQuery, FileRole, ModelDetails, ModelEdits, ModelSummary,
};
use hearth_protocol::engine::{ContextLength, Device, LoadOptions};
use hearth_protocol::library::{FileState, LibraryFile};
use hearth_protocol::{Error, ModelId, Result};
use tokio::sync::OnceCell;

use crate::engine::Engine;
use crate::library::Library;
use crate::library::estimate::{Facts, quick_estimate};
use crate::settings::SettingsService;
use crate::store::Store;
use fit::{ContextBytes, Machine};
use query::Wanted;

/// Characters of a name or a tag that a person gives.
const MAX_NAME: usize = 200;

/// Characters of a person's notes on a model.
const MAX_NOTES: usize = 100_000;

/// Tags of a model.
const MAX_TAGS: usize = 50;

/// The catalogue. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Catalogue {
    store: Store,
    engine: Engine,
    library: Library,
    settings: SettingsService,
    /// What computes here; looked for once, since that takes a worker and no card comes or goes meanwhile.
    devices: Arc<OnceCell<Vec<Device>>>,
}

impl Catalogue {
    /// Brings the database to the catalogue of this version of Hearth. Where that fails, what there was stays.
    pub(crate) async fn open(
        store: Store,
        engine: Engine,
        library: Library,
        settings: SettingsService,
    ) -> Self {
        if let Err(error) = put_shipped_models(&store).await {
            tracing::warn!(%error, "the catalogue is not brought up to date");
        }
        Self {
            store,
            engine,
            library,
            settings,
            devices: Arc::default(),
        }
    }

    /// A page of what was asked for.
    ///
    /// # Errors
    /// [`Error::Storage`]; where only models that fit are asked for also those of [`Engine::devices`].
    pub(crate) async fn search(&self, query: CatalogueQuery) -> Result<CataloguePage> {
        let memory = if query.fits_only {
            self.machine().await?.largest_load()
        } else {
            None
        };
        self.store
            .search_catalogue(&Wanted::new(&query.text), &query, memory)
            .await
    }

    /// The models Hearth picked, best first.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub(crate) async fn featured(&self) -> Result<Vec<ModelSummary>> {
        self.store.shipped_models().await
    }

    /// Everything known of a model, with the fit of its files for a context of so many tokens.
    ///
    /// # Errors
    /// [`Error::NotFound`]; [`Error::Invalid`] for a context of 0 tokens; [`Error::Storage`].
    pub(crate) async fn details(&self, model: &ModelId, context_length: Option<u32>) -> Result<ModelDetails> {
        if context_length == Some(0) {
            return Err(Error::invalid("context_length", "must be at least 1"));
        }
        let stored = self.store.catalogue_model(model).await?;
        let tokens = context_length.unwrap_or_else(|| fit::default_context(stored.model.context_length));
        let mut files = stored.files;
        files::pair(&mut files);
        // Without an engine the files are shown all the same; how they fit stays unknown.
        match self.machine().await {
            Ok(machine) => {
                self.judge(&mut files, &machine, stored.model.parameters, tokens)
                    .await
            }
            Err(error) => tracing::warn!(%error, "what computes here is unknown"),
        }
        recommend::recommend(&mut files, stored.usual_file.as_deref(), stored.model.parameters);
        files.sort_by_key(|file| (file.role != FileRole::Model, file.size));
        Ok(ModelDetails {
            model: stored.model,
            card: stored.card,
            edits: stored.edits,
            files,
            fit_context_length: tokens,
            fetched_at: stored.fetched_at,
        })
    }

    /// Replaces what the person wrote of a model.
    ///
    /// # Errors
    /// [`Error::Invalid`] names what is too long; [`Error::NotFound`]; [`Error::Storage`].
    pub(crate) async fn edit(&self, model: &ModelId, edits: ModelEdits) -> Result<ModelSummary> {
        self.store.edit_catalogue_model(model, &checked(edits)?).await
    }

    /// Says of each model file how it fits: by the file's own header where it is on this disk already, else by a rule of
    /// thumb.
    async fn judge(
        &self,
        files: &mut [CatalogueFile],
        machine: &Machine,
        parameters: Option<u64>,
        tokens: u32,
    ) {
        let settings = self.settings.read().await;
        let options = LoadOptions {
            context_length: ContextLength::Tokens(tokens),
            ..settings.load
        };
        let here = self.library.list().await.unwrap_or_else(|error| {
            tracing::warn!(%error, "the library cannot be listed");
            Vec::new()
        });
        for file in files.iter_mut().filter(|file| file.role == FileRole::Model) {
            let mut read = None;
            if let Some(own) = here.iter().find(|own| is_same(own, file)) {
                file.quantisation = file.quantisation.take().or_else(|| own.quantisation.clone());
                read = read_context(own, &options).await;
            }
            let context = read.or_else(|| ContextBytes::rough(parameters, file.size, tokens));
            fit::judge(file, context, machine);
        }
    }

    async fn machine(&self) -> Result<Machine> {
        let devices = self.devices.get_or_try_init(|| self.engine.devices()).await?;
        let guard = self.settings.read().await.memory_guard;
        Ok(Machine::new(devices, guard))
    }
}

/// Brings the database to the catalogue of this version of Hearth.
///
/// # Errors
/// [`Error::Storage`]; [`Error::NewerDatabase`].
pub(crate) async fn put_shipped_models(store: &Store) -> Result<()> {
    store
        .load_shipped_models(&shipped::version(), shipped::models)
        .await
}

/// Whether a file of the library is this one: as many bytes of the same quantisation, as far as its name tells one.
/// Names differ from place to place.
fn is_same(own: &LibraryFile, file: &CatalogueFile) -> bool {
    let is_alike = file.quantisation.is_none() || own.quantisation == file.quantisation;
    own.state == FileState::Ready && Some(own.size) == file.size && is_alike
}

/// What a context takes of a file on the disk, reckoned from its header; `None` where it does not tell.
async fn read_context(file: &LibraryFile, options: &LoadOptions) -> Option<ContextBytes> {
    let (path, options) = (file.path.clone(), options.clone());
    let read = tokio::task::spawn_blocking(move || {
        let estimate = quick_estimate(&Facts::open(&path).ok()?, &options, None);
        estimate.kv?.checked_add(estimate.compute?)
    });
    let bytes = read.await.ok().flatten()?;
    Some(ContextBytes {
        bytes,
        is_rough: false,
    })
}

/// Edits as they are stored: trimmed, each tag once, no longer than a person would write.
fn checked(edits: ModelEdits) -> Result<ModelEdits> {
    let is_long = |text: &str, most: usize| text.chars().count() > most;
    let display_name = edits
        .display_name
        .map(|name| name.trim().to_owned())
        .filter(|name| !name.is_empty());
    let mut tags: Vec<String> = Vec::new();
    for tag in edits
        .tags
        .iter()
        .map(|tag| tag.trim())
        .filter(|tag| !tag.is_empty())
    {
        if !tags
            .iter()
            .any(|other| other.to_lowercase() == tag.to_lowercase())
        {
            tags.push(tag.to_owned());
        }
    }
    if display_name
        .as_deref()
        .is_some_and(|name| is_long(name, MAX_NAME))
    {
        return Err(Error::invalid("display_name", "is longer than 200 characters"));
    }
    if tags.len() > MAX_TAGS || tags.iter().any(|tag| is_long(tag, MAX_NAME)) {
        return Err(Error::invalid(
            "tags",
            "must be 50 at most, of 200 characters each",
        ));
    }
    if is_long(&edits.notes, MAX_NOTES) {
        return Err(Error::invalid("notes", "are longer than 100,000 characters"));
    }
    Ok(ModelEdits {
        display_name,
        tags,
        ..edits
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_trimmed_and_their_tags_are_there_once() {
        let edits = ModelEdits {
            display_name: Some("  ".into()),
            notes: " as they are ".into(),
            tags: ["work", " ", "Work", " own one "].map(str::to_owned).to_vec(),
            favourite: true,
            hidden: false,
        };
        let checked = checked(edits.clone()).expect("they are fine");
        assert_eq!(checked.display_name, None);
        assert_eq!(checked.tags, ["work", "own one"]);
        assert_eq!((checked.notes, checked.favourite), (edits.notes, true));
    }

    #[test]
    fn edits_that_no_person_writes_are_refused_by_name() {
        let cases = [
            (
                ModelEdits {
                    display_name: Some("x".repeat(201)),
                    ..ModelEdits::default()
                },
                "display_name",
            ),
            (
                ModelEdits {
                    notes: "x".repeat(100_001),
                    ..ModelEdits::default()
                },
                "notes",
            ),
            (
                ModelEdits {
                    tags: (0..51).map(|tag| tag.to_string()).collect(),
                    ..ModelEdits::default()
                },
                "tags",
            ),
        ];
        for (edits, expected) in cases {
            assert!(matches!(checked(edits), Err(Error::Invalid { field, .. }) if field == expected));
        }
    }
}
