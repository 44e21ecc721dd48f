//! Tells the backend about once a second that the worker is not stuck: whoever works looks at the stop flag, and a thread
//! of its own looks whether that goes on.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use super::output::Output;
use super::stop_flag::StopFlag;
use crate::engine::ipc::Response;

/// Between two signs of life.
const BEAT: Duration = Duration::from_secs(1);

/// Beats until `end` is dropped.
pub(super) fn beat(stop: &Arc<StopFlag>, end: &Receiver<()>) {
    let mut output = Output::default();
    let mut seen = None;
    while let Err(RecvTimeoutError::Timeout) = end.recv_timeout(BEAT) {
        let looks = stop.looks();
        let advanced = looks.is_some() && looks != seen;
        seen = looks;
        if advanced && output.send(&Response::Alive).is_err() {
            // Nobody reads any more; the closed input ends the worker.
            return;
        }
    }
}
