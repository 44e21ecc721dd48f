//! What stands in the KV cache: the tokens of each sequence, who uses it, and the longest known beginning of a new
//! prompt.
//!
//! All sequences share one store of cells, so that taking over another sequence's beginning copies nothing: its cells
//! then belong to both. A sequence that nobody uses any more is kept until its room is needed; the one used longest
//! ago goes first.
//!
//! The longest common beginning is found by comparing with each sequence, not in a tree of prefixes: there are a few
//! dozen, and most differ within a few tokens. Against 20 sequences of 32,768 tokens this takes 8 µs where one of them is
//! the prompt's own, and 160 µs where all are equal to the end; computing one token takes milliseconds. A tree would have
//! to be changed with every token, cut and copy.

use llama_cpp_2::token::LlamaToken;

use super::batch::Sequence;
use super::kv_store::Chat;

/// A sequence is gone on with where the new prompt leaves at most this many of its last tokens out, such as an end of
/// turn that the template writes otherwise. Where it leaves more out, another version of the chat may want them: the
/// beginning is shared, and both stay.
const SPARE_TAIL: usize = 16;

/// The store of cells behind the sequences.
pub(super) trait Memory {
    /// Lets a sequence, which is empty, share the first `tokens` of another.
    fn copy(&mut self, from: Sequence, to: Sequence, tokens: usize);
    /// Removes what stands behind the first `keep` tokens. Only where sequences can be cut.
    fn cut(&mut self, sequence: Sequence, keep: usize);
    /// Removes all of a sequence.
    fn clear(&mut self, sequence: Sequence);
    /// The same for one that is whole and holds these tokens of a chat: they may be kept elsewhere.
    fn evict(&mut self, sequence: Sequence, tokens: &[LlamaToken], chat: Option<Chat>);
    /// Tokens of a sequence that are there, from its beginning.
    fn count(&self, sequence: Sequence) -> usize;
    /// Whether a sequence that is removed comes back so soon that nobody notices; these are its tokens.
    fn comes_back(&self, sequence: Sequence, tokens: &[LlamaToken]) -> bool;
}

/// The sequences.
#[derive(Debug)]
pub(super) struct Cache {
    lines: Vec<Line>,
    can_cut: bool,
    /// Counts uses, for the order in which what is unused goes.
    uses: u64,
}

/// One sequence. Its tokens are exact: they are what the memory holds, one to one.
#[derive(Debug, Default)]
struct Line {
    tokens: Vec<LlamaToken>,
    /// The chat that used it last.
    chat: Option<Chat>,
    in_use: bool,
    last_use: u64,
}

impl Cache {
    /// Empty sequences. `can_cut` tells whether a sequence can be cut and shared at any place, or only as a whole.
    pub(super) fn new(sequences: u32, can_cut: bool) -> Self {
        let mut lines = Vec::new();
        lines.resize_with(sequences as usize, Line::default);
        Self {
            lines,
            can_cut,
            uses: 0,
        }
    }

    /// Takes a sequence for a prompt, with as much of it as is known already. The last token of the prompt is never
    /// among that: it must be computed, since its logits are needed. `None` where all are in use.
    pub(super) fn take(&mut self, prompt: &[LlamaToken], memory: &mut impl Memory) -> Option<Sequence> {
        let Some((place, common)) = self.longest_beginning(prompt) else {
            return self.take_empty(memory);
        };
        let line = &self.lines[place];
        let tail = line.tokens.len() - common;
        if !line.in_use && (tail <= SPARE_TAIL || !self.has_room_beside(place)) {
            self.cut_line(place, common, memory);
            return Some(self.use_line(place));
        }
        let beginning = line.tokens[..common].to_vec();
        // The one whose beginning is shared must not be the one that makes room.
        self.touch(place);
        let sequence = self.take_empty(memory)?;
        memory.copy(sequence_at(place), sequence, common);
        self.lines[sequence.0 as usize].tokens = beginning;
        Some(sequence)
    }

