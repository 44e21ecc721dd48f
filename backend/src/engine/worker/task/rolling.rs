//! What an answer goes on from when it has filled the context.

use hearth_protocol::answer::{AnswerOptions, ContextPolicy};
use hearth_protocol::chat::Role;
use hearth_protocol::prompt::PromptMessage;

use crate::engine::worker::prompt::End;

/// What a prompt is made of again when an answer has filled the context: turns are left out, and the answer goes on.
#[derive(Debug)]
pub(in super::super) struct Rolling {
    pub(super) messages: Vec<PromptMessage>,
    pub(super) options: AnswerOptions,
    /// The answer so far.
    pub(super) begun: PromptMessage,
}

impl Rolling {
    /// For the answer to these messages, or for the last of them, which is gone on with; if its policy leaves turns out.
    pub(in super::super) fn of(
        mut messages: Vec<PromptMessage>,
        options: AnswerOptions,
        end: End,
    ) -> Option<Self> {
        if options.context_policy == ContextPolicy::Stop {
            return None;
        }
        let begun = match end {
            End::Answer => None,
            End::Continue => messages.pop(),
        };
        Some(Self {
            messages,
            options,
            begun: begun.unwrap_or_else(|| PromptMessage::text(Role::Assistant, "")),
        })
    }
}
