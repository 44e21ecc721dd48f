//! An answer on its way: what the engine tells becomes items, and what happens to them becomes events. Whole answers
//! are made the same way, so that a stream and a whole answer cannot differ.

use hearth_protocol::Error;
use hearth_protocol::answer::Logprobs;
use hearth_protocol::completion::{CompletionEvent, Piece};
use hearth_protocol::generate::{StopReason, TurnStats};
use hearth_protocol::openai::chat::TokenLogprob;
use hearth_protocol::openai::responses::event::StreamEvent;
use hearth_protocol::openai::responses::item::{OutputItem, OutputPart};
use hearth_protocol::openai::responses::{
    IncompleteDetails, InputTokensDetails, OutputTokensDetails, Response, ResponseError, ResponseUsage,
    Status,
};

use super::super::chat::ASSISTANT;
use super::super::{logprobs, new_id, seconds_now};

/// Every item has one part.
const PART: usize = 0;

/// An answer on its way.
pub(super) struct Answering {
    response: Response,
    /// Whether the last item is being written.
    is_open: bool,
    /// Which items are the calls of tools, in their order.
    calls: Vec<usize>,
    /// Logprobs of tokens whose text has not come yet.
    pending: Vec<Logprobs>,
}

/// What an item that is opened shall be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Message,
    Reasoning,
}

impl Answering {
    /// An answer of this model that has nothing in it yet.
    pub(super) fn new(response: Response, model: &str) -> Self {
        Self {
            response: Response {
                model: model.to_owned(),
                ..response
            },
            is_open: false,
            calls: Vec::new(),
            pending: Vec::new(),
        }
    }

    /// As far as it is.
    pub(super) fn response(&self) -> &Response {
        &self.response
    }

    /// It could not be kept.
    pub(super) fn not_kept(&mut self) {
        self.response.store = false;
    }

    /// Takes what comes next. At its end the last event is the one that ends a stream.
    pub(super) fn take(&mut self, event: CompletionEvent, told: &mut Vec<StreamEvent>) {
        match event {
            CompletionEvent::Piece(Piece::Text(text)) => self.text(text, told),
            CompletionEvent::Piece(Piece::Reasoning(text)) => self.reasoning(text, told),
            CompletionEvent::Piece(Piece::ToolCall { id, name, .. }) => self.call(id, name, told),
            CompletionEvent::Piece(Piece::ToolArguments { index, text }) => self.arguments(index, text, told),
            CompletionEvent::Logprobs(tokens) => self.pending.extend(tokens),
            CompletionEvent::Finished { stop, stats } => self.finish(&stop, &stats, told),
            CompletionEvent::Loading(_)
            | CompletionEvent::Started(_)
            | CompletionEvent::PromptProgress { .. }
            | CompletionEvent::Failed(_) => (),
        }
    }

    /// It broke off.
    pub(super) fn fail(&mut self, error: &Error, told: &mut Vec<StreamEvent>) {
        self.close(Status::Incomplete, told);
        self.response.status = Status::Failed;
        self.response.error = Some(ResponseError {
            code: "server_error",
            message: error.to_string(),
        });
        told.push(StreamEvent::Failed {
            response: Box::new(self.response.clone()),
        });
    }

    fn text(&mut self, delta: String, told: &mut Vec<StreamEvent>) {
        self.open(Kind::Message, told);
        let tokens = self.tokens();
        let output_index = self.last();
        let Some(OutputItem::Message { id, content, .. }) = self.response.output.last_mut() else {
            return;
        };
        if let Some(OutputPart::OutputText { text, logprobs, .. }) = content.get_mut(PART) {
            text.push_str(&delta);
            logprobs.extend(tokens.iter().cloned());
        }
        told.push(StreamEvent::TextDelta {
            item_id: id.clone(),
            output_index,
            content_index: PART,
            delta,
            logprobs: tokens,
        });
    }

    fn reasoning(&mut self, delta: String, told: &mut Vec<StreamEvent>) {
        self.open(Kind::Reasoning, told);
        // Only the tokens of messages are told.
        self.pending.clear();
        let output_index = self.last();
        let Some(OutputItem::Reasoning { id, content, .. }) = self.response.output.last_mut() else {
            return;
        };
        if let Some(OutputPart::ReasoningText { text }) = content.get_mut(PART) {
            text.push_str(&delta);
        }
        told.push(StreamEvent::ReasoningDelta {
            item_id: id.clone(),
            output_index,
            content_index: PART,
            delta,
        });
    }

    fn call(&mut self, call_id: String, name: String, told: &mut Vec<StreamEvent>) {
        self.close(Status::Completed, told);
        self.calls.push(self.response.output.len());
        self.add(
            OutputItem::FunctionCall {
                id: new_id("fc_"),
                status: Status::InProgress,
                call_id,
                name,
                arguments: String::new(),
            },
            told,
        );
    }

    fn arguments(&mut self, call: u32, delta: String, told: &mut Vec<StreamEvent>) {
        self.pending.clear();
        let output_index = self.calls.get(call as usize).copied();
        let item = output_index.and_then(|place| self.response.output.get_mut(place));
        if let (Some(output_index), Some(OutputItem::FunctionCall { id, arguments, .. })) =
            (output_index, item)
        {
            arguments.push_str(&delta);
            told.push(StreamEvent::ArgumentsDelta {
                item_id: id.clone(),
                output_index,
                delta,
            });
        }
    }

