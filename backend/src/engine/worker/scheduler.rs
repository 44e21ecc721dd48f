//! Computes several answers at once in one context: step by step, each step one batch with something of every answer.
//!
//! Answers are begun in the order they came, as many at once as there are slots and as fit the context together. The
//! cache keeps what was computed for whoever begins alike.

use std::collections::VecDeque;
use std::io;
use std::sync::mpsc::{Receiver, TryRecvError};
use std::time::Instant;

use hearth_protocol::engine::LoadOptions;
use hearth_protocol::generate::{SamplingParams, StopReason};
use hearth_protocol::{Error, Result};
use llama_cpp_2::LlamaCppError;
use llama_cpp_2::token::LlamaToken;

use super::Asked;
use super::batch::Batch;
use super::cache::Cache;
use super::context::{ComputeError, Context, Decoded, GUESSED_ROWS};
use super::log::Log;
use super::model::Model;
use super::output::Output;
use super::plan::plan;
use super::sampler::{self, Sampler};
use super::sampling_plan;
use super::speculation::Speculation;
use super::stop_flag::StopFlag;
use super::task::{Running, Task, TaskParts};
use crate::engine::Job;
use crate::engine::ipc::{Request, Response};

/// Why the worker cannot go on.
#[derive(Debug, thiserror::Error)]
pub(super) enum Halt {
    /// llama.cpp could not compute. Its state is not to be trusted.
    #[error(transparent)]
    Compute(#[from] ComputeError),
    /// llama.cpp did not start.
    #[error("llama.cpp did not start: {0}")]
    Start(#[from] LlamaCppError),
    /// The backend is gone.
    #[error("the backend no longer listens: {0}")]
    Pipe(#[from] io::Error),
}

/// All answers of a loaded model.
pub(super) struct Scheduler<'model> {
    model: &'model Model,
    context: Context<'model>,
    cache: Cache,
    /// In the order they came.
    waiting: VecDeque<Task>,
    /// In the order they were begun.
    running: Vec<Running>,
    /// Answers that may run at once.
    slots: usize,
    /// So many were too many for the cache; until one of them ends, no other begins.
    crowded_at: Option<usize>,
    /// Seed of answers that bring none.
    seed: Option<u32>,
    guesses: bool,
    batch: Batch,
}

/// What a step computes of one answer.
struct Part {
    /// Place among those that run.
    place: usize,
    /// How many of its tokens.
    count: usize,
    /// Guessed behind them.
    guessed: Vec<LlamaToken>,
    /// The first row of logits; `None` while the prompt is read.
    row: Option<i32>,
}

impl<'model> Scheduler<'model> {
    pub(super) fn new(model: &'model Model, context: Context<'model>, options: &LoadOptions) -> Self {
        Self {
            cache: Cache::new(context.sequences(), context.can_cut()),
            model,
            waiting: VecDeque::new(),
            running: Vec::new(),
            // Each needs at least one token of a step.
            slots: (options.parallel_slots as usize).clamp(1, context.chunk()),
            crowded_at: None,
            seed: options.seed,
            guesses: options.ngram_speculation && context.can_cut(),
            context,
            batch: Batch::default(),
        }
    }

    /// Answers requests until there are no more.
    pub(super) fn run(
        &mut self,
        requests: &Receiver<Asked>,
        stop: &StopFlag,
        output: &mut Output,
        log: &Log,
    ) -> std::result::Result<(), Halt> {
        loop {
            if self.running.is_empty() && self.waiting.is_empty() {
                match requests.recv() {
                    Ok(asked) => self.take(asked, stop, output, log)?,
                    Err(_) => return Ok(()),
                }
            }
            loop {
                match requests.try_recv() {
                    Ok(asked) => self.take(asked, stop, output, log)?,
                    // Those that are left have been stopped, since closing the input stops all.
                    Err(TryRecvError::Empty | TryRecvError::Disconnected) => break,
                }
            }
            self.end_stopped(stop, output)?;
            self.begin_waiting(output)?;
            self.step(stop, output)?;
        }
    }

    /// Prepares an answer, or refuses it.
    fn take(
        &mut self,
        (request, asked_at): Asked,
        stop: &StopFlag,
        output: &mut Output,
        log: &Log,
    ) -> io::Result<()> {
        let Request::Generate { id, job } = request else {
            log.write(&format!("a model is loaded; it cannot take {request:?}"));
            return Ok(());
        };
        match self.prepare(id, *job, asked_at) {
            Ok(task) => {
                self.waiting.push_back(task);
                Ok(())
            }
            Err(error) => {
                stop.end(id);
                output.send(&Response::Failed { id, error })
            }
        }
    }

    fn prepare(&self, id: u64, job: Job, asked_at: Instant) -> Result<Task> {
        let prompt = self.model.tokens_of(&job.messages)?;
        let (prompt_tokens, context_length) = (prompt.len() as u32, self.context.length());
        if prompt_tokens > context_length {
            return Err(Error::ContextOverflow {
                prompt_tokens,
                context_length,
            });
        }
        let mut sampler = self.sampler(&job.sampling)?;
        sampler.accept(&prompt);
        let alone = job.answer.deterministic;
        Ok(Task::new(TaskParts {
            id,
            prompt,
            sampler,
            stop: job.sampling.stop,
            max_tokens: job.sampling.max_tokens,
            alone,
            speculation: (self.guesses && !alone).then(Speculation::default),
            asked_at,
        }))
    }

    fn sampler(&self, params: &SamplingParams) -> Result<Sampler> {
        let vocabulary = self.model.vocabulary();
        let forbidden: Vec<i32> = vocabulary.suppress_tokens().iter().map(|token| token.0).collect();
        let plan = sampling_plan::plan(params, &forbidden, self.context.length())?;
        let seed = params
            .seed
            .or(self.seed)
            .map_or_else(sampler::fresh, sampler::fixed);
        Sampler::new(self.model, &plan, seed)
    }

    /// Ends the answers that shall stop.
    fn end_stopped(&mut self, stop: &StopFlag, output: &mut Output) -> io::Result<()> {
        for id in stop.take() {
            if let Some(place) = self.running.iter().position(|running| running.task.id() == id) {
                self.end(place, StopReason::UserStopped, stop, output)?;
            } else if let Some(place) = self.waiting.iter().position(|task| task.id() == id)
                && let Some(task) = self.waiting.remove(place)
            {
                stop.end(id);
                task.finish(StopReason::UserStopped, 0, self.context.length(), output)?;
            }
        }
        Ok(())
    }

    fn end(
        &mut self,
        place: usize,
        reason: StopReason,
        stop: &StopFlag,
        output: &mut Output,
    ) -> io::Result<()> {
        let Running { task, sequence } = self.running.remove(place);
        self.crowded_at = None;
        stop.end(task.id());
        let used = self.cache.count(sequence);
        self.cache.give_back(sequence);
        task.finish(reason, used, self.context.length(), output)
    }

    /// Begins those that wait, in their order, while there is a slot and room for them.
    fn begin_waiting(&mut self, output: &mut Output) -> io::Result<()> {
        while let Some(next) = self.waiting.front()
            && self.may_begin(next)
            && let Some(mut task) = self.waiting.pop_front()
        {
            let sequence = if task.alone() {
                self.cache.take_empty(&mut self.context)
            } else {
                self.cache.take(task.tokens(), &mut self.context)
            };
            let Some(sequence) = sequence else {
                // There are more sequences than slots.
                self.waiting.push_front(task);
                return Ok(());
            };
            task.begin(self.cache.count(sequence), output)?;
            self.running.push(Running { task, sequence });
        }
        Ok(())
    }

    fn may_begin(&self, task: &Task) -> bool {
        let used: usize = self
            .running
            .iter()
            .map(|running| running.task.tokens().len())
            .sum();
        let fits = used + task.tokens().len() <= self.context.length() as usize;
        let beside = !task.alone() && !self.running.iter().any(|running| running.task.alone());
        let most = self.crowded_at.map_or(self.slots, |count| count.min(self.slots));
        self.running.is_empty() || (self.running.len() < most && fits && beside)
    }

    /// Computes one batch and takes what comes of it.
    fn step(&mut self, stop: &StopFlag, output: &mut Output) -> std::result::Result<(), Halt> {
        let parts = self.fill_batch();
        if parts.is_empty() {
            return Ok(());
        }
        match self.context.decode(&mut self.batch)? {
            Decoded::All => self.take_computed(parts, stop, output)?,
            Decoded::Stopped => self.recount(&parts),
            Decoded::NoRoom => {
                if !self.cache.make_room(&mut self.context) {
                    self.yield_room(stop, output)?;
                }
            }
        }
        Ok(())
    }

    fn fill_batch(&mut self) -> Vec<Part> {
        self.batch.clear();
        let needs: Vec<_> = self
            .running
            .iter()
            .map(|running| running.task.need(self.cache.count(running.sequence)))
            .collect();
        let most = self.context.chunk();
        let counts = plan(&needs, most);
        let mut spare = most.saturating_sub(counts.iter().sum()).min(GUESSED_ROWS);
        let mut parts = Vec::new();
        for (place, count) in counts.into_iter().enumerate() {
            if count == 0 {
                continue;
            }
            let Running { task, sequence } = &mut self.running[place];
            let computed = self.cache.count(*sequence);
            let guessed = if needs[place].writes {
                // A guess must leave room for the token that is chosen behind it.
                let room = (self.context.length() as usize).saturating_sub(task.tokens().len() + 1);
                task.guess(spare.min(room))
            } else {
                Vec::new()
            };
            spare -= guessed.len();
            let complete = count == needs[place].tokens;
            let wanted = if complete { 1 } else { 0 };
            let tokens = &task.tokens()[computed..computed + count];
            let mut row = self.batch.add(*sequence, tokens, computed, wanted);
            if !guessed.is_empty() {
                self.batch
                    .add(*sequence, &guessed, computed + count, guessed.len());
                row = (self.batch.len() - guessed.len() - 1) as i32;
            }
            parts.push(Part {
                place,
                count,
                guessed,
                row: complete.then_some(row),
            });
        }
        parts
    }

    /// Notes what was computed, and chooses the next token of each answer whose tokens are all computed.
    fn take_computed(&mut self, parts: Vec<Part>, stop: &StopFlag, output: &mut Output) -> io::Result<()> {
        let mut ended = Vec::new();
        for part in parts {
            let Running { task, sequence } = &mut self.running[part.place];
            let computed = self.cache.count(*sequence);
            self.cache
                .add(*sequence, &task.tokens()[computed..computed + part.count]);
            task.computed(computed + part.count, output)?;
            let Some(row) = part.row else {
                continue;
            };
            self.cache.add(*sequence, &part.guessed);
            let (right, reason) = task.choose(row, &part.guessed, &mut self.context, self.model, output)?;
            let keep = computed + part.count + right;
            self.cache.cut(*sequence, keep, &mut self.context);
            if let Some(reason) = reason {
                ended.push((part.place, reason));
            }
        }
        // From the last, so that the places of the others stay.
        for (place, reason) in ended.into_iter().rev() {
            self.end(place, reason, stop, output)?;
        }
        Ok(())
    }

    /// Notes what llama.cpp kept of a batch that it did not finish.
    fn recount(&mut self, parts: &[Part]) {
        for part in parts {
            let Running { task, sequence } = &self.running[part.place];
            let computed = self.cache.count(*sequence);
            let mut tried = task.tokens()[computed..computed + part.count].to_vec();
            tried.extend_from_slice(&part.guessed);
            self.cache.recount(*sequence, &tried, &mut self.context);
            // Where all is computed but the logits were not taken, the last token is computed again.
            let keep = self.cache.count(*sequence).min(task.tokens().len() - 1);
            self.cache.cut(*sequence, keep, &mut self.context);
        }
    }

    /// There is no room and nothing that could be forgotten: the youngest answer waits until the others have ended.
    /// One that runs by itself has filled the context.
    fn yield_room(&mut self, stop: &StopFlag, output: &mut Output) -> io::Result<()> {
        if self.running.len() <= 1 {
            return self.end(0, StopReason::ContextFull, stop, output);
        }
        if let Some(Running { task, sequence }) = self.running.pop() {
            self.cache.forget(sequence, &mut self.context);
            self.waiting.push_front(task);
            self.crowded_at = Some(self.running.len());
        }
        Ok(())
    }
}
