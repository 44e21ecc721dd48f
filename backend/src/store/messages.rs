//! The messages of chats: which of them are shown, and what stands in their rows.

use std::collections::HashMap;

use hearth_protocol::chat::attachment::Attachment;
use hearth_protocol::chat::{Chat, Message, Role};
use hearth_protocol::{ChatId, Error, FileId, MessageId, Result, UnixMillis};
use sqlx::sqlite::SqliteConnection;

use super::failure::storage;
use super::lenient::{self, Lossy, encode};
use super::tree::{self, Node};
use super::{Store, chats, search};

/// A message to store.
#[derive(Debug, Clone, Copy)]
pub(super) struct NewRow<'a> {
    pub(super) chat: ChatId,
    pub(super) parent: Option<MessageId>,
    pub(super) role: Role,
    pub(super) text: &'a str,
    pub(super) attachments: &'a [Attachment],
    pub(super) now: i64,
}

impl Store {
    /// A chat with the messages that are shown.
    ///
    /// # Errors
    /// [`Error::NotFound`] where there is no such chat.
    pub(crate) async fn open_chat(&self, chat: ChatId) -> Result<Chat> {
        let mut transaction = self.read().await?;
        read_chat(&mut transaction, chat).await
    }

    /// The chat a message belongs to.
    ///
    /// # Errors
    /// [`Error::NotFound`] where there is no such message.
    pub(crate) async fn chat_of(&self, message: MessageId) -> Result<ChatId> {
        let mut transaction = self.read().await?;
        place(&mut transaction, message).await.map(|place| place.chat)
    }

    /// The file of the model that last answered in this chat, else in any; `None` asks for any.
    pub(crate) async fn last_model(&self, chat: Option<ChatId>) -> Result<Option<FileId>> {
        let number = chat.map(|chat| chat.0);
        let mut transaction = self.read().await?;
        let file = sqlx::query_scalar!(
            r#"select model_file as "model_file!: Lossy" from messages
            where model_file is not null
            order by chat_id = ? desc, id desc
            limit 1"#,
            number
        )
        .fetch_optional(&mut *transaction)
        .await
        .map_err(storage)?;
        Ok(file.map(|file| FileId(file.0)))
    }

    /// When each file last answered, in whatever chat.
    pub(crate) async fn files_used(&self) -> Result<HashMap<FileId, UnixMillis>> {
        let mut transaction = self.read().await?;
        let rows = sqlx::query!(
            r#"select model_file as "model_file!: Lossy", max(created_at) as "used_at!: i64" from messages
            where model_file is not null group by model_file"#
        )
        .fetch_all(&mut *transaction)
        .await
        .map_err(storage)?;
        let used = rows
            .into_iter()
            .map(|row| (FileId(row.model_file.0), UnixMillis(row.used_at)));
        Ok(used.collect())
    }
}

/// Where a message stands.
pub(super) struct Place {
    pub(super) chat: ChatId,
    pub(super) parent: Option<MessageId>,
    pub(super) role: Role,
}

/// The place of a message that is not deleted, in a chat that is not.
pub(super) async fn place(connection: &mut SqliteConnection, message: MessageId) -> Result<Place> {
    let row = sqlx::query!(
        r#"select messages.chat_id, messages.parent_id, messages.role as "role: Lossy"
        from messages join chats on chats.id = messages.chat_id
        where messages.id = ? and messages.deletion_id is null and chats.deletion_id is null"#,
        message.0
    )
    .fetch_optional(connection)
    .await
    .map_err(storage)?;
    let row = row.ok_or_else(|| no_message(message))?;
    Ok(Place {
        chat: ChatId(row.chat_id),
        parent: row.parent_id.map(MessageId),
        role: read_role(&row.role.0),
    })
}

/// A chat with the messages that are shown.
pub(super) async fn read_chat(connection: &mut SqliteConnection, chat: ChatId) -> Result<Chat> {
    let head = chats::find(connection, chat).await?;
    let messages = shown(connection, chat).await?;
    Ok(Chat {
        summary: head.summary,
        system_prompt: head.options.system_prompt.clone(),
        messages,
        options: head.options,
        draft: head.draft,
        place: head.place,
    })
}

struct MessageRow {
    id: i64,
    parent_id: Option<i64>,
    choice: i64,
    role: Lossy,
    text: Lossy,
    reasoning: Option<Lossy>,
    tool_calls: Option<Lossy>,
    attachments: Option<Lossy>,
    model_name: Option<Lossy>,
    stop: Option<Lossy>,
    stats: Option<Lossy>,
    deleted: bool,
    created_at: i64,
}

