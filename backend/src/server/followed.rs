//! What others tell again and again, as it is now.

use std::sync::Arc;

use hearth_protocol::{Client, Events, RunEvent};
use tokio::sync::watch;

use super::listening::Listening;

/// What the newest event of a run said. Dropping it ends the run.
pub(super) struct Followed<T>(watch::Receiver<Option<Arc<T>>>);

impl<T: Default + Send + Sync + 'static> Followed<T> {
    /// Follows a run; `take` gives nothing of an event that says nothing new. Must be called within the runtime.
    pub(super) fn start<E: RunEvent + Send + 'static>(
        client: &Client,
        ask: impl FnOnce(&Client) -> Events<E>,
        take: impl Fn(E) -> Option<T> + Send + 'static,
    ) -> Self {
        let (told, newest) = watch::channel(None);
        let mut run = Listening::begin(client, ask);
        tokio::spawn(async move {
            loop {
                let event = tokio::select! {
                    event = run.next() => event,
                    () = told.closed() => return,
                };
                let Some(event) = event else {
                    return;
                };
                if let Some(new) = take(event) {
                    told.send_replace(Some(Arc::new(new)));
                }
            }
        });
        Self(newest)
    }

    /// As it is now; the default where nothing has been told yet.
    pub(super) fn now(&self) -> Arc<T> {
        self.0.borrow().clone().unwrap_or_default()
    }

    /// As it is now, once something has been told; the default where nothing ever is.
    pub(super) async fn told(&self) -> Arc<T> {
        let mut newest = self.0.clone();
        match newest.wait_for(Option::is_some).await {
            Ok(told) => told.clone().unwrap_or_default(),
            Err(_) => Arc::default(),
        }
    }
}
