//! Follows a job of the engine to its end: tells its listener, keeps the answer, hears of Stop.

use hearth_protocol::chat::ChatEvent;
use hearth_protocol::generate::{StopReason, TurnStats};
use hearth_protocol::{Error, EventSink, Result};
use tokio::sync::mpsc;

use super::recorder::Recorder;
use super::turns::Turn;
use crate::engine::JobEvent;

/// Follows the job until it ends. `stop_job` is called once when the turn is asked to stop; the job still says how
/// it ended.
///
/// # Errors
/// Why it broke off.
pub(super) async fn follow(
    mut job: mpsc::UnboundedReceiver<JobEvent>,
    stop_job: impl FnOnce(),
    turn: &mut Turn,
    recorder: &mut Recorder,
    events: &mut EventSink<ChatEvent>,
) -> Result<(StopReason, TurnStats)> {
    let mut stop_job = Some(stop_job);
    loop {
        tokio::select! {
            event = job.recv() => match event {
                Some(JobEvent::Loading(share)) => tell(events, ChatEvent::Loading(share)),
                Some(JobEvent::Started(model)) => recorder.written_by(model),
                Some(JobEvent::PromptProgress { processed, total, .. }) => {
                    tell(events, ChatEvent::PromptProgress { processed, total });
                }
                Some(JobEvent::Piece(piece)) => {
                    if let Some(event) = recorder.add(piece) {
                        tell(events, event);
                    }
                }
                Some(JobEvent::Logprobs(tokens)) => tell(events, ChatEvent::Logprobs(tokens)),
                Some(JobEvent::Finished { stop, stats }) => {
                    for call in recorder.tool_calls() {
                        tell(events, ChatEvent::ToolCall(call.clone()));
                    }
                    return Ok((stop, stats));
                }
                // No answer has vectors, or is one to a question.
                Some(JobEvent::Vector { .. } | JobEvent::ToldSome(_) | JobEvent::Told(_)) => (),
                Some(JobEvent::Failed(error)) => return Err(error),
                None => return Err(Error::BackendGone),
            },
            () = turn.stopped(), if stop_job.is_some() => {
                if let Some(stop) = stop_job.take() {
                    stop();
                }
            }
            unstored = recorder.keep() => if let Some(error) = unstored {
                tell(events, ChatEvent::NotStored(error));
            },
        }
    }
}

/// Tells the listener. One that has left is no fault: leaving stops the turn.
pub(super) fn tell(events: &mut EventSink<ChatEvent>, event: ChatEvent) {
    if events.send(event).is_err() {
        tracing::trace!(request = %events.request(), "a turn's listener has left");
    }
}
