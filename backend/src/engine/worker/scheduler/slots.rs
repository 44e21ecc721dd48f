//! The numbers under which answers are computed, and which sequence each used last. Pure.
//!
//! An answer may use any sequence; its number only says where a program finds again what was computed. A sequence that
//! one number used is another's as soon as that one takes it.

use crate::engine::worker::batch::Sequence;

/// The numbers, from 0.
#[derive(Debug)]
pub(super) struct Slots {
    slots: Vec<Slot>,
    /// Counts uses, for the order in which they are used again.
    uses: u64,
}

/// One number.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Slot {
    /// The sequence it used last; no other number has it.
    pub(super) sequence: Option<Sequence>,
    /// An answer is computed under it.
    pub(super) at_work: bool,
    /// A program asked for this number, and relies on what it knows.
    pub(super) is_named: bool,
    /// Tokens of the prompt and of the answer that were computed last.
    pub(super) tokens: (u32, u32),
    last_use: u64,
}

impl Slots {
    pub(super) fn new(count: usize) -> Self {
        Self {
            slots: vec![Slot::default(); count],
            uses: 0,
        }
    }

    pub(super) fn count(&self) -> usize {
        self.slots.len()
    }

    pub(super) fn get(&self, number: usize) -> Option<Slot> {
        self.slots.get(number).copied()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Slot> {
        self.slots.iter().copied()
    }

    /// Begins an answer in a sequence, under the number that was asked for, which does nothing, or else under the one that
    /// used the sequence last, or that nobody misses. Gives it.
    pub(super) fn begin(&mut self, wanted: Option<usize>, sequence: Sequence) -> usize {
        let free = self.slots.iter().enumerate().filter(|(_, slot)| !slot.at_work);
        let best = free.min_by_key(|(_, slot)| {
            let is_its_own = slot.sequence == Some(sequence);
            (!is_its_own, slot.is_named, slot.sequence.is_some(), slot.last_use)
        });
        // Fewer answers run than there are numbers.
        let number = wanted.unwrap_or_else(|| best.map_or(0, |(number, _)| number));
        self.bind(number, sequence);
        if let Some(slot) = self.slots.get_mut(number) {
            slot.at_work = true;
            slot.is_named = wanted.is_some();
        }
        number
    }

    /// Notes which sequence a number uses now.
    pub(super) fn bind(&mut self, number: usize, sequence: Sequence) {
        for (other, slot) in self.slots.iter_mut().enumerate() {
            if other != number && slot.sequence == Some(sequence) {
                (slot.sequence, slot.is_named) = (None, false);
            }
        }
        self.uses += 1;
        if let Some(slot) = self.slots.get_mut(number) {
            slot.sequence = Some(sequence);
            slot.last_use = self.uses;
        }
    }

    /// Ends what was computed under a number, with so many tokens of prompt and answer.
    pub(super) fn end(&mut self, number: usize, tokens: (u32, u32)) {
        if let Some(slot) = self.slots.get_mut(number) {
            slot.at_work = false;
            slot.tokens = tokens;
        }
    }

    /// A number knows what stands in this sequence, since a program brought it there.
    pub(super) fn give(&mut self, number: usize, sequence: Sequence, tokens: u32) {
        self.bind(number, sequence);
        if let Some(slot) = self.slots.get_mut(number) {
            slot.is_named = true;
            slot.tokens = (tokens, 0);
        }
    }

    /// A number knows nothing any more.
    pub(super) fn forget(&mut self, number: usize) {
        if let Some(slot) = self.slots.get_mut(number) {
            *slot = Slot {
                last_use: slot.last_use,
                ..Slot::default()
            };
        }
    }

    /// The sequences that programs rely on.
    pub(super) fn named(&self) -> Vec<Sequence> {
        let named = self.slots.iter().filter(|slot| slot.is_named);
        named.filter_map(|slot| slot.sequence).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sequences(slots: &Slots) -> Vec<Option<i32>> {
        slots.iter().map(|slot| slot.sequence.map(|at| at.0)).collect()
    }

    #[test]
    fn an_answer_goes_on_under_the_number_that_knows_its_text() {
        let mut slots = Slots::new(3);
        assert_eq!(slots.begin(None, Sequence(7)), 0);
        assert_eq!(slots.begin(None, Sequence(8)), 1);
        assert_eq!(slots.begin(Some(2), Sequence(9)), 2);
        for number in 0..3 {
            slots.end(number, (5, 1));
        }
        assert_eq!(slots.begin(None, Sequence(8)), 1);
        // The one used longest ago, though not one that was asked for by its number.
        assert_eq!(slots.begin(None, Sequence(3)), 0);
        assert_eq!(slots.begin(None, Sequence(4)), 2);
        assert_eq!(sequences(&slots), [Some(3), Some(8), Some(4)]);
        assert_eq!(slots.named(), []);
    }

    #[test]
    fn a_sequence_is_known_under_one_number_only() {
        let mut slots = Slots::new(2);
        slots.begin(Some(0), Sequence(5));
        slots.end(0, (9, 2));
        assert_eq!(slots.begin(Some(1), Sequence(5)), 1);
        assert_eq!(slots.named(), [Sequence(5)]);
        assert_eq!(slots.get(0).map(|slot| slot.is_named), Some(false));
        assert_eq!(sequences(&slots), [None, Some(5)]);
        slots.end(1, (1, 1));
        slots.give(0, Sequence(6), 4);
        assert_eq!(slots.get(0).map(|slot| slot.tokens), Some((4, 0)));
        assert_eq!(slots.named(), [Sequence(6), Sequence(5)]);
        slots.forget(0);
        assert_eq!(sequences(&slots), [None, Some(5)]);
    }
}
