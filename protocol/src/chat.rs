//! Chats: a tree of messages each, of which one path is shown.

pub mod attachment;
pub mod list;
pub mod preset;

use serde::{Deserialize, Serialize};

use crate::answer::{AnswerOptions, Logprobs};
use crate::chat::attachment::Attachment;
use crate::engine::ModelRef;
use crate::generate::{ContextUse, SamplingParams, StopReason, TurnStats};
use crate::tools::ToolCall;
use crate::{ChatId, Error, FolderId, Image, MessageId, Result, RunEvent, UndoToken, UnixMillis};

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Instructions that stand before the chat.
    System,
    /// The person.
    User,
    /// The model.
    Assistant,
    /// The result of a tool.
    Tool,
}

/// A row of the list of chats.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChatSummary {
    /// The chat.
    pub id: ChatId,
    /// Its title: the first words of the first message, until a person or a model gives one.
    pub title: String,
    /// Whether it stands at the top.
    pub pinned: bool,
    /// The folder it lies in.
    pub folder: Option<FolderId>,
    /// When it was begun.
    pub created_at: UnixMillis,
    /// When a message last came.
    pub updated_at: UnixMillis,
}

/// A chat with the path that is shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Chat {
    /// Its row in the list.
    pub summary: ChatSummary,
    /// Instructions before the first message.
    pub system_prompt: Option<String>,
    /// The messages from the first to the newest, along the chosen versions.
    pub messages: Vec<Message>,
    /// What is kept of how it is answered, the instructions too: an answer takes from here what is left out of its
    /// request.
    pub options: TurnOptions,
    /// What was typed and not sent.
    pub draft: String,
    /// Where the view stood; `None` at the end.
    pub place: Option<ScrollPlace>,
}

impl Chat {
    /// What the newest answer left in the model's context; `None` before the first that was measured.
    pub fn context(&self) -> Option<ContextUse> {
        let newest = self.messages.iter().rev().find_map(|message| message.stats);
        newest.map(|stats| stats.context())
    }
}

/// A place in a chat: a message and how far it is scrolled.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ScrollPlace {
    /// The message at the top of the view.
    pub message: MessageId,
    /// How much of it lies above the view, in logical pixels.
    pub offset: f64,
}

/// One message, in one of its versions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Message {
    /// The message.
    pub id: MessageId,
    /// The message it answers; `None` for the first.
    pub parent: Option<MessageId>,
    /// Who speaks.
    pub role: Role,
    /// Its text.
    pub text: String,
    /// What the model thought before it answered.
    pub reasoning: Option<String>,
    /// Tools the model asked for.
    pub tool_calls: Vec<ToolCall>,
    /// Files of text beside it.
    #[serde(default)]
    pub attachments: Vec<Attachment>,
    /// Display name of the model that wrote it.
    pub model: Option<String>,
    /// When it was begun.
    pub created_at: UnixMillis,
    /// Why it ended; `None` for what people write and for an answer that was cut off by a crash.
    pub stop: Option<StopReason>,
    /// What it cost; `None` where it was not measured.
    pub stats: Option<TurnStats>,
    /// Which of its versions this is, from 0, and how many there are.
    pub version: (u32, u32),
}

/// A message to send.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct TurnRequest {
    /// The chat; `None` begins one.
    pub chat: Option<ChatId>,
    /// The message.
    pub text: String,
    /// Pictures beside it. They are not kept with the chat: no model that Hearth runs can see yet, and one that is
    /// given a picture refuses the turn with [`Error::ModelCannot`].
    pub images: Vec<Image>,
    /// Files of text beside it. With one the message itself may be empty.
    #[serde(default)]
    pub attachments: Vec<Attachment>,
    /// How to answer.
    pub options: TurnOptions,
    /// Whether the chat keeps the options for its next answers, together with the message.
    #[serde(default)]
    pub keep_options: bool,
}

/// A message to store without an answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NewMessage {
    /// The chat; `None` begins one.
    pub chat: Option<ChatId>,
    /// Who speaks: anyone but a tool.
    pub role: Role,
    /// Its text.
    pub text: String,
    /// Files of text beside it.
    #[serde(default)]
    pub attachments: Vec<Attachment>,
}

/// A text that would be sent, to be counted.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct DraftToCount {
    /// The chat it would be sent in.
    pub chat: Option<ChatId>,
    /// The model that would answer; `None` takes the chat's, else the newest that is in memory.
    pub model: Option<ModelRef>,
    /// The text.
    pub text: String,
    /// Files of text beside it.
    #[serde(default)]
    pub attachments: Vec<Attachment>,
}

/// How to answer. What is left out is taken from the chat, else from the model's own defaults, else from the settings.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TurnOptions {
    /// The model; where nothing names one, the loaded one, else the default of the settings, else the one that answered
    /// last in this chat or in any, else the first of the library. It is loaded if it is not.
    pub model: Option<ModelRef>,
    /// How tokens are chosen.
    pub sampling: Option<SamplingParams>,
    /// Instructions. Given with a message they stay with the chat; blank ones take those away that it has.
    pub system_prompt: Option<String>,
    /// What the answer shall be like.
    pub answer: Option<AnswerOptions>,
}

impl TurnOptions {
    /// Checks every field.
    ///
    /// # Errors
    /// [`Error::Invalid`] names the first field that is wrong.
    pub fn validate(&self) -> Result<()> {
        if let Some(sampling) = &self.sampling {
            sampling.validate()?;
        }
        self.answer.as_ref().map_or(Ok(()), AnswerOptions::validate)
    }

    /// These, and for what they leave out others.
    pub fn or(self, others: Self) -> Self {
        Self {
            model: self.model.or(others.model),
            sampling: self.sampling.or(others.sampling),
            system_prompt: self.system_prompt.or(others.system_prompt),
            answer: self.answer.or(others.answer),
        }
    }
}

/// What happens while an answer is made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(
    clippy::large_enum_variant,
    reason = "two large events a turn; a box would burden all who match"
)]
pub enum ChatEvent {
    /// The person's message is stored and an empty answer stands below it.
    Started {
        /// The chat, new or as it is now.
        chat: ChatSummary,
        /// The message that was sent; `None` when an old one is answered again.
        user: Option<Message>,
        /// The answer, still empty.
        answer: Message,
    },
    /// The model is being loaded: share done, 0.0 to 1.0.
    Loading(f32),
    /// The prompt is being read.
    PromptProgress {
        /// Tokens read so far, cached ones included.
        processed: u32,
        /// Tokens of the prompt.
        total: u32,
    },
    /// More of the answer.
    Delta(String),
    /// More of what the model thinks.
    ReasoningDelta(String),
    /// The model asks for a tool.
    ToolCall(ToolCall),
    /// How likely the tokens were that came since the last time, where that was asked for.
    Logprobs(Vec<Logprobs>),
    /// What was written cannot be stored now, and why. It is kept, and tried again until it is stored. Comes once a
    /// turn at most; the answer goes on.
    NotStored(Error),
    /// The answer as it is stored, with its stop reason and stats.
    Finished(Message),
    /// It broke off, or its end is not stored yet.
    Failed {
        /// Why.
        error: Error,
        /// The answer as far as it came; `None` when it never began.
        answer: Option<Message>,
    },
}

impl RunEvent for ChatEvent {
    fn is_terminal(&self) -> bool {
        matches!(self, Self::Finished(_) | Self::Failed { .. })
    }
    fn failed(error: Error) -> Self {
        Self::Failed { error, answer: None }
    }
}

/// A chat or messages that were deleted and can come back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deleted {
    /// What to hand to undo. Valid for a day at least.
    pub undo: UndoToken,
}
