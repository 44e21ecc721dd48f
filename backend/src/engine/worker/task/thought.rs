//! The limit of an answer's thinking.

use std::collections::VecDeque;

use llama_cpp_2::token::LlamaToken;

/// The limit of the thinking.
#[derive(Debug, Default)]
pub(in super::super) struct Thought {
    /// Most tokens; `None` sets no limit.
    budget: Option<u32>,
    /// What closes it.
    end: Vec<LlamaToken>,
    /// What is still to be written to close it.
    pub(super) closing: VecDeque<LlamaToken>,
    pub(super) tokens: u32,
}

impl Thought {
    pub(in super::super) fn new(budget: Option<u32>, end: Vec<LlamaToken>) -> Self {
        Self {
            budget,
            end,
            ..Self::default()
        }
    }

    /// Begins to close it where its budget is spent.
    pub(super) fn check(&mut self) {
        if self.budget.is_some_and(|budget| self.tokens >= budget) && self.closing.is_empty() {
            self.closing.extend(&self.end);
        }
    }
}
