//! What a running download tells of itself: counted by those who work, read by the queue.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// Counts of one download.
#[derive(Debug, Default)]
pub(super) struct Progress {
    /// Bytes that came over the network since the start, whether they were kept or not.
    received: AtomicU64,
    /// Bytes on the disk, by file.
    done: Mutex<Vec<u64>>,
    /// What is in the way.
    trouble: Mutex<Option<String>>,
    /// Whether all bytes of a file are there and are being compared.
    verifying: AtomicBool,
}

impl Progress {
    /// Begins with what is on the disk, by file.
    pub(super) fn begin(&self, done: Vec<u64>) {
        *self.done.lock().unwrap_or_else(PoisonError::into_inner) = done;
    }

    /// Sets what is on the disk of a file.
    pub(super) fn set_done(&self, file: usize, bytes: u64) {
        let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(slot) = done.get_mut(file) {
            *slot = bytes;
        }
    }

    /// Bytes on the disk; `None` before anything is known.
    pub(super) fn done(&self) -> Option<u64> {
        let done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        (!done.is_empty()).then(|| done.iter().sum())
    }

    /// Counts bytes that came, which ends whatever trouble there was.
    pub(super) fn receive(&self, bytes: u64) {
        self.received.fetch_add(bytes, Ordering::Relaxed);
        self.set_trouble(None);
    }

    /// Bytes that came since the start.
    pub(super) fn received(&self) -> u64 {
        self.received.load(Ordering::Relaxed)
    }

    /// Says whether bytes are being compared.
    pub(super) fn set_verifying(&self, verifying: bool) {
        self.verifying.store(verifying, Ordering::Relaxed);
    }

    /// Whether bytes are being compared.
    pub(super) fn is_verifying(&self) -> bool {
        self.verifying.load(Ordering::Relaxed)
    }

    /// Says what is in the way.
    pub(super) fn set_trouble(&self, trouble: Option<String>) {
        *self.trouble.lock().unwrap_or_else(PoisonError::into_inner) = trouble;
    }

    /// What is in the way.
    pub(super) fn trouble(&self) -> Option<String> {
        self.trouble
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}
