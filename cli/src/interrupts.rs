//! One place to wait for both, the backend's news and Ctrl-C; and what to do when the system ends the program.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crossbeam_channel::{Receiver, SendError, Sender, select, unbounded};
use hearth_protocol::{Event, Events, Waker};

use crate::exit::Exit;

/// Ctrl-C, and the news of every run whose client has this waker.
pub(crate) struct Interrupts {
    pressed: Channel,
    news: Channel,
    ending: Arc<Ending>,
}

/// The system wants the program to end (`SIGTERM`, `SIGHUP`).
#[derive(Debug, Default)]
struct Ending {
    wanted: AtomicBool,
    /// Something is under way that stops first, so that its last words are stored.
    running: AtomicBool,
}

/// Something is under way. Ends when dropped.
pub(crate) struct Run<'a>(&'a Ending);

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
        let ending = Arc::new(Ending::default());
        #[cfg(unix)]
        if let Err(error) = listen_for_ending(&ending, pressed.0.clone()) {
            tracing::warn!(%error, "the system ends the program at once");
        }
        Self {
            pressed,
            news,
            ending,
        }
    }

    /// Notes that something is under way, until what this gives is dropped.
    pub(crate) fn run(&self) -> Run<'_> {
        self.ending.running.store(true, Ordering::Release);
        Run(&self.ending)
    }

    /// Whether the program shall end once nothing is under way.
    pub(crate) fn shall_end(&self) -> bool {
        self.ending.wanted.load(Ordering::Acquire)
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

    /// Waits for what another thread sends, or for Ctrl-C, which gives `None`.
    pub(crate) fn wait_for<T>(&self, sent: &Receiver<T>) -> Option<T> {
        select! {
            recv(self.pressed.1) -> _ => None,
            recv(sent) -> sent => sent.ok(),
        }
    }

    /// Whether Ctrl-C was pressed since the last look, once for each time.
    pub(crate) fn was_pressed(&self) -> bool {
        self.pressed.1.try_recv().is_ok()
    }

    /// Forgets what was pressed before.
    pub(crate) fn clear(&self) {
        while self.pressed.1.try_recv().is_ok() {}
    }
}

impl Drop for Run<'_> {
    fn drop(&mut self) {
        self.0.running.store(false, Ordering::Release);
    }
}

/// What is under way stops as by Ctrl-C; while nothing is, the process ends at once.
#[cfg(unix)]
fn listen_for_ending(ending: &Arc<Ending>, pressed: Sender<()>) -> std::io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGTERM, SIGXFSZ};
    // The last is only kept from killing: a file that grows too large is an error of that file.
    let mut signals = signal_hook::iterator::Signals::new([SIGTERM, SIGHUP, SIGXFSZ])?;
    let ending = Arc::clone(ending);
    let work = move || {
        for signal in signals.forever().filter(|signal| *signal != SIGXFSZ) {
            tracing::info!(signal, "the system ends the program");
            ending.wanted.store(true, Ordering::Release);
            let heard = ending.running.load(Ordering::Acquire) && pressed.send(()).is_ok();
            if !heard {
                leave_at_once();
            }
        }
    };
    std::thread::Builder::new()
        .name("hearth-signals".into())
        .spawn(work)
        .map(drop)
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
            ending: Arc::default(),
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
