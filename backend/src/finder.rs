//! Which model is meant, and how it is loaded where a request does not say it: the engine knows neither.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use hearth_protocol::engine::{LoadOptions, ModelRef};
use hearth_protocol::library::{FileState, LibraryFile};
use hearth_protocol::{ChatId, Error, FileId, Result};

use crate::engine::Engine;
use crate::library::Library;
use crate::settings::SettingsService;
use crate::store::Store;

/// Finds models. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Finder {
    library: Library,
    engine: Engine,
    /// `None` where the database is not open: then nothing is remembered of any model.
    remembered: Option<(Store, SettingsService)>,
    /// Files that were found before, by their ids. One whose model is in memory is not looked for again on the disk, which
    /// would cost each request a walk through all folders.
    found: Arc<Mutex<HashMap<FileId, LibraryFile>>>,
}

impl Finder {
    /// Finds what a library holds, by what the engine has in memory and what is remembered.
    pub(crate) fn new(
        library: Library,
        engine: Engine,
        remembered: Option<(Store, SettingsService)>,
    ) -> Self {
        Self {
            library,
            engine,
            remembered,
            found: Arc::default(),
        }
    }

    async fn resolve(&self, model: &ModelRef) -> Result<LibraryFile> {
        if let Some(file) = self.in_memory(model) {
            return Ok(file);
        }
        let file = self.library.resolve(model).await?;
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        found.insert(file.id.clone(), file.clone());
        Ok(file)
    }

    /// The file of a model that is in memory, if it was found before.
    fn in_memory(&self, model: &ModelRef) -> Option<LibraryFile> {
        let ModelRef::File(id) = model else {
            return None;
        };
        let loaded = self.engine.loaded();
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        // Of what has left memory nothing is known for sure any more.
        found.retain(|id, _| loaded.iter().any(|model| model.file == *id));
        found.get(id).cloned()
    }

    /// The model that was named, and how it is loaded: as asked for, else as is remembered for it.
    ///
    /// # Errors
    /// Why it cannot be used.
    pub(crate) async fn named(
        &self,
        model: &ModelRef,
        options: Option<LoadOptions>,
    ) -> Result<(LibraryFile, LoadOptions)> {
        let file = self.resolve(model).await?;
        let options = self.load_options(&file, options).await;
        Ok((file, options))
    }

    /// The model that was named, else the [usual](Self::usual) one; and how it is loaded.
    ///
    /// # Errors
    /// Why the named one cannot be used; [`Error::NoModel`] where there is none at all.
    pub(crate) async fn answering(
        &self,
        model: Option<&ModelRef>,
        chat: Option<ChatId>,
    ) -> Result<(LibraryFile, LoadOptions)> {
        let file = match model {
            Some(model) => self.resolve(model).await?,
            None => self.usual(chat).await?,
        };
        let options = self.load_options(&file, None).await;
        Ok((file, options))
    }

    /// The model where none was named: the first usable one of these: in memory, the default of the settings, the one that
    /// answered last in this chat or in any, the first of the library.
    ///
    /// # Errors
    /// [`Error::NoModel`] where there is none at all.
    pub(crate) async fn usual(&self, chat: Option<ChatId>) -> Result<LibraryFile> {
        for model in self.engine.loaded() {
            if let Some(file) = self.usable(model.file).await {
                return Ok(file);
            }
        }
        if let Some((_, settings)) = &self.remembered
            && let Some(file) = settings.read().await.default_model
            && let Some(file) = self.usable(file).await
        {
            return Ok(file);
        }
        // Asked for last: it looks through all messages.
        if let Some((store, _)) = &self.remembered
            && let Some(file) = store.last_model(chat).await?
            && let Some(file) = self.usable(file).await
        {
            return Ok(file);
        }
        let mut files = self.library.list().await?.into_iter();
        files
            .find(|file| file.state == FileState::Ready)
            .ok_or(Error::NoModel)
    }

    async fn usable(&self, file: FileId) -> Option<LibraryFile> {
        let file = self.resolve(&ModelRef::File(file)).await;
        file.inspect_err(
            |error| tracing::info!(%error, "a model that would answer cannot be used; the next is tried"),
        )
        .ok()
    }

    async fn load_options(&self, file: &LibraryFile, options: Option<LoadOptions>) -> LoadOptions {
        match &self.remembered {
            Some((_, settings)) => settings.load_options(file, options).await,
            None => options.unwrap_or_default(),
        }
    }
}
