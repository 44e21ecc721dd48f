//! Wire types of OpenAI's HTTP interface, as in its OpenAPI description 2.3.0.
//!
//! They mirror the wire and nothing else. Turning them into what runs is the server's work.

pub mod chat;
pub mod completion;
pub mod embedding;
mod error;
mod model;
pub mod responses;

pub use error::{ErrorBody, ErrorResponse};
pub use model::{Model, ModelList};

use serde::{Deserialize, Serialize};

/// Why a choice ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FinishReason {
    /// End of text, or a stop string.
    Stop,
    /// Token limit or full context.
    Length,
    /// The model calls tools.
    ToolCalls,
    /// Withheld. Hearth never sends it.
    ContentFilter,
}

/// Tokens counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens generated.
    pub completion_tokens: u32,
    /// Tokens of the prompt.
    pub prompt_tokens: u32,
    /// Both.
    pub total_tokens: u32,
    /// What the prompt's tokens were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt_tokens_details: Option<PromptTokensDetails>,
    /// What the generated tokens were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub completion_tokens_details: Option<CompletionTokensDetails>,
}

/// What the prompt's tokens were.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PromptTokensDetails {
    /// Tokens that were in the cache.
    #[serde(default)]
    pub cached_tokens: u32,
}

/// What the generated tokens were.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CompletionTokensDetails {
    /// Tokens of thinking.
    #[serde(default)]
    pub reasoning_tokens: u32,
}

/// A stop text or several.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, expecting = "expected a text or a list of texts")]
pub enum Stop {
    /// One.
    One(String),
    /// Up to four on OpenAI's side; here as many as [`SamplingParams`](crate::generate::SamplingParams) takes.
    Many(Vec<String>),
}

impl Stop {
    /// The texts.
    pub fn texts(&self) -> &[String] {
        match self {
            Self::One(text) => std::slice::from_ref(text),
            Self::Many(texts) => texts,
        }
    }
}

/// Options of a stream.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct StreamOptions {
    /// Send a last chunk with the usage and no choices.
    #[serde(deserialize_with = "crate::nullable::deserialize")]
    pub include_usage: bool,
}
