//! One answer from beginning to end: prompt, cached prefix, reading, then token after token until something
//! ends it.

use std::io;
use std::time::Instant;

use hearth_protocol::generate::{SamplingParams, StopReason, TurnStats};
use hearth_protocol::{Error, Result};
use llama_cpp_2::LlamaCppError;
use llama_cpp_2::token::LlamaToken;

use super::context::{ComputeError, Context, Decoded};
use super::model::Model;
use super::output::Output;
use super::sampler::{self, Sampler};
use super::sampling_plan::plan;
use super::stats::Meter;
use super::stop::{StopStep, StopStrings};
use super::stop_flag::StopFlag;
use super::utf8::Utf8Hold;
use crate::engine::{Job, Piece};
use crate::engine::ipc::Response;

/// A loaded model with its context; goes from answer to answer and keeps what it has read.
pub(super) struct Session<'model> {
    model: &'model Model,
    context: Context<'model>,
    /// Seed of answers that bring none.
    seed: Option<u32>,
}

/// A request for an answer.
pub(super) struct Turn {
    pub(super) id: u64,
    pub(super) job: Job,
    /// When it came.
    pub(super) asked_at: Instant,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub(super) enum Halt {
    /// The request cannot be answered; the next one can.
    #[error("a request was refused: {0}")]
    Refused(#[from] Error),
    /// llama.cpp could not compute. Its state is not to be trusted: the worker ends.
    #[error(transparent)]
    Compute(#[from] ComputeError),
    /// llama.cpp did not start.
    #[error("llama.cpp did not start: {0}")]
    Start(#[from] LlamaCppError),
    /// The backend is gone: the worker ends.
    #[error("the backend no longer listens: {0}")]
    Pipe(#[from] io::Error),
}

impl<'model> Session<'model> {
    pub(super) fn new(model: &'model Model, context: Context<'model>, seed: Option<u32>) -> Self {
        Self { model, context, seed }
    }

    /// Makes an answer, telling its progress and text; gives why it ended and what it cost.
    pub(super) fn answer(
        &mut self,
        turn: Turn,
        stop: &StopFlag,
        output: &mut Output,
    ) -> std::result::Result<(StopReason, TurnStats), Halt> {
        let mut meter = Meter::new(turn.asked_at);
        let prompt = self.model.tokens_of(&turn.job.messages)?;
        let (prompt_tokens, context_length) = (prompt.len() as u32, self.context.length());
        if prompt_tokens > context_length {
            return Err(Halt::Refused(Error::ContextOverflow {
                prompt_tokens,
                context_length,
            }));
        }
        let mut sampler = self.sampler(&turn.job.sampling)?;
        sampler.accept(&prompt);

        let reason = match self.read(turn.id, &prompt, &mut meter, output)? {
            Decoded::All => self.write(turn.id, &turn.job.sampling, &mut sampler, &mut meter, stop, output)?,
            Decoded::Stopped => StopReason::UserStopped,
        };
        let stats = meter.stats(Instant::now(), self.context.used(), context_length);
        Ok((reason, stats))
    }

    fn sampler(&self, params: &SamplingParams) -> Result<Sampler> {
        let vocabulary = self.model.vocabulary();
        let forbidden: Vec<i32> = vocabulary.suppress_tokens().iter().map(|token| token.0).collect();
        let plan = plan(params, &forbidden, self.context.length())?;
        let seed = params
            .seed
            .or(self.seed)
            .map_or_else(sampler::fresh, sampler::fixed);
        Sampler::new(self.model, &plan, seed)
    }

    /// Reads what of the prompt is not in the cache, piece by piece.
    fn read(
        &mut self,
        id: u64,
        prompt: &[LlamaToken],
        meter: &mut Meter,
        output: &mut Output,
    ) -> std::result::Result<Decoded, Halt> {
        let total = prompt.len() as u32;
        let cached = self.context.reuse(prompt);
        meter.prompt(total, cached as u32);
        let progress = |processed| Response::PromptProgress { id, processed, total };
        output.send(&progress(cached as u32))?;
        let began = Instant::now();
        for piece in prompt[cached..].chunks(self.context.chunk()) {
            let decoded = self.context.decode(piece)?;
            let read = self.context.used().saturating_sub(cached as u32);
            meter.read(read, began.elapsed());
            if decoded == Decoded::Stopped {
                return Ok(Decoded::Stopped);
            }
            output.send(&progress(self.context.used()))?;
        }
        Ok(Decoded::All)
    }

    /// Generates until something ends it, sending the text as it comes.
    fn write(
        &mut self,
        id: u64,
        params: &SamplingParams,
        sampler: &mut Sampler,
        meter: &mut Meter,
        stop: &StopFlag,
        output: &mut Output,
    ) -> std::result::Result<StopReason, Halt> {
        let vocabulary = self.model.vocabulary();
        let mut text = Text::new(id, params.stop.clone());
        let reason = loop {
            if stop.is_raised() {
                break StopReason::UserStopped;
            }
            let token = sampler.choose(self.context.as_raw(), -1);
            if vocabulary.is_eog(token) {
                break StopReason::EndOfText;
            }
            meter.generated(Instant::now());
            let piece = vocabulary.token_to_piece(token, false, None);
            if let Some(stop) = text.push(&piece, output)? {
                return Ok(StopReason::StopString { text: stop });
            }
            if params.max_tokens == Some(meter.generated_tokens()) {
                break StopReason::TokenLimit;
            }
            if self.context.is_full() {
                break StopReason::ContextFull;
            }
            if self.context.decode(&[token])? == Decoded::Stopped {
                break StopReason::UserStopped;
            }
        };
        match text.flush(output)? {
            Some(stop) => Ok(StopReason::StopString { text: stop }),
            None => Ok(reason),
        }
    }
}

/// The text on its way out: bytes are held until they are whole characters, and characters while they may be the
/// beginning of a stop string.
struct Text {
    id: u64,
    bytes: Utf8Hold,
    stop: StopStrings,
}

impl Text {
    fn new(id: u64, stop: Vec<String>) -> Self {
        Self {
            id,
            bytes: Utf8Hold::new(),
            stop: StopStrings::new(stop),
        }
    }

    /// Takes the bytes of a token; gives the stop string that came, if one did.
    fn push(&mut self, piece: &[u8], output: &mut Output) -> io::Result<Option<String>> {
        let text = self.bytes.push(piece);
        self.pass(&text, output)
    }

    /// Sends all that was held; gives the stop string that came at the very end, if one did.
    fn flush(&mut self, output: &mut Output) -> io::Result<Option<String>> {
        let rest = self.bytes.flush();
        let stop = self.pass(&rest, output)?;
        if stop.is_none() {
            let held = self.stop.flush();
            self.send(held, output)?;
        }
        Ok(stop)
    }

    fn pass(&mut self, text: &str, output: &mut Output) -> io::Result<Option<String>> {
        if text.is_empty() {
            return Ok(None);
        }
        match self.stop.push(text) {
            StopStep::Text(text) => {
                self.send(text, output)?;
                Ok(None)
            }
            StopStep::Hit { text, stop } => {
                self.send(text, output)?;
                Ok(Some(stop))
            }
        }
    }

    fn send(&mut self, text: String, output: &mut Output) -> io::Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        output.send(&Response::Piece {
            id: self.id,
            piece: Piece::Text(text),
        })
    }
}
