//! An answer on its way: what the engine tells becomes blocks, and what happens to them becomes events. Whole answers
//! are made the same way, so that a stream and a whole answer cannot differ.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hearth_protocol::anthropic::answer::{ContentBlock, Message, StopReason, Usage};
use hearth_protocol::anthropic::event::{Delta, End, StreamEvent};
use hearth_protocol::completion::{CompletionEvent, Piece};
use hearth_protocol::generate::{self, TurnStats};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use crate::server::openai::new_id;

/// An answer on its way.
pub(super) struct Writing {
    message: Message,
    /// The texts that the request ends with; those of the settings are no business of its client.
    stops: Vec<String>,
    has_begun: bool,
    is_open: bool,
    /// Which blocks are the calls of tools, in their order, with their arguments so far.
    calls: Vec<(usize, String)>,
}

impl Writing {
    /// An answer of this model that has nothing in it yet.
    pub(super) fn new(model: &str, stops: Vec<String>) -> Self {
        Self {
            message: Message {
                id: new_id("msg_"),
                kind: "message",
                role: "assistant",
                model: model.to_owned(),
                content: Vec::new(),
                stop_reason: None,
                stop_sequence: None,
                usage: Usage::default(),
            },
            stops,
            has_begun: false,
            is_open: false,
            calls: Vec::new(),
        }
    }

    /// As far as it is.
    pub(super) fn message(&self) -> &Message {
        &self.message
    }

    /// Takes what comes next. The first event comes once it is known how long the prompt is.
    pub(super) fn take(&mut self, event: CompletionEvent, told: &mut Vec<StreamEvent>) {
        match event {
            CompletionEvent::PromptProgress { cached, total, .. } => {
                if !self.has_begun {
                    self.message.usage = usage(total, cached, 0);
                }
                self.begin(told);
            }
            CompletionEvent::Piece(piece) => {
                self.begin(told);
                self.piece(piece, told);
            }
            CompletionEvent::Finished { stop, stats } => {
                self.begin(told);
                self.finish(&stop, &stats, told);
            }
            CompletionEvent::Loading(_)
            | CompletionEvent::Started(_)
            | CompletionEvent::Logprobs(_)
            | CompletionEvent::Failed(_) => (),
        }
    }

    fn begin(&mut self, told: &mut Vec<StreamEvent>) {
        if !std::mem::replace(&mut self.has_begun, true) {
            told.push(StreamEvent::MessageStart {
                message: self.message.clone(),
            });
        }
    }

    fn piece(&mut self, piece: Piece, told: &mut Vec<StreamEvent>) {
        match piece {
            Piece::Text(more) => {
                if !matches!(self.open(), Some(ContentBlock::Text { .. })) {
                    self.add(
                        ContentBlock::Text {
                            text: String::new(),
                            citations: None,
                        },
                        told,
                    );
                }
                if let Some(ContentBlock::Text { text, .. }) = self.open() {
                    text.push_str(&more);
                }
                self.tell(self.last(), Delta::TextDelta { text: more }, told);
            }
            Piece::Reasoning(more) => {
                if !matches!(self.open(), Some(ContentBlock::Thinking { .. })) {
                    self.add(
                        ContentBlock::Thinking {
                            thinking: String::new(),
                            signature: String::new(),
                        },
                        told,
                    );
                }
                if let Some(ContentBlock::Thinking { thinking, .. }) = self.open() {
                    thinking.push_str(&more);
                }
                self.tell(self.last(), Delta::ThinkingDelta { thinking: more }, told);
            }
            Piece::ToolCall { id, name, .. } => {
                self.add(
                    ContentBlock::ToolUse {
                        id,
                        name,
                        input: Value::Object(Map::new()),
                    },
                    told,
                );
                self.calls.push((self.last(), String::new()));
            }
            Piece::ToolArguments { index, text } => {
                if let Some((block, arguments)) = self.calls.get_mut(index as usize) {
                    arguments.push_str(&text);
                    let block = *block;
                    self.tell(block, Delta::InputJsonDelta { partial_json: text }, told);
                }
            }
        }
    }

