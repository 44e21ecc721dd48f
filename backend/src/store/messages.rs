//! The messages of chats: reading the path that is shown, and storing what is sent and answered.

use hearth_protocol::chat::{Chat, ChatSummary, Message, Role, TurnOptions};
use hearth_protocol::{ChatId, Error, FileId, MessageId, Result, UnixMillis};
use serde::Serialize;
use sqlx::sqlite::SqliteConnection;

use super::failure::storage;
use super::lenient::{self, Lossy};
use super::tree::{self, Node};
use super::{Store, chats, now};

/// A message to store, with an empty answer below it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NewTurn<'a> {
    /// The chat; `None` begins one.
    pub(crate) chat: Option<ChatId>,
    /// The message.
    pub(crate) text: &'a str,
    /// Title of a chat that is begun.
    pub(crate) title: &'a str,
    /// Takes the place of the chat's instructions; blank takes them away.
    pub(crate) system_prompt: Option<&'a str>,
}

/// A turn that is stored and waits for its answer.
#[derive(Debug)]
pub(crate) struct Begun {
    /// The chat's row.
    pub(crate) chat: ChatSummary,
    /// The chat's instructions.
    pub(crate) system_prompt: Option<String>,
    /// What there is to answer, from the first message to the last.
    pub(crate) history: Vec<Message>,
    /// The answer, still empty.
    pub(crate) answer: Message,
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

    /// Stores a message below the last one that is shown, and an empty answer to it.
    ///
    /// # Errors
    /// [`Error::NotFound`] where there is no such chat.
    pub(crate) async fn begin_turn(&self, turn: NewTurn<'_>) -> Result<Begun> {
        let mut transaction = self.write().await?;
        let now = now();
        let chat = match turn.chat {
            Some(chat) => chat,
            None => chats::insert(&mut transaction, turn.title, now).await?,
        };
        chats::touch(&mut transaction, chat, turn.system_prompt, now).await?;
        let last = shown(&mut transaction, chat)
            .await?
            .last()
            .map(|message| message.id);
        let user = insert(&mut transaction, chat, last, Role::User, turn.text, now).await?;
        let answer = insert(&mut transaction, chat, Some(user), Role::Assistant, "", now).await?;
        let begun = begun(read_chat(&mut transaction, chat).await?, answer)
            .ok_or_else(|| Error::internal("a turn was stored out of sight"))?;
        transaction.commit().await.map_err(storage)?;
        Ok(begun)
    }

    /// Stores an empty answer as a further version of one, or as an answer to a message that a person wrote, and
    /// shows it.
    ///
    /// # Errors
    /// [`Error::NotFound`] where there is no such message or one above it was deleted, [`Error::Invalid`] where it is
    /// neither.
    pub(crate) async fn begin_version(
        &self,
        message: MessageId,
        system_prompt: Option<&str>,
    ) -> Result<Begun> {
        let mut transaction = self.write().await?;
        let now = now();
        let place = place(&mut transaction, message).await?;
        let question = match place.role {
            Role::Assistant => place.parent,
            Role::User => Some(message),
            Role::System | Role::Tool => None,
        };
        let question =
            question.ok_or_else(|| Error::invalid("message", "is neither an answer nor a question"))?;
        chats::touch(&mut transaction, place.chat, system_prompt, now).await?;
        show(&mut transaction, question).await?;
        let answer = insert(
            &mut transaction,
            place.chat,
            Some(question),
            Role::Assistant,
            "",
            now,
        )
        .await?;
        let begun = begun(read_chat(&mut transaction, place.chat).await?, answer)
            .ok_or_else(|| no_message(message))?;
        transaction.commit().await.map_err(storage)?;
        Ok(begun)
    }

