//! Embeds texts, a bounded batch at a time, so that answers go on between two batches.
//!
//! It has a context of its own, which is made for the first text and made anew for a longer one. Where a token looks only
//! back, a long text is read in pieces; an encoder reads each text at once. Short texts share a batch, each as a sequence.
//! The vectors of the tokens come from llama.cpp; what one text's vector is made of them is decided here, so that it does
//! not depend on how the text was cut.

mod alone;
mod pooled;
mod task;

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;

use hearth_protocol::engine::LoadOptions;
use hearth_protocol::generate::{StopReason, TurnStats};
use hearth_protocol::{ByteSize, Error, Result};

use super::batch::Batch;
use super::context::{Context, Decoded, VectorSize};
use super::log::Log;
use super::model::Model;
use super::output::Output;
use super::plan::SHARED_STEP;
use super::stop_flag::StopFlag;
use crate::engine::EmbedJob;
use crate::engine::ipc::Response;
use crate::engine::memory::Memory;
use task::{Most, Task};

pub(super) use self::alone::serve;

/// Tokens of the smallest context: most texts fit it.
const LEAST_LENGTH: u32 = 512;

/// Texts that share a batch.
const MOST_SEQUENCES: u32 = 64;

/// Bytes that a batch of several texts, or a piece of one, may take for its rows: llama.cpp keeps logits for each token
/// beside the vector, a megabyte where the vocabulary is large.
const ROWS_ROOM: u64 = 64 << 20;

/// Bytes of a number in a row.
const NUMBER: u64 = 4;

/// Why texts are not embedded any further.
#[derive(Debug, thiserror::Error)]
enum Broken {
    /// These texts are refused.
    #[error(transparent)]
    Refused(#[from] Error),
    /// The backend is gone.
    #[error(transparent)]
    Pipe(#[from] io::Error),
}

/// The texts that a model is to embed.
pub(super) struct Embedder<'model> {
    model: &'model Model,
    options: LoadOptions,
    stop: Arc<StopFlag>,
    /// `None` until there is a text, and after a failure.
    context: Option<Context<'model>>,
    /// The first is being embedded; they take turns, so that a short list does not wait for a long one.
    tasks: VecDeque<Task>,
    batch: Batch,
}

impl<'model> Embedder<'model> {
    /// Takes no memory yet.
    pub(super) fn new(model: &'model Model, options: &LoadOptions, stop: &Arc<StopFlag>) -> Self {
        Self {
            model,
            options: options.clone(),
            stop: Arc::clone(stop),
            context: None,
            tasks: VecDeque::new(),
            batch: Batch::default(),
        }
    }

    /// Whether there is nothing to embed.
    pub(super) fn is_idle(&self) -> bool {
        self.tasks.is_empty()
    }

    /// Takes texts to embed, or refuses them.
    pub(super) fn take(&mut self, id: u64, job: EmbedJob, output: &mut Output) -> io::Result<()> {
        match Task::new(id, job, self.model) {
            Ok(task) => {
                self.tasks.push_back(task);
                Ok(())
            }
            Err(error) => self.fail(id, error, output),
        }
    }

    /// Ends texts that shall not be embedded any more; those that are not here have ended.
    pub(super) fn stop(&mut self, id: u64, output: &mut Output) -> io::Result<()> {
        let Some(place) = self.tasks.iter().position(|task| task.id() == id) else {
            return Ok(());
        };
        if place == 0 {
            // A part of a text may stand there.
            self.clear();
        }
        self.tasks.remove(place);
        self.end(id, StopReason::UserStopped, output)
    }

    /// Computes one batch; a small one where it is computed `beside` answers that are being written.
    pub(super) fn step(&mut self, beside: bool, output: &mut Output, log: &Log) -> io::Result<()> {
        // The look also shows that work goes on.
        if self.stop.is_raised() {
            return Ok(());
        }
        let Some(id) = self.tasks.front().map(Task::id) else {
            return Ok(());
        };
        match self.advance(beside, output, log) {
            Ok(false) => {
                if self.tasks.front().is_some_and(Task::is_between_texts) {
                    self.tasks.rotate_left(1);
                }
                Ok(())
            }
            Ok(true) => {
                self.tasks.pop_front();
                self.end(id, StopReason::EndOfText, output)
            }
            Err(Broken::Refused(error)) => {
                self.tasks.pop_front();
                self.clear();
                self.fail(id, error, output)
            }
            Err(Broken::Pipe(error)) => Err(error),
        }
    }

