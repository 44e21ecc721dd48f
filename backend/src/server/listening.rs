//! The protocol's answers and events for async code.

use std::sync::Arc;

use hearth_protocol::{Answer, Client, Events, Result, RunEvent, Waker};
use tokio::sync::Notify;

/// Wakes whoever waits for answers and events.
#[derive(Clone, Default)]
pub(super) struct Woken(Arc<Notify>);

impl Woken {
    /// The client whose answers and events wake.
    pub(super) fn client(&self, client: &Client) -> Client {
        let notify = Arc::clone(&self.0);
        client.with_waker(Waker::new(move || notify.notify_one()))
    }

    /// Waits for news. News that came before count.
    pub(super) async fn wait(&self) {
        self.0.notified().await;
    }
}

/// The events of a run. Dropping it stops the run.
pub(super) struct Listening<E> {
    events: Events<E>,
    woken: Woken,
    ended: bool,
}

impl<E: RunEvent> Listening<E> {
    /// Begins a run.
    pub(super) fn begin(client: &Client, ask: impl FnOnce(&Client) -> Events<E>) -> Self {
        let woken = Woken::default();
        let events = ask(&woken.client(client));
        Self::new(events, woken)
    }

    /// The events of a run that was begun with a client of `woken`.
    pub(super) fn new(events: Events<E>, woken: Woken) -> Self {
        Self {
            events,
            woken,
            ended: false,
        }
    }

    /// The next event, if one has come.
    pub(super) fn try_next(&mut self) -> Option<E> {
        let event = self.events.try_next()?.body;
        self.ended |= event.is_terminal();
        Some(event)
    }

    /// Whether the last event has been given.
    pub(super) fn has_ended(&self) -> bool {
        self.ended
    }

    /// The next event; `None` after the last one. Nothing is lost where this is dropped while it waits.
    pub(super) async fn next(&mut self) -> Option<E> {
        loop {
            if let Some(event) = self.try_next() {
                return Some(event);
            }
            if self.ended {
                return None;
            }
            self.woken.wait().await;
        }
    }
}

/// Asks for one answer and waits for it.
///
/// # Errors
/// What the backend answers.
pub(super) async fn answer<T>(client: &Client, ask: impl FnOnce(&Client) -> Answer<T>) -> Result<T> {
    let woken = Woken::default();
    let answer = ask(&woken.client(client));
    loop {
        if let Some(answer) = answer.try_take() {
            return answer;
        }
        woken.wait().await;
    }
}
