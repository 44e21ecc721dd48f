//! Which answers shall stop. Raised by the thread that reads requests, looked at by the engine between its steps and,
//! through its abort callback, by llama.cpp in the middle of one.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The flag. A stop counts for the answer it names only: one that comes too late does not hit the next.
#[derive(Debug, Default)]
pub(super) struct StopFlag {
    /// The answers that have not ended, and whether each shall stop.
    answers: Mutex<HashMap<u64, bool>>,
    /// Something is to be looked at before the computation goes on.
    raised: AtomicBool,
    closed: AtomicBool,
    /// How often it was looked at: whoever works looks at it, many times a second.
    looks: AtomicU64,
}

impl StopFlag {
    /// This answer was asked for; from now on it can be stopped.
    pub(super) fn begin(&self, id: u64) {
        self.answers().insert(id, false);
    }

    /// This answer has ended.
    pub(super) fn end(&self, id: u64) {
        self.answers().remove(&id);
    }

    /// Stops an answer that has not ended, at once.
    pub(super) fn stop(&self, id: u64) {
        if let Some(stopped) = self.answers().get_mut(&id) {
            *stopped = true;
            self.raised.store(true, Ordering::Release);
        }
    }

    /// Stops everything, for good: the backend wants no more or is gone.
    pub(super) fn close(&self) {
        self.closed.store(true, Ordering::Release);
    }

    /// Whether the backend wants no more.
    pub(super) fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Acquire)
    }

    /// Whether what is computed shall break off.
    pub(super) fn is_raised(&self) -> bool {
        self.looks.fetch_add(1, Ordering::Relaxed);
        self.is_closed() || self.raised.load(Ordering::Acquire)
    }

    /// Whether this answer shall stop; what it does meanwhile counts as a look.
    pub(super) fn is_stopped(&self, id: u64) -> bool {
        self.looks.fetch_add(1, Ordering::Relaxed);
        self.is_closed() || self.answers().get(&id).is_some_and(|stopped| *stopped)
    }

    /// How often it has been looked at, while an answer is made; `None` while none is.
    pub(super) fn looks(&self) -> Option<u64> {
        let is_busy = !self.answers().is_empty();
        is_busy.then(|| self.looks.load(Ordering::Relaxed))
    }

    /// Lowers the flag and gives the answers that shall stop. One that is stopped later raises it again.
    pub(super) fn take(&self) -> Vec<u64> {
        self.raised.store(false, Ordering::Release);
        let answers = self.answers();
        let stopped = answers
            .iter()
            .filter(|(_, stopped)| **stopped || self.is_closed());
        stopped.map(|(id, _)| *id).collect()
    }

    /// The lock is held for a few lines.
    fn answers(&self) -> MutexGuard<'_, HashMap<u64, bool>> {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stop_hits_the_answer_it_names_and_no_other() {
        let flag = StopFlag::default();
        flag.begin(1);
        flag.begin(2);
        assert!(!flag.is_raised());
        flag.stop(1);
        assert!(flag.is_raised());
        assert!(flag.is_stopped(1) && !flag.is_stopped(2) && !flag.is_stopped(3));
        assert_eq!(flag.take(), [1]);
        assert!(!flag.is_raised(), "seen to");
        assert_eq!(flag.take(), [1], "until it has ended");
        flag.end(1);
        assert!(flag.take().is_empty());
    }

    #[test]
    fn a_stop_that_comes_too_late_does_nothing() {
        let flag = StopFlag::default();
        flag.begin(1);
        flag.end(1);
        flag.stop(1);
        flag.begin(2);
        assert!(!flag.is_raised());
        assert!(flag.take().is_empty());
    }

    #[test]
    fn looks_are_counted_while_an_answer_is_made() {
        let flag = StopFlag::default();
        assert_eq!(flag.looks(), None);
        flag.begin(1);
        let before = flag.looks().expect("an answer");
        flag.is_raised();
        assert!(flag.looks() > Some(before));
        flag.end(1);
        assert_eq!(flag.looks(), None);
    }

    #[test]
    fn closing_stops_everything() {
        let flag = StopFlag::default();
        flag.begin(1);
        flag.close();
        assert!(flag.is_raised() && flag.is_stopped(1));
        assert_eq!(flag.take(), [1]);
        assert!(flag.is_raised(), "for good");
    }
}
