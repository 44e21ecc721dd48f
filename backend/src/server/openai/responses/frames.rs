//! The frames of a stream of events.

use futures_util::future::BoxFuture;
use hearth_protocol::Error;
use hearth_protocol::completion::CompletionEvent;
use hearth_protocol::openai::responses::event::{Numbered, StreamEvent};

use super::answering::Answering;
use super::kept::Keeping;
use crate::server::sse::{Dialect, Frames};

/// Makes the frames.
pub(super) struct ResponseFrames {
    answering: Answering,
    /// Where the answer is kept once it is whole.
    keeping: Option<Keeping>,
    next: u64,
    /// The event that ends the stream, until all else is done.
    last: Option<StreamEvent>,
}

impl ResponseFrames {
    pub(super) fn new(answering: Answering, keeping: Option<Keeping>) -> Self {
        Self {
            answering,
            keeping,
            next: 0,
            last: None,
        }
    }

    fn tell(&mut self, event: StreamEvent, frames: &mut Frames) {
        let name = event.name();
        let numbered = Numbered {
            event,
            sequence_number: self.next,
        };
        self.next += 1;
        frames.event(name, &numbered);
    }
}

impl Dialect for ResponseFrames {
    fn begin(&mut self, frames: &mut Frames) {
        let response = || Box::new(self.answering.response().clone());
        let (created, in_progress) = (response(), response());
        self.tell(StreamEvent::Created { response: created }, frames);
        self.tell(
            StreamEvent::InProgress {
                response: in_progress,
            },
            frames,
        );
    }

    fn take(&mut self, _choice: u32, event: CompletionEvent, frames: &mut Frames) {
        let is_last = matches!(event, CompletionEvent::Finished { .. });
        let mut told = Vec::new();
        self.answering.take(event, &mut told);
        // It is sent once the answer is kept, since the listener may go on from it at once.
        self.last = if is_last { told.pop() } else { None };
        for event in told {
            self.tell(event, frames);
        }
    }

    fn end(&mut self, frames: &mut Frames) {
        if let Some(event) = self.last.take() {
            self.tell(event, frames);
        }
    }

    fn fail(&mut self, error: Error, frames: &mut Frames) {
        let mut told = Vec::new();
        self.answering.fail(&error, &mut told);
        for event in told {
            self.tell(event, frames);
        }
    }

    fn settle(&mut self) -> Option<BoxFuture<'static, ()>> {
        let keeping = self.keeping.take()?;
        let response = self.answering.response().clone();
        Some(Box::pin(async move { keeping.keep(&response).await }))
    }
}

#[cfg(test)]
mod tests;
