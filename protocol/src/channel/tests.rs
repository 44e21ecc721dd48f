//! Answers and events between two halves, and halves that go.

use std::sync::atomic::AtomicUsize;

use super::*;

#[derive(Debug, PartialEq)]
enum Step {
    Went(u32),
    Ended,
    Failed(Error),
}

impl RunEvent for Step {
    fn is_terminal(&self) -> bool {
        !matches!(self, Self::Went(_))
    }
    fn failed(error: Error) -> Self {
        Self::Failed(error)
    }
}

#[test]
fn a_dropped_reply_answers_that_the_backend_is_gone() {
    let (reply, answer) = Reply::<u32>::new(Waker::none());
    drop(reply);
    assert_eq!(answer.wait(), Err(Error::BackendGone));
}

#[test]
fn an_answer_wakes_once() {
    let wakes = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&wakes);
    let (reply, answer) = Reply::new(Waker::new(move || {
        counter.fetch_add(1, Ordering::SeqCst);
    }));
    assert!(answer.try_take().is_none());
    reply.send(Ok(7));
    assert_eq!(answer.try_take(), Some(Ok(7)));
    assert_eq!(wakes.load(Ordering::SeqCst), 1);
}

#[test]
fn an_answer_that_nobody_waits_for_is_noticed() {
    let (reply, answer) = Reply::<u32>::new(Waker::none());
    let called = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&called);
    reply.on_abandoned(move || flag.store(true, Ordering::SeqCst));
    assert!(!called.load(Ordering::SeqCst));
    drop(answer);
    assert!(called.load(Ordering::SeqCst));
    let flag = Arc::clone(&called);
    reply.on_abandoned(move || flag.store(false, Ordering::SeqCst));
    assert!(!called.load(Ordering::SeqCst), "at once");
    reply.send(Ok(7));
}

#[test]
fn a_sink_dropped_early_ends_its_run_with_a_failure() {
    let (mut sink, events) = EventSink::new(RequestId(1), Waker::none());
    assert!(sink.send(Step::Went(1)).is_ok());
    drop(sink);
    assert_eq!(events.next(), Some(Step::Went(1)));
    assert_eq!(events.next(), Some(Step::Failed(Error::BackendGone)));
    assert_eq!(events.next(), None);
}

#[test]
fn exactly_one_terminal_event_is_sent() {
    let (mut sink, events) = EventSink::new(RequestId(2), Waker::none());
    assert!(sink.send(Step::Ended).is_ok());
    assert!(sink.send(Step::Went(1)).is_ok());
    drop(sink);
    assert_eq!(events.next(), Some(Step::Ended));
    assert_eq!(events.next(), None);
}

#[test]
fn a_listener_that_leaves_is_noticed() {
    let (mut sink, events) = EventSink::new(RequestId(3), Waker::none());
    let called = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&called);
    sink.on_abandoned(move || flag.store(true, Ordering::SeqCst));
    drop(events);
    assert!(called.load(Ordering::SeqCst) && sink.is_abandoned());
    assert_eq!(sink.send(Step::Went(1)), Err(Abandoned));
}
