//! What whoever watches the server is told: its status, its log, its keys.

use std::time::Duration;

use hearth_protocol::EventSink;
use hearth_protocol::server::{ServerEvent, ServerStatus};
use tokio::sync::watch;

use super::keys::Keys;
use super::log::Log;

/// How often watchers hear of news, at most.
const PACE: Duration = Duration::from_millis(100);

/// Tells a listener how all is now, the lines that are kept first, and then what is new, until it leaves.
pub(super) async fn tell(
    log: &Log,
    keys: &Keys,
    mut status: watch::Receiver<ServerStatus>,
    mut events: EventSink<ServerEvent>,
) {
    let mut written = log.written();
    let mut keys_changed = keys.changes();
    let (left, mut has_left) = watch::channel(false);
    events.on_abandoned(move || {
        left.send_replace(true);
    });
    let mut told = 0;
    let (mut last_status, mut last_keys, mut last_change) = (None, None, None);
    loop {
        let now = status.borrow_and_update().clone();
        if last_status.as_ref() != Some(&now) {
            last_status = Some(now.clone());
            if events.send(ServerEvent::Status(now)).is_err() {
                return;
            }
        }
        written.borrow_and_update();
        let (lines, left_out, next) = log.since(told);
        if (!lines.is_empty() || left_out > 0) && events.send(ServerEvent::Lines { lines, left_out }).is_err()
        {
            return;
        }
        told = next;
        let change = *keys_changed.borrow_and_update();
        if last_change.replace(change) != Some(change) {
            match keys.list().await {
                Ok(now) if last_keys.as_ref() != Some(&now) => {
                    last_keys = Some(now.clone());
                    if events.send(ServerEvent::Keys(now)).is_err() {
                        return;
                    }
                }
                Ok(_) => (),
                Err(error) => tracing::debug!(%error, "the API keys cannot be told"),
            }
        }
        tokio::select! {
            changed = written.changed() => if changed.is_err() { return },
            changed = status.changed() => if changed.is_err() { return },
            changed = keys_changed.changed() => if changed.is_err() { return },
            _ = has_left.changed() => return,
        }
        tokio::time::sleep(PACE).await;
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use hearth_protocol::server::LogLevel;
    use hearth_protocol::{Events, RequestId, Waker};

    use super::*;
    use crate::store::Store;

    /// A log, the keys of a database, and what a watcher hears of them.
    async fn watched(
        folder: &Path,
        lines: &[&str],
    ) -> (Log, Keys, Events<ServerEvent>, watch::Sender<ServerStatus>) {
        let log = Log::open(folder.to_owned());
        for line in lines {
            log.write(LogLevel::Info, line);
        }
        let keys = Keys::open(Store::open(&folder.join("hearth.db")).await).await;
        let (status, heard) = watch::channel(ServerStatus::Stopped);
        let (sink, events) = EventSink::new(RequestId(1), Waker::none());
        let (of_log, of_keys) = (log.clone(), keys.clone());
        tokio::spawn(async move { tell(&of_log, &of_keys, heard, sink).await });
        (log, keys, events, status)
    }

    /// The next event, waited for on a thread of its own.
    async fn next(events: Events<ServerEvent>) -> (ServerEvent, Events<ServerEvent>) {
        let heard = tokio::task::spawn_blocking(move || (events.next().expect("news"), events));
        heard.await.expect("heard")
    }

    fn lines(event: ServerEvent) -> (Vec<String>, u64) {
        match event {
            ServerEvent::Lines { lines, left_out } => {
                (lines.into_iter().map(|line| line.text).collect(), left_out)
            }
            event => panic!("{event:?}"),
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_watcher_hears_what_was_kept_and_what_comes() {
        let folder = tempfile::tempdir().expect("a folder");
        let (log, _keys, events, _status) = watched(folder.path(), &["one\nline"]).await;
        let (event, events) = next(events).await;
        assert_eq!(event, ServerEvent::Status(ServerStatus::Stopped));
        let (event, events) = next(events).await;
        assert_eq!(lines(event), (vec!["one line".into()], 0));
        let (event, events) = next(events).await;
        assert_eq!(event, ServerEvent::Keys(Vec::new()));
        log.write(LogLevel::Info, "Bearer abc");
        let (event, _events) = next(events).await;
        assert_eq!(lines(event), (vec!["Bearer [redacted]".into()], 0));
    }

    /// However many lines are written, one event tells of them all, and those that are no longer kept are counted.
    #[tokio::test(flavor = "multi_thread")]
    async fn a_flood_is_told_in_few_events() {
        const LINES: usize = 100_000;
        let folder = tempfile::tempdir().expect("a folder");
        let (_log, _keys, events, _status) = watched(folder.path(), &["x"; LINES]).await;
        let (_, events) = next(events).await;
        let (event, _events) = next(events).await;
        let (told, left_out) = lines(event);
        assert!(left_out > 0 && told.len() < LINES, "{left_out}");
        assert_eq!(told.len() as u64 + left_out, LINES as u64);
    }

    /// A window once showed no key that a command had made.
    #[tokio::test(flavor = "multi_thread")]
    async fn a_watcher_hears_of_keys_that_others_make_use_and_revoke() {
        let folder = tempfile::tempdir().expect("a folder");
        let (_log, keys, events, _status) = watched(folder.path(), &[]).await;
        let told = |event| match event {
            ServerEvent::Keys(keys) => keys
                .into_iter()
                .map(|key| (key.name, key.used_at.is_some()))
                .collect::<Vec<_>>(),
            event => panic!("{event:?}"),
        };
        let (_, events) = next(events).await;
        let (event, events) = next(events).await;
        assert_eq!(told(event), []);
        let made = keys.make("Editor").await.expect("a key");
        let (event, events) = next(events).await;
        assert_eq!(told(event), [("Editor".to_owned(), false)]);
        assert!(keys.accepts(made.secret.expose()));
        let (event, events) = next(events).await;
        assert_eq!(told(event), [("Editor".to_owned(), true)]);
        keys.revoke(made.key.id).await.expect("revoked");
        let (event, _events) = next(events).await;
        assert_eq!(told(event), []);
    }
}
