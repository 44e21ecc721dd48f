//! What an answer goes on from when it has filled the context.

use hearth_protocol::answer::{AnswerOptions, ContextPolicy};

use crate::engine::PromptMessage;

/// What a prompt is made of again when an answer has filled the context: turns are left out, and the answer goes on.
#[derive(Debug)]
pub(in super::super) struct Rolling {
    pub(super) messages: Vec<PromptMessage>,
    pub(super) options: AnswerOptions,
    /// The answer so far.
    pub(super) written: String,
}

impl Rolling {
    /// For the answer to these messages, if its policy leaves turns out.
    pub(in super::super) fn of(messages: Vec<PromptMessage>, options: AnswerOptions) -> Option<Self> {
        let rolls = options.context_policy != ContextPolicy::Stop;
        rolls.then_some(Self {
            messages,
            options,
            written: String::new(),
        })
    }
}
