//! The chunks of a plain completion's stream.

use hearth_protocol::Error;
use hearth_protocol::answer::Logprobs;
use hearth_protocol::completion::{CompletionEvent, Piece};
use hearth_protocol::generate::TurnStats;
use hearth_protocol::openai::completion::{CompletionChoice, CompletionResponse};
use hearth_protocol::openai::{FinishReason, Usage};

use super::super::beside::{Beside, Telling};
use super::super::{fingerprint, finish_reason, new_id, seconds_now, usage};
use super::logprobs::Offsets;
use super::{OBJECT, together};
use crate::server::format::openai;
use crate::server::llama_cpp::timings;
use crate::server::sse::{Dialect, Frames};

/// What is told beside the answer.
#[derive(Debug, Clone, Default)]
pub(super) struct Shown {
    /// A last chunk with the usage.
    pub(super) usage: bool,
    /// What is told on the way.
    pub(super) telling: Telling,
    /// Choices of each prompt.
    pub(super) per_prompt: usize,
    /// The prompts, where they are sent back.
    pub(super) echo: Vec<String>,
}

/// Makes the chunks.
pub(super) struct CompletionFrames {
    id: String,
    created: i64,
    model: String,
    shown: Shown,
    choices: Vec<Choice>,
    clock: timings::Clock,
}

/// A chunk with llama.cpp's fields beside OpenAI's.
type Chunk = Beside<CompletionResponse>;

/// What is known of a choice.
#[derive(Debug, Default)]
struct Choice {
    /// Logprobs of tokens whose text has not come yet.
    pending: Vec<Logprobs>,
    offsets: Offsets,
    stats: TurnStats,
}

impl CompletionFrames {
    pub(super) fn new(model: String, choices: usize, shown: Shown) -> Self {
        Self {
            id: new_id("cmpl-"),
            created: seconds_now(),
            model,
            shown,
            choices: (0..choices).map(|_| Choice::default()).collect(),
            clock: timings::Clock::default(),
        }
    }

    fn chunk(&self, choices: Vec<CompletionChoice>, usage: Option<Usage>) -> Chunk {
        let chunk = CompletionResponse {
            id: self.id.clone(),
            object: OBJECT.into(),
            created: self.created,
            model: self.model.clone(),
            choices,
            usage: self.shown.usage.then_some(usage),
            system_fingerprint: Some(fingerprint()),
        };
        Beside::new(chunk, None)
    }

    /// A chunk of one choice, with the logprobs that wait.
    fn of(&mut self, index: u32, text: String, finish_reason: Option<FinishReason>) -> Chunk {
        let logprobs = self.choices.get_mut(index as usize).and_then(|choice| {
            let tokens = std::mem::take(&mut choice.pending);
            choice.offsets.wire(&tokens)
        });
        let choice = CompletionChoice {
            text,
            index,
            logprobs,
            finish_reason,
        };
        let mut chunk = self.chunk(vec![choice], None);
        if self.shown.telling.timings_per_token {
            chunk.timings = self.clock.so_far();
        }
        chunk
    }
}

impl Dialect for CompletionFrames {
    fn begin(&mut self, frames: &mut Frames) {
        let echo = std::mem::take(&mut self.shown.echo);
        for index in 0..self.choices.len() {
            if let Some(prompt) = echo.get(index / self.shown.per_prompt) {
                let index = u32::try_from(index).unwrap_or(u32::MAX);
                frames.data(&self.of(index, prompt.clone(), None));
            }
        }
    }

    fn take(&mut self, choice: u32, event: CompletionEvent, frames: &mut Frames) {
        self.clock.hear(&event);
        match event {
            CompletionEvent::Piece(Piece::Text(text)) => frames.data(&self.of(choice, text, None)),
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
                let mut chunk = self.of(choice, String::new(), None);
                chunk.prompt_progress = Some(self.clock.progress(processed, cached, total));
                frames.data(&chunk);
            }
            CompletionEvent::Finished { stop, stats } => {
                let mut last = self.of(choice, String::new(), Some(finish_reason(&stop)));
                last.timings = Some(timings::of(&stats));
                frames.data(&last);
                if let Some(choice) = self.choices.get_mut(choice as usize) {
                    choice.stats = stats;
                }
            }
            _ => (),
        }
    }

    fn end(&mut self, frames: &mut Frames) {
        if self.shown.usage {
            let stats: Vec<_> = self.choices.iter().map(|choice| choice.stats).collect();
            let prompts = stats.chunks(self.shown.per_prompt);
            let usage = prompts.map(usage).reduce(together).unwrap_or_default();
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

#[cfg(test)]
mod tests;
