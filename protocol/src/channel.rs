//! Answers and events on their way back: [`Reply`] for one, [`EventSink`] for many.
//!
//! Both never leave anyone waiting. A `Reply` dropped unanswered answers [`Error::BackendGone`]; an
//! `EventSink` dropped before its last event sends that event itself. A listener that goes away is
//! noticed at once, so that the work for it can stop.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded, unbounded};

use crate::{Error, RequestId, Result};

/// Called after each answer or event, from the thread that sent it: a window sets its signal, an
/// async task its notify, a blocking caller nothing. Must return at once.
#[derive(Clone)]
pub struct Waker(Arc<dyn Fn() + Send + Sync>);

impl Waker {
    /// Wakes by calling `wake`.
    pub fn new(wake: impl Fn() + Send + Sync + 'static) -> Self {
        Self(Arc::new(wake))
    }

    /// For callers that block on the channel itself.
    pub fn none() -> Self {
        Self::new(|| ())
    }

    fn wake(&self) {
        (self.0)();
    }
}

impl std::fmt::Debug for Waker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Waker")
    }
}

/// The sending half of one answer.
pub struct Reply<T> {
    sender: Option<Sender<Result<T>>>,
    waker: Waker,
    listening: Arc<Listening>,
}

/// The receiving half of one answer. Dropping it lets what is only looked up stop; what is changed is changed all the
/// same.
pub struct Answer<T> {
    receiver: Receiver<Result<T>>,
    listening: Arc<Listening>,
}

impl<T> Reply<T> {
    /// A pair for one answer.
    pub fn new(waker: Waker) -> (Self, Answer<T>) {
        let (sender, receiver) = bounded(1);
        let listening = Arc::new(Listening::default());
        let answer = Answer {
            receiver,
            listening: Arc::clone(&listening),
        };
        let reply = Self {
            sender: Some(sender),
            waker,
            listening,
        };
        (reply, answer)
    }

    /// Answers. Nobody listening any more is no fault.
    pub fn send(mut self, answer: Result<T>) {
        self.answer(answer);
    }

    /// Answers with an error.
    pub fn refuse(self, error: Error) {
        self.send(Err(error));
    }

    /// Calls `hook` when nobody waits for the answer any more, or at once if it is so already. Replaces an earlier hook.
    pub fn on_abandoned(&self, hook: impl FnOnce() + Send + 'static) {
        self.listening.on_abandoned(Box::new(hook));
    }

    fn answer(&mut self, answer: Result<T>) {
        if let Some(sender) = self.sender.take() {
            // The channel has room for one and only one is ever sent: `Err` means nobody listens.
            if sender.try_send(answer).is_ok() {
                self.waker.wake();
            }
        }
    }
}

impl<T> Drop for Reply<T> {
    fn drop(&mut self) {
        self.answer(Err(Error::BackendGone));
    }
}

impl<T> std::fmt::Debug for Reply<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Reply")
    }
}

impl<T> Answer<T> {
    /// The answer, if it has come. Gives it once.
    pub fn try_take(&self) -> Option<Result<T>> {
        self.receiver.try_recv().ok()
    }

    /// Blocks until the answer comes. Not for a window's thread.
    pub fn wait(self) -> Result<T> {
        self.receiver.recv().unwrap_or(Err(Error::BackendGone))
    }
}

impl<T> Drop for Answer<T> {
    fn drop(&mut self) {
        self.listening.leave();
    }
}

impl<T> std::fmt::Debug for Answer<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Answer")
    }
}

/// What an event type must tell, so that every run ends with exactly one last event.
pub trait RunEvent {
    /// Nothing follows this event.
    fn is_terminal(&self) -> bool;
    /// The last event of a run that broke off.
    fn failed(error: Error) -> Self;
}

/// An event with the run it belongs to. A listener drops events of runs it no longer shows.
#[derive(Debug, Clone, PartialEq)]
pub struct Event<E> {
    /// The run.
    pub request: RequestId,
    /// What happened.
    pub body: E,
}

/// Nobody listens any more: stop the work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Abandoned;

type Hook = Box<dyn FnOnce() + Send>;

/// What both halves of a channel know.
#[derive(Default)]
struct Listening {
    gone: AtomicBool,
    hook: Mutex<Option<Hook>>,
}