    /// Goes on with the first task; whether it is done with that.
    fn advance(&mut self, beside: bool, output: &mut Output, log: &Log) -> std::result::Result<bool, Broken> {
        let Some(task) = self.tasks.front_mut() else {
            return Ok(false);
        };
        task.begin(output)?;
        if !task.read_some(self.model)? {
            return Ok(false);
        }
        let longest = task.longest();
        self.make_room(longest, log)?;
        let rows = self.rows();
        let (Some(task), Some(context)) = (self.tasks.front_mut(), &mut self.context) else {
            return Ok(false);
        };
        let most = Most {
            tokens: if beside { SHARED_STEP } else { rows }.min(context.chunk()),
            texts: context.sequences() as usize,
            at_once: self.model.only_embeds(),
        };
        let parts = task.fill(&mut self.batch, most);
        match context.decode(&mut self.batch) {
            Ok(Decoded::All) => {
                task.take(&parts, context, output)?;
                if task.is_between_texts() {
                    context.clear_all();
                }
                Ok(task.is_done())
            }
            Ok(Decoded::Stopped) => {
                // Something else may have been stopped: this text is begun again.
                task.restart();
                context.clear_all();
                Ok(false)
            }
            failed => {
                // It is not to be trusted any more. The other one, which writes answers, knows nothing of it.
                self.context = None;
                let why = match failed {
                    Err(error) => error.to_string(),
                    Ok(_) => "its context has no room".into(),
                };
                Err(Error::internal(format!(
                    "{} could not embed these texts: {why}",
                    self.model.name()
                ))
                .into())
            }
        }
    }

    /// Makes a context that holds so many tokens of one text, unless there is one.
    fn make_room(&mut self, longest: usize, log: &Log) -> Result<()> {
        let longest = u32::try_from(longest).unwrap_or(u32::MAX);
        let is_enough = |context: &Context<'_>| context.length() >= longest;
        if self.context.as_ref().is_some_and(is_enough) {
            return Ok(());
        }
        // Before the other is made, so that both are never there.
        self.context = None;
        let at_once = self.model.only_embeds();
        let most = self.model.context_length().max(longest);
        let length = longest.next_power_of_two().max(LEAST_LENGTH).min(most);
        let bytes = match at_once {
            true => u64::from(longest) * self.row_bytes(),
            false => u64::from(length) * self.model.kv_bytes() + ROWS_ROOM,
        };
        if Memory::now().free.is_some_and(|free| bytes > free) {
            let reason = format!(
                "embedding a text of {longest} tokens takes {} beside it; free memory or embed shorter texts",
                ByteSize(bytes)
            );
            return Err(self.short_of_memory(reason));
        }
        let batch = if at_once {
            length
        } else {
            let rows = u32::try_from(self.rows()).unwrap_or(u32::MAX);
            let micro_batch = self.options.micro_batch_size.min(self.options.batch_size);
            micro_batch.min(rows).min(length)
        };
        let size = VectorSize {
            length,
            batch,
            // A recurrent model has a whole state for each.
            sequences: if self.model.is_recurrent() {
                1
            } else {
                MOST_SEQUENCES.min(batch)
            },
        };
        let made = Context::for_vectors(self.model, &self.options, size, &self.stop, log);
        self.context = Some(made.map_err(|error| match error {
            Error::LoadFailed { reason, .. } => {
                let reason = format!(
                    "embedding a text of {longest} tokens: {reason}; free memory or embed shorter texts"
                );
                self.short_of_memory(reason)
            }
            error => error,
        })?);
        Ok(())
    }

    fn short_of_memory(&self, reason: String) -> Error {
        Error::MemoryShort {
            model: self.model.name().to_owned(),
            reason,
        }
    }

    /// Lets go of a large context once there is nothing to embed.
    fn rest(&mut self) {
        let is_large = |context: &Context<'_>| context.length() > LEAST_LENGTH;
        if self.tasks.is_empty() && self.context.as_ref().is_some_and(is_large) {
            self.context = None;
        }
    }

    /// Tokens of a batch whose rows take no more than is set.
    fn rows(&self) -> usize {
        usize::try_from(ROWS_ROOM / self.row_bytes())
            .unwrap_or(usize::MAX)
            .max(SHARED_STEP)
    }

    /// Bytes that llama.cpp keeps for each token of a batch: logits and a vector.
    fn row_bytes(&self) -> u64 {
        let logits = u64::from(self.model.vocabulary().n_tokens().unsigned_abs());
        NUMBER * (logits + self.model.vector_width() as u64)
    }

    fn clear(&mut self) {
        if let Some(context) = &mut self.context {
            context.clear_all();
        }
    }

    fn end(&mut self, id: u64, stop: StopReason, output: &mut Output) -> io::Result<()> {
        self.rest();
        self.stop.end(id);
        // Nothing is counted but the tokens of each text, which have been told.
        let stats = TurnStats::default();
        output.send(&Response::Finished { id, stop, stats })
    }

    fn fail(&mut self, id: u64, error: Error, output: &mut Output) -> io::Result<()> {
        self.rest();
        self.stop.end(id);
        output.send(&Response::Failed { id, error })
    }
}
