//! `POST /v1/responses`: items in, items out, whole or as a stream of events.

pub mod event;
pub mod item;
pub mod request;

use serde::Serialize;
use serde_json::{Map, Value};

use item::OutputItem;
use request::{Reasoning, TextOptions, Tool, ToolChoice, Truncation};

/// An answer, in the making or whole. Every field is sent, null where it is empty.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Response {
    /// Its id.
    pub id: String,
    /// Always `response`.
    pub object: &'static str,
    /// When it was begun, in seconds since 1970.
    pub created_at: i64,
    /// When it was whole.
    pub completed_at: Option<i64>,
    /// How far it is.
    pub status: Status,
    /// Always false.
    pub background: bool,
    /// What broke it off.
    pub error: Option<ResponseError>,
    /// Why it is not whole.
    pub incomplete_details: Option<IncompleteDetails>,
    /// What was asked of the model before the input.
    pub instructions: Option<String>,
    /// Most tokens to generate.
    pub max_output_tokens: Option<i64>,
    /// The model's id.
    pub model: String,
    /// What the model wrote.
    pub output: Vec<OutputItem>,
    /// Whether it may call several tools at once.
    pub parallel_tool_calls: bool,
    /// The answer that this one goes on from.
    pub previous_response_id: Option<String>,
    /// How much it thinks.
    pub reasoning: Reasoning,
    /// Whether it is kept.
    pub store: bool,
    /// How tokens were chosen.
    pub temperature: f32,
    /// The form of the text.
    pub text: TextOptions,
    /// Whether tools shall be called.
    pub tool_choice: ToolChoice,
    /// The tools.
    pub tools: Vec<Tool>,
    /// Likeliest tokens told at each place.
    pub top_logprobs: u32,
    /// How tokens were chosen.
    pub top_p: f32,
    /// What happens when the context is full.
    pub truncation: Truncation,
    /// Tokens counted, once it is whole.
    pub usage: Option<ResponseUsage>,
    /// What the client noted beside it.
    pub metadata: Map<String, Value>,
}

/// How far an answer or an item is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It is being written.
    InProgress,
    /// It is whole.
    Completed,
    /// A limit cut it off.
    Incomplete,
    /// It broke off. Only whole answers have this.
    Failed,
}

/// What broke an answer off.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ResponseError {
    /// One of the specification's codes, such as `server_error`.
    pub code: &'static str,
    /// For a person.
    pub message: String,
}

/// Why an answer is not whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct IncompleteDetails {
    /// Such as `max_output_tokens`.
    pub reason: &'static str,
}

/// Tokens counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ResponseUsage {
    /// Tokens of the prompt.
    pub input_tokens: u32,
    /// What they were.
    pub input_tokens_details: InputTokensDetails,
    /// Tokens generated.
    pub output_tokens: u32,
    /// What they were.
    pub output_tokens_details: OutputTokensDetails,
    /// Both.
    pub total_tokens: u32,
}

/// What the prompt's tokens were.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct InputTokensDetails {
    /// Tokens that were in the cache.
    pub cached_tokens: u32,
}

/// What the generated tokens were.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct OutputTokensDetails {
    /// Tokens of thinking.
    pub reasoning_tokens: u32,
}

/// The items that were asked with.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct InputItemList {
    /// Always `list`.
    pub object: &'static str,
    /// The items.
    pub data: Vec<Value>,
    /// The id of the first one.
    pub first_id: Option<String>,
    /// The id of the last one.
    pub last_id: Option<String>,
    /// Whether there are more.
    pub has_more: bool,
}

/// An answer that is kept no longer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DeletedResponse {
    /// Its id.
    pub id: String,
    /// Always `response`.
    pub object: &'static str,
    /// Always true.
    pub deleted: bool,
}
