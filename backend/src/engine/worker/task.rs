//! One answer on its way: what is to be computed for it, and what becomes of the tokens that are chosen.

use std::io;
use std::time::Instant;

use hearth_protocol::generate::{StopReason, TurnStats};
use llama_cpp_2::token::LlamaToken;

use super::batch::Sequence;
use super::context::Context;
use super::model::Model;
use super::output::Output;
use super::plan::Need;
use super::sampler::Sampler;
use super::speculation::Speculation;
use super::stats::Meter;
use super::text::Text;
use crate::engine::ipc::Response;

/// An answer that has been asked for and has not ended.
pub(super) struct Task {
    id: u64,
    /// The prompt, and what was chosen behind it.
    tokens: Vec<LlamaToken>,
    prompt: usize,
    sampler: Sampler,
    text: Text,
    meter: Meter,
    /// `None` where nothing is to be guessed.
    speculation: Option<Speculation>,
    max_tokens: Option<u32>,
    /// Computed alone and without what is known already.
    alone: bool,
    /// Whether it has been told that the answer has begun.
    begun: bool,
}

/// What an answer is made from.
pub(super) struct TaskParts {
    pub(super) id: u64,
    pub(super) prompt: Vec<LlamaToken>,
    pub(super) sampler: Sampler,
    pub(super) stop: Vec<String>,
    pub(super) max_tokens: Option<u32>,
    pub(super) alone: bool,
    pub(super) speculation: Option<Speculation>,
    pub(super) asked_at: Instant,
}

impl Task {
    pub(super) fn new(parts: TaskParts) -> Self {
        Self {
            id: parts.id,
            prompt: parts.prompt.len(),
            tokens: parts.prompt,
            sampler: parts.sampler,
            text: Text::new(parts.id, parts.stop),
            meter: Meter::new(parts.asked_at),
            speculation: parts.speculation,
            max_tokens: parts.max_tokens,
            alone: parts.alone,
            begun: false,
        }
    }

    pub(super) fn id(&self) -> u64 {
        self.id
    }

    /// Whether nothing else may be computed beside it.
    pub(super) fn alone(&self) -> bool {
        self.alone
    }

    /// All its tokens so far.
    pub(super) fn tokens(&self) -> &[LlamaToken] {
        &self.tokens
    }

    /// What it waits for, with so many of its tokens computed.
    pub(super) fn need(&self, computed: usize) -> Need {
        let tokens = self.tokens.len() - computed;
        Need {
            tokens,
            writes: tokens == 1 && self.tokens.len() > self.prompt,
        }
    }

    /// Guesses what may come next; nothing while the prompt is read.
    pub(super) fn guess(&mut self, most: usize) -> Vec<LlamaToken> {
        match &mut self.speculation {
            Some(speculation) => speculation.guess(&self.tokens, most),
            None => Vec::new(),
        }
    }

    /// It has a place and is computed from now on; so many tokens of it are known already.
    pub(super) fn begin(&mut self, known: usize, output: &mut Output) -> io::Result<()> {
        // One that had to make room for another goes on where it was.
        if self.begun {
            return Ok(());
        }
        self.begun = true;
        self.meter.begin(self.prompt as u32, known as u32, Instant::now());
        output.send(&Response::Begun {
            id: self.id,
            left_out: 0,
        })?;
        self.tell_progress(known, output)
    }

    /// So many of its tokens are computed.
    pub(super) fn computed(&mut self, count: usize, output: &mut Output) -> io::Result<()> {
        if self.tokens.len() > self.prompt {
            return Ok(());
        }
        self.meter.read(count as u32, Instant::now());
        self.tell_progress(count, output)
    }

    fn tell_progress(&self, processed: usize, output: &mut Output) -> io::Result<()> {
        output.send(&Response::PromptProgress {
            id: self.id,
            processed: processed as u32,
            total: self.prompt as u32,
        })
    }

    /// Chooses the next tokens by the rows of logits from `row` on: one, and one more for each guess that was right.
    /// Gives how many guesses were, and why the answer ends if it does.
    pub(super) fn choose(
        &mut self,
        row: i32,
        guessed: &[LlamaToken],
        context: &mut Context<'_>,
        model: &Model,
        output: &mut Output,
    ) -> io::Result<(usize, Option<StopReason>)> {
        let mut right = 0;
        let reason = loop {
            let token = self.sampler.choose(context, row + right as i32);
            let reason = self.accept(token, context.length(), model, output)?;
            if reason.is_some() || guessed.get(right) != Some(&token) {
                break reason;
            }
            right += 1;
        };
        if let Some(speculation) = &mut self.speculation
            && !guessed.is_empty()
        {
            speculation.hear(guessed.len(), right);
        }
        Ok((right, reason))
    }

    /// Takes a token that was chosen; gives why the answer ends if it does.
    fn accept(
        &mut self,
        token: LlamaToken,
        context_length: u32,
        model: &Model,
        output: &mut Output,
    ) -> io::Result<Option<StopReason>> {
        let vocabulary = model.vocabulary();
        if vocabulary.is_eog(token) {
            return Ok(Some(StopReason::EndOfText));
        }
        self.meter.generated(Instant::now());
        self.tokens.push(token);
        let piece = vocabulary.token_to_piece(token, false, None);
        if let Some(text) = self.text.push(&piece, output)? {
            return Ok(Some(StopReason::StopString { text }));
        }
        if self.max_tokens == Some(self.meter.generated_tokens()) {
            return Ok(Some(StopReason::TokenLimit));
        }
        // There is no place for the token just chosen, so that nothing can be chosen behind it.
        if self.tokens.len() > context_length as usize {
            return Ok(Some(StopReason::ContextFull));
        }
        Ok(None)
    }

    /// Ends the answer: sends what was held back, then the end.
    pub(super) fn finish(
        mut self,
        mut reason: StopReason,
        context_used: usize,
        context_length: u32,
        output: &mut Output,
    ) -> io::Result<()> {
        if !matches!(reason, StopReason::StopString { .. })
            && let Some(text) = self.text.flush(output)?
        {
            reason = StopReason::StopString { text };
        }
        let stats = self
            .meter
            .stats(Instant::now(), context_used as u32, context_length);
        let stats = TurnStats {
            guessed_tokens: self.speculation.map_or((0, 0), |speculation| speculation.score()),
            ..stats
        };
        output.send(&Response::Finished {
            id: self.id,
            stop: reason,
            stats,
        })
    }
}

/// A task that is computed, with its sequence of the cache.
pub(super) struct Running {
    pub(super) task: Task,
    pub(super) sequence: Sequence,
}
