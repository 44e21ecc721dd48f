//! Models that can be had: the curated ones that Hearth brings and those of the hub, searching among all of them, what
//! the person wrote of them, and how their files fit this machine.
//!
//! Rows live in the store; `find` and `details` answer with them and with what the hub says; the decisions are pure
//! (`files`, `fit`, `hub_model`, `licence`, `mix`, `query`, `recommend`).

mod details;
mod file_notes;
mod files;
mod find;
mod fit;
mod header;
mod hub_model;
mod licence;
mod mix;
pub(crate) mod query;
mod recommend;
mod shipped;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use hearth_protocol::catalogue::{ModelEdits, ModelSummary};
use hearth_protocol::{Error, ModelId, Result};
use tokio::sync::Mutex;

use crate::engine::Engine;
use crate::hub::Hub;
use crate::library::Library;
use crate::settings::SettingsService;
use crate::store::Store;
use fit::Machine;

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
    hub: Hub,
    times: Times,
    /// Held while the notes of files are changed, which are kept as one value.
    file_notes: Arc<Mutex<()>>,
}

/// How long things may take.
#[derive(Debug, Clone, Copy)]
struct Times {
    /// How long nothing more must have been typed before the hub is asked.
    pause: Duration,
    /// How long the hub may take to answer.
    limit: Duration,
}

const TIMES: Times = Times {
    pause: Duration::from_millis(300),
    limit: Duration::from_secs(15),
};

impl Catalogue {
    /// Brings the database to the catalogue of this version of Hearth. Where that fails, what there was stays.
    pub(crate) async fn open(
        store: Store,
        engine: Engine,
        library: Library,
        settings: SettingsService,
        hub: Hub,
    ) -> Self {
        if let Err(error) = put_shipped_models(&store).await {
            tracing::warn!(%error, "the catalogue is not brought up to date");
        }
        Self {
            store,
            engine,
            library,
            settings,
            hub,
            times: TIMES,
            file_notes: Arc::default(),
        }
    }

    /// The models Hearth picked, best first.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub(crate) async fn featured(&self) -> Result<Vec<ModelSummary>> {
        self.store.shipped_models().await
    }

    /// Replaces what the person wrote of a model.
    ///
    /// # Errors
    /// [`Error::Invalid`] names what is too long; [`Error::NotFound`]; [`Error::Storage`].
    pub(crate) async fn edit(&self, model: &ModelId, edits: ModelEdits) -> Result<ModelSummary> {
        self.store.edit_catalogue_model(model, &checked(edits)?).await
    }

    async fn machine(&self) -> Result<Machine> {
        let devices = self.engine.known_devices().await?;
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