impl Listening {
    /// Nobody listens any more.
    fn leave(&self) {
        let hook = {
            let mut slot = self.hook.lock().unwrap_or_else(PoisonError::into_inner);
            self.gone.store(true, Ordering::Release);
            slot.take()
        };
        if let Some(hook) = hook {
            hook();
        }
    }

    fn is_abandoned(&self) -> bool {
        self.gone.load(Ordering::Acquire)
    }

    fn on_abandoned(&self, hook: Hook) {
        let mut slot = self.hook.lock().unwrap_or_else(PoisonError::into_inner);
        if self.is_abandoned() {
            drop(slot);
            hook();
        } else {
            *slot = Some(hook);
        }
    }
}

/// The sending half of many events. Sending never blocks.
pub struct EventSink<E: RunEvent> {
    request: RequestId,
    sender: Sender<Event<E>>,
    waker: Waker,
    listening: Arc<Listening>,
    ended: bool,
}

/// The receiving half of many events. Dropping it stops the run.
pub struct Events<E> {
    request: RequestId,
    receiver: Receiver<Event<E>>,
    listening: Arc<Listening>,
}

impl<E: RunEvent> EventSink<E> {
    /// A pair for the events of one run.
    pub fn new(request: RequestId, waker: Waker) -> (Self, Events<E>) {
        let (sender, receiver) = unbounded();
        let listening = Arc::new(Listening::default());
        let events = Events {
            request,
            receiver,
            listening: Arc::clone(&listening),
        };
        (
            Self {
                request,
                sender,
                waker,
                listening,
                ended: false,
            },
            events,
        )
    }

    /// The run these events belong to.
    pub fn request(&self) -> RequestId {
        self.request
    }

    /// Sends an event. After the last one of a run nothing more is sent.
    ///
    /// # Errors
    /// [`Abandoned`] when nobody listens: stop the work.
    pub fn send(&mut self, body: E) -> std::result::Result<(), Abandoned> {
        if self.ended {
            return Ok(());
        }
        self.ended = body.is_terminal();
        self.sender
            .send(Event {
                request: self.request,
                body,
            })
            .map_err(|_| Abandoned)?;
        self.waker.wake();
        Ok(())
    }

    /// Ends the run with an error.
    pub fn refuse(mut self, error: Error) {
        self.fail(error);
    }

    /// Sends the failure event. Nobody listening is no fault: there is nobody to be told.
    fn fail(&mut self, error: Error) {
        match self.send(E::failed(error)) {
            Ok(()) | Err(Abandoned) => (),
        }
    }

    /// Whether the listener has gone.
    pub fn is_abandoned(&self) -> bool {
        self.listening.is_abandoned()
    }

    /// Calls `hook` when the listener goes, or at once if it has gone. Replaces an earlier hook.
    pub fn on_abandoned(&self, hook: impl FnOnce() + Send + 'static) {
        self.listening.on_abandoned(Box::new(hook));
    }
}

impl<E: RunEvent> Drop for EventSink<E> {
    fn drop(&mut self) {
        self.fail(Error::BackendGone);
    }
}

impl<E: RunEvent> std::fmt::Debug for EventSink<E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "EventSink({})", self.request)
    }
}

impl<E> std::fmt::Debug for Events<E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Events({})", self.request)
    }
}

impl<E> Events<E> {
    /// The run these events belong to.
    pub fn request(&self) -> RequestId {
        self.request
    }

    /// The next event, if one waits.
    pub fn try_next(&self) -> Option<Event<E>> {
        self.receiver.try_recv().ok()
    }

    /// Blocks for the next event; `None` after the last one. Not for a window's thread.
    pub fn next(&self) -> Option<E> {
        self.receiver.recv().ok().map(|event| event.body)
    }

    /// Blocks for the next event, at most this long. `Ok(None)` after the last one.
    ///
    /// # Errors
    /// [`Error::Busy`] when the time has passed without an event.
    pub fn next_timeout(&self, limit: Duration) -> Result<Option<E>> {
        match self.receiver.recv_timeout(limit) {
            Ok(event) => Ok(Some(event.body)),
            Err(RecvTimeoutError::Disconnected) => Ok(None),
            Err(RecvTimeoutError::Timeout) => Err(Error::Busy {
                what: "the run".into(),
                reason: format!("no event within {limit:?}"),
            }),
        }
    }
}

impl<E> Drop for Events<E> {
    fn drop(&mut self) {
        self.listening.leave();
    }
}

#[cfg(test)]
mod tests;
