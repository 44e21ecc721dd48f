//! Requests that are held, so that a test sees what happens while a hub does not answer.

use std::sync::Arc;

use tokio::sync::watch;

use crate::state::State;

/// How many requests are held, and how many were until whoever asked went away.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Held {
    pub(crate) now: usize,
    pub(crate) left: usize,
}

/// Holds a request until the test lets it go. Whoever asks may go away meanwhile, which ends this future.
pub(crate) async fn hold(state: &Arc<State>) {
    let mut released = state.released.subscribe();
    let mut place = Place::take(&state.held);
    if released.changed().await.is_ok() {
        place.is_answered = true;
    }
}

/// A request's place among those that are held.
struct Place {
    held: watch::Sender<Held>,
    is_answered: bool,
}

impl Place {
    fn take(held: &watch::Sender<Held>) -> Self {
        held.send_modify(|held| held.now += 1);
        Self {
            held: held.clone(),
            is_answered: false,
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.held.send_modify(|held| {
            held.now -= 1;
            if !self.is_answered {
                held.left += 1;
            }
        });
    }
}
