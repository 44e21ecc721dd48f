//! An answer that belongs to no chat, from the request to its events.

use hearth_protocol::completion::CompletionEvent;
use hearth_protocol::engine::{KeepLoaded, LoadOptions};
use hearth_protocol::library::LibraryFile;
use hearth_protocol::{Error, EventSink};

use super::{Engine, Generation, Job, JobEvent, Work};

impl Engine {
    /// Makes an answer, loading the model first where needed; done when it has ended. A listener that leaves stops it,
    /// wherever it is: while the model loads, while it waits, while the prompt is read and while it is written.
    ///
    /// A model that is in memory is taken as it is: `options` only count where it must be loaded.
    pub(crate) async fn complete(
        &self,
        file: LibraryFile,
        options: LoadOptions,
        job: Job,
        keep: KeepLoaded,
        mut events: EventSink<CompletionEvent>,
    ) {
        let Generation {
            events: mut news,
            stop,
        } = self.begin(file, options, Work::Answer(Box::new(job)), keep);
        events.on_abandoned(move || stop.stop());
        let last = loop {
            let event = match news.recv().await {
                Some(JobEvent::Loading(share)) => CompletionEvent::Loading(share),
                Some(JobEvent::Started(model)) => CompletionEvent::Started(model),
                Some(JobEvent::PromptProgress {
                    processed,
                    cached,
                    total,
                }) => CompletionEvent::PromptProgress {
                    processed,
                    cached,
                    total,
                },
                Some(JobEvent::Piece(piece)) => CompletionEvent::Piece(piece),
                Some(JobEvent::Logprobs(tokens)) => CompletionEvent::Logprobs(tokens),
                Some(JobEvent::Finished { stop, stats }) => break CompletionEvent::Finished { stop, stats },
                Some(JobEvent::Failed(error)) => break CompletionEvent::Failed(error),
                // No answer has vectors, or is one to a question.
                Some(JobEvent::Vector { .. } | JobEvent::ToldSome(_) | JobEvent::Told(_)) => continue,
                None => break CompletionEvent::Failed(Error::BackendGone),
            };
            tell(&mut events, event);
        };
        tell(&mut events, last);
    }
}

/// Tells the listener. One that has left is no fault: leaving stops the work.
fn tell(events: &mut EventSink<CompletionEvent>, event: CompletionEvent) {
    if events.send(event).is_err() {
        tracing::trace!(request = %events.request(), "who asked for an answer has left");
    }
}
