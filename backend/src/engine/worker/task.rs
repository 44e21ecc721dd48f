//! One answer on its way: what is to be computed for it, and what becomes of the tokens that are chosen.

mod rolling;
mod thought;

use std::io;
use std::time::Instant;

use hearth_protocol::answer::AnswerOptions;
use hearth_protocol::completion::Piece;
use hearth_protocol::generate::{StopReason, TurnStats};
use hearth_protocol::prompt::PromptMessage;
use llama_cpp_2::token::LlamaToken;
use llama_cpp_2::token_type::LlamaTokenAttr;

use super::batch::Sequence;
use super::context::Context;
use super::kv_store::Chat;
use super::model::{Model, text_of};
use super::output::Output;
use super::plan::Need;
use super::sampler::{self, Sampler};
use super::speculation::Speculation;
use super::stats::Meter;
use super::text::{Step, Text};
use crate::engine::ipc::Response;

pub(super) use self::rolling::Rolling;
pub(super) use self::thought::Thought;

/// An answer that has been asked for and has not ended.
pub(super) struct Task {
    id: u64,
    chat: Option<Chat>,
    /// The number under which it is to be computed; `None` leaves it open.
    slot: Option<usize>,
    /// The prompt, and what was chosen behind it.
    tokens: Vec<LlamaToken>,
    prompt: usize,
    left_out: u32,
    sampler: Sampler,
    text: Text,
    meter: Meter,
    /// `None` where nothing is to be guessed.
    speculation: Option<Speculation>,
    /// How many of the likeliest tokens are told beside each; `None` tells nothing.
    logprobs: Option<u32>,
    thought: Thought,
    max_tokens: Option<u32>,
    /// Computed alone and without what is known already.
    alone: bool,
    /// For going on where the context is full; `None` ends there.
    rolling: Option<Rolling>,
    /// Whether it has been told that the answer has begun.
    begun: bool,
    /// Whether a token has been chosen.
    writes: bool,
}

/// What an answer is made from.
pub(super) struct TaskParts {
    pub(super) id: u64,
    pub(super) chat: Option<Chat>,
    pub(super) slot: Option<usize>,
    pub(super) prompt: Vec<LlamaToken>,
    /// Messages of the chat that are not in the prompt.
    pub(super) left_out: u32,
    pub(super) sampler: Sampler,
    pub(super) text: Text,
    pub(super) thought: Thought,
    pub(super) logprobs: Option<u32>,
    pub(super) max_tokens: Option<u32>,
    pub(super) alone: bool,
    pub(super) speculation: Option<Speculation>,
    pub(super) rolling: Option<Rolling>,
    pub(super) asked_at: Instant,
}

impl Task {
    pub(super) fn new(parts: TaskParts) -> Self {
        let mut task = Self {
            id: parts.id,
            chat: parts.chat,
            slot: parts.slot,
            prompt: parts.prompt.len(),
            tokens: parts.prompt,
            left_out: parts.left_out,
            sampler: parts.sampler,
            text: parts.text,
            meter: Meter::new(parts.asked_at),
            speculation: parts.speculation,
            logprobs: parts.logprobs,
            thought: parts.thought,
            max_tokens: parts.max_tokens,
            alone: parts.alone,
            rolling: parts.rolling,
            begun: false,
            writes: false,
        };
        task.enforce_grammar();
        if task.text.is_reasoning() {
            task.thought.check();
        }
        task
    }

    pub(super) fn id(&self) -> u64 {
        self.id
    }

    /// The chat it belongs to.
    pub(super) fn chat(&self) -> Option<Chat> {
        self.chat
    }

    /// The number of the slot that it asks for.
    pub(super) fn slot(&self) -> Option<usize> {
        self.slot
    }

    /// Tokens of its prompt, and tokens that were chosen.
    pub(super) fn counts(&self) -> (u32, u32) {
        (self.prompt as u32, self.meter.generated_tokens())
    }

    /// Whether only its prompt is to be read.
    pub(super) fn writes_nothing(&self) -> bool {
        self.max_tokens == Some(0)
    }