    /// Takes this sequence for a prompt, which nobody uses, with as much of it as is known there.
    pub(super) fn take_own(
        &mut self,
        sequence: Sequence,
        prompt: &[LlamaToken],
        memory: &mut impl Memory,
    ) -> Sequence {
        let place = sequence.0 as usize;
        let wanted = &prompt[..prompt.len().saturating_sub(1)];
        let common = common_beginning(&self.lines[place].tokens, wanted);
        self.cut_line(place, common, memory);
        self.use_line(place)
    }

    /// Takes a sequence with nothing in it; the one that was unused longest makes room.
    pub(super) fn take_empty(&mut self, memory: &mut impl Memory) -> Option<Sequence> {
        let unused = self.lines.iter().enumerate().filter(|(_, line)| !line.in_use);
        // Empty ones first.
        let (place, _) = unused.min_by_key(|(_, line)| (!line.tokens.is_empty(), line.last_use))?;
        self.clear_line(place, memory);
        Some(self.use_line(place))
    }

    /// Ends the use of a sequence by a chat; what stands in it is kept for whoever begins alike.
    pub(super) fn give_back(&mut self, sequence: Sequence, chat: Option<Chat>) {
        self.touch(sequence.0 as usize);
        let line = &mut self.lines[sequence.0 as usize];
        line.in_use = false;
        line.chat = chat;
    }

    /// Removes what a chat left in sequences that nobody uses now.
    pub(super) fn forget_chat(&mut self, chat: Chat, memory: &mut impl Memory) {
        for (place, line) in self.lines.iter_mut().enumerate() {
            if line.chat == Some(chat) && !line.in_use {
                memory.clear(sequence_at(place));
                line.tokens.clear();
                line.chat = None;
            }
        }
    }

    /// Removes all of a sequence and ends its use.
    pub(super) fn forget(&mut self, sequence: Sequence, memory: &mut impl Memory) {
        self.clear_line(sequence.0 as usize, memory);
        self.lines[sequence.0 as usize].in_use = false;
    }

    /// Removes all of a sequence that nobody uses, so that it is kept nowhere else either; gives how many tokens it had.
    pub(super) fn erase(&mut self, sequence: Sequence, memory: &mut impl Memory) -> usize {
        memory.clear(sequence);
        let line = &mut self.lines[sequence.0 as usize];
        line.chat = None;
        std::mem::take(&mut line.tokens).len()
    }

    /// Makes room by removing what was unused longest; whether there was something.
    pub(super) fn make_room(&mut self, memory: &mut impl Memory) -> bool {
        let unused = self.lines.iter().enumerate();
        let unused = unused.filter(|(_, line)| !line.in_use && !line.tokens.is_empty());
        let Some((place, _)) = unused.min_by_key(|(_, line)| line.last_use) else {
            return false;
        };
        self.clear_line(place, memory);
        true
    }

    /// Removes what nobody uses and what comes back easily, the one used longest ago first, as far as it takes more than
    /// so many cells: whatever is computed looks at every cell, though it may skip it. The spared ones stay.
    pub(super) fn trim(&mut self, cells: usize, spared: &[Sequence], memory: &mut impl Memory) {
        let mut places: Vec<usize> = (0..self.lines.len()).collect();
        places.sort_by_key(|place| {
            let line = &self.lines[*place];
            std::cmp::Reverse((line.in_use, line.last_use))
        });
        let mut taken = 0;
        for (order, place) in places.iter().enumerate() {
            let line = &self.lines[*place];
            if line.in_use || line.tokens.is_empty() || spared.contains(&sequence_at(*place)) {
                continue;
            }
            // What it has in common with one that stays takes no cells of its own.
            let stay = places[..order].iter().map(|other| &self.lines[*other].tokens);
            let shared = stay.map(|tokens| common_beginning(tokens, &line.tokens)).max();
            let own = line.tokens.len() - shared.unwrap_or(0);
            if taken + own > cells && own > 0 && memory.comes_back(sequence_at(*place), &line.tokens) {
                self.clear_line(*place, memory);
            } else {
                taken += own;
            }
        }
    }

    /// How much of a prompt's beginning is known.
    pub(super) fn known(&self, prompt: &[LlamaToken]) -> usize {
        self.longest_beginning(prompt).map_or(0, |(_, common)| common)
    }

