//! What a person changes of a chat's tree: messages without an answer, changed texts, which versions are shown.

use hearth_protocol::chat::{Chat, NewMessage, Role};
use hearth_protocol::generate::StopReason;
use hearth_protocol::{MessageId, Result};
use sqlx::sqlite::SqliteConnection;

use super::failure::storage;
use super::lenient::{self, Lossy, encode};
use super::messages::{NewRow, insert, no_message, place, read_chat, show, shown};
use super::{Store, chats, now, search};

impl Store {
    /// Stores a message below the last one that is shown. `title` is that of a chat that is begun.
    ///
    /// # Errors
    /// [`hearth_protocol::Error::NotFound`] where there is no such chat.
    pub(crate) async fn insert_message(&self, message: &NewMessage, title: &str) -> Result<Chat> {
        let mut transaction = self.write().await?;
        let now = now();
        let chat = match message.chat {
            Some(chat) => chat,
            None => chats::insert(&mut transaction, title, now).await?,
        };
        chats::touch(&mut transaction, chat, now).await?;
        let last = shown(&mut transaction, chat).await?;
        let row = NewRow {
            chat,
            parent: last.last().map(|message| message.id),
            role: message.role,
            text: &message.text,
            attachments: &message.attachments,
            now,
        };
        let stored = insert(&mut transaction, row).await?;
        if message.role == Role::Assistant {
            end(&mut transaction, stored).await?;
        }
        let chat = read_chat(&mut transaction, chat).await?;
        transaction.commit().await.map_err(storage)?;
        Ok(chat)
    }

    /// Stores another text of a message as a further version and shows it. What the message has beside its text stays,
    /// but for what its answer cost.
    ///
    /// # Errors
    /// [`hearth_protocol::Error::NotFound`] where there is no such message or one above it was deleted.
    pub(crate) async fn edit_message(&self, message: MessageId, text: &str) -> Result<Chat> {
        let mut transaction = self.write().await?;
        let place = place(&mut transaction, message).await?;
        let now = now();
        chats::touch(&mut transaction, place.chat, now).await?;
        let version = sqlx::query!(
            r#"insert into messages (chat_id, parent_id, choice, role, text, reasoning, tool_calls, attachments,
                model_name, model_file, created_at, indexed)
            select chat_id, parent_id,
                (select 1 + max(version.choice) from messages as version
                where version.chat_id = old.chat_id and version.parent_id is old.parent_id),
                role, ?, reasoning, tool_calls, attachments, model_name, model_file, ?, 1
            from messages as old where id = ?
            returning id as "id!", attachments as "attachments: Lossy""#,
            text,
            now,
            message.0
        )
        .fetch_one(&mut *transaction)
        .await
        .map_err(storage)?;
        let edited = MessageId(version.id);
        let attachments: Vec<_> = lenient::json("attachments", version.attachments).unwrap_or_default();
        search::put(&mut transaction, edited, text, &attachments).await?;
        if place.role == Role::Assistant {
            end(&mut transaction, edited).await?;
        }
        show(&mut transaction, edited).await?;
        let chat = read_chat(&mut transaction, place.chat).await?;
        if !chat.messages.iter().any(|shown| shown.id == edited) {
            return Err(no_message(message));
        }
        transaction.commit().await.map_err(storage)?;
        Ok(chat)
    }

    /// Shows a version, with all that it stands below.
    ///
    /// # Errors
    /// [`hearth_protocol::Error::NotFound`] where there is no such message or one above it was deleted.
    pub(crate) async fn select_version(&self, message: MessageId) -> Result<Chat> {
        let mut transaction = self.write().await?;
        let place = place(&mut transaction, message).await?;
        show(&mut transaction, message).await?;
        let chat = read_chat(&mut transaction, place.chat).await?;
        if !chat.messages.iter().any(|shown| shown.id == message) {
            return Err(no_message(message));
        }
        transaction.commit().await.map_err(storage)?;
        Ok(chat)
    }
}

/// An answer that a person wrote is whole.
async fn end(connection: &mut SqliteConnection, answer: MessageId) -> Result<()> {
    let stop = encode(Some(&StopReason::EndOfText))?;
    sqlx::query!("update messages set stop = ? where id = ?", stop, answer.0)
        .execute(connection)
        .await
        .map_err(storage)?;
    Ok(())
}