    /// Its chat is deleted: nothing of it is kept.
    pub(super) fn leave_chat(&mut self, chat: Chat) {
        if self.chat == Some(chat) {
            self.chat = None;
        }
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
            writes: self.writes && tokens == 1,
            chat: self.chat.is_some(),
        }
    }

    /// Guesses what may come next, at so many tokens a guess; nothing while the prompt is read.
    pub(super) fn guess(&mut self, most: usize, price: f64) -> Vec<LlamaToken> {
        match &mut self.speculation {
            Some(speculation) => speculation.guess(&self.tokens, most, price),
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
        output.hold(&Response::Begun {
            id: self.id,
            left_out: self.left_out,
        })?;
        self.tell_progress(known, output)
    }

    /// So many of its tokens are computed.
    pub(super) fn computed(&mut self, count: usize, output: &mut Output) -> io::Result<()> {
        if self.writes {
            return Ok(());
        }
        self.meter.read(count as u32, Instant::now());
        self.tell_progress(count, output)
    }

    fn tell_progress(&self, processed: usize, output: &mut Output) -> io::Result<()> {
        output.hold(&Response::PromptProgress {
            id: self.id,
            processed: processed as u32,
            cached: self.meter.cached_tokens(),
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
            let token = self.choose_one(row + right as i32, context, model, output)?;
            let reason = self.accept(token, context.length(), model, output)?;
            if reason.is_some() || guessed.get(right) != Some(&token) {
                break reason;
            }
            right += 1;
        };
        Ok((right, reason))
    }

    /// Hears how many of the tokens that it guessed were right, and what each of them costs, in tokens.
    pub(super) fn hear_guesses(&mut self, guessed: usize, right: usize, price: f64) {
        if let Some(speculation) = &mut self.speculation {
            speculation.hear(guessed, right, price);
        }
    }

    fn choose_one(
        &mut self,
        row: i32,
        context: &mut Context<'_>,
        model: &Model,
        output: &mut Output,
    ) -> io::Result<LlamaToken> {
        let token = match self.thought.closing.pop_front() {
            Some(token) => {
                self.sampler.accept(&[token]);
                token
            }
            None => self.sampler.choose(context, row),
        };
        if let Some(count) = self.logprobs {
            let logits = sampler::logits(context, row);
            output.hold(&Response::Logprobs {
                id: self.id,
                tokens: vec![sampler::logprobs(model, logits, token, count)],
            })?;
        }
        Ok(token)
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
        self.writes = true;
        self.meter.generated(Instant::now());
        self.tokens.push(token);
        if self.text.is_reasoning() {
            self.thought.tokens += 1;
        }
        let is_control = vocabulary
            .attr(token)
            .intersects(LlamaTokenAttr::Control | LlamaTokenAttr::Unknown);
        let step = if is_control {
            self.text
                .push_control(&text_of(&vocabulary, token).unwrap_or_default())
        } else {
            self.text.push(&vocabulary.token_to_piece(token, false, None))
        };
        self.enforce_grammar();
        if self.text.is_reasoning() {
            self.thought.check();
        }
        if let Some(text) = self.tell(step, output)? {
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

    /// The answer's grammar begins to hold where its moment has come.
    fn enforce_grammar(&mut self) {
        if let Some(begun) = self.text.grammar_due() {
            // Where the model has broken the form already, nothing is enforced: what it wrote stays text.
            self.sampler.enforce(&begun);
        }
    }

    /// The chat with the answer so far, to make a shorter prompt of; `None` where the answer cannot go on from its text,
    /// as in the middle of a thought or a tool call.
    pub(super) fn chat_so_far(&self) -> Option<(Vec<PromptMessage>, &AnswerOptions)> {
        let rolling = self.rolling.as_ref()?;
        if self.text.is_reasoning() || self.text.called_tools() {
            return None;
        }
        let mut begun = rolling.begun.clone();
        begun.text += self.text.held();
        let mut messages = rolling.messages.clone();
        messages.push(begun);
        Some((messages, &rolling.options))
    }

    /// Goes on behind a shorter prompt, from which so many messages are left out.
    pub(super) fn go_on_behind(&mut self, prompt: Vec<LlamaToken>, left_out: u32) {
        self.tokens = prompt;
        self.left_out = left_out;
        // Its index is by places in the text.
        self.speculation = self.speculation.take().map(|_| Speculation::default());
    }

    /// Sends what can be told; gives the stop string that came, if one did.
    fn tell(&mut self, step: Step, output: &mut Output) -> io::Result<Option<String>> {
        self.send(step.pieces, output)?;
        Ok(step.stop)
    }

    fn send(&mut self, pieces: Vec<Piece>, output: &mut Output) -> io::Result<()> {
        for piece in pieces {
            if let (Some(rolling), Piece::Text(text)) = (&mut self.rolling, &piece) {
                rolling.begun.text.push_str(text);
            }
            output.hold(&Response::Piece { id: self.id, piece })?;
        }
        Ok(())
    }

    /// Ends the answer: sends what was held back, then the end.
    pub(super) fn finish(
        mut self,
        mut reason: StopReason,
        context_used: usize,
        context_length: u32,
        output: &mut Output,
    ) -> io::Result<()> {
        if matches!(reason, StopReason::StopString { .. }) {
            let pieces = self.text.finish_parser();
            self.send(pieces, output)?;
        } else {
            let step = self.text.finish();
            if let Some(text) = self.tell(step, output)? {
                reason = StopReason::StopString { text };
            }
        }
        if reason == StopReason::EndOfText && self.text.called_tools() {
            reason = StopReason::ToolCalls;
        }
        let stats = self
            .meter
            .stats(Instant::now(), context_used as u32, context_length);
        let stats = TurnStats {
            reasoning_tokens: self.thought.tokens,
            guessed_tokens: self.speculation.map_or((0, 0), |speculation| speculation.score()),
            messages_left_out: self.left_out,
            ..stats
        };
        output.hold(&Response::Finished {
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
    /// The number under which it is computed.
    pub(super) slot: usize,
}
