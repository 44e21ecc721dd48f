//! `POST /v1/chat/completions`: messages in, a message out, whole or as a stream of chunks.

mod message;
mod tool;

pub use message::{AssistantBeyond, ChatMessage, Content, ContentPart, ImageUrl};
pub use tool::{
    AllowedTool, AllowedTools, FunctionCall, FunctionDefinition, FunctionName, Tool, ToolCall, ToolChoice,
    ToolChoiceMode,
};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{FinishReason, Stop, StreamOptions, Usage};

/// What a client sends. Unknown fields are ignored.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct ChatCompletionRequest {
    /// The model's id.
    #[serde(default)]
    pub model: Option<String>,
    /// The chat so far.
    pub messages: Vec<ChatMessage>,
    /// Whether to stream.
    #[serde(default)]
    pub stream: Option<bool>,
    /// Options of the stream.
    #[serde(default)]
    pub stream_options: Option<StreamOptions>,
    /// 0.0 to 2.0.
    #[serde(default)]
    pub temperature: Option<f32>,
    /// 0.0 to 1.0.
    #[serde(default)]
    pub top_p: Option<f32>,
    /// Choices to make.
    #[serde(default)]
    pub n: Option<u32>,
    /// Texts that end the answer.
    #[serde(default)]
    pub stop: Option<Stop>,
    /// Most tokens to generate, thinking included; -1 sets no limit.
    #[serde(default)]
    pub max_completion_tokens: Option<i64>,
    /// The older name of the same.
    #[serde(default)]
    pub max_tokens: Option<i64>,
    /// -2.0 to 2.0.
    #[serde(default)]
    pub presence_penalty: Option<f32>,
    /// -2.0 to 2.0.
    #[serde(default)]
    pub frequency_penalty: Option<f32>,
    /// Added to logits, by token id as text.
    #[serde(default)]
    pub logit_bias: Option<Value>,
    /// Whether to send logprobs.
    #[serde(default)]
    pub logprobs: Option<bool>,
    /// Likeliest tokens to send at each place, 0 to 20.
    #[serde(default)]
    pub top_logprobs: Option<u32>,
    /// Fixes the draw.
    #[serde(default)]
    pub seed: Option<i64>,
    /// The form the answer must have.
    #[serde(default)]
    pub response_format: Option<ResponseFormat>,
    /// Tools the model may call.
    #[serde(default)]
    pub tools: Option<Vec<Tool>>,
    /// Which of them it must call.
    #[serde(default)]
    pub tool_choice: Option<ToolChoice>,
    /// Whether it may call several at once.
    #[serde(default)]
    pub parallel_tool_calls: Option<bool>,
    /// How much the model shall think: `none`, `minimal`, `low`, `medium`, `high`, `xhigh`.
    #[serde(default)]
    pub reasoning_effort: Option<String>,
    /// Whether the last message is gone on with; transformers' word. Where it is not said, an answer is.
    #[serde(default)]
    pub continue_final_message: Option<bool>,
    /// Whether the head of an answer is written behind the messages; transformers' word. Only a chat that is gone on with
    /// goes without.
    #[serde(default)]
    pub add_generation_prompt: Option<bool>,
}

/// Fields of the same request that ask for what Hearth cannot do. They are read to be refused by name.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Beyond {
    /// Spoken answers.
    pub audio: Option<Value>,
    /// Kinds of answer; only `text` is there.
    pub modalities: Option<Vec<String>>,
    /// The older form of tools.
    pub functions: Option<Value>,
    /// The older form of the choice among them.
    pub function_call: Option<Value>,
    /// Search in the web.
    pub web_search_options: Option<Value>,
    /// Whether the answer is kept for later.
    pub store: Option<bool>,
    /// How many words.
    pub verbosity: Option<String>,
}

/// The form the answer must have.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ResponseFormat {
    /// Free text.
    Text,
    /// Any JSON object.
    JsonObject {
        /// A schema for it; llama-server's field.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        schema: Option<Value>,
    },
    /// JSON that fits a schema.
    JsonSchema {
        /// The schema.
        json_schema: JsonSchema,
    },
}

