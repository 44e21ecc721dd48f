//! What a person changes of a chat's tree.

use hearth_protocol::chat::attachment::Attachment;
use hearth_protocol::chat::{Chat, ChatSummary, Deleted, NewMessage, Role};
use hearth_protocol::{ChatId, Error, MessageId, Result, UnixMillis};

use super::whole::WholeChat;
use super::{Chats, title, unstored};
use crate::store::copies::NewChat;
use crate::store::now;

impl Chats {
    /// Stores a message at the end of a chat without answering it.
    ///
    /// # Errors
    /// [`Error::Invalid`] for an empty one and for a tool's; [`Error::Busy`] while an answer is being written in the chat.
    pub(crate) async fn insert(&self, message: NewMessage) -> Result<Chat> {
        if message.role == Role::Tool {
            return Err(Error::invalid("role", "may not be a tool: nothing called it"));
        }
        refuse_empty(&message.text, &message.attachments)?;
        Attachment::validate_all(&message.attachments)?;
        if let Some(chat) = message.chat {
            self.turns.refuse_busy(chat)?;
            self.unstored.settle(chat).await?;
        }
        let title = title::from_message(&message.text, &message.attachments);
        let chat = self.store.insert_message(&message, &title).await?;
        self.news.of(chat.summary.id);
        Ok(chat)
    }

    /// Stores another text of a message as a further version and shows it.
    ///
    /// # Errors
    /// [`Error::Invalid`] for an empty one; [`Error::Busy`] while an answer is being written in the chat.
    pub(crate) async fn edit(&self, message: MessageId, text: &str) -> Result<Chat> {
        if text.trim().is_empty() {
            return Err(Error::invalid("message", "is empty"));
        }
        let chat = self.store.chat_of(message).await?;
        self.turns.refuse_busy(chat)?;
        self.unstored.settle(chat).await?;
        let chat = self.store.edit_message(message, text).await?;
        self.news.of(chat.summary.id);
        Ok(chat)
    }

    /// Shows another version of a message.
    ///
    /// # Errors
    /// [`Error::Busy`] while an answer is being written in this chat, since that would move out of sight.
    pub(crate) async fn select_version(&self, message: MessageId) -> Result<Chat> {
        let chat = self.store.chat_of(message).await?;
        self.turns.refuse_busy(chat)?;
        let kept = self.unstored.of(chat);
        let mut chat = self.store.select_version(message).await?;
        unstored::show(&mut chat, kept);
        self.news.of(chat.summary.id);
        Ok(chat)
    }

    /// Deletes a message and what stands below it. An answer that is being written in this chat is stopped; its end
    /// is stored too, for the case that it is brought back.
    pub(crate) async fn delete_message(&self, message: MessageId) -> Result<Deleted> {
        let chat = self.store.chat_of(message).await?;
        let undo = self.store.delete_message(message).await?;
        self.turns.stop_in(chat);
        self.news.of(chat);
        Ok(Deleted { undo })
    }

    /// Copies a chat with all versions of its messages.
    pub(crate) async fn duplicate(&self, chat: ChatId) -> Result<ChatSummary> {
        self.unstored.settle(chat).await?;
        let (whole, _) = self.store.whole_chat(chat).await?;
        self.add_copy(chat, whole).await
    }

    /// Copies a chat up to a message into a new chat.
    pub(crate) async fn branch(&self, message: MessageId) -> Result<ChatSummary> {
        let chat = self.store.chat_of(message).await?;
        self.unstored.settle(chat).await?;
        let (whole, ids) = self.store.whole_chat(chat).await?;
        let last = ids.iter().position(|id| *id == message);
        let last = last.ok_or_else(|| Error::NotFound {
            what: "message".into(),
            name: message.to_string(),
            known: Vec::new(),
        })?;
        self.add_copy(chat, whole.up_to(last)).await
    }

    /// Stores a copy beside the chat it is of, at the top of the list.
    async fn add_copy(&self, of: ChatId, whole: WholeChat) -> Result<ChatSummary> {
        let chats = self.store.list_chats().await?;
        let now = UnixMillis(now());
        let copy = WholeChat {
            title: title::of_copy(&whole.title, |title| chats.iter().any(|chat| chat.title == title)),
            pinned: false,
            created_at: now,
            updated_at: now,
            ..whole
        };
        let folder = chats
            .iter()
            .find(|chat| chat.id == of)
            .and_then(|chat| chat.folder);
        let copy = NewChat {
            chat: copy,
            folder,
            hash: None,
        };
        let added = self.store.add_chats(&[copy]).await?;
        let added = added
            .into_iter()
            .next()
            .ok_or_else(|| Error::internal("a copy has no row"))?;
        self.news.of(added.id);
        Ok(added)
    }
}

/// # Errors
/// [`Error::Invalid`] where there is neither a text nor a file.
pub(super) fn refuse_empty(text: &str, attachments: &[Attachment]) -> Result<()> {
    if text.trim().is_empty() && attachments.is_empty() {
        return Err(Error::invalid("message", "is empty"));
    }
    Ok(())
}