    fn finish(&mut self, stop: &StopReason, stats: &TurnStats, told: &mut Vec<StreamEvent>) {
        let is_cut = matches!(stop, StopReason::TokenLimit | StopReason::ContextFull);
        let status = if is_cut {
            Status::Incomplete
        } else {
            Status::Completed
        };
        let says_something = |item: &OutputItem| !matches!(item, OutputItem::Reasoning { .. });
        if !is_cut && !self.response.output.iter().any(says_something) {
            // An answer without a word is an answer too.
            self.open(Kind::Message, told);
        }
        self.close(status, told);
        self.response.status = status;
        self.response.usage = Some(usage(stats));
        let response = |answering: &Self| Box::new(answering.response.clone());
        if is_cut {
            self.response.incomplete_details = Some(IncompleteDetails {
                reason: "max_output_tokens",
            });
            told.push(StreamEvent::Incomplete {
                response: response(self),
            });
        } else {
            self.response.completed_at = Some(seconds_now());
            told.push(StreamEvent::Completed {
                response: response(self),
            });
        }
    }

    /// The place of the last item.
    fn last(&self) -> usize {
        self.response.output.len().saturating_sub(1)
    }

    /// The logprobs that wait.
    fn tokens(&mut self) -> Vec<TokenLogprob> {
        let tokens = std::mem::take(&mut self.pending);
        logprobs::wire(&tokens)
            .map(|logprobs| logprobs.content)
            .unwrap_or_default()
    }

    /// Has an item of this kind being written: the last one, or a new one.
    fn open(&mut self, kind: Kind, told: &mut Vec<StreamEvent>) {
        let open = match self.response.output.last() {
            Some(OutputItem::Message { .. }) if self.is_open => Some(Kind::Message),
            Some(OutputItem::Reasoning { .. }) if self.is_open => Some(Kind::Reasoning),
            _ => None,
        };
        if open == Some(kind) {
            return;
        }
        self.close(Status::Completed, told);
        let (item, part) = match kind {
            Kind::Message => (
                OutputItem::Message {
                    id: new_id("msg_"),
                    status: Status::InProgress,
                    role: ASSISTANT,
                    content: Vec::new(),
                },
                OutputPart::OutputText {
                    text: String::new(),
                    annotations: Vec::new(),
                    logprobs: Vec::new(),
                },
            ),
            Kind::Reasoning => (
                OutputItem::Reasoning {
                    id: new_id("rs_"),
                    status: Status::InProgress,
                    summary: Vec::new(),
                    content: Vec::new(),
                },
                OutputPart::ReasoningText { text: String::new() },
            ),
        };
        self.add(item, told);
        let output_index = self.last();
        if let Some(item) = self.response.output.last_mut() {
            let item_id = item.id().to_owned();
            if let OutputItem::Message { content, .. } | OutputItem::Reasoning { content, .. } = item {
                content.push(part.clone());
            }
            told.push(StreamEvent::PartAdded {
                item_id,
                output_index,
                content_index: PART,
                part,
            });
        }
    }

    fn add(&mut self, item: OutputItem, told: &mut Vec<StreamEvent>) {
        self.response.output.push(item.clone());
        self.is_open = true;
        told.push(StreamEvent::ItemAdded {
            output_index: self.last(),
            item,
        });
    }

    /// Ends the item that is being written, if there is one.
    fn close(&mut self, status: Status, told: &mut Vec<StreamEvent>) {
        if !std::mem::take(&mut self.is_open) {
            return;
        }
        // What has no text of its own, such as the end, belongs to the text before it.
        let rest = self.tokens();
        let output_index = self.last();
        let Some(item) = self.response.output.last_mut() else {
            return;
        };
        item.set_status(status);
        let item_id = item.id().to_owned();
        match item {
            OutputItem::Message { content, .. } | OutputItem::Reasoning { content, .. } => {
                if let Some(part) = content.get_mut(PART) {
                    if let OutputPart::OutputText { logprobs, .. } = part {
                        logprobs.extend(rest);
                    }
                    told.extend(part_done(item_id, output_index, part));
                }
            }
            OutputItem::FunctionCall { name, arguments, .. } => told.push(StreamEvent::ArgumentsDone {
                item_id,
                output_index,
                name: name.clone(),
                arguments: arguments.clone(),
            }),
        }
        told.push(StreamEvent::ItemDone {
            output_index,
            item: item.clone(),
        });
    }
}

/// A part is whole: its text, then the part.
fn part_done(item_id: String, output_index: usize, part: &OutputPart) -> [StreamEvent; 2] {
    let text_done = match part.clone() {
        OutputPart::OutputText { text, logprobs, .. } => StreamEvent::TextDone {
            item_id: item_id.clone(),
            output_index,
            content_index: PART,
            text,
            logprobs,
        },
        OutputPart::ReasoningText { text } => StreamEvent::ReasoningDone {
            item_id: item_id.clone(),
            output_index,
            content_index: PART,
            text,
        },
    };
    let part_done = StreamEvent::PartDone {
        item_id,
        output_index,
        content_index: PART,
        part: part.clone(),
    };
    [text_done, part_done]
}

fn usage(stats: &TurnStats) -> ResponseUsage {
    ResponseUsage {
        input_tokens: stats.prompt_tokens,
        input_tokens_details: InputTokensDetails {
            cached_tokens: stats.cached_tokens,
        },
        output_tokens: stats.generated_tokens,
        output_tokens_details: OutputTokensDetails {
            reasoning_tokens: stats.reasoning_tokens,
        },
        total_tokens: stats.prompt_tokens + stats.generated_tokens,
    }
}
