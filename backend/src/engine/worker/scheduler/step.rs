//! One step: a batch with something of every answer, and what comes of it.

use std::io;
use std::time::Instant;

use hearth_protocol::generate::StopReason;
use llama_cpp_2::token::LlamaToken;

use super::{Halt, Scheduler};
use crate::engine::worker::context::{Decoded, GUESSED_ROWS};
use crate::engine::worker::output::Output;
use crate::engine::worker::plan::plan;
use crate::engine::worker::stop_flag::StopFlag;
use crate::engine::worker::task::Running;

/// Price up to which a token is guessed: dearer ones win less, even where all are right, than llama.cpp needs to
/// compute a batch of another length than the last.
const DEAREST_GUESS: f64 = 0.85;

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

impl Part {
    /// Whether it is one token of an answer that is being written, and guesses behind it.
    fn writes(&self) -> bool {
        self.count == 1 && self.row.is_some()
    }
}

impl Scheduler<'_> {
    /// Computes one batch and takes what comes of it.
    pub(super) fn step(&mut self, stop: &StopFlag, output: &mut Output) -> std::result::Result<(), Halt> {
        let parts = self.fill_batch();
        if parts.is_empty() {
            return Ok(());
        }
        output.flush()?;
        let began = Instant::now();
        let decoded = self.memory.context.decode(&mut self.batch)?;
        let took = began.elapsed();
        self.spinning.computed(took);
        if decoded == Decoded::All && parts.iter().all(Part::writes) {
            self.pace.note(self.batch.len(), took);
        }
        match decoded {
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
        let all_write = needs.iter().all(|need| need.writes);
        // While a prompt is read, the step is full as it is.
        let price = self.pace.price(needs.len());
        let mut spare = if all_write && price <= DEAREST_GUESS {
            most.saturating_sub(needs.len()).min(GUESSED_ROWS)
        } else {
            0
        };
        let mut parts = Vec::new();
        for (place, count) in counts.into_iter().enumerate() {
            if count == 0 {
                continue;
            }
            let Running { task, sequence, .. } = &mut self.running[place];
            let computed = self.cache.count(*sequence);
            let guessed = if needs[place].writes {
                // A guess must leave room for the token that is chosen behind it.
                let room = (self.memory.context.length() as usize).saturating_sub(task.tokens().len() + 1);
                task.guess(spare.min(room), price)
            } else {
                Vec::new()
            };
            spare -= guessed.len();
            let complete = count == needs[place].tokens;
            let tokens = &task.tokens()[computed..computed + count];
            let mut row = self.batch.add(*sequence, tokens, computed, usize::from(complete));
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
        let price = self.pace.price(parts.len());
        for part in parts {
            let Running { task, sequence, .. } = &mut self.running[part.place];
            let computed = self.cache.count(*sequence);
            self.cache
                .add(*sequence, &task.tokens()[computed..computed + part.count]);
            task.computed(computed + part.count, output)?;
            let Some(row) = part.row else {
                continue;
            };
            if task.writes_nothing() {
                ended.push((part.place, StopReason::TokenLimit));
                continue;
            }
            self.cache.add(*sequence, &part.guessed);
            let (right, reason) =
                task.choose(row, &part.guessed, &mut self.memory.context, self.model, output)?;
            if !part.guessed.is_empty() {
                task.hear_guesses(part.guessed.len(), right, price);
            }
            let keep = computed + part.count + right;
            self.cache.cut(*sequence, keep, &mut self.memory);
            match reason {
                Some(StopReason::ContextFull) if self.roll(part.place, output)? => (),
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

    /// Notes what llama.cpp kept of a batch that it did not finish.
    fn recount(&mut self, parts: &[Part]) {
        for part in parts {
            let Running { task, sequence, .. } = &self.running[part.place];
            let computed = self.cache.count(*sequence);
            let mut tried = task.tokens()[computed..computed + part.count].to_vec();
            tried.extend_from_slice(&part.guessed);
            self.cache.recount(*sequence, &tried, &mut self.memory);
            // Where all is computed but the logits were not taken, the last token is computed again.
            let keep = self.cache.count(*sequence).min(task.tokens().len() - 1);
            self.cache.cut(*sequence, keep, &mut self.memory);
        }
    }
}
