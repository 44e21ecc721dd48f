//! What is answered.

use serde::Serialize;
use serde_json::Value;

/// An answer, or the beginning of one in a stream.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Message {
    /// Its id.
    pub id: String,
    /// Always `message`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// Always `assistant`.
    pub role: &'static str,
    /// The model's id.
    pub model: String,
    /// What the model wrote.
    pub content: Vec<ContentBlock>,
    /// Why it ended; null in a stream's beginning.
    pub stop_reason: Option<StopReason>,
    /// The text that ended it, where one did.
    pub stop_sequence: Option<String>,
    /// Tokens counted.
    pub usage: Usage,
}

/// A block of an answer.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ContentBlock {
    /// Text.
    Text {
        /// The text.
        text: String,
        /// Always null.
        citations: Option<Value>,
    },
    /// What the model thought.
    Thinking {
        /// The text.
        thinking: String,
        /// Names the text; clients keep only thoughts that have one.
        signature: String,
    },
    /// A tool that it calls.
    ToolUse {
        /// The call's id.
        id: String,
        /// The tool.
        name: String,
        /// Its arguments, an object.
        input: Value,
    },
}

/// Why an answer ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// The model ended its text.
    EndTurn,
    /// The limit of tokens.
    MaxTokens,
    /// One of the texts that end it.
    StopSequence,
    /// The model calls tools.
    ToolUse,
    /// The context is full.
    ModelContextWindowExceeded,
}

/// Tokens counted. The three kinds of input tokens make up the prompt.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Usage {
    /// Tokens of the prompt that were read.
    pub input_tokens: u32,
    /// Always 0: what is read stays in the cache without being asked.
    pub cache_creation_input_tokens: u32,
    /// Tokens of the prompt that were in the cache.
    pub cache_read_input_tokens: u32,
    /// Tokens generated.
    pub output_tokens: u32,
}

/// How many tokens a prompt has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct TokenCount {
    /// All of them.
    pub input_tokens: u32,
}
