//! The backend's end of a job: its number and the way back for its events.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use hearth_protocol::Error;
use hearth_protocol::generate::{StopReason, TurnStats};
use tokio::sync::{mpsc, oneshot};

use super::JobEvent;

/// Gives out the numbers of jobs, from 1.
#[derive(Debug, Clone, Default)]
pub(super) struct JobIds(Arc<AtomicU64>);

impl JobIds {
    pub(super) fn next(&self) -> u64 {
        self.0.fetch_add(1, Ordering::Relaxed) + 1
    }
}

/// Sends a job's events. Dropped before the last one, it sends `Failed` itself, so that nobody waits for ever.
#[derive(Debug)]
pub(super) struct JobSink {
    events: mpsc::UnboundedSender<JobEvent>,
    ended: bool,
    /// Ends the task that watches for the listener's leaving.
    _watch: oneshot::Sender<()>,
}

impl JobSink {
    /// A sink and its listener's end; `left` is called when the listener goes before the job has ended. Must be
    /// called within the runtime.
    pub(super) fn new(left: impl FnOnce() + Send + 'static) -> (Self, mpsc::UnboundedReceiver<JobEvent>) {
        let (events, listener) = mpsc::unbounded_channel();
        let (watch, ended) = oneshot::channel();
        let watched = events.clone();
        tokio::spawn(async move {
            tokio::select! {
                () = watched.closed() => left(),
                // Never sent, only dropped, together with the sink.
                _ = ended => (),
            }
        });
        let sink = Self {
            events,
            ended: false,
            _watch: watch,
        };
        (sink, listener)
    }

    /// Sends an event that is not the last.
    pub(super) fn send(&self, event: JobEvent) {
        // Nobody listening any more is seen to by the watching task, which stops the job.
        if self.events.send(event).is_err() {
            tracing::trace!("a job's listener has left");
        }
    }

    /// Ends the job.
    pub(super) fn finish(mut self, stop: StopReason, stats: TurnStats) {
        self.end(JobEvent::Finished { stop, stats });
    }

    /// Ends the job with an error.
    pub(super) fn fail(mut self, error: Error) {
        self.end(JobEvent::Failed(error));
    }

    fn end(&mut self, event: JobEvent) {
        if !self.ended {
            self.ended = true;
            self.send(event);
        }
    }
}

impl Drop for JobSink {
    fn drop(&mut self) {
        self.end(JobEvent::Failed(Error::BackendGone));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_sink_that_is_dropped_fails_its_job_once() {
        let (sink, mut events) = JobSink::new(|| ());
        drop(sink);
        assert!(matches!(
            events.recv().await,
            Some(JobEvent::Failed(Error::BackendGone))
        ));
        assert!(events.recv().await.is_none());
    }

    #[tokio::test]
    async fn the_channel_closes_after_the_last_event() {
        let (sink, mut events) = JobSink::new(|| ());
        sink.finish(StopReason::EndOfText, TurnStats::default());
        assert!(matches!(events.recv().await, Some(JobEvent::Finished { .. })));
        assert!(events.recv().await.is_none());
    }

    #[tokio::test]
    async fn a_listener_that_leaves_is_noticed() {
        let (left, noticed) = oneshot::channel();
        let (sink, events) = JobSink::new(move || left.send(()).expect("the test listens"));
        drop(events);
        noticed.await.expect("the hook is called");
        drop(sink);
    }
}
