//! The versions beside a message.

use hearth_protocol::{MessageId, Result};

use super::Store;
use super::failure::storage;
use super::messages::{no_message, place};

impl Store {
    /// The version with this number, from 0 and oldest first, at the place of a message.
    ///
    /// # Errors
    /// [`hearth_protocol::Error::NotFound`] where there is no such message or no such version.
    pub(crate) async fn version_of(&self, message: MessageId, version: u32) -> Result<MessageId> {
        let mut transaction = self.read().await?;
        let chat = place(&mut transaction, message).await?.chat;
        let found = sqlx::query_scalar!(
            r#"select id as "id!" from messages
            where chat_id = ? and deletion_id is null
                and parent_id is (select parent_id from messages where id = ?)
            order by id
            limit 1 offset ?"#,
            chat.0,
            message.0,
            version
        )
        .fetch_optional(&mut *transaction)
        .await
        .map_err(storage)?;
        found.map(MessageId).ok_or_else(|| no_message(message))
    }
}