/// A named JSON schema.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JsonSchema {
    /// Its name, which OpenAI demands and Hearth needs not.
    #[serde(default, deserialize_with = "crate::nullable::deserialize")]
    pub name: String,
    /// The schema.
    #[serde(default)]
    pub schema: Option<Value>,
    /// Whether to hold to it strictly. Hearth always does.
    #[serde(default)]
    pub strict: Option<bool>,
}

/// A whole answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChatCompletion {
    /// The answer's id.
    pub id: String,
    /// Always `chat.completion`.
    pub object: String,
    /// Seconds since 1970.
    pub created: i64,
    /// The model's id.
    pub model: String,
    /// The choices.
    pub choices: Vec<ChatChoice>,
    /// Tokens counted.
    pub usage: Usage,
    /// Names the engine's build.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system_fingerprint: Option<String>,
}

/// One choice of a whole answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChatChoice {
    /// Which choice, from 0.
    pub index: u32,
    /// The message.
    pub message: AssistantMessage,
    /// Why it ended.
    pub finish_reason: FinishReason,
    /// Probabilities, where asked for.
    pub logprobs: Option<Logprobs>,
}

/// The model's message. `content` and `refusal` are always sent, null where empty.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AssistantMessage {
    /// Always `assistant`.
    pub role: String,
    /// The text; null where there are only tool calls.
    pub content: Option<String>,
    /// Always null.
    pub refusal: Option<String>,
    /// What the model thought; llama-server's field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning_content: Option<String>,
    /// Tools it calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_calls: Option<Vec<ToolCall>>,
}

/// A chunk of a stream.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChatCompletionChunk {
    /// The answer's id, the same for all chunks.
    pub id: String,
    /// Always `chat.completion.chunk`.
    pub object: String,
    /// Seconds since 1970, the same for all chunks.
    pub created: i64,
    /// The model's id.
    pub model: String,
    /// The choices; empty in the usage chunk.
    pub choices: Vec<ChunkChoice>,
    /// Where usage was asked for: tokens counted in the usage chunk, null in the others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Option<Usage>>,
    /// Names the engine's build.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system_fingerprint: Option<String>,
}

/// One choice of a chunk.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChunkChoice {
    /// Which choice, from 0.
    pub index: u32,
    /// What is new.
    pub delta: Delta,
    /// Why it ended; null while it goes on.
    pub finish_reason: Option<FinishReason>,
    /// Probabilities, where asked for.
    pub logprobs: Option<Logprobs>,
}

/// What is new in a chunk. The first one carries the role.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Delta {
    /// `assistant`, in the first chunk.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// More text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// More thinking; llama-server's field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning_content: Option<String>,
    /// More of tool calls.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_calls: Option<Vec<ToolCallDelta>>,
}

/// More of one tool call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolCallDelta {
    /// Which call, from 0.
    pub index: u32,
    /// Its id, in the first piece.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// `function`, in the first piece.
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Name, then pieces of the arguments.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub function: Option<FunctionCallDelta>,
}

/// More of a function call.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FunctionCallDelta {
    /// Its name, in the first piece.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// More of the arguments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arguments: Option<String>,
}

/// Probabilities of an answer's tokens.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Logprobs {
    /// One entry per token.
    pub content: Vec<TokenLogprob>,
    /// Always null.
    pub refusal: Option<Vec<TokenLogprob>>,
}

/// Probability of one token.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TokenLogprob {
    /// Its text.
    pub token: String,
    /// Natural logarithm of its probability.
    pub logprob: f32,
    /// Its bytes, since a token may hold part of a character.
    pub bytes: Option<Vec<u8>>,
    /// The likeliest tokens at this place.
    pub top_logprobs: Vec<TopLogprob>,
}

/// One of the likeliest tokens.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TopLogprob {
    /// Its text.
    pub token: String,
    /// Natural logarithm of its probability.
    pub logprob: f32,
    /// Its bytes.
    pub bytes: Option<Vec<u8>>,
}

#[cfg(test)]
mod tests;
