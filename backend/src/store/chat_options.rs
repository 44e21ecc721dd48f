//! What is kept with a chat of how it is answered, what was typed in it, and where its view stands.

use hearth_protocol::chat::{ScrollPlace, TurnOptions};
use hearth_protocol::{ChatId, Result};
use sqlx::sqlite::SqliteConnection;

use super::failure::storage;
use super::lenient::encode;
use super::{Store, chats};

/// Where a draft stands that belongs to no chat yet.
const DRAFT_KEY: &str = "draft";

impl Store {
    /// How a chat is answered, its instructions too.
    ///
    /// # Errors
    /// [`hearth_protocol::Error::NotFound`] where there is no such chat.
    pub(crate) async fn chat_options(&self, chat: ChatId) -> Result<TurnOptions> {
        let mut transaction = self.read().await?;
        Ok(chats::find(&mut transaction, chat).await?.options)
    }

    /// Replaces all that is kept of how a chat is answered.
    ///
    /// # Errors
    /// [`hearth_protocol::Error::NotFound`] where there is no such chat.
    pub(crate) async fn write_chat_options(&self, chat: ChatId, options: &TurnOptions) -> Result<()> {
        let mut transaction = self.write().await?;
        chats::find(&mut transaction, chat).await?;
        write_options(&mut transaction, chat, options).await?;
        transaction.commit().await.map_err(storage)
    }

    /// What was typed and not sent; in a chat that is not begun where none is named.
    ///
    /// # Errors
    /// [`hearth_protocol::Error::NotFound`] where there is no such chat.
    pub(crate) async fn draft(&self, chat: Option<ChatId>) -> Result<String> {
        let Some(chat) = chat else {
            return Ok(self.read_setting(DRAFT_KEY).await?.unwrap_or_default());
        };
        let mut transaction = self.read().await?;
        Ok(chats::find(&mut transaction, chat).await?.draft)
    }

    /// Keeps what is typed.
    ///
    /// # Errors
    /// [`hearth_protocol::Error::NotFound`] where there is no such chat.
    pub(crate) async fn write_draft(&self, chat: Option<ChatId>, text: &str) -> Result<()> {
        let Some(chat) = chat else {
            return match text {
                "" => self.remove_setting(DRAFT_KEY).await,
                text => self.write_setting(DRAFT_KEY, text).await,
            };
        };
        let mut transaction = self.write().await?;
        chats::find(&mut transaction, chat).await?;
        write_draft(&mut transaction, chat, text).await?;
        transaction.commit().await.map_err(storage)
    }

    /// Keeps where the view of a chat stands.
    ///
    /// # Errors
    /// [`hearth_protocol::Error::NotFound`] where there is no such chat.
    pub(crate) async fn write_place(&self, chat: ChatId, place: Option<ScrollPlace>) -> Result<()> {
        let place = encode(place.as_ref())?;
        let mut transaction = self.write().await?;
        chats::find(&mut transaction, chat).await?;
        sqlx::query!("update chats set place = ? where id = ?", place, chat.0)
            .execute(&mut *transaction)
            .await
            .map_err(storage)?;
        transaction.commit().await.map_err(storage)
    }
}

/// Replaces what is kept of how a chat is answered. Blank instructions are none.
pub(super) async fn write_options(
    connection: &mut SqliteConnection,
    chat: ChatId,
    options: &TurnOptions,
) -> Result<()> {
    let (system_prompt, rest) = columns(options)?;
    sqlx::query!(
        "update chats set system_prompt = ?, options = ? where id = ?",
        system_prompt,
        rest,
        chat.0
    )
    .execute(connection)
    .await
    .map_err(storage)?;
    Ok(())
}

/// The instructions, and all other options as JSON, as they stand in the table.
pub(super) fn columns(options: &TurnOptions) -> Result<(Option<String>, Option<String>)> {
    let mut rest = options.clone();
    let system_prompt = rest.system_prompt.take().filter(|text| !text.trim().is_empty());
    let rest = Some(&rest).filter(|rest| **rest != TurnOptions::default());
    Ok((system_prompt, encode(rest)?))
}

pub(super) async fn write_draft(connection: &mut SqliteConnection, chat: ChatId, text: &str) -> Result<()> {
    sqlx::query!("update chats set draft = ? where id = ?", text, chat.0)
        .execute(connection)
        .await
        .map_err(storage)?;
    Ok(())
}
