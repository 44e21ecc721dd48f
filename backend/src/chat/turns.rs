//! The answers that are being written: at most one per chat, each can be stopped and waited for.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hearth_protocol::chat::ChatEvent;
use hearth_protocol::{ChatId, Error, EventSink, RequestId, Result};
use tokio::sync::watch;

/// All turns that run. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub(super) struct Turns(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    /// No further turn begins.
    closed: bool,
    running: HashMap<RequestId, Running>,
    /// How many run, for those who wait until none does.
    count: watch::Sender<usize>,
}

#[derive(Debug)]
struct Running {
    /// `None` until it is known.
    chat: Option<ChatId>,
    stop: watch::Sender<bool>,
    /// Closed when the turn has ended.
    ended: watch::Receiver<()>,
}

impl State {
    fn tell_count(&self) {
        self.count.send_replace(self.running.len());
    }

    fn is_busy(&self, chat: ChatId) -> bool {
        self.running.values().any(|running| running.chat == Some(chat))
    }
}

/// One turn that runs. Dropping it ends it: its chat is free and those who wait for it go on.
#[derive(Debug)]
pub(super) struct Turn {
    request: RequestId,
    turns: Turns,
    stopped: watch::Receiver<bool>,
    _ended: watch::Sender<()>,
}

impl Turns {
    /// Begins a turn, in this chat or in one that is not known yet. It is stopped when the listener leaves.
    ///
    /// # Errors
    /// [`Error::Busy`] where an answer is being written in this chat, [`Error::BackendGone`] after [`Self::close`].
    pub(super) fn begin(&self, chat: Option<ChatId>, events: &EventSink<ChatEvent>) -> Result<Turn> {
        let request = events.request();
        let (stop, stopped) = watch::channel(false);
        let (ended_sender, ended) = watch::channel(());
        {
            let mut state = self.lock();
            if state.closed {
                return Err(Error::BackendGone);
            }
            if state.running.contains_key(&request) || chat.is_some_and(|chat| state.is_busy(chat)) {
                return Err(busy());
            }
            state.running.insert(request, Running { chat, stop, ended });
            state.tell_count();
        }
        let turns = self.clone();
        events.on_abandoned(move || turns.stop(request));
        Ok(Turn {
            request,
            turns: self.clone(),
            stopped,
            _ended: ended_sender,
        })
    }

    /// # Errors
    /// [`Error::Busy`] where an answer is being written in this chat.
    pub(super) fn refuse_busy(&self, chat: ChatId) -> Result<()> {
        if self.lock().is_busy(chat) {
            Err(busy())
        } else {
            Ok(())
        }
    }

    /// Waits until no turn runs.
    pub(super) async fn quiet(&self) {
        self.wait_for(|count| count == 0).await;
    }

    /// Waits until a turn runs.
    pub(super) async fn stirring(&self) {
        self.wait_for(|count| count > 0).await;
    }

    async fn wait_for(&self, is_so: impl Fn(usize) -> bool) {
        let mut count = self.lock().count.subscribe();
        // The sender lives for as long as this, so that this cannot fail.
        if count.wait_for(|count| is_so(*count)).await.is_err() {
            std::future::pending::<()>().await;
        }
    }

    /// Asks a turn to stop. One that has ended, or never was, is stopped already.
    pub(super) fn stop(&self, request: RequestId) {
        if let Some(running) = self.lock().running.get(&request) {
            running.stop.send_replace(true);
        }
    }

    /// Asks the turn of a chat to stop. Its end is stored all the same.
    pub(super) fn stop_in(&self, chat: ChatId) {
        drop(self.stop_where(|running| running.chat == Some(chat)));
    }

    /// Lets no further turn begin, stops those that run and waits until their ends are stored.
    pub(super) async fn close(&self) {
        self.lock().closed = true;
        for mut end in self.stop_where(|_| true) {
            // Nothing is ever sent: the error says that the turn was dropped.
            while end.changed().await.is_ok() {}
        }
    }

    /// Asks turns to stop, and gives what closes when each of them has ended.
    fn stop_where(&self, which: impl Fn(&Running) -> bool) -> Vec<watch::Receiver<()>> {
        let state = self.lock();
        let running = state.running.values().filter(|running| which(running));
        running
            .map(|running| {
                running.stop.send_replace(true);
                running.ended.clone()
            })
            .collect()
    }

