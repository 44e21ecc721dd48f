//! One place to wait for both, the backend's news and Ctrl-C.

use crossbeam_channel::{Receiver, SendError, Sender, select, unbounded};
use hearth_protocol::{Event, Events, Waker};

use crate::exit::Exit;

/// Ctrl-C, and the news of every run whose client has this waker.
pub(crate) struct Interrupts {
    pressed: Channel,
    news: Channel,
}

/// Both ends are kept, so that the receiving one never closes.
struct Channel(Sender<()>, Receiver<()>);

/// What came first.
pub(crate) enum Next<E> {
    /// An event of the run.
    Event(E),
    /// Ctrl-C.
    Interrupt,
}

impl Interrupts {
    /// Takes Ctrl-C from now on. Once this is dropped, Ctrl-C ends the process at once.
    pub(crate) fn listen() -> Self {
        let (pressed, news) = (Channel::new(), Channel::new());
        let sender = pressed.0.clone();
        let handler = ctrlc::set_handler(move || {
            if sender.send(()).is_err() {
                leave_at_once();
            }
        });
        if let Err(error) = handler {
            tracing::warn!(%error, "Ctrl-C ends the program at once");
        }
        Self { pressed, news }
    }

    /// To be given to the client.
    pub(crate) fn waker(&self) -> Waker {
        let news = self.news.0.clone();
        Waker::new(move || match news.send(()) {
            // After the command nobody waits any more, which is no fault.
            Ok(()) | Err(SendError(())) => (),
        })
    }

    /// Waits for the next event of a run, or for Ctrl-C, which goes first. Not to be called after the last event.
    pub(crate) fn next<E>(&self, events: &Events<E>) -> Next<E> {
        loop {
            if self.pressed.1.try_recv().is_ok() {
                return Next::Interrupt;
            }
            if let Some(Event { body, .. }) = events.try_next() {
                return Next::Event(body);
            }
            select! {
                recv(self.pressed.1) -> _ => return Next::Interrupt,
                recv(self.news.1) -> _ => (),
            }
        }
    }

    /// Forgets what was pressed before.
    pub(crate) fn clear(&self) {
        while self.pressed.1.try_recv().is_ok() {}
    }
}

/// Ends the process while the backend still closes. Its workers end with it, and the database stays whole.
#[expect(
    clippy::disallowed_methods,
    reason = "asked for by Ctrl-C after the command has ended"
)]
fn leave_at_once() {
    std::process::exit(Exit::Interrupted as i32);
}

impl Channel {
    fn new() -> Self {
        let (sender, receiver) = unbounded();
        Self(sender, receiver)
    }
}

#[cfg(test)]
mod tests {
    use hearth_protocol::engine::LoadEvent;
    use hearth_protocol::{Error, EventSink, RequestId};

    use super::*;

    #[test]
    fn an_interrupt_goes_before_events_that_wait() {
        let interrupts = Interrupts {
            pressed: Channel::new(),
            news: Channel::new(),
        };
        let (mut sink, events) = EventSink::new(RequestId(1), interrupts.waker());
        sink.send(LoadEvent::Progress(0.5)).expect("somebody listens");
        interrupts.pressed.0.send(()).expect("open");
        assert!(matches!(interrupts.next(&events), Next::Interrupt));
        assert!(matches!(
            interrupts.next(&events),
            Next::Event(LoadEvent::Progress(_))
        ));
        sink.refuse(Error::Cancelled);
        assert!(matches!(
            interrupts.next(&events),
            Next::Event(LoadEvent::Failed(Error::Cancelled))
        ));
    }
}
