//! A batch of tokens for `llama_decode`, of any number of sequences.

use llama_cpp_2::token::LlamaToken;
use llama_cpp_sys_2 as sys;

/// Names a sequence of the KV cache: 0 up to the number the context was made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Sequence(pub(super) sys::llama_seq_id);

/// The arrays that a `llama_batch` points to. Its memory is used again for each batch.
#[derive(Default)]
pub(super) struct Batch {
    tokens: Vec<sys::llama_token>,
    positions: Vec<sys::llama_pos>,
    sequences: Vec<sys::llama_seq_id>,
    wants_logits: Vec<i8>,
    /// What the form for llama.cpp needs: a count of one and a pointer per token.
    counts: Vec<i32>,
    pointers: Vec<*mut sys::llama_seq_id>,
}

impl Batch {
    /// Takes everything out.
    pub(super) fn clear(&mut self) {
        self.tokens.clear();
        self.positions.clear();
        self.sequences.clear();
        self.wants_logits.clear();
    }

    /// Adds tokens of a sequence at the positions from `first` on; logits are wanted of the last `rows` of them.
    /// Gives the row of the first of these, which counts all tokens of the batch.
    pub(super) fn add(
        &mut self,
        sequence: Sequence,
        tokens: &[LlamaToken],
        first: usize,
        rows: usize,
    ) -> i32 {
        debug_assert!(rows <= tokens.len());
        let count = tokens.len();
        self.tokens.extend(tokens.iter().map(|token| token.0));
        self.positions
            .extend((first..first + count).map(|position| position as sys::llama_pos));
        self.sequences.resize(self.sequences.len() + count, sequence.0);
        self.wants_logits.resize(self.tokens.len() - rows, 0);
        self.wants_logits.resize(self.tokens.len(), 1);
        (self.tokens.len() - rows) as i32
    }

    /// Tokens in it.
    pub(super) fn len(&self) -> usize {
        self.tokens.len()
    }

    /// The form that llama.cpp takes. It points into this batch and may be used until the next change of it.
    pub(super) fn as_raw(&mut self) -> sys::llama_batch {
        self.counts.clear();
        self.counts.resize(self.tokens.len(), 1);
        self.pointers.clear();
        self.pointers
            .extend(self.sequences.iter_mut().map(std::ptr::from_mut));
        sys::llama_batch {
            n_tokens: self.tokens.len() as i32,
            token: self.tokens.as_mut_ptr(),
            embd: std::ptr::null_mut(),
            pos: self.positions.as_mut_ptr(),
            n_seq_id: self.counts.as_mut_ptr(),
            seq_id: self.pointers.as_mut_ptr(),
            logits: self.wants_logits.as_mut_ptr(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_stand_at_following_positions_of_their_sequence_and_the_last_give_logits() {
        let mut batch = Batch::default();
        batch.add(Sequence(9), &[LlamaToken(1)], 0, 1);
        batch.clear();
        let prompt = batch.add(Sequence(0), &[LlamaToken(5), LlamaToken(6), LlamaToken(7)], 10, 0);
        let guessed = batch.add(Sequence(3), &[LlamaToken(8), LlamaToken(9)], 20, 2);
        assert_eq!(batch.tokens, [5, 6, 7, 8, 9]);
        assert_eq!(batch.positions, [10, 11, 12, 20, 21]);
        assert_eq!(batch.sequences, [0, 0, 0, 3, 3]);
        assert_eq!(batch.wants_logits, [0, 0, 0, 1, 1]);
        assert_eq!((prompt, guessed), (3, 3));
        let raw = batch.as_raw();
        assert_eq!(raw.n_tokens, 5);
        // SAFETY: there are five pointers, each to a sequence of the batch.
        assert_eq!(unsafe { **raw.seq_id.add(4) }, 3);
    }
}
