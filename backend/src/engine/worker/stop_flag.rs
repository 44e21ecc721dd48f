//! Whether the work that runs shall stop. Raised by the thread that reads requests, looked at by the engine and,
//! through its abort callback, by llama.cpp in the middle of a computation.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Stands for no answer; their numbers begin at 1.
const NONE: u64 = 0;

/// The flag. A stop counts for the answer it names only: one that comes too late does not hit the next.
#[derive(Debug, Default)]
pub(super) struct StopFlag {
    running: AtomicU64,
    stopped: AtomicU64,
    closed: AtomicBool,
}

impl StopFlag {
    /// This answer is being made. It may have been stopped already.
    pub(super) fn begin(&self, id: u64) {
        self.running.store(id, Ordering::Release);
    }

    /// No answer is being made.
    pub(super) fn end(&self) {
        self.running.store(NONE, Ordering::Release);
    }

    /// Stops an answer, before or while it is made.
    pub(super) fn stop(&self, id: u64) {
        self.stopped.store(id, Ordering::Release);
    }

    /// Stops everything, for good: the backend wants no more or is gone.
    pub(super) fn close(&self) {
        self.closed.store(true, Ordering::Release);
    }

    /// Whether the backend wants no more.
    pub(super) fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Acquire)
    }

    /// Whether what runs shall stop.
    pub(super) fn is_raised(&self) -> bool {
        let running = self.running.load(Ordering::Acquire);
        self.is_closed() || (running != NONE && running == self.stopped.load(Ordering::Acquire))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stop_hits_the_answer_it_names_and_no_other() {
        let flag = StopFlag::default();
        assert!(!flag.is_raised());
        flag.stop(1);
        flag.begin(1);
        assert!(flag.is_raised(), "stopped before it began");
        flag.end();
        assert!(!flag.is_raised());
        flag.begin(2);
        assert!(!flag.is_raised(), "the stop of the one before");
        flag.stop(1);
        assert!(!flag.is_raised(), "a late stop of the one before");
        flag.stop(2);
        assert!(flag.is_raised());
    }

    #[test]
    fn closing_stops_everything() {
        let flag = StopFlag::default();
        flag.close();
        assert!(flag.is_raised());
        flag.begin(1);
        assert!(flag.is_raised());
    }
}
