//! Work that ends when nobody listens to it any longer.

use std::sync::Arc;

use hearth_protocol::{EventSink, RunEvent};
use tokio::sync::Notify;

/// Told when the listener of a run leaves.
pub(crate) fn left<E: RunEvent>(events: &EventSink<E>) -> Arc<Notify> {
    let left = Arc::new(Notify::new());
    let leaving = Arc::clone(&left);
    events.on_abandoned(move || leaving.notify_one());
    left
}
