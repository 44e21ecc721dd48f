//! What clients may take of this machine: memory for the bodies of their requests, and time.

use std::sync::Arc;
use std::time::Duration;

use axum::http::StatusCode;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::refusal::{RETRY_AFTER, Refusal};
use crate::given_back::{LARGE, give_back_soon};

/// How often a byte of a body is in memory at most: as it came, as the text that it is part of, and as what becomes of that.
pub(super) const COPIES: usize = 3;

/// Most bytes that a value of a body becomes, a number as a field's name or a list: a request is taken apart several times,
/// and by parsers that keep what they have seen.
pub(super) const BYTES_PER_VALUE: usize = 512;

/// The limits that tests make narrower.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// Longest body, in bytes.
    pub(super) body: usize,
    /// Most values of a body, among them the tokens of a prompt.
    pub(super) values: usize,
    /// Bytes of all bodies together that are held at once, each with its copies and what its values become.
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
            body: 32 << 20,
            // As many tokens as any context here holds.
            values: 1 << 20,
            // The largest body has room in it, whatever else there is.
            bodies: 640 << 20,
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

/// The part of it that one body takes. It is free again where this is dropped; what of it was large is then given back to
/// the system.
#[derive(Debug)]
pub(super) struct Room(Option<OwnedSemaphorePermit>);

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
        taken.map(|permit| Room(Some(permit))).map_err(|_| full())
    }
}

impl Room {
    /// Takes so many bytes out of it, or what there is where it is less.
    pub(super) fn split(&mut self, bytes: usize) -> Option<Self> {
        let permit = self.0.as_mut()?;
        let bytes = bytes.min(permit.num_permits());
        permit.split(bytes).map(|permit| Self(Some(permit)))
    }

    /// Whether it is so much that it is worth being given back to the system.
    pub(super) fn is_large(&self) -> bool {
        let bytes = self.0.as_ref().map(OwnedSemaphorePermit::num_permits);
        bytes.is_some_and(|bytes| bytes >= LARGE)
    }

    /// Both together.
    pub(super) fn and(mut self, mut more: Self) -> Self {
        match (&mut self.0, more.0.take()) {
            (Some(permit), Some(more)) => permit.merge(more),
            (permit @ None, more) => *permit = more,
            (Some(_), None) => (),
        }
        self
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        if self.is_large() {
            give_back_soon();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One that has not is refused for ever, and told to come again.
    #[test]
    fn the_largest_body_has_room() {
        let limits = Limits::default();
        let largest = limits.body * COPIES + limits.values * BYTES_PER_VALUE;
        assert!(largest <= limits.bodies, "{largest}");
    }

    /// What is kept of a request until its answer is whole was not accounted while that was written.
    #[test]
    fn what_is_split_from_a_room_is_taken_until_it_is_dropped() {
        let bodies = Bodies::new(10);
        let mut whole = bodies.room(10).expect("room");
        let kept = whole.split(4).expect("a part");
        drop(whole);
        assert!(bodies.room(7).is_err());
        let mut other = bodies.room(6).expect("room");
        let all = other.split(100).expect("all of it");
        drop((kept, other));
        assert!(bodies.room(5).is_err());
        drop(all);
        assert!(bodies.room(10).is_ok());
    }
}
