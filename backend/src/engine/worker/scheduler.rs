//! Computes several answers at once in one context: step by step, each step one batch with something of every answer.
//!
//! As many answers run at once as there are slots and as fit the context together. Those of chats and those of programs
//! begin in turns, and among themselves in the order they came (`turns`). The cache keeps what was computed for whoever
//! begins alike.

mod change_slot;
mod places;
mod prepare;
mod slots;
mod step;
mod turns;

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use hearth_protocol::engine::LoadOptions;
use hearth_protocol::generate::StopReason;
use hearth_protocol::prompt::TokenizeInput;
use llama_cpp_2::LlamaCppError;

use super::Asked;
use super::batch::Batch;
use super::cache::Cache;
use super::context::{ComputeError, Context};
use super::counting::{Counting, is_long};
use super::embedder::Embedder;
use super::kv_store::{Chat, Fingerprint};
use super::log::Log;
use super::memory::KvMemory;
use super::model::Model;
use super::output::Output;
use super::pace::Pace;
use super::prompt::PromptError;
use super::sampler::Pieces;
use super::spinning::Spinning;
use super::stop_flag::StopFlag;
use super::task::{Running, Task};
use super::tokens::Readings;
use super::{Kept, tokens};
use crate::engine::ipc::{Request, Response};
use crate::engine::question::{Question, Told};
use slots::Slots;

/// How long nothing is asked for before what was computed is kept on the disk: writing it must not be in the way.
const QUIET: Duration = Duration::from_secs(2);

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
    /// A chat template computes on and cannot be stopped.
    #[error("a chat template cannot be stopped")]
    Poisoned,
    /// The thread that counts long prompts did not start, or broke.
    #[error("no thread counts long prompts: {0}")]
    Counting(#[source] io::Error),
}

/// All answers of a loaded model.
pub(super) struct Scheduler<'model> {
    model: &'model Model,
    memory: KvMemory<'model>,
    cache: Cache,
    /// In the order they came.
    waiting: VecDeque<Task>,
    /// Whether the answer that began last belongs to a chat.
    chat_began: bool,
    /// In the order they were begun.
    running: Vec<Running>,
    /// The numbers of the answers that may run at once.
    slots: Slots,
    /// By what a state of this model is known; `None` where its file could not be read.
    fingerprint: Option<Fingerprint>,
    /// So many were too many for the cache; until one of them ends, no other begins.
    crowded_at: Option<usize>,
    /// Cells that may be kept for nobody.
    idle_cells: usize,
    /// For grammars; `None` until one is asked for.
    pieces: Option<Arc<Pieces>>,
    /// Seed of answers that bring none.
    seed: Option<u32>,
    /// Texts that end every answer.
    reverse_prompts: Vec<String>,
    guesses: bool,
    batch: Batch,
    spinning: Spinning,
    pace: Pace,
    /// Texts that are embedded between the steps.
    embedder: Embedder<'model>,
    readings: Readings,
    counting: Counting,
}

impl<'model> Scheduler<'model> {
    /// `kept` is what is kept of the KV cache over restarts.
    pub(super) fn new(
        model: &'model Model,
        context: Context<'model>,
        kept: Kept,
        spinning: Spinning,
        options: &LoadOptions,
        stop: &Arc<StopFlag>,
        counting: Counting,
    ) -> Self {
        Self {
            cache: Cache::new(context.sequences(), context.can_cut()),
            model,
            waiting: VecDeque::new(),
            chat_began: false,
            running: Vec::new(),
            slots: Slots::new(slots(options, &context)),
            fingerprint: kept.fingerprint,
            crowded_at: None,
            idle_cells: model.idle_cells(),
            pieces: None,
            seed: options.seed,
            reverse_prompts: options.reverse_prompts.clone(),
            guesses: options.ngram_speculation && context.can_cut(),
            memory: KvMemory::new(context, kept.store),
            batch: Batch::default(),
            spinning,
            pace: Pace::default(),
            embedder: Embedder::new(model, options, stop),
            readings: Readings::default(),
            counting,
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
            output.flush()?;
            self.counting.check()?;
            if self.running.is_empty() && self.waiting.is_empty() && self.is_idle() {
                match self.wait(requests)? {
                    Some(asked) => self.take(asked, stop, output, log)?,
                    None => return Ok(()),
                }
            }
            // Once the input is closed, those that are left have been stopped.
            while let Ok(asked) = requests.try_recv() {
                self.take(asked, stop, output, log)?;
            }
            self.end_stopped(stop, output)?;
            self.begin_waiting(output)?;
            self.step(stop, output)?;
            self.embed(output, log)?;
            self.readings.step(self.model, stop, output)?;
        }
    }