/// The messages of a chat that are shown, first to last.
pub(super) async fn shown(connection: &mut SqliteConnection, chat: ChatId) -> Result<Vec<Message>> {
    let rows = sqlx::query_as!(
        MessageRow,
        r#"select id, parent_id, choice, role as "role: Lossy", text as "text: Lossy",
            reasoning as "reasoning: Lossy", tool_calls as "tool_calls: Lossy", attachments as "attachments: Lossy",
            model_name as "model_name: Lossy", stop as "stop: Lossy", stats as "stats: Lossy", deletion_id is not null as "deleted!: bool", created_at
        from messages
        where chat_id = ?"#,
        chat.0
    )
    .fetch_all(connection)
    .await
    .map_err(storage)?;
    let nodes: Vec<Node> = rows
        .iter()
        .map(|row| Node {
            id: row.id,
            parent: row.parent_id,
            choice: row.choice,
            deleted: row.deleted,
        })
        .collect();
    let mut rows: Vec<Option<MessageRow>> = rows.into_iter().map(Some).collect();
    let path = tree::shown(&nodes).into_iter();
    Ok(path
        .filter_map(|shown| Some(rows[shown.index].take()?.into_message(shown.version)))
        .collect())
}

impl MessageRow {
    fn into_message(self, version: (u32, u32)) -> Message {
        Message {
            id: MessageId(self.id),
            parent: self.parent_id.map(MessageId),
            role: read_role(&self.role.0),
            text: self.text.0,
            reasoning: self.reasoning.map(|text| text.0),
            tool_calls: lenient::json("tool_calls", self.tool_calls).unwrap_or_default(),
            attachments: lenient::json("attachments", self.attachments).unwrap_or_default(),
            model: self.model_name.map(|text| text.0),
            created_at: UnixMillis(self.created_at),
            stop: lenient::json("stop", self.stop),
            stats: lenient::json("stats", self.stats),
            version,
        }
    }
}

/// Stores a message as the newest version at its place, and puts it into the index.
pub(super) async fn insert(connection: &mut SqliteConnection, row: NewRow<'_>) -> Result<MessageId> {
    let parent = row.parent.map(|parent| parent.0);
    let role = write_role(row.role);
    let attachments = encode(Some(row.attachments).filter(|attachments| !attachments.is_empty()))?;
    // An answer that is still empty comes into the index when it has ended.
    let indexed = !row.text.is_empty() || !row.attachments.is_empty();
    let id = sqlx::query_scalar!(
        r#"insert into messages (chat_id, parent_id, choice, role, text, attachments, created_at, indexed)
        values (
            ?1, ?2,
            (select 1 + coalesce(max(choice), 0) from messages where chat_id = ?1 and parent_id is ?2),
            ?3, ?4, ?5, ?6, ?7
        )
        returning id as "id!""#,
        row.chat.0,
        parent,
        role,
        row.text,
        attachments,
        row.now,
        indexed
    )
    .fetch_one(&mut *connection)
    .await
    .map_err(storage)?;
    let message = MessageId(id);
    if indexed {
        search::put(connection, message, row.text, row.attachments).await?;
    }
    Ok(message)
}

/// Chooses a message and each one it stands below among their versions.
pub(super) async fn show(connection: &mut SqliteConnection, message: MessageId) -> Result<()> {
    // `union` drops what was met before, so that even a ring of parents comes to an end.
    sqlx::query!(
        "with recursive line (id) as (
            select ?
            union
            select messages.parent_id from messages join line on messages.id = line.id
        )
        update messages
        set choice = (
            select 1 + max(version.choice) from messages as version
            where version.chat_id = messages.chat_id and version.parent_id is messages.parent_id
        )
        where id in (select id from line)",
        message.0
    )
    .execute(connection)
    .await
    .map_err(storage)?;
    Ok(())
}

pub(super) fn write_role(role: Role) -> &'static str {
    match role {
        Role::System => "system",
        Role::User => "user",
        Role::Assistant => "assistant",
        Role::Tool => "tool",
    }
}

/// A role that is not known is taken for the model's: its text is shown, and nobody is said to have written it who
/// did not.
pub(super) fn read_role(stored: &str) -> Role {
    match stored {
        "system" => Role::System,
        "user" => Role::User,
        "tool" => Role::Tool,
        "assistant" => Role::Assistant,
        unknown => {
            tracing::warn!(unknown, "a message of the database has an unknown role");
            Role::Assistant
        }
    }
}

pub(super) fn no_message(message: MessageId) -> Error {
    Error::NotFound {
        what: "message".into(),
        name: message.to_string(),
        known: Vec::new(),
    }
}
