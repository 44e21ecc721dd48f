//! What programs ask of slots: what they do, and to keep, bring back or forget what they know.

use std::path::Path;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use hearth_protocol::engine::{SlotAction, SlotDone, SlotState};
use hearth_protocol::{ByteSize, Error, Result};

use super::Scheduler;
use crate::engine::worker::kv_store::{Fingerprint, read_file, write_file};
use crate::engine::worker::stop_flag::StopFlag;

/// How often is shown that the work with a file goes on.
const SIGN_OF_LIFE: Duration = Duration::from_millis(200);

impl Scheduler<'_> {
    /// What the slots do.
    pub(super) fn slot_states(&self) -> Vec<SlotState> {
        let state = |(number, slot): (usize, super::slots::Slot)| {
            let running = self.running.iter().find(|running| running.slot == number);
            let tokens = running.map_or(slot.tokens, |running| running.task.counts());
            SlotState {
                slot: number as u32,
                at_work: slot.at_work,
                prompt_tokens: tokens.0,
                cached_tokens: slot.sequence.map_or(0, |at| self.cache.count(at) as u32),
                generated_tokens: tokens.1,
            }
        };
        self.slots.iter().enumerate().map(state).collect()
    }

    /// Keeps, brings back or forgets what a slot knows.
    ///
    /// # Errors
    /// `Invalid` for a slot that there is not, or that knows nothing to be kept; `Busy` where it makes an answer; `File`
    /// for a file that cannot be written or read, or is of another model; `ContextOverflow` where it holds too much.
    pub(super) fn change_slot(
        &mut self,
        number: u32,
        action: &SlotAction,
        stop: &StopFlag,
    ) -> Result<SlotDone> {
        let began = Instant::now();
        let slot = self.slot(number)?;
        if slot.at_work {
            return Err(Error::Busy {
                what: format!("Slot {number}"),
                reason: "it makes an answer; wait for its end or stop it".into(),
            });
        }
        let number = number as usize;
        let (tokens, bytes) = match action {
            SlotAction::Save(path) => self.save_slot(number, path, stop)?,
            SlotAction::Restore(path) => self.restore_slot(number, path, stop)?,
            SlotAction::Erase => (self.erase_slot(number), 0),
        };
        Ok(SlotDone {
            tokens: tokens as u32,
            bytes: ByteSize(bytes),
            milliseconds: began.elapsed().as_secs_f64() * 1000.0,
        })
    }

    /// The slot of this number.
    ///
    /// # Errors
    /// `Invalid` where there is none.
    pub(super) fn slot(&self, number: u32) -> Result<super::slots::Slot> {
        self.slots.get(number as usize).ok_or_else(|| {
            let last = self.slots.count().saturating_sub(1);
            Error::invalid("slot", format!("is {number} and must be from 0 to {last}"))
        })
    }

    fn save_slot(&mut self, number: usize, path: &Path, stop: &StopFlag) -> Result<(usize, u64)> {
        let empty = || Error::invalid("slot", format!("{number} knows nothing that could be saved"));
        let sequence = self.slots.get(number).and_then(|slot| slot.sequence);
        let sequence = sequence.ok_or_else(empty)?;
        let tokens = self.cache.tokens(sequence).to_vec();
        let state = self.memory.context.save(sequence);
        let (false, Some(state)) = (tokens.is_empty(), state) else {
            return Err(empty());
        };
        let fingerprint = self.own_fingerprint(path)?;
        let count = tokens.len();
        let bytes = showing_life(stop, || write_file(path, &fingerprint, &tokens, &state))?;
        Ok((count, bytes))
    }

    fn restore_slot(&mut self, number: usize, path: &Path, stop: &StopFlag) -> Result<(usize, u64)> {
        let fingerprint = self.own_fingerprint(path)?;
        let most = self.memory.context.length();
        let (tokens, state, bytes) = showing_life(stop, || read_file(path, &fingerprint, most))?;
        self.erase_slot(number);
        let sequence = self.cache.take_empty(&mut self.memory);
        let sequence = sequence.ok_or_else(|| Error::internal("every sequence is in use"))?;
        while !self.memory.context.restore(sequence, &state) {
            if !self.cache.make_room(&mut self.memory) {
                self.cache.forget(sequence, &mut self.memory);
                return Err(Error::Busy {
                    what: "The context".into(),
                    reason: format!(
                        "it has no room for the {} tokens of this file beside what is being answered; try again later",
                        tokens.len()
                    ),
                });
            }
        }
        self.cache.add(sequence, &tokens);
        self.cache.give_back(sequence, None);
        self.slots.give(number, sequence, tokens.len() as u32);
        Ok((tokens.len(), bytes))
    }

    /// Gives how many tokens are forgotten.
    fn erase_slot(&mut self, number: usize) -> usize {
        let sequence = self.slots.get(number).and_then(|slot| slot.sequence);
        self.slots.forget(number);
        sequence.map_or(0, |sequence| self.cache.erase(sequence, &mut self.memory))
    }

    fn own_fingerprint(&self, path: &Path) -> Result<Fingerprint> {
        self.fingerprint.ok_or_else(|| Error::File {
            path: path.display().to_string(),
            reason: "the model's own file could not be read, so that a state would not be known as its own"
                .into(),
        })
    }
}

/// Works with a file, which may be large and on a slow disk, and shows meanwhile that work goes on.
fn showing_life<T: Send>(stop: &StopFlag, work: impl FnOnce() -> Result<T> + Send) -> Result<T> {
    let (done, ended) = channel::<()>();
    std::thread::scope(|scope| {
        let worker = scope.spawn(move || {
            let outcome = work();
            drop(done);
            outcome
        });
        while ended.recv_timeout(SIGN_OF_LIFE) == Err(RecvTimeoutError::Timeout) {
            // The look is what shows it.
            stop.is_raised();
        }
        worker
            .join()
            .unwrap_or_else(|_| Err(Error::internal("the work with the file broke off")))
    })
}