    /// Whether nothing is done beside the answers.
    fn is_idle(&self) -> bool {
        self.embedder.is_idle() && self.readings.is_idle()
    }

    /// Computes one batch of the texts that are embedded.
    fn embed(&mut self, output: &mut Output, log: &Log) -> io::Result<()> {
        if self.embedder.is_idle() {
            return Ok(());
        }
        output.flush()?;
        let began = Instant::now();
        let outcome = self.embedder.step(!self.running.is_empty(), output, log);
        self.spinning.computed(began.elapsed());
        outcome
    }

    /// Waits for a request; keeps on the disk meanwhile what is not there yet. `None` when there are no more.
    ///
    /// # Errors
    /// Where what is counted meanwhile ends the worker.
    fn wait(&mut self, requests: &Receiver<Asked>) -> std::result::Result<Option<Asked>, Halt> {
        loop {
            let asked = requests.recv_timeout(QUIET);
            match asked {
                Ok(asked) => return Ok(Some(asked)),
                Err(RecvTimeoutError::Timeout) => {
                    self.counting.check()?;
                    if !self.save_one() && !self.counting.is_at_work() {
                        return Ok(requests.recv().ok());
                    }
                }
                Err(RecvTimeoutError::Disconnected) => {
                    while self.save_one() {}
                    self.memory.close();
                    return Ok(None);
                }
            }
        }
    }

    /// Keeps one of the texts on the disk that are not there; whether there was one.
    fn save_one(&mut self) -> bool {
        let memory = &mut self.memory;
        self.cache
            .unused()
            .any(|(sequence, tokens, chat)| memory.save(sequence, tokens, chat))
    }

    /// Takes a request: prepares an answer, or refuses it.
    fn take(
        &mut self,
        (request, asked_at): Asked,
        stop: &StopFlag,
        output: &mut Output,
        log: &Log,
    ) -> std::result::Result<(), Halt> {
        match request {
            Request::Generate { id, job } => match self.prepare(id, *job, asked_at) {
                Ok(task) => {
                    self.waiting.push_back(task);
                    Ok(())
                }
                Err(error) => {
                    stop.end(id);
                    tell(id, Err(error), output)
                }
            },
            Request::Tell { id, question } => {
                let told = match *question {
                    Question::Tokenize(TokenizeInput::Text {
                        text,
                        add_special,
                        parse_special,
                    }) => {
                        let how = (add_special, parse_special);
                        self.readings.take(self.model, id, text, how);
                        return Ok(());
                    }
                    Question::Tokenize(TokenizeInput::Prompt { prompt, answer })
                        if is_long(&prompt, &answer) =>
                    {
                        return self.counting.take(id, prompt, answer);
                    }
                    Question::Tokenize(TokenizeInput::Prompt { prompt, answer }) => {
                        tokens::of_prompt(self.model, &prompt, &answer)
                    }
                    Question::Detokenize(ids) => tokens::detokenize(self.model, &ids),
                    Question::Slots => Ok(Told::Slots(self.slot_states())),
                    Question::ChangeSlot { slot, action } => self
                        .change_slot(slot, &action, stop)
                        .map(Told::Changed)
                        .map_err(PromptError::Refused),
                };
                stop.end(id);
                tell(id, told, output)
            }
            Request::Embed { id, job } => Ok(self.embedder.take(id, *job, output)?),
            Request::Forget { chat } => {
                self.forget(chat);
                Ok(())
            }
            request => {
                log.write(&format!("a model is loaded; it cannot take {request:?}"));
                Ok(())
            }
        }
    }