    fn finish(&mut self, stop: &generate::StopReason, stats: &TurnStats, told: &mut Vec<StreamEvent>) {
        self.close(told);
        for (block, arguments) in std::mem::take(&mut self.calls) {
            if let Some(ContentBlock::ToolUse { input, .. }) = self.message.content.get_mut(block) {
                // Arguments that a limit has cut off are no JSON.
                *input = serde_json::from_str(&arguments).unwrap_or_else(|_| Value::Object(Map::new()));
            }
        }
        let (reason, sequence) = self.stop(stop);
        self.message.stop_reason = Some(reason);
        self.message.stop_sequence.clone_from(&sequence);
        self.message.usage = usage(stats.prompt_tokens, stats.cached_tokens, stats.generated_tokens);
        told.push(StreamEvent::MessageDelta {
            delta: End {
                stop_reason: Some(reason),
                stop_sequence: sequence,
            },
            usage: self.message.usage,
        });
        told.push(StreamEvent::MessageStop);
    }

    fn stop(&self, stop: &generate::StopReason) -> (StopReason, Option<String>) {
        match stop {
            generate::StopReason::StopString { text } if self.stops.contains(text) => {
                (StopReason::StopSequence, Some(text.clone()))
            }
            generate::StopReason::TokenLimit => (StopReason::MaxTokens, None),
            generate::StopReason::ContextFull => (StopReason::ModelContextWindowExceeded, None),
            generate::StopReason::ToolCalls => (StopReason::ToolUse, None),
            generate::StopReason::EndOfText
            | generate::StopReason::StopString { .. }
            | generate::StopReason::UserStopped
            | generate::StopReason::ModelEjected
            | generate::StopReason::Failed { .. } => (StopReason::EndTurn, None),
        }
    }

    /// The block that is being written.
    fn open(&mut self) -> Option<&mut ContentBlock> {
        self.message.content.last_mut().filter(|_| self.is_open)
    }

    /// The place of the last block.
    fn last(&self) -> usize {
        self.message.content.len().saturating_sub(1)
    }

    fn tell(&self, block: usize, delta: Delta, told: &mut Vec<StreamEvent>) {
        let index = u32::try_from(block).unwrap_or(u32::MAX);
        told.push(StreamEvent::ContentBlockDelta { index, delta });
    }

    fn add(&mut self, block: ContentBlock, told: &mut Vec<StreamEvent>) {
        self.close(told);
        let is_first = self.message.content.is_empty();
        self.message.content.push(block.clone());
        self.is_open = true;
        told.push(StreamEvent::ContentBlockStart {
            index: u32::try_from(self.last()).unwrap_or(u32::MAX),
            content_block: block,
        });
        if is_first {
            told.push(StreamEvent::Ping);
        }
    }

    /// Ends the block that is being written, if there is one.
    fn close(&mut self, told: &mut Vec<StreamEvent>) {
        if !std::mem::take(&mut self.is_open) {
            return;
        }
        let last = self.last();
        if let Some(ContentBlock::Thinking { thinking, signature }) = self.message.content.last_mut() {
            *signature = sign(thinking);
            let signature = signature.clone();
            self.tell(last, Delta::SignatureDelta { signature }, told);
        }
        told.push(StreamEvent::ContentBlockStop {
            index: u32::try_from(last).unwrap_or(u32::MAX),
        });
    }
}

/// Names a thought by its hash. Anthropic's servers prove with it that a thought is theirs; here nothing is to be proved,
/// but clients send back only thoughts that have one.
fn sign(thinking: &str) -> String {
    STANDARD.encode(Sha256::digest(thinking))
}

/// Tokens in Anthropic's way of counting, where those of the cache are none of the input's.
fn usage(prompt: u32, cached: u32, generated: u32) -> Usage {
    Usage {
        input_tokens: prompt.saturating_sub(cached),
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: cached,
        output_tokens: generated,
    }
}