    /// The lock is held for a few lines and never across an await.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Turn {
    /// Takes the chat of the turn, which may not have been known when it began.
    ///
    /// # Errors
    /// [`Error::Busy`] where an answer is being written in this chat.
    pub(super) fn enter(&self, chat: ChatId) -> Result<()> {
        let mut state = self.turns.lock();
        let taken = |(request, running): (&RequestId, &Running)| {
            *request != self.request && running.chat == Some(chat)
        };
        if state.running.iter().any(taken) {
            return Err(busy());
        }
        if let Some(running) = state.running.get_mut(&self.request) {
            running.chat = Some(chat);
        }
        Ok(())
    }

    /// Waits until it is asked to stop.
    pub(super) async fn stopped(&mut self) {
        // The sender lives in the list for as long as this turn does, so that this cannot fail.
        if self.stopped.wait_for(|stopped| *stopped).await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let mut state = self.turns.lock();
        state.running.remove(&self.request);
        state.tell_count();
    }
}

fn busy() -> Error {
    Error::Busy {
        what: "This chat".into(),
        reason: "an answer is being written; stop it or wait for its end".into(),
    }
}

#[cfg(test)]
mod tests {
    use hearth_protocol::{Events, Waker};

    use super::*;

    fn sink(request: u64) -> (EventSink<ChatEvent>, Events<ChatEvent>) {
        EventSink::new(RequestId(request), Waker::none())
    }

    #[test]
    fn one_turn_per_chat() {
        let turns = Turns::default();
        let (first, _events) = sink(1);
        let (second, _events) = sink(2);
        let (third, _events) = sink(3);
        let running = turns.begin(Some(ChatId(1)), &first).expect("begin");
        assert!(matches!(
            turns.begin(Some(ChatId(1)), &second),
            Err(Error::Busy { .. })
        ));
        let _other = turns.begin(Some(ChatId(2)), &second).expect("another chat");
        drop(running);
        let _again = turns.begin(Some(ChatId(1)), &third).expect("begin again");
    }

    #[test]
    fn a_new_chat_counts_once_it_has_its_number() {
        let turns = Turns::default();
        let (first, _events) = sink(1);
        let (second, _events) = sink(2);
        let (third, _events) = sink(3);
        let running = turns.begin(None, &first).expect("begin");
        let _another_new_one = turns.begin(None, &second).expect("another new chat");
        running.enter(ChatId(7)).expect("it is free");
        running.enter(ChatId(7)).expect("it is its own");
        assert!(matches!(
            turns.begin(Some(ChatId(7)), &third),
            Err(Error::Busy { .. })
        ));
    }

    #[tokio::test]
    async fn a_chat_that_becomes_known_late_may_be_taken() {
        let turns = Turns::default();
        let (first, _events) = sink(1);
        let (second, _events) = sink(2);
        let running = turns.begin(Some(ChatId(7)), &first).expect("begin");
        let late = turns.begin(None, &second).expect("begin");
        assert!(matches!(late.enter(ChatId(7)), Err(Error::Busy { .. })));
        drop(running);
        late.enter(ChatId(7)).expect("it is free");
    }

    #[tokio::test]
    async fn a_listener_that_leaves_stops_its_turn() {
        let turns = Turns::default();
        let (sink, events) = sink(1);
        let mut turn = turns.begin(Some(ChatId(1)), &sink).expect("begin");
        drop(events);
        turn.stopped().await;
    }

    #[tokio::test]
    async fn closing_stops_all_and_waits_for_their_ends() {
        let turns = Turns::default();
        let (first, _events) = sink(1);
        let (second, _events) = sink(2);
        let mut turn = turns.begin(Some(ChatId(1)), &first).expect("begin");
        let closing = tokio::spawn({
            let turns = turns.clone();
            async move { turns.close().await }
        });
        turn.stopped().await;
        assert!(!closing.is_finished());
        assert!(matches!(turns.begin(None, &second), Err(Error::BackendGone)));
        drop(turn);
        closing.await.expect("closed");
    }

    #[tokio::test]
    async fn stopping_what_has_ended_does_nothing() {
        let turns = Turns::default();
        turns.stop(RequestId(9));
        turns.stop_in(ChatId(9));
        turns.close().await;
    }
}
