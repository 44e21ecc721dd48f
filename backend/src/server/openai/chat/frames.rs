//! The chunks of a chat's stream.

use hearth_protocol::Error;
use hearth_protocol::answer::Logprobs;
use hearth_protocol::completion::{CompletionEvent, Piece};
use hearth_protocol::generate::TurnStats;
use hearth_protocol::openai::chat::{
    ChatCompletionChunk, ChunkChoice, Delta, FunctionCallDelta, ToolCallDelta,
};
use hearth_protocol::openai::{FinishReason, Usage};

use super::super::beside::{Beside, Telling};
use super::super::{fingerprint, finish_reason, logprobs, new_id, seconds_now, tools, usage};
use super::ASSISTANT;
use crate::server::format::openai;
use crate::server::llama_cpp::timings;
use crate::server::sse::{Dialect, Frames};

/// What is told beside the answer.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Shown {
    /// A last chunk with the usage.
    pub(super) usage: bool,
    /// What is told on the way.
    pub(super) telling: Telling,
}

/// Makes the chunks.
pub(super) struct ChatFrames {
    id: String,
    created: i64,
    model: String,
    shown: Shown,
    choices: Vec<Choice>,
    clock: timings::Clock,
}

/// What is known of a choice.
#[derive(Debug, Default)]
struct Choice {
    /// Logprobs of tokens whose text has not come yet.
    pending: Vec<Logprobs>,
    stats: Option<TurnStats>,
}

/// A chunk with llama.cpp's fields beside OpenAI's.
type Chunk = Beside<ChatCompletionChunk>;

impl ChatFrames {
    pub(super) fn new(model: String, choices: u32, shown: Shown) -> Self {
        Self {
            id: new_id("chatcmpl-"),
            created: seconds_now(),
            model,
            shown,
            choices: (0..choices).map(|_| Choice::default()).collect(),
            clock: timings::Clock::default(),
        }
    }

    fn chunk(&self, choices: Vec<ChunkChoice>, usage: Option<Usage>) -> Chunk {
        let chunk = ChatCompletionChunk {
            id: self.id.clone(),
            object: "chat.completion.chunk".into(),
            created: self.created,
            model: self.model.clone(),
            choices,
            usage: self.shown.usage.then_some(usage),
            system_fingerprint: Some(fingerprint()),
        };
        Beside::new(chunk, None)
    }

    /// A chunk of one choice.
    fn of(&self, index: u32, delta: Delta, tokens: &[Logprobs], finish: Option<FinishReason>) -> Chunk {
        let choice = ChunkChoice {
            index,
            delta,
            finish_reason: finish,
            logprobs: logprobs::wire(tokens),
        };
        let mut chunk = self.chunk(vec![choice], None);
        if self.shown.telling.timings_per_token {
            chunk.timings = self.clock.so_far();
        }
        chunk
    }

    fn pending(&mut self, choice: u32) -> Vec<Logprobs> {
        let choice = self.choices.get_mut(choice as usize);
        choice
            .map(|choice| std::mem::take(&mut choice.pending))
            .unwrap_or_default()
    }
}

impl Dialect for ChatFrames {
    fn begin(&mut self, frames: &mut Frames) {
        for index in 0..self.choices.len() as u32 {
            let delta = Delta {
                role: Some(ASSISTANT.into()),
                content: Some(String::new()),
                ..Delta::default()
            };
            frames.data(&self.of(index, delta, &[], None));
        }
    }

    fn take(&mut self, choice: u32, event: CompletionEvent, frames: &mut Frames) {
        self.clock.hear(&event);
        match event {
            CompletionEvent::Piece(piece) => {
                let tokens = self.pending(choice);
                frames.data(&self.of(choice, delta(piece), &tokens, None));
            }
            CompletionEvent::Logprobs(tokens) => {
                if let Some(choice) = self.choices.get_mut(choice as usize) {
                    choice.pending.extend(tokens);
                }
            }
            CompletionEvent::PromptProgress {
                processed,
                cached,
                total,
            } if self.shown.telling.progress => {
                let mut chunk = self.of(choice, Delta::default(), &[], None);
                chunk.prompt_progress = Some(self.clock.progress(processed, cached, total));
                frames.data(&chunk);
            }
            CompletionEvent::Finished { stop, stats } => {
                let tokens = self.pending(choice);
                let mut chunk = self.of(choice, Delta::default(), &tokens, Some(finish_reason(&stop)));
                chunk.timings = Some(timings::of(&stats));
                frames.data(&chunk);
                if let Some(choice) = self.choices.get_mut(choice as usize) {
                    choice.stats = Some(stats);
                }
            }
            _ => (),
        }
    }

    fn end(&mut self, frames: &mut Frames) {
        if self.shown.usage {
            let usage = usage(self.choices.iter().filter_map(|choice| choice.stats.as_ref()));
            frames.data(&self.chunk(Vec::new(), Some(usage)));
        }
        frames.word("[DONE]");
    }

    fn fail(&mut self, error: Error, frames: &mut Frames) {
        frames.data(&openai(&error.into()));
        // Clients that wait for it must not wait for ever.
        frames.word("[DONE]");
    }
}

fn delta(piece: Piece) -> Delta {
    let mut delta = Delta::default();
    match piece {
        Piece::Text(text) => delta.content = Some(text),
        Piece::Reasoning(text) => delta.reasoning_content = Some(text),
        Piece::ToolCall { index, id, name } => {
            delta.tool_calls = Some(vec![ToolCallDelta {
                index,
                id: Some(id),
                kind: Some(tools::FUNCTION.into()),
                function: Some(FunctionCallDelta {
                    name: Some(name),
                    arguments: Some(String::new()),
                }),
            }]);
        }
        Piece::ToolArguments { index, text } => {
            delta.tool_calls = Some(vec![ToolCallDelta {
                index,
                id: None,
                kind: None,
                function: Some(FunctionCallDelta {
                    name: None,
                    arguments: Some(text),
                }),
            }]);
        }
    }
    delta
}

#[cfg(test)]
mod tests;
