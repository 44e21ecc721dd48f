//! The frames of a stream of events.

use hearth_protocol::Error;
use hearth_protocol::anthropic::event::StreamEvent;
use hearth_protocol::completion::CompletionEvent;

use super::writing::Writing;
use crate::server::format::anthropic;
use crate::server::sse::{Dialect, Frames};

/// Makes the frames.
pub(super) struct MessageFrames(Writing);

impl MessageFrames {
    pub(super) fn new(writing: Writing) -> Self {
        Self(writing)
    }
}

impl Dialect for MessageFrames {
    /// The first event says how long the prompt is, which is known a moment later.
    fn begin(&mut self, _frames: &mut Frames) {}

    fn take(&mut self, _choice: u32, event: CompletionEvent, frames: &mut Frames) {
        let mut told: Vec<StreamEvent> = Vec::new();
        self.0.take(event, &mut told);
        for event in told {
            frames.event(event.name(), &event);
        }
    }

    /// The last event came with the end of the answer.
    fn end(&mut self, _frames: &mut Frames) {}

    fn fail(&mut self, error: Error, frames: &mut Frames) {
        frames.event("error", &anthropic(&error.into()));
    }
}

#[cfg(test)]
mod tests;
