//! What is sent and answered: a message and an empty answer to it, a further version, an answer that goes on.

use hearth_protocol::chat::attachment::Attachment;
use hearth_protocol::chat::{Chat, ChatSummary, Message, Role, TurnOptions};
use hearth_protocol::{ChatId, Error, FileId, MessageId, Result};
use sqlx::sqlite::SqliteConnection;

use super::failure::storage;
use super::lenient::encode;
use super::messages::{NewRow, insert, no_message, place, read_chat, show, shown};
use super::{Store, chat_options, chats, now, search};

/// A message to store, with an empty answer below it.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct NewTurn<'a> {
    /// The chat; `None` begins one.
    pub(crate) chat: Option<ChatId>,
    /// The message.
    pub(crate) text: &'a str,
    /// Files of text beside it.
    pub(crate) attachments: &'a [Attachment],
    /// Title of a chat that is begun.
    pub(crate) title: &'a str,
    /// What the chat keeps from now on, and for what is left out keeps what it has; blank instructions take those away
    /// that it has.
    pub(crate) kept: Option<&'a TurnOptions>,
}

/// A turn that is stored and waits for its answer.
#[derive(Debug)]
pub(crate) struct Begun {
    /// The chat's row.
    pub(crate) chat: ChatSummary,
    /// What the chat keeps of how it is answered.
    pub(crate) options: TurnOptions,
    /// What there is to answer, from the first message to the last.
    pub(crate) history: Vec<Message>,
    /// The answer: empty, or as far as it came before it goes on.
    pub(crate) answer: Message,
}

impl Store {
    /// Stores a message below the last one that is shown, and an empty answer to it. What was typed there is sent with it.
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
        keep(&mut transaction, chat, turn.kept, now).await?;
        chat_options::write_draft(&mut transaction, chat, "").await?;
        let last = shown(&mut transaction, chat)
            .await?
            .last()
            .map(|message| message.id);
        let question = NewRow {
            chat,
            parent: last,
            role: Role::User,
            text: turn.text,
            attachments: turn.attachments,
            now,
        };
        let question = insert(&mut transaction, question).await?;
        let answer = insert(&mut transaction, empty_answer(chat, question, now)).await?;
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
        kept: Option<&TurnOptions>,
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
        keep(&mut transaction, place.chat, kept, now).await?;
        show(&mut transaction, question).await?;
        let answer = insert(&mut transaction, empty_answer(place.chat, question, now)).await?;
        let begun = begun(read_chat(&mut transaction, place.chat).await?, answer)
            .ok_or_else(|| no_message(message))?;
        transaction.commit().await.map_err(storage)?;
        Ok(begun)
    }

    /// Shows an answer that ended and takes its end away, so that it goes on.
    ///
    /// # Errors
    /// [`Error::NotFound`] where there is no such message or one above it was deleted, [`Error::Invalid`] where it is no
    /// answer or more was said behind it.
    pub(crate) async fn begin_more(&self, message: MessageId, kept: Option<&TurnOptions>) -> Result<Begun> {
        let mut transaction = self.write().await?;
        let place = place(&mut transaction, message).await?;
        if place.role != Role::Assistant {
            return Err(Error::invalid("message", "is no answer, so that it cannot go on"));
        }
        keep(&mut transaction, place.chat, kept, now()).await?;
        show(&mut transaction, message).await?;
        let chat = read_chat(&mut transaction, place.chat).await?;
        if !chat.messages.iter().any(|shown| shown.id == message) {
            return Err(no_message(message));
        }
        let begun = begun(chat, message).ok_or_else(|| {
            Error::invalid(
                "message",
                "is not the last of its chat; only the last answer can go on",
            )
        })?;
        if !begun.answer.tool_calls.is_empty() {
            return Err(Error::invalid(
                "message",
                "asks for tools, so that it cannot go on",
            ));
        }
        sqlx::query!("update messages set stop = null where id = ?", message.0)
            .execute(&mut *transaction)
            .await
            .map_err(storage)?;
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
            set text = ?, reasoning = ?, tool_calls = ?, model_name = ?, model_file = ?, stop = ?, stats = ?, indexed = 0
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
        if saved.rows_affected() == 0 {
            return Err(no_message(answer.id));
        }
        if answer.stop.is_some() {
            search::index(&mut transaction, answer.id, &answer.text, &answer.attachments).await?;
        }
        transaction.commit().await.map_err(storage)
    }
}

/// What was just stored, with the answer apart; `None` where the answer is not the last message that is shown,
/// since something above it was deleted. Then another message stands there, which must not be written over.
fn begun(chat: Chat, answer: MessageId) -> Option<Begun> {
    let mut history = chat.messages;
    let answer = history.pop().filter(|last| last.id == answer)?;
    Some(Begun {
        chat: chat.summary,
        options: chat.options,
        history,
        answer,
    })
}

fn empty_answer(chat: ChatId, question: MessageId, now: i64) -> NewRow<'static> {
    NewRow {
        chat,
        parent: Some(question),
        role: Role::Assistant,
        text: "",
        attachments: &[],
        now,
    }
}

/// A turn begins: the chat moves up in the list and keeps these options, where there are any.
async fn keep(
    connection: &mut SqliteConnection,
    chat: ChatId,
    kept: Option<&TurnOptions>,
    now: i64,
) -> Result<()> {
    chats::touch(connection, chat, now).await?;
    let Some(kept) = kept else {
        return Ok(());
    };
    let had = chats::find(connection, chat).await?.options;
    chat_options::write_options(connection, chat, &kept.clone().or(had)).await
}
