//! Titles that a model gives.

use hearth_protocol::chat::ChatSummary;
use hearth_protocol::{ChatId, Result};

use super::failure::storage;
use super::{Store, chats};

impl Store {
    /// Whether a chat still waits for a model's title: nobody gave it one, and no model was asked.
    pub(crate) async fn wants_title(&self, chat: ChatId) -> Result<bool> {
        let mut transaction = self.read().await?;
        let wants = sqlx::query_scalar!(
            "select count(*) from chats
            where id = ? and titled = 0 and title_by_person = 0 and deletion_id is null",
            chat.0
        )
        .fetch_one(&mut *transaction)
        .await
        .map_err(storage)?;
        Ok(wants > 0)
    }

    /// Notes that a model was asked, and takes its title where it gave a good one and no person was quicker.
    ///
    /// # Errors
    /// [`hearth_protocol::Error::NotFound`] where there is no such chat.
    pub(crate) async fn title_by_model(&self, chat: ChatId, title: Option<&str>) -> Result<ChatSummary> {
        let mut transaction = self.write().await?;
        sqlx::query!(
            "update chats
            set titled = 1, title = case title_by_person when 0 then coalesce(?, title) else title end
            where id = ? and deletion_id is null",
            title,
            chat.0
        )
        .execute(&mut *transaction)
        .await
        .map_err(storage)?;
        let head = chats::find(&mut transaction, chat).await?;
        transaction.commit().await.map_err(storage)?;
        Ok(head.summary)
    }
}
