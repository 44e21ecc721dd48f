//! A batch of tokens for `llama_decode`: all of one sequence, at positions that follow each other.

use llama_cpp_2::token::LlamaToken;
use llama_cpp_sys_2 as sys;

/// The one sequence there is.
pub(super) const SEQUENCE: sys::llama_seq_id = 0;

/// The arrays that a `llama_batch` points to. Its memory is used again for each batch.
pub(super) struct Batch {
    tokens: Vec<sys::llama_token>,
    positions: Vec<sys::llama_pos>,
    sequence_counts: Vec<i32>,
    sequence: Box<[sys::llama_seq_id; 1]>,
    sequences: Vec<*mut sys::llama_seq_id>,
    wants_logits: Vec<i8>,
}

impl Batch {
    /// An empty one.
    pub(super) fn new() -> Self {
        Self {
            tokens: Vec::new(),
            positions: Vec::new(),
            sequence_counts: Vec::new(),
            sequence: Box::new([SEQUENCE]),
            sequences: Vec::new(),
            wants_logits: Vec::new(),
        }
    }

    /// Fills it with tokens at the positions from `first` on; logits are wanted of the last.
    pub(super) fn fill(&mut self, tokens: &[LlamaToken], first: usize) {
        let count = tokens.len();
        let sequence = self.sequence.as_mut_ptr();
        self.tokens.clear();
        self.tokens.extend(tokens.iter().map(|token| token.0));
        self.positions.clear();
        self.positions
            .extend((first..first + count).map(|position| position as sys::llama_pos));
        self.sequence_counts.clear();
        self.sequence_counts.resize(count, 1);
        self.sequences.clear();
        self.sequences.resize(count, sequence);
        self.wants_logits.clear();
        self.wants_logits.resize(count, 0);
        if let Some(last) = self.wants_logits.last_mut() {
            *last = 1;
        }
    }

    /// The form that llama.cpp takes. It points into this batch and may be used until the next `fill`.
    pub(super) fn as_raw(&mut self) -> sys::llama_batch {
        sys::llama_batch {
            n_tokens: self.tokens.len() as i32,
            token: self.tokens.as_mut_ptr(),
            embd: std::ptr::null_mut(),
            pos: self.positions.as_mut_ptr(),
            n_seq_id: self.sequence_counts.as_mut_ptr(),
            seq_id: self.sequences.as_mut_ptr(),
            logits: self.wants_logits.as_mut_ptr(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_stand_at_following_positions_and_the_last_gives_logits() {
        let mut batch = Batch::new();
        batch.fill(&[LlamaToken(5), LlamaToken(6), LlamaToken(7)], 10);
        batch.fill(&[LlamaToken(8), LlamaToken(9)], 20);
        assert_eq!(batch.tokens, [8, 9]);
        assert_eq!(batch.positions, [20, 21]);
        assert_eq!(batch.wants_logits, [0, 1]);
        assert_eq!(batch.as_raw().n_tokens, 2);
    }
}