    /// The sequences that nobody uses and that hold something.
    pub(super) fn unused(&self) -> impl Iterator<Item = (Sequence, &[LlamaToken], Option<Chat>)> {
        let lines = self.lines.iter().enumerate();
        lines
            .filter(|(_, line)| !line.in_use && !line.tokens.is_empty())
            .map(|(place, line)| (sequence_at(place), line.tokens.as_slice(), line.chat))
    }

    /// What stands in a sequence.
    pub(super) fn tokens(&self, sequence: Sequence) -> &[LlamaToken] {
        &self.lines[sequence.0 as usize].tokens
    }

    /// Tokens of a sequence.
    pub(super) fn count(&self, sequence: Sequence) -> usize {
        self.lines[sequence.0 as usize].tokens.len()
    }

    /// Notes tokens that were computed behind those of a sequence.
    pub(super) fn add(&mut self, sequence: Sequence, tokens: &[LlamaToken]) {
        self.lines[sequence.0 as usize].tokens.extend_from_slice(tokens);
    }

    /// Removes what stands behind the first `keep` tokens of a sequence; where it cannot be cut, all of it.
    pub(super) fn cut(&mut self, sequence: Sequence, keep: usize, memory: &mut impl Memory) {
        self.cut_line(sequence.0 as usize, keep, memory);
    }

    /// Notes what the memory kept of tokens whose computation broke off.
    pub(super) fn recount(&mut self, sequence: Sequence, tried: &[LlamaToken], memory: &mut impl Memory) {
        let place = sequence.0 as usize;
        if !self.can_cut {
            // The state may hold tokens that cannot be taken out of it again.
            memory.clear(sequence);
            return self.lines[place].tokens.clear();
        }
        let line = &mut self.lines[place];
        line.tokens.extend_from_slice(tried);
        line.tokens.truncate(memory.count(sequence));
    }

    /// The sequence that has most in common with the beginning of a prompt, and how much; `None` where none has.
    fn longest_beginning(&self, prompt: &[LlamaToken]) -> Option<(usize, usize)> {
        let wanted = &prompt[..prompt.len().saturating_sub(1)];
        let usable = |line: &Line| {
            let common = common_beginning(&line.tokens, wanted);
            // One that cannot be cut serves only as a whole, and only one user.
            let serves = self.can_cut || (common == line.tokens.len() && !line.in_use);
            if serves { common } else { 0 }
        };
        let lines = self.lines.iter().enumerate();
        // Of equals the one used last, whose tail is the likeliest to fit again.
        lines
            .map(|(place, line)| (place, usable(line), line.last_use))
            .filter(|(_, common, _)| *common > 0)
            .max_by_key(|(_, common, last_use)| (*common, *last_use))
            .map(|(place, common, _)| (place, common))
    }

    /// Whether a sequence other than this one is unused.
    fn has_room_beside(&self, place: usize) -> bool {
        let mut others = self.lines.iter().enumerate();
        others.any(|(other, line)| other != place && !line.in_use)
    }

    fn use_line(&mut self, place: usize) -> Sequence {
        self.touch(place);
        self.lines[place].in_use = true;
        self.lines[place].chat = None;
        sequence_at(place)
    }

    fn touch(&mut self, place: usize) {
        self.uses += 1;
        self.lines[place].last_use = self.uses;
    }

    fn cut_line(&mut self, place: usize, keep: usize, memory: &mut impl Memory) {
        if keep >= self.lines[place].tokens.len() {
            return;
        }
        if keep == 0 || !self.can_cut {
            return self.clear_line(place, memory);
        }
        memory.cut(sequence_at(place), keep);
        self.lines[place].tokens.truncate(keep);
    }

    fn clear_line(&mut self, place: usize, memory: &mut impl Memory) {
        if !self.lines[place].tokens.is_empty() {
            let line = &self.lines[place];
            memory.evict(sequence_at(place), &line.tokens, line.chat);
            self.lines[place].tokens.clear();
        }
    }
}

fn sequence_at(place: usize) -> Sequence {
    Sequence(place as i32)
}

/// How many tokens two texts have in common at their beginning.
pub(super) fn common_beginning(one: &[LlamaToken], other: &[LlamaToken]) -> usize {
    one.iter()
        .zip(other)
        .take_while(|(one, other)| one == other)
        .count()
}

#[cfg(test)]
mod tests;
