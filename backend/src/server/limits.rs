//! What clients may take of this machine: memory for the bodies of their requests, and time.

use std::sync::Arc;
use std::time::Duration;

use axum::http::StatusCode;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::refusal::{RETRY_AFTER, Refusal};

/// The limits that tests make narrower.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// Longest body, in bytes.
    pub(super) body: usize,
    /// Bytes of all bodies together that are held at once.
    pub(super) bodies: usize,
    /// How long a sender may send nothing in the middle of a body.
    pub(super) body_patience: Duration,
    /// Bytes of a body that come in each second at least, over all of it after the first [`Self::body_patience`].
    pub(super) body_rate: u32,
    /// How long a client may take nothing of its answer while there is more of it.
    pub(super) answer_patience: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            // A chat as long as any context, with pictures.
            body: 64 << 20,
            bodies: 512 << 20,
            body_patience: Duration::from_secs(30),
            // Less than any modem sent.
            body_rate: 2 << 10,
            // As long as other servers wait.
            answer_patience: Duration::from_secs(60),
        }
    }
}

/// The memory that bodies may take. Cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct Bodies(Arc<Semaphore>);

/// The part of it that one body takes. It is free again where this is dropped.
#[derive(Debug)]
pub(super) struct Room(OwnedSemaphorePermit);

impl Bodies {
    /// Memory for so many bytes.
    pub(super) fn new(bytes: usize) -> Self {
        Self(Arc::new(Semaphore::new(bytes)))
    }

    /// Room for a body of which so many bytes have come.
    ///
    /// # Errors
    /// 503 where others take too much; the same request can work later.
    pub(super) fn room(&self, bytes: usize) -> Result<Room, Refusal> {
        let full = || Refusal {
            retry_after: Some(RETRY_AFTER),
            ..Refusal::coded(
                StatusCode::SERVICE_UNAVAILABLE,
                "bodies_full",
                "The requests at work take all the memory that there is for them. Send this one again in a moment.",
            )
        };
        let bytes = u32::try_from(bytes).map_err(|_| full())?;
        let taken = Arc::clone(&self.0).try_acquire_many_owned(bytes);
        taken.map(Room).map_err(|_| full())
    }
}

impl Room {
    /// Both together.
    pub(super) fn and(mut self, more: Self) -> Self {
        self.0.merge(more.0);
        self
    }
}
