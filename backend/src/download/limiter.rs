//! The speed limit over all downloads together.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// How much may come at once after a rest, as a time at the limit.
const BURST: Duration = Duration::from_millis(250);

/// A limit of bytes per second. Cheap to clone; all clones share it.
#[derive(Debug, Clone, Default)]
pub(super) struct Limiter(Arc<Mutex<Bucket>>);

#[derive(Debug, Default)]
struct Bucket {
    bytes_per_second: Option<u64>,
    /// When all that was taken so far is paid for.
    paid_at: Option<Instant>,
}

impl Limiter {
    /// Sets the limit; `None` lifts it.
    pub(super) fn set(&self, bytes_per_second: Option<u64>) {
        let mut bucket = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        bucket.bytes_per_second = bytes_per_second;
        bucket.paid_at = None;
    }

    /// Takes bytes that have come, and waits until further ones may.
    pub(super) async fn take(&self, bytes: usize) {
        let wait_until = {
            let mut bucket = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            bucket.take(Instant::now(), bytes)
        };
        if let Some(until) = wait_until {
            tokio::time::sleep_until(until).await;
        }
    }
}

impl Bucket {
    /// Until when to wait after so many bytes.
    fn take(&mut self, now: Instant, bytes: usize) -> Option<Instant> {
        let limit = self.bytes_per_second?;
        let cost = Duration::from_secs_f64(bytes as f64 / limit.max(1) as f64);
        let paid_at = self.paid_at.map_or(now, |at| at.max(now)) + cost;
        self.paid_at = Some(paid_at);
        paid_at.checked_sub(BURST).filter(|until| *until > now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_take_the_time_of_the_limit_whoever_takes_them() {
        let mut bucket = Bucket {
            bytes_per_second: Some(1_000_000),
            paid_at: None,
        };
        let start = Instant::now();
        let mut now = start;
        for _ in 0..100 {
            if let Some(until) = bucket.take(now, 100_000) {
                assert!(until > now);
                now = until;
            }
        }
        // 10 MB at 1 MB a second; the last quarter of a second is not waited for.
        let took = (now - start).as_secs_f64();
        assert!((took - 9.75).abs() < 0.001, "{took}");
        // A long rest saves up no more than the burst.
        now += Duration::from_secs(3600);
        let waits: Vec<_> = (0..4)
            .map(|_| bucket.take(now, 100_000).map(|until| until - now))
            .collect();
        assert_eq!(waits[..2], [None, None]);
        assert!(
            waits[3].is_some_and(|wait| wait > Duration::from_millis(149)),
            "{waits:?}"
        );
    }

    #[test]
    fn no_limit_waits_for_nothing() {
        assert_eq!(Bucket::default().take(Instant::now(), usize::MAX), None);
    }
}