    /// Stores an answer as far as it has come: its text, its model, and once it has ended why and what it cost.
    ///
    /// # Errors
    /// [`Error::NotFound`] where it was removed in the meantime.
    pub(crate) async fn save_answer(&self, answer: &Message, model_file: Option<&FileId>) -> Result<()> {
        let model_file = model_file.map(FileId::as_str);
        let tool_calls = Some(&answer.tool_calls).filter(|calls| !calls.is_empty());
        let tool_calls = encode(tool_calls)?;
        let stop = encode(answer.stop.as_ref())?;
        let stats = encode(answer.stats.as_ref())?;
        let mut transaction = self.write().await?;
        let saved = sqlx::query!(
            "update messages
            set text = ?, reasoning = ?, tool_calls = ?, model_name = ?, model_file = ?, stop = ?, stats = ?
            where id = ?",
            answer.text,
            answer.reasoning,
            tool_calls,
            answer.model,
            model_file,
            stop,
            stats,
            answer.id.0
        )
        .execute(&mut *transaction)
        .await
        .map_err(storage)?;
        transaction.commit().await.map_err(storage)?;
        match saved.rows_affected() {
            0 => Err(no_message(answer.id)),
            _ => Ok(()),
        }
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

    /// Shows a version, with all that it stands below.
    ///
    /// # Errors
    /// [`Error::NotFound`] where there is no such message or one above it was deleted.
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

/// Where a message stands.
pub(super) struct Place {
    pub(super) chat: ChatId,
    parent: Option<MessageId>,
    role: Role,
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

async fn read_chat(connection: &mut SqliteConnection, chat: ChatId) -> Result<Chat> {
    let (summary, system_prompt) = chats::find(connection, chat).await?;
    let messages = shown(connection, chat).await?;
    Ok(Chat {
        summary,
        options: TurnOptions {
            system_prompt: system_prompt.clone(),
            ..TurnOptions::default()
        },
        system_prompt,
        messages,
        draft: String::new(),
        place: None,
    })
}

/// What was just stored, with the empty answer apart; `None` where the answer is not the last message that is shown,
/// since something above it was deleted. Then another message stands there, which must not be written over.
fn begun(chat: Chat, answer: MessageId) -> Option<Begun> {
    let mut history = chat.messages;
    let answer = history.pop().filter(|last| last.id == answer)?;
    Some(Begun {
        chat: chat.summary,
        system_prompt: chat.system_prompt,
        history,
        answer,
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
    model_name: Option<Lossy>,
    stop: Option<Lossy>,
    stats: Option<Lossy>,
    deleted: bool,
    created_at: i64,
}

/// The messages of a chat that are shown, first to last.
async fn shown(connection: &mut SqliteConnection, chat: ChatId) -> Result<Vec<Message>> {
    let rows = sqlx::query_as!(
        MessageRow,
        r#"select id, parent_id, choice, role as "role: Lossy", text as "text: Lossy",
            reasoning as "reasoning: Lossy", tool_calls as "tool_calls: Lossy", model_name as "model_name: Lossy",
            stop as "stop: Lossy", stats as "stats: Lossy", deletion_id is not null as "deleted!: bool", created_at
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
            attachments: Vec::new(),
            model: self.model_name.map(|text| text.0),
            created_at: UnixMillis(self.created_at),
            stop: lenient::json("stop", self.stop),
            stats: lenient::json("stats", self.stats),
            version,
        }
    }
}

async fn insert(
    connection: &mut SqliteConnection,
    chat: ChatId,
    parent: Option<MessageId>,
    role: Role,
    text: &str,
    now: i64,
) -> Result<MessageId> {
    let parent = parent.map(|parent| parent.0);
    let role = write_role(role);
    let id = sqlx::query_scalar!(
        r#"insert into messages (chat_id, parent_id, choice, role, text, created_at)
        values (
            ?1, ?2,
            (select 1 + coalesce(max(choice), 0) from messages where chat_id = ?1 and parent_id is ?2),
            ?3, ?4, ?5
        )
        returning id as "id!""#,
        chat.0,
        parent,
        role,
        text,
        now
    )
    .fetch_one(connection)
    .await
    .map_err(storage)?;
    Ok(MessageId(id))
}

/// Chooses a message and each one it stands below among their versions.
async fn show(connection: &mut SqliteConnection, message: MessageId) -> Result<()> {
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

fn encode<T: Serialize>(value: Option<&T>) -> Result<Option<String>> {
    value
        .map(|value| serde_json::to_string(value).map_err(Error::internal))
        .transpose()
}

fn write_role(role: Role) -> &'static str {
    match role {
        Role::System => "system",
        Role::User => "user",
        Role::Assistant => "assistant",
        Role::Tool => "tool",
    }
}

/// A role that is not known is taken for the model's: its text is shown, and nobody is said to have written it who
/// did not.
fn read_role(stored: &str) -> Role {
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
