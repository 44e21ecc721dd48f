//! How a chat is answered where its request leaves it out: what the chat keeps, else the model's own defaults, else the
//! settings. What was typed and not sent, and where the view stands, are kept here too.

use hearth_protocol::chat::{DraftToCount, ScrollPlace, TurnOptions};
use hearth_protocol::engine::{LoadOptions, ModelRef};
use hearth_protocol::library::LibraryFile;
use hearth_protocol::prompt::{TokenizeInput, TokenizeRequest};
use hearth_protocol::{ChatId, Error, FileId, Result};

use super::{Chats, attach};

/// Where the defaults of a model stand in the settings, with its file's id behind it.
const DEFAULTS_KEY: &str = "chat_defaults/";

impl Chats {
    /// Replaces all that is kept of how a chat is answered.
    ///
    /// # Errors
    /// [`Error::Invalid`] names the first field that is wrong.
    pub(crate) async fn write_options(&self, chat: ChatId, options: TurnOptions) -> Result<()> {
        options.validate()?;
        self.store.write_chat_options(chat, &storable(options)).await?;
        self.news.of(chat);
        Ok(())
    }

    /// How a model answers where neither request nor chat says it; nothing is set where nothing is remembered.
    pub(crate) async fn read_defaults(&self, file: &FileId) -> TurnOptions {
        let stored = self.store.read_setting(&format!("{DEFAULTS_KEY}{file}")).await;
        let stored =
            stored.inspect_err(|error| tracing::warn!(%file, %error, "a model's defaults cannot be read"));
        let Ok(Some(stored)) = stored else {
            return TurnOptions::default();
        };
        let options: TurnOptions = serde_json::from_str(&stored)
            .inspect_err(|error| tracing::warn!(%file, %error, "a model's defaults are damaged"))
            .unwrap_or_default();
        match options.validate() {
            Ok(()) => options,
            Err(error) => {
                tracing::warn!(%file, %error, "a model's defaults are not possible");
                TurnOptions::default()
            }
        }
    }

    /// Remembers how a model answers; nothing set forgets it.
    ///
    /// # Errors
    /// [`Error::Invalid`] names the first field that is wrong.
    pub(crate) async fn write_defaults(&self, file: &FileId, options: TurnOptions) -> Result<()> {
        options.validate()?;
        if options.model.is_some() {
            return Err(Error::invalid(
                "model",
                "cannot be part of a model's own defaults",
            ));
        }
        let key = format!("{DEFAULTS_KEY}{file}");
        if options == TurnOptions::default() {
            return self.store.remove_setting(&key).await;
        }
        let stored = serde_json::to_string(&storable(options)).map_err(Error::internal)?;
        self.store.write_setting(&key, &stored).await
    }

    /// What was typed and not sent.
    pub(crate) async fn read_draft(&self, chat: Option<ChatId>) -> Result<String> {
        self.store.draft(chat).await
    }

    /// Keeps what is typed.
    pub(crate) async fn write_draft(&self, chat: Option<ChatId>, text: &str) -> Result<()> {
        self.store.write_draft(chat, text).await
    }

    /// Keeps where the view of a chat stands.
    ///
    /// # Errors
    /// [`Error::Invalid`] for an offset that is no number.
    pub(crate) async fn write_place(&self, chat: ChatId, place: Option<ScrollPlace>) -> Result<()> {
        if place.is_some_and(|place| !place.offset.is_finite()) {
            return Err(Error::invalid("offset", "must be a number"));
        }
        self.store.write_place(chat, place).await
    }

    /// Counts the tokens of a text that would be sent; `None` where the model is not in memory.
    pub(crate) async fn count_tokens(&self, draft: DraftToCount) -> Result<Option<u32>> {
        let Some((file, load)) = self.model_in_memory(draft.chat, draft.model).await? else {
            return Ok(None);
        };
        let input = TokenizeInput::Text {
            text: attach::with_files(&draft.text, &draft.attachments),
            add_special: false,
            parse_special: false,
        };
        let request = TokenizeRequest { model: None, input };
        request.validate()?;
        let tokens = self
            .engine
            .tokenize(file, load, request.input)
            .await?
            .tokens
            .len();
        Ok(Some(u32::try_from(tokens).unwrap_or(u32::MAX)))
    }

    /// The model that would answer, if it is in memory.
    async fn model_in_memory(
        &self,
        chat: Option<ChatId>,
        model: Option<ModelRef>,
    ) -> Result<Option<(LibraryFile, LoadOptions)>> {
        let model = match (model, chat) {
            (None, Some(chat)) => self.store.chat_options(chat).await?.model,
            (model, _) => model,
        };
        let loaded = self.engine.loaded();
        let Some(newest) = loaded.first() else {
            return Ok(None);
        };
        let model = model.unwrap_or_else(|| ModelRef::File(newest.file.clone()));
        let found = self.finder.named(&model, None).await?;
        Ok(Some(found).filter(|(file, _)| loaded.iter().any(|model| model.file == file.id)))
    }
}

/// The options as they can be stored: JSON knows no infinity, with which a token is forbidden; the lowest number forbids
/// it as well.
pub(super) fn storable(mut options: TurnOptions) -> TurnOptions {
    if let Some(sampling) = &mut options.sampling {
        for (_, bias) in &mut sampling.logit_bias {
            *bias = bias.clamp(f32::MIN, f32::MAX);
        }
    }
    options
}
