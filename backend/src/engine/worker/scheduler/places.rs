//! Where answers are computed: a sequence with as much as is known, in memory or on the disk, and what happens when the
//! context is full.

use std::io;
use std::sync::Arc;

use hearth_protocol::generate::StopReason;
use llama_cpp_2::token::LlamaToken;

use super::Scheduler;
use crate::engine::worker::batch::Sequence;
use crate::engine::worker::output::Output;
use crate::engine::worker::prompt::{End, Room};
use crate::engine::worker::stop_flag::StopFlag;
use crate::engine::worker::task::{Running, Task};

/// Tokens that must be spared by a state from the disk: reading it takes time too.
const WORTH_RESTORING: usize = 128;

impl Scheduler<'_> {
    /// A sequence for a task, with as much of it as is known, in memory or on the disk.
    pub(super) fn take_sequence(&mut self, task: &Task) -> Option<Sequence> {
        if let Some(number) = task.slot() {
            return self.take_sequence_of(number, task);
        }
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

    /// The sequence of the slot that a task asks for, with what is known there and nothing else.
    fn take_sequence_of(&mut self, number: usize, task: &Task) -> Option<Sequence> {
        let own = self.slots.get(number).and_then(|slot| slot.sequence);
        match own {
            Some(own) if !task.alone() => Some(self.cache.take_own(own, task.tokens(), &mut self.memory)),
            _ => self.cache.take_empty(&mut self.memory),
        }
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

    /// Makes room for an answer that has filled the context, by a prompt without the turns that its policy gives up;
    /// whether it can go on.
    pub(super) fn roll(&mut self, place: usize, output: &mut Output) -> io::Result<bool> {
        // The template may take its time.
        output.flush()?;
        let Running { task, sequence, slot } = &mut self.running[place];
        let context = self.memory.context.length();
        let room = Room::for_answer(context, None);
        let Some((messages, options)) = task.chat_so_far() else {
            return Ok(false);
        };
        let vocabulary = self.model.vocabulary();
        let fitted = self
            .model
            .prompter()
            .fitted(&vocabulary, &messages, options, End::Continue, room);
        let Ok(fitted) = fitted else {
            return Ok(false);
        };
        // What frees next to nothing would be done again at every token.
        if fitted.prompt.tokens.len() + (room.answer / 2) as usize > context as usize {
            return Ok(false);
        }
        task.go_on_behind(fitted.prompt.tokens, fitted.left_out);
        self.cache.give_back(*sequence, task.chat());
        match self.cache.take(task.tokens(), &mut self.memory) {
            Some(taken) => {
                *sequence = taken;
                self.slots.bind(*slot, taken);
                Ok(true)
            }
            None => Ok(false),
        }
    }

    /// There is no room and nothing that could be forgotten: the youngest answer waits until the others have ended.
    /// One that runs by itself has filled the context.
    pub(super) fn yield_room(&mut self, stop: &StopFlag, output: &mut Output) -> io::Result<()> {
        if self.running.len() <= 1 {
            return self.end(0, StopReason::ContextFull, stop, output);
        }
        if let Some(Running { task, sequence, slot }) = self.running.pop() {
            self.slots.end(slot, task.counts());
            self.cache.forget(sequence, &mut self.memory);
            self.waiting.push_front(task);
            self.crowded_at = Some(self.running.len());
        }
        Ok(())
    }
}
