//! Texts to embed, from the request to the vectors.

use hearth_protocol::embed::{EmbedEvent, EmbedInput, EmbedOptions, Embeddings};
use hearth_protocol::engine::{KeepLoaded, LoadOptions};
use hearth_protocol::generate::StopReason;
use hearth_protocol::library::LibraryFile;
use hearth_protocol::{Error, EventSink};
use serde::{Deserialize, Serialize};

use super::{Engine, Generation, JobEvent, Work};

/// Texts to embed; validated.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct EmbedJob {
    /// The texts, at least one.
    pub(crate) inputs: Vec<EmbedInput>,
    /// How.
    pub(crate) options: EmbedOptions,
}

impl Engine {
    /// Embeds texts with a model, loading it first where needed; done when all are. A listener that leaves stops it.
    ///
    /// A model that is in memory is taken as it is: `options` only count where it must be loaded.
    pub(crate) async fn embed(
        &self,
        file: LibraryFile,
        options: LoadOptions,
        job: EmbedJob,
        keep: KeepLoaded,
        mut events: EventSink<EmbedEvent>,
    ) {
        let (model, total) = (file.name.clone(), job.inputs.len());
        let work = Work::Embed(Box::new(job));
        let Generation {
            events: mut news,
            stop,
        } = self.begin(file, options, work, keep);
        events.on_abandoned(move || stop.stop());
        let mut made = Embeddings::default();
        let last = loop {
            let event = match news.recv().await {
                Some(JobEvent::Loading(share)) => EmbedEvent::Loading(share),
                Some(JobEvent::Vector { tokens, vector }) => {
                    made.vectors.push(vector);
                    made.tokens.push(tokens);
                    EmbedEvent::Progress {
                        done: count(made.vectors.len()),
                        total: count(total),
                    }
                }
                Some(JobEvent::Finished { stop, .. }) => break end(stop, made, total, model),
                Some(JobEvent::Failed(error)) => break EmbedEvent::Failed(error),
                Some(_) => continue,
                None => break EmbedEvent::Failed(Error::BackendGone),
            };
            tell(&mut events, event);
        };
        tell(&mut events, last);
    }
}

/// The last event of texts that were embedded up to here.
fn end(stop: StopReason, made: Embeddings, total: usize, model: String) -> EmbedEvent {
    match stop {
        StopReason::ModelEjected => EmbedEvent::Failed(Error::ModelEjected { model }),
        StopReason::UserStopped => EmbedEvent::Failed(Error::Cancelled),
        _ if made.vectors.len() == total => EmbedEvent::Finished(made),
        _ => {
            let reason = format!("{} of {total} texts were embedded", made.vectors.len());
            EmbedEvent::Failed(Error::internal(reason))
        }
    }
}

/// Tells the listener. One that has left is no fault: leaving stops the work.
fn tell(events: &mut EventSink<EmbedEvent>, event: EmbedEvent) {
    if events.send(event).is_err() {
        tracing::trace!(request = %events.request(), "who asked for vectors has left");
    }
}

fn count(texts: usize) -> u32 {
    u32::try_from(texts).unwrap_or(u32::MAX)
}
