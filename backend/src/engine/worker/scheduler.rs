//! Computes several answers at once in one context: step by step, each step one batch with something of every answer.
//!
//! Answers are begun in the order they came, as many at once as there are slots and as fit the context together. The
//! cache keeps what was computed for whoever begins alike.

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError};
use std::time::{Duration, Instant};

use hearth_protocol::Result;
use hearth_protocol::engine::LoadOptions;
use hearth_protocol::generate::{SamplingParams, StopReason};
use llama_cpp_2::LlamaCppError;
use llama_cpp_2::token::LlamaToken;

use super::Asked;
use super::batch::{Batch, Sequence};
use super::cache::Cache;
use super::context::{ComputeError, Context, Decoded, GUESSED_ROWS};
use super::grammar::Grammar;
use super::kv_store::{Chat, KvStore};
use super::log::Log;
use super::memory::KvMemory;
use super::model::Model;
use super::output::Output;
use super::parse::{Family, Parser, Style};
use super::plan::plan;
use super::prompt::{End, PromptError, Room};
use super::sampler::{self, Pieces, Sampler};
use super::sampling_plan;
use super::speculation::Speculation;
use super::stop_flag::StopFlag;
use super::task::{Rolling, Running, Task, TaskParts, Thought};
use super::text::Text;
use crate::engine::Job;
use crate::engine::ipc::{Request, Response};

/// How long nothing is asked for before what was computed is kept on the disk: writing it must not be in the way.
const QUIET: Duration = Duration::from_secs(2);

/// Tokens that must be spared by a state from the disk: reading it takes time too.
const WORTH_RESTORING: usize = 128;

/// A share of the context that is kept free for the answer where messages can be left out for it.
const ANSWER_SHARE: u32 = 4;

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
}

