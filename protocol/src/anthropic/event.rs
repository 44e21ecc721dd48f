//! The events of a stream.

use serde::Serialize;

use super::answer::{ContentBlock, Message, StopReason, Usage};

/// What happens to an answer. Blocks are counted by `index`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum StreamEvent {
    /// It is begun.
    MessageStart {
        /// With nothing in it.
        message: Message,
    },
    /// A block begins.
    ContentBlockStart {
        /// Which.
        index: u32,
        /// With nothing in it.
        content_block: ContentBlock,
    },
    /// The stream lives.
    Ping,
    /// More of a block.
    ContentBlockDelta {
        /// Which.
        index: u32,
        /// What is new.
        delta: Delta,
    },
    /// A block is whole.
    ContentBlockStop {
        /// Which.
        index: u32,
    },
    /// How it ended.
    MessageDelta {
        /// Why.
        delta: End,
        /// What it cost in all.
        usage: Usage,
    },
    /// It is whole.
    MessageStop,
}

/// What is new in a block.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Delta {
    /// Of a text.
    TextDelta {
        /// More of it.
        text: String,
    },
    /// Of a tool's arguments.
    InputJsonDelta {
        /// More of their JSON text.
        partial_json: String,
    },
    /// Of a thought.
    ThinkingDelta {
        /// More of it.
        thinking: String,
    },
    /// What names a thought, at its end.
    SignatureDelta {
        /// The signature.
        signature: String,
    },
}

/// Why an answer ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct End {
    /// Why.
    pub stop_reason: Option<StopReason>,
    /// The text that ended it, where one did.
    pub stop_sequence: Option<String>,
}

impl StreamEvent {
    /// Its name, which is its `type` too.
    pub fn name(&self) -> &'static str {
        match self {
            Self::MessageStart { .. } => "message_start",
            Self::ContentBlockStart { .. } => "content_block_start",
            Self::Ping => "ping",
            Self::ContentBlockDelta { .. } => "content_block_delta",
            Self::ContentBlockStop { .. } => "content_block_stop",
            Self::MessageDelta { .. } => "message_delta",
            Self::MessageStop => "message_stop",
        }
    }
}
