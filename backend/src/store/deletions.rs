//! Deleting in two steps: first hidden and brought back by undo, later removed for good.

use std::time::Duration;

use hearth_protocol::chat::ChatSummary;
use hearth_protocol::{ChatId, Error, MessageId, Result, UndoToken};
use sqlx::sqlite::SqliteConnection;

use super::failure::storage;
use super::{Store, chats, messages, now};

/// How long what was deleted is kept at least: another Hearth that is open on the same file may still offer its undo.
const KEPT: Duration = Duration::from_secs(24 * 60 * 60);

impl Store {
    /// Hides a chat.
    ///
    /// # Errors
    /// [`Error::NotFound`] where there is no such chat.
    pub(crate) async fn delete_chat(&self, chat: ChatId) -> Result<UndoToken> {
        let mut transaction = self.write().await?;
        let deletion = insert(&mut transaction).await?;
        let hidden = sqlx::query!(
            "update chats set deletion_id = ? where id = ? and deletion_id is null",
            deletion,
            chat.0
        )
        .execute(&mut *transaction)
        .await
        .map_err(storage)?;
        if hidden.rows_affected() == 0 {
            return Err(chats::no_chat(chat));
        }
        transaction.commit().await.map_err(storage)?;
        Ok(UndoToken(deletion))
    }

    /// Hides a message and what stands below it.
    ///
    /// # Errors
    /// [`Error::NotFound`] where there is no such message.
    pub(crate) async fn delete_message(&self, message: MessageId) -> Result<UndoToken> {
        let mut transaction = self.write().await?;
        messages::place(&mut transaction, message).await?;
        let deletion = insert(&mut transaction).await?;
        sqlx::query!(
            "update messages set deletion_id = ? where id = ?",
            deletion,
            message.0
        )
        .execute(&mut *transaction)
        .await
        .map_err(storage)?;
        transaction.commit().await.map_err(storage)?;
        Ok(UndoToken(deletion))
    }

    /// Brings back what a delete has hidden, and gives the chat it belongs to.
    ///
    /// # Errors
    /// [`Error::NotFound`] where it was brought back already or is removed for good.
    pub(crate) async fn undo(&self, token: UndoToken) -> Result<ChatSummary> {
        let mut transaction = self.write().await?;
        let gone = || Error::NotFound {
            what: "delete to undo".into(),
            name: token.to_string(),
            known: Vec::new(),
        };
        let chat = sqlx::query_scalar!(
            r#"update chats set deletion_id = null where deletion_id = ? returning id as "id!""#,
            token.0
        )
        .fetch_optional(&mut *transaction)
        .await
        .map_err(storage)?;
        let chat_of_message = sqlx::query_scalar!(
            "update messages set deletion_id = null where deletion_id = ? returning chat_id",
            token.0
        )
        .fetch_optional(&mut *transaction)
        .await
        .map_err(storage)?;
        let chat = chat.or(chat_of_message).ok_or_else(gone)?;
        sqlx::query!("delete from deletions where id = ?", token.0)
            .execute(&mut *transaction)
            .await
            .map_err(storage)?;
        let head = chats::find(&mut transaction, ChatId(chat)).await?;
        transaction.commit().await.map_err(storage)?;
        Ok(head.summary)
    }

    /// Removes for good what was deleted long enough ago.
    pub(super) async fn purge_old_deletions(&self) -> Result<()> {
        let kept = i64::try_from(KEPT.as_millis()).unwrap_or(i64::MAX);
        self.purge_deletions(now().saturating_sub(kept)).await
    }

    /// Removes for good what was deleted before this time.
    pub(super) async fn purge_deletions(&self, before: i64) -> Result<()> {
        let mut transaction = self.write().await?;
        // First whole chats; their messages go with them.
        sqlx::query!(
            "delete from chats where deletion_id in (select id from deletions where deleted_at < ?)",
            before
        )
        .execute(&mut *transaction)
        .await
        .map_err(storage)?;
        sqlx::query!(
            "with recursive doomed (id) as (
                select messages.id from messages join deletions on deletions.id = messages.deletion_id
                where deletions.deleted_at < ?
                union
                select messages.id from messages join doomed on messages.parent_id = doomed.id
            )
            delete from messages where id in (select id from doomed)",
            before
        )
        .execute(&mut *transaction)
        .await
        .map_err(storage)?;
        sqlx::query!("delete from deletions where deleted_at < ?", before)
            .execute(&mut *transaction)
            .await
            .map_err(storage)?;
        transaction.commit().await.map_err(storage)
    }
}

async fn insert(connection: &mut SqliteConnection) -> Result<i64> {
    let now = now();
    sqlx::query_scalar!("insert into deletions (deleted_at) values (?) returning id", now)
        .fetch_one(connection)
        .await
        .map_err(storage)
}