    /// Keeps nothing more of a chat that is deleted.
    fn forget(&mut self, chat: Chat) {
        let running = self.running.iter_mut().map(|running| &mut running.task);
        for task in running.chain(&mut self.waiting) {
            task.leave_chat(chat);
        }
        self.cache.forget_chat(chat, &mut self.memory);
        self.memory.forget(chat);
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
                task.finish(StopReason::UserStopped, 0, self.memory.context.length(), output)?;
            } else {
                self.embedder.stop(id, output)?;
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
        let Running { task, sequence, slot } = self.running.remove(place);
        self.crowded_at = None;
        self.slots.end(slot, task.counts());
        stop.end(task.id());
        let used = self.cache.count(sequence);
        self.cache.give_back(sequence, task.chat());
        task.finish(reason, used, self.memory.context.length(), output)
    }

    /// Begins those that wait, in turns, while there is a slot and room for them.
    fn begin_waiting(&mut self, output: &mut Output) -> io::Result<()> {
        let mut has_begun = false;
        while let Some(place) = self.next()
            && self.may_begin(&self.waiting[place])
            && let Some(mut task) = self.waiting.remove(place)
        {
            // A state may have to be copied, or to be read from the disk.
            output.flush()?;
            let Some(sequence) = self.take_sequence(&task) else {
                // There are more sequences than slots.
                self.waiting.insert(place, task);
                return Ok(());
            };
            self.chat_began = task.chat().is_some();
            let slot = self.slots.begin(task.slot(), sequence);
            task.begin(self.cache.count(sequence), output)?;
            self.running.push(Running { task, sequence, slot });
            has_begun = true;
        }
        // Not before all have taken what they have in common with others.
        if has_begun {
            self.cache
                .trim(self.idle_cells, &self.slots.named(), &mut self.memory);
        }
        Ok(())
    }

    /// Place of the one whose turn it is. One whose slot is at work holds up nobody else.
    fn next(&self) -> Option<usize> {
        let waiting = self.waiting.iter().enumerate();
        let ready = waiting.filter(|(_, task)| self.has_slot(task));
        turns::next(
            ready.map(|(place, task)| (place, task.chat().is_some())),
            self.chat_began,
        )
    }

    /// Whether the slot that it asks for does nothing, if it asks for one.
    fn has_slot(&self, task: &Task) -> bool {
        let wanted = task.slot().and_then(|number| self.slots.get(number));
        wanted.is_none_or(|slot| !slot.at_work)
    }

    fn may_begin(&self, task: &Task) -> bool {
        let used: usize = self
            .running
            .iter()
            .map(|running| running.task.tokens().len())
            .sum();
        let fits = used + task.tokens().len() <= self.memory.context.length() as usize;
        let beside = !task.alone() && !self.running.iter().any(|running| running.task.alone());
        let most = self
            .crowded_at
            .map_or(self.slots.count(), |count| count.min(self.slots.count()));
        self.running.is_empty() || (self.running.len() < most && fits && beside)
    }
}

/// Answers that may run at once: each needs at least one token of a step.
pub(super) fn slots(options: &LoadOptions, context: &Context<'_>) -> usize {
    (options.parallel_slots as usize).clamp(1, context.chunk())
}

/// Answers a question, or refuses it or an answer. A template that cannot be stopped ends the worker.
pub(super) fn tell(
    id: u64,
    told: std::result::Result<Told, PromptError>,
    output: &mut Output,
) -> std::result::Result<(), Halt> {
    let (response, halt) = match told {
        Ok(told) => (Response::Told { id, told }, Ok(())),
        Err(PromptError::Refused(error)) => (Response::Failed { id, error }, Ok(())),
        Err(PromptError::Poisoned(error)) => (Response::Failed { id, error }, Err(Halt::Poisoned)),
    };
    output.send(&response)?;
    halt
}
