//! The events of a stream.

use serde::Serialize;

use super::super::chat::TokenLogprob;
use super::Response;
use super::item::{OutputItem, OutputPart};

/// An event with its place in the stream.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Numbered {
    /// What happened.
    #[serde(flatten)]
    pub event: StreamEvent,
    /// Counts the events from 0.
    pub sequence_number: u64,
}

/// What happens to an answer. Items are counted by `output_index`, their parts by `content_index`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type")]
#[expect(
    missing_docs,
    reason = "the fields are the same in all: which item, which part, what of it"
)]
pub enum StreamEvent {
    /// It is begun.
    #[serde(rename = "response.created")]
    Created { response: Box<Response> },
    /// It is being written.
    #[serde(rename = "response.in_progress")]
    InProgress { response: Box<Response> },
    /// It is whole.
    #[serde(rename = "response.completed")]
    Completed { response: Box<Response> },
    /// A limit has cut it off.
    #[serde(rename = "response.incomplete")]
    Incomplete { response: Box<Response> },
    /// It broke off.
    #[serde(rename = "response.failed")]
    Failed { response: Box<Response> },
    /// An item begins.
    #[serde(rename = "response.output_item.added")]
    ItemAdded { output_index: usize, item: OutputItem },
    /// An item is whole.
    #[serde(rename = "response.output_item.done")]
    ItemDone { output_index: usize, item: OutputItem },
    /// A part begins.
    #[serde(rename = "response.content_part.added")]
    PartAdded {
        item_id: String,
        output_index: usize,
        content_index: usize,
        part: OutputPart,
    },
    /// A part is whole.
    #[serde(rename = "response.content_part.done")]
    PartDone {
        item_id: String,
        output_index: usize,
        content_index: usize,
        part: OutputPart,
    },
    /// More text.
    #[serde(rename = "response.output_text.delta")]
    TextDelta {
        item_id: String,
        output_index: usize,
        content_index: usize,
        delta: String,
        logprobs: Vec<TokenLogprob>,
    },
    /// A text is whole.
    #[serde(rename = "response.output_text.done")]
    TextDone {
        item_id: String,
        output_index: usize,
        content_index: usize,
        text: String,
        logprobs: Vec<TokenLogprob>,
    },
    /// More thinking.
    #[serde(rename = "response.reasoning_text.delta")]
    ReasoningDelta {
        item_id: String,
        output_index: usize,
        content_index: usize,
        delta: String,
    },
    /// A thought is whole.
    #[serde(rename = "response.reasoning_text.done")]
    ReasoningDone {
        item_id: String,
        output_index: usize,
        content_index: usize,
        text: String,
    },
    /// More of a call's arguments.
    #[serde(rename = "response.function_call_arguments.delta")]
    ArgumentsDelta {
        item_id: String,
        output_index: usize,
        delta: String,
    },
    /// A call's arguments are whole.
    #[serde(rename = "response.function_call_arguments.done")]
    ArgumentsDone {
        item_id: String,
        output_index: usize,
        name: String,
        arguments: String,
    },
}

impl StreamEvent {
    /// Its name, which is its `type` too.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Created { .. } => "response.created",
            Self::InProgress { .. } => "response.in_progress",
            Self::Completed { .. } => "response.completed",
            Self::Incomplete { .. } => "response.incomplete",
            Self::Failed { .. } => "response.failed",
            Self::ItemAdded { .. } => "response.output_item.added",
            Self::ItemDone { .. } => "response.output_item.done",
            Self::PartAdded { .. } => "response.content_part.added",
            Self::PartDone { .. } => "response.content_part.done",
            Self::TextDelta { .. } => "response.output_text.delta",
            Self::TextDone { .. } => "response.output_text.done",
            Self::ReasoningDelta { .. } => "response.reasoning_text.delta",
            Self::ReasoningDone { .. } => "response.reasoning_text.done",
            Self::ArgumentsDelta { .. } => "response.function_call_arguments.delta",
            Self::ArgumentsDone { .. } => "response.function_call_arguments.done",
        }
    }
}
