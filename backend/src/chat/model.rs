//! Which model answers where none was named.

use hearth_protocol::engine::ModelRef;
use hearth_protocol::library::{FileState, LibraryFile};
use hearth_protocol::settings::Settings;
use hearth_protocol::{ChatId, Error, FileId, Result};

use super::Chats;

/// What to do where there is nothing to answer with.
const NONE_YET: &str = "is missing: there is none on this computer yet; name a GGUF file by its path, or put one into \
    the models folder";

impl Chats {
    /// The model that was named; else the first usable one of these: in memory, the default of the settings, the one
    /// that answered last in this chat or in any, the first of the library.
    ///
    /// # Errors
    /// Why the named one cannot be used; [`Error::Invalid`] where there is none at all.
    pub(super) async fn model(
        &self,
        chat: ChatId,
        named: Option<&ModelRef>,
        settings: &Settings,
    ) -> Result<LibraryFile> {
        if let Some(model) = named {
            return self.library.resolve(model).await;
        }
        let loaded = self.engine.loaded().into_iter().map(|model| model.file);
        for file in loaded.chain(settings.default_model.clone()) {
            if let Some(file) = self.usable(file).await {
                return Ok(file);
            }
        }
        // Asked for last: it looks through all messages.
        if let Some(file) = self.store.last_model(chat).await?
            && let Some(file) = self.usable(file).await
        {
            return Ok(file);
        }
        let mut files = self.library.list().await?.into_iter();
        files
            .find(|file| file.state == FileState::Ready)
            .ok_or_else(|| Error::invalid("model", NONE_YET))
    }

    async fn usable(&self, file: FileId) -> Option<LibraryFile> {
        let file = self.library.resolve(&ModelRef::File(file)).await;
        file.inspect_err(
            |error| tracing::info!(%error, "a model that would answer cannot be used; the next is tried"),
        )
        .ok()
    }
}
