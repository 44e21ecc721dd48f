//! How fast a download is and how long it will take, smoothed so that a person can read it. Pure.

use std::time::{Duration, Instant};

/// How long what came stays in the speed: after this time two thirds of it are forgotten.
const MEMORY: Duration = Duration::from_secs(3);

/// Speed below which no time is told, in bytes per second.
const SLOWEST: f64 = 1.0;

/// A speed over the last seconds.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Meter {
    bytes_per_second: f64,
    last: Option<(Instant, u64)>,
    /// Whether a first speed is known.
    is_warm: bool,
}

impl Meter {
    /// Notes how many bytes have come in all.
    pub(super) fn note(&mut self, now: Instant, bytes: u64) {
        let Some((then, before)) = self.last.replace((now, bytes)) else {
            return;
        };
        let passed = now.saturating_duration_since(then).as_secs_f64();
        if passed <= 0.0 {
            self.last = Some((then, before));
            return;
        }
        let momentary = bytes.saturating_sub(before) as f64 / passed;
        let weight = if self.is_warm {
            1.0 - (-passed / MEMORY.as_secs_f64()).exp()
        } else {
            1.0
        };
        self.is_warm = true;
        self.bytes_per_second += weight * (momentary - self.bytes_per_second);
    }

    /// Bytes per second.
    pub(super) fn speed(&self) -> f64 {
        self.bytes_per_second
    }

    /// Seconds until so many more bytes have come, rounded up; `None` where nothing comes.
    pub(super) fn seconds_left(&self, bytes: u64) -> Option<u64> {
        (self.bytes_per_second >= SLOWEST).then(|| (bytes as f64 / self.bytes_per_second).ceil() as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Notes `speed` bytes a second for some seconds, ten times a second.
    fn run(meter: &mut Meter, from: &mut (Instant, u64), seconds: u64, speed: u64) {
        for _ in 0..seconds * 10 {
            from.0 += Duration::from_millis(100);
            from.1 += speed / 10;
            meter.note(from.0, from.1);
        }
    }

    #[test]
    fn a_steady_speed_is_told_as_it_is_and_a_stall_falls_to_nothing() {
        let mut meter = Meter::default();
        let mut from = (Instant::now(), 0);
        meter.note(from.0, from.1);
        run(&mut meter, &mut from, 5, 1_000_000);
        assert!((meter.speed() - 1_000_000.0).abs() < 1.0, "{meter:?}");
        assert_eq!(meter.seconds_left(10_000_001), Some(11));
        run(&mut meter, &mut from, 3, 0);
        assert!(meter.speed() < 400_000.0, "{meter:?}");
        run(&mut meter, &mut from, 60, 0);
        assert!(meter.speed() < 1.0, "{meter:?}");
        assert_eq!(meter.seconds_left(1), None);
    }

    #[test]
    fn one_burst_does_not_shake_the_time_left() {
        let mut meter = Meter::default();
        let mut from = (Instant::now(), 0);
        meter.note(from.0, from.1);
        run(&mut meter, &mut from, 10, 1_000_000);
        from = (from.0 + Duration::from_millis(100), from.1 + 1_000_000);
        meter.note(from.0, from.1);
        assert!(meter.speed() < 1_400_000.0, "{meter:?}");
        // A count that falls, as after a restart, is no speed.
        meter.note(from.0 + Duration::from_millis(100), 0);
        assert!(meter.speed() > 0.0);
    }
}
