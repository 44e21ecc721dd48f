//! Chats as a whole, with all versions of their messages: read to be copied and exported, and stored as new ones.

use std::collections::{HashMap, HashSet};

use hearth_protocol::chat::ChatSummary;
use hearth_protocol::{ChatId, FolderId, MessageId, Result, UnixMillis};
use sqlx::sqlite::SqliteConnection;

use super::failure::storage;
use super::lenient::{self, Lossy, encode};
use super::messages::{read_role, write_role};
use super::{Store, chat_options, chats, search};
use crate::chat::whole::{WholeChat, WholeMessage};

/// A chat to store as a new one.
#[derive(Debug)]
pub(crate) struct NewChat {
    /// The chat.
    pub(crate) chat: WholeChat,
    /// The folder it comes to.
    pub(crate) folder: Option<FolderId>,
    /// Of one that is imported: what tells it from others.
    pub(crate) hash: Option<String>,
}

impl Store {
    /// A chat with all its messages but the deleted ones, and the numbers of these in the same order.
    ///
    /// # Errors
    /// [`hearth_protocol::Error::NotFound`] where there is no such chat.
    pub(crate) async fn whole_chat(&self, chat: ChatId) -> Result<(WholeChat, Vec<MessageId>)> {
        let mut transaction = self.read().await?;
        let head = chats::find(&mut transaction, chat).await?;
        let by_person = sqlx::query_scalar!(
            r#"select title_by_person as "title_by_person: bool" from chats where id = ?"#,
            chat.0
        )
        .fetch_one(&mut *transaction)
        .await
        .map_err(storage)?;
        let (messages, ids) = all(&mut transaction, chat).await?;
        let whole = WholeChat {
            title: head.summary.title,
            title_by_person: by_person,
            pinned: head.summary.pinned,
            created_at: head.summary.created_at,
            updated_at: head.summary.updated_at,
            options: head.options,
            messages,
        };
        Ok((whole, ids))
    }

    /// Stores chats, all of them or none.
    pub(crate) async fn add_chats(&self, chats: &[NewChat]) -> Result<Vec<ChatSummary>> {
        let mut transaction = self.write().await?;
        let mut added = Vec::with_capacity(chats.len());
        for chat in chats {
            added.push(add(&mut transaction, chat).await?);
        }
        transaction.commit().await.map_err(storage)?;
        Ok(added)
    }

    /// The chat that was imported with this hash, if it is still there.
    pub(crate) async fn imported_chat(&self, hash: &str) -> Result<Option<ChatSummary>> {
        let mut transaction = self.read().await?;
        let chat = sqlx::query_scalar!(
            r#"select id as "id!" from chats where import_hash = ? and deletion_id is null"#,
            hash
        )
        .fetch_optional(&mut *transaction)
        .await
        .map_err(storage)?;
        match chat {
            Some(chat) => Ok(Some(chats::find(&mut transaction, ChatId(chat)).await?.summary)),
            None => Ok(None),
        }
    }
}

/// The messages of a chat, each behind the one it answers. A message whose parent is lost has none, and those below a
/// deleted one are left out.
async fn all(connection: &mut SqliteConnection, chat: ChatId) -> Result<(Vec<WholeMessage>, Vec<MessageId>)> {
    let rows = sqlx::query!(
        r#"select id, parent_id, choice, role as "role: Lossy", text as "text: Lossy",
            reasoning as "reasoning: Lossy", tool_calls as "tool_calls: Lossy", attachments as "attachments: Lossy",
            model_name as "model_name: Lossy", model_file as "model_file: Lossy", stop as "stop: Lossy",
            stats as "stats: Lossy", deletion_id is not null as "deleted!: bool", created_at
        from messages
        where chat_id = ?
        order by id"#,
        chat.0
    )
    .fetch_all(connection)
    .await
    .map_err(storage)?;
    let known: HashSet<i64> = rows.iter().map(|row| row.id).collect();
    let mut places: HashMap<i64, usize> = HashMap::new();
    let (mut messages, mut ids) = (Vec::new(), Vec::new());
    for row in rows.into_iter().filter(|row| !row.deleted) {
        let parent = match row.parent_id.filter(|parent| known.contains(parent)) {
            None => None,
            Some(parent) => match places.get(&parent) {
                Some(place) => Some(*place),
                None => continue,
            },
        };
        places.insert(row.id, messages.len());
        ids.push(MessageId(row.id));
        messages.push(WholeMessage {
            parent,
            choice: row.choice,
            role: read_role(&row.role.0),
            text: row.text.0,
            reasoning: row.reasoning.map(|text| text.0),
            tool_calls: lenient::json("tool_calls", row.tool_calls).unwrap_or_default(),
            attachments: lenient::json("attachments", row.attachments).unwrap_or_default(),
            model: row.model_name.map(|text| text.0),
            model_file: row.model_file.map(|text| text.0),
            stop: lenient::json("stop", row.stop),
            stats: lenient::json("stats", row.stats),
            created_at: UnixMillis(row.created_at),
        });
    }
    Ok((messages, ids))
}

async fn add(connection: &mut SqliteConnection, new: &NewChat) -> Result<ChatSummary> {
    let chat = &new.chat;
    let (system_prompt, options) = chat_options::columns(&chat.options)?;
    let folder = new.folder.map(|folder| folder.0);
    let (created_at, updated_at) = (chat.created_at.0, chat.updated_at.0);
    let id = sqlx::query_scalar!(
        "insert into chats
            (title, title_by_person, titled, system_prompt, options, pinned, folder_id, import_hash, created_at, updated_at)
        values (?, ?, 1, ?, ?, ?, ?, ?, ?, ?) returning id",
        chat.title,
        chat.title_by_person,
        system_prompt,
        options,
        chat.pinned,
        folder,
        new.hash,
        created_at,
        updated_at
    )
    .fetch_one(&mut *connection)
    .await
    .map_err(storage)?;
    let chat_id = ChatId(id);
    let mut ids: Vec<i64> = Vec::with_capacity(chat.messages.len());
    for message in &chat.messages {
        let parent = message.parent.and_then(|place| ids.get(place).copied());
        ids.push(add_message(connection, chat_id, parent, message).await?);
    }
    Ok(chats::find(connection, chat_id).await?.summary)
}

async fn add_message(
    connection: &mut SqliteConnection,
    chat: ChatId,
    parent: Option<i64>,
    message: &WholeMessage,
) -> Result<i64> {
    let role = write_role(message.role);
    let tool_calls = encode(Some(&message.tool_calls).filter(|calls| !calls.is_empty()))?;
    let attachments = encode(Some(&message.attachments).filter(|attachments| !attachments.is_empty()))?;
    let (stop, stats) = (encode(message.stop.as_ref())?, encode(message.stats.as_ref())?);
    let created_at = message.created_at.0;
    let id = sqlx::query_scalar!(
        r#"insert into messages (chat_id, parent_id, choice, role, text, reasoning, tool_calls, attachments, model_name,
            model_file, stop, stats, created_at, indexed)
        values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1) returning id as "id!""#,
        chat.0,
        parent,
        message.choice,
        role,
        message.text,
        message.reasoning,
        tool_calls,
        attachments,
        message.model,
        message.model_file,
        stop,
        stats,
        created_at
    )
    .fetch_one(&mut *connection)
    .await
    .map_err(storage)?;
    search::put(connection, MessageId(id), &message.text, &message.attachments).await?;
    Ok(id)
}