/// All answers of a loaded model.
pub(super) struct Scheduler<'model> {
    model: &'model Model,
    memory: KvMemory<'model>,
    cache: Cache,
    /// In the order they came.
    waiting: VecDeque<Task>,
    /// In the order they were begun.
    running: Vec<Running>,
    /// Answers that may run at once.
    slots: usize,
    /// So many were too many for the cache; until one of them ends, no other begins.
    crowded_at: Option<usize>,
    /// For grammars; `None` until one is asked for.
    pieces: Option<Arc<Pieces>>,
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
    /// `store` keeps the KV cache over restarts; `None` keeps nothing.
    pub(super) fn new(
        model: &'model Model,
        context: Context<'model>,
        store: Option<KvStore>,
        options: &LoadOptions,
    ) -> Self {
        Self {
            cache: Cache::new(context.sequences(), context.can_cut()),
            model,
            waiting: VecDeque::new(),
            running: Vec::new(),
            // Each needs at least one token of a step.
            slots: (options.parallel_slots as usize).clamp(1, context.chunk()),
            crowded_at: None,
            pieces: None,
            seed: options.seed,
            guesses: options.ngram_speculation && context.can_cut(),
            memory: KvMemory::new(context, store),
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
                match self.wait(requests) {
                    Some(asked) => self.take(asked, stop, output, log)?,
                    None => return Ok(()),
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

    /// Waits for a request; keeps on the disk meanwhile what is not there yet. `None` when there are no more.
    fn wait(&mut self, requests: &Receiver<Asked>) -> Option<Asked> {
        loop {
            let asked = requests.recv_timeout(QUIET);
            match asked {
                Ok(asked) => return Some(asked),
                Err(RecvTimeoutError::Timeout) => {
                    if !self.save_one() {
                        return requests.recv().ok();
                    }
                }
                Err(RecvTimeoutError::Disconnected) => {
                    while self.save_one() {}
                    self.memory.close();
                    return None;
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
            Request::Generate { id, job } => {
                let error = match self.prepare(id, *job, asked_at) {
                    Ok(task) => {
                        self.waiting.push_back(task);
                        return Ok(());
                    }
                    Err(error) => error,
                };
                stop.end(id);
                let (error, halt) = match error {
                    PromptError::Refused(error) => (error, Ok(())),
                    PromptError::Poisoned(error) => (error, Err(Halt::Poisoned)),
                };
                output.send(&Response::Failed { id, error })?;
                halt
            }
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

    fn prepare(&mut self, id: u64, job: Job, asked_at: Instant) -> std::result::Result<Task, PromptError> {
        let (params, options) = (job.sampling, job.answer);
        let context = self.memory.context.length();
        let room = Room {
            context,
            answer: params.max_tokens.unwrap_or(context).min(context / ANSWER_SHARE),
        };
        let vocabulary = self.model.vocabulary();
        let prompter = self.model.prompter();
        let fitted = prompter.fitted(&vocabulary, &job.messages, &options, End::Answer, room)?;
        let prompt = fitted.prompt;
        let rolling = Rolling::of(job.messages, options.clone());
        let mut style = Style::detect(prompter.source(&options)?);
        if prompt.tools_in_words {
            style.family = Family::Generic;
        }
        let grammar = Grammar::demanded(&options, &style, &prompt.end_text)?;
        let mut sampler = self.sampler(&params)?;
        if let Some(grammar) = grammar {
            sampler.set_grammar(grammar, self.pieces());
        }
        sampler.accept(&prompt.tokens);
        let thought_end = style.thought_end().filter(|_| options.reasoning.budget.is_some());
        let thought_end = thought_end.map(|text| vocabulary.tokenize(text.as_bytes(), false, true));
        let parser = Parser::new(style, &options, &prompt.end_text);
        let alone = options.deterministic;
        Ok(Task::new(TaskParts {
            id,
            chat: job.chat,
            prompt: prompt.tokens,
            left_out: fitted.left_out,
            sampler,
            text: Text::new(params.stop, parser),
            thought: Thought::new(options.reasoning.budget, thought_end.unwrap_or_default()),
            logprobs: options.logprobs,
            max_tokens: params.max_tokens,
            alone,
            speculation: (self.guesses && !alone).then(Speculation::default),
            rolling,
            asked_at,
        }))
    }

    /// The texts of the vocabulary, made when a grammar is first asked for.
    fn pieces(&mut self) -> Arc<Pieces> {
        let pieces = self
            .pieces
            .get_or_insert_with(|| Arc::new(Pieces::new(self.model)));
        Arc::clone(pieces)
    }

    fn sampler(&self, params: &SamplingParams) -> Result<Sampler> {
        let vocabulary = self.model.vocabulary();
        let forbidden: Vec<i32> = vocabulary.suppress_tokens().iter().map(|token| token.0).collect();
        let plan = sampling_plan::plan(params, &forbidden, self.memory.context.length())?;
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
                task.finish(StopReason::UserStopped, 0, self.memory.context.length(), output)?;
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
        self.cache.give_back(sequence, task.chat());
        task.finish(reason, used, self.memory.context.length(), output)
    }

    /// Begins those that wait, in their order, while there is a slot and room for them.
    fn begin_waiting(&mut self, output: &mut Output) -> io::Result<()> {
        while let Some(next) = self.waiting.front()
            && self.may_begin(next)
            && let Some(mut task) = self.waiting.pop_front()
        {
            let Some(sequence) = self.take_sequence(&task) else {
                // There are more sequences than slots.
                self.waiting.push_front(task);
                return Ok(());
            };
            task.begin(self.cache.count(sequence), output)?;
            self.running.push(Running { task, sequence });
        }
        Ok(())
    }

    /// A sequence for a task, with as much of it as is known, in memory or on the disk.
    fn take_sequence(&mut self, task: &Task) -> Option<Sequence> {
        if task.alone() {
            return self.cache.take_empty(&mut self.memory);
        }
        let tokens = task.tokens();
        let wanted = &tokens[..tokens.len() - 1];
        if let Some((common, text)) = self.memory.longest_stored(wanted)
            && common >= self.cache.known(tokens) + WORTH_RESTORING
            && let Some(sequence) = self.restore(&text, common)
        {
            return Some(sequence);
        }
        self.cache.take(tokens, &mut self.memory)
    }

    /// Brings the first `count` tokens of a text back from the disk.
    fn restore(&mut self, text: &Arc<[LlamaToken]>, count: usize) -> Option<Sequence> {
        let state = self.memory.read(text)?;
        let sequence = self.cache.take_empty(&mut self.memory)?;
        while !self.memory.context.restore(sequence, &state) {
            if !self.cache.make_room(&mut self.memory) {
                self.cache.forget(sequence, &mut self.memory);
                return None;
            }
        }
        self.cache.add(sequence, text);
        self.cache.cut(sequence, count, &mut self.memory);
        Some(sequence)
    }

    fn may_begin(&self, task: &Task) -> bool {
        let used: usize = self
            .running
            .iter()
            .map(|running| running.task.tokens().len())
            .sum();
        let fits = used + task.tokens().len() <= self.memory.context.length() as usize;
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
        match self.memory.context.decode(&mut self.batch)? {
            Decoded::All => self.take_computed(parts, stop, output)?,
            Decoded::Stopped => self.recount(&parts),
            Decoded::NoRoom => {
                if !self.cache.make_room(&mut self.memory) {
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
        let most = self.memory.context.chunk();
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
                let room = (self.memory.context.length() as usize).saturating_sub(task.tokens().len() + 1);
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
            let (right, reason) =
                task.choose(row, &part.guessed, &mut self.memory.context, self.model, output)?;
            let keep = computed + part.count + right;
            self.cache.cut(*sequence, keep, &mut self.memory);
            match reason {
                Some(StopReason::ContextFull) if self.roll(part.place) => (),
                Some(reason) => ended.push((part.place, reason)),
                None => (),
            }
        }
        // From the last, so that the places of the others stay.
        for (place, reason) in ended.into_iter().rev() {
            self.end(place, reason, stop, output)?;
        }
        Ok(())
    }

    /// Makes room for an answer that has filled the context, by a prompt without the turns that its policy gives up;
    /// whether it can go on.
    fn roll(&mut self, place: usize) -> bool {
        let Running { task, sequence } = &mut self.running[place];
        let context = self.memory.context.length();
        let room = Room {
            context,
            answer: context / ANSWER_SHARE,
        };
        let Some((messages, options)) = task.chat_so_far() else {
            return false;
        };
        let vocabulary = self.model.vocabulary();
        let fitted = self
            .model
            .prompter()
            .fitted(&vocabulary, &messages, options, End::Continue, room);
        let Ok(fitted) = fitted else {
            return false;
        };
        // What frees next to nothing would be done again at every token.
        if fitted.prompt.tokens.len() + (room.answer / 2) as usize > context as usize {
            return false;
        }
        task.go_on_behind(fitted.prompt.tokens, fitted.left_out);
        self.cache.give_back(*sequence, task.chat());
        match self.cache.take(task.tokens(), &mut self.memory) {
            Some(taken) => {
                *sequence = taken;
                true
            }
            None => false,
        }
    }

    /// Notes what llama.cpp kept of a batch that it did not finish.
    fn recount(&mut self, parts: &[Part]) {
        for part in parts {
            let Running { task, sequence } = &self.running[part.place];
            let computed = self.cache.count(*sequence);
            let mut tried = task.tokens()[computed..computed + part.count].to_vec();
            tried.extend_from_slice(&part.guessed);
            self.cache.recount(*sequence, &tried, &mut self.memory);
            // Where all is computed but the logits were not taken, the last token is computed again.
            let keep = self.cache.count(*sequence).min(task.tokens().len() - 1);
            self.cache.cut(*sequence, keep, &mut self.memory);
        }
    }

    /// There is no room and nothing that could be forgotten: the youngest answer waits until the others have ended.
    /// One that runs by itself has filled the context.
    fn yield_room(&mut self, stop: &StopFlag, output: &mut Output) -> io::Result<()> {
        if self.running.len() <= 1 {
            return self.end(0, StopReason::ContextFull, stop, output);
        }
        if let Some(Running { task, sequence }) = self.running.pop() {
            self.cache.forget(sequence, &mut self.memory);
            self.waiting.push_front(task);
            self.crowded_at = Some(self.running.len());
        }
        Ok(())
    }
}
