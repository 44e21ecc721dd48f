//! The frames of a stream of events.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

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
    /// The event that ends the stream, until all else is done: what it says of the answer's keeping must be true, and the
    /// listener may go on from it at once.
    last: Option<StreamEvent>,
    /// Whether the answer could not be kept.
    is_lost: Arc<AtomicBool>,
}

impl ResponseFrames {
    pub(super) fn new(answering: Answering, keeping: Option<Keeping>) -> Self {
        Self {
            answering,
            keeping,
            next: 0,
            last: None,
            is_lost: Arc::default(),
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
        self.last = if is_last { told.pop() } else { None };
        for event in told {
            self.tell(event, frames);
        }
    }

    fn end(&mut self, _frames: &mut Frames) {}

    fn fail(&mut self, error: Error, frames: &mut Frames) {
        let mut told = Vec::new();
        self.answering.fail(&error, &mut told);
        self.last = told.pop();
        for event in told {
            self.tell(event, frames);
        }
    }

    fn settle(&mut self) -> Option<BoxFuture<'static, ()>> {
        let keeping = self.keeping.take()?;
        let response = self.answering.response().clone();
        let is_lost = Arc::clone(&self.is_lost);
        Some(Box::pin(async move {
            let is_kept = keeping.keep(&response).await;
            is_lost.store(!is_kept, Ordering::Release);
        }))
    }

    fn settled(&mut self, frames: &mut Frames) {
        let Some(mut event) = self.last.take() else {
            return;
        };
        if self.is_lost.load(Ordering::Acquire)
            && let StreamEvent::Completed { response }
            | StreamEvent::Incomplete { response }
            | StreamEvent::Failed { response } = &mut event
        {
            response.store = false;
        }
        self.tell(event, frames);
    }
}

#[cfg(test)]
mod tests;
