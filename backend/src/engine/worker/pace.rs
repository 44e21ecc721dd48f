//! How long a step takes by the number of its tokens, as measured while answers are written.
//!
//! It decides whether tokens are worth guessing. Where a step waits for the memory, a few tokens more cost next to
//! nothing; where it waits for the processor, each costs nearly as much as one that is certain.

use std::time::Duration;

/// How much a measurement counts beside the one after it.
const DECAY: f64 = 0.98;

/// Spread of the lengths, as a share of their squares, below which no line is drawn through them.
const LEAST_SPREAD: f64 = 1e-3;

/// A line through what was measured, by least squares: steps take `a + b · tokens`.
#[derive(Debug, Default)]
pub(super) struct Pace {
    weight: f64,
    tokens: f64,
    seconds: f64,
    tokens_squared: f64,
    tokens_seconds: f64,
}

impl Pace {
    /// Notes a step of so many tokens in which every answer was being written.
    pub(super) fn note(&mut self, tokens: usize, took: Duration) {
        let (tokens, seconds) = (tokens as f64, took.as_secs_f64());
        for (sum, value) in [
            (&mut self.weight, 1.0),
            (&mut self.tokens, tokens),
            (&mut self.seconds, seconds),
            (&mut self.tokens_squared, tokens * tokens),
            (&mut self.tokens_seconds, tokens * seconds),
        ] {
            *sum = *sum * DECAY + value;
        }
    }

    /// What one token more costs in a step of so many, as a share of what the step gives each of them: 0 where it is free,
    /// 1 where it costs as much as any. 0 too while nothing is known.
    pub(super) fn price(&self, tokens: usize) -> f64 {
        let spread = self.weight * self.tokens_squared - self.tokens * self.tokens;
        // Steps that are nearly all of the same length tell nothing of others; so a bad moment is forgotten too.
        if spread <= LEAST_SPREAD * self.weight * self.tokens_squared {
            return 0.0;
        }
        let slope = (self.weight * self.tokens_seconds - self.tokens * self.seconds) / spread;
        let start = (self.seconds - slope * self.tokens) / self.weight;
        let step = start + slope * tokens as f64;
        if slope <= 0.0 || step <= 0.0 {
            return 0.0;
        }
        (slope * tokens as f64 / step).min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn milliseconds(count: f64) -> Duration {
        Duration::from_secs_f64(count / 1000.0)
    }

    #[test]
    fn the_price_of_a_token_is_that_of_the_line_through_the_measured_steps() {
        let mut pace = Pace::default();
        assert_eq!(pace.price(1), 0.0, "nothing is known");
        for _ in 0..5 {
            pace.note(1, milliseconds(6.0));
        }
        assert_eq!(pace.price(1), 0.0, "nothing is known of longer steps");
        for tokens in [3, 5, 9] {
            pace.note(tokens, milliseconds(2.0 + 4.0 * tokens as f64));
        }
        assert!((pace.price(1) - 4.0 / 6.0).abs() < 1e-6, "{}", pace.price(1));
        assert!((pace.price(8) - 32.0 / 34.0).abs() < 1e-6, "{}", pace.price(8));
    }

    #[test]
    fn a_machine_that_waits_for_its_memory_gives_tokens_away() {
        let mut pace = Pace::default();
        for tokens in [1, 4, 8, 1, 8] {
            pace.note(tokens, milliseconds(20.0));
        }
        assert!(pace.price(1) < 1e-6);
    }

    #[test]
    fn steps_of_one_length_tell_nothing_and_a_bad_moment_is_forgotten() {
        for tokens in 1..20 {
            let mut pace = Pace::default();
            for step in 0..500 {
                pace.note(tokens, milliseconds(6.0 + f64::from(step % 7) / 10.0));
                assert_eq!(pace.price(tokens), 0.0, "{tokens} tokens, step {step}");
            }
        }
        let mut pace = Pace::default();
        for _ in 0..20 {
            pace.note(1, milliseconds(6.0));
        }
        pace.note(3, milliseconds(40.0));
        assert!(pace.price(1) > 0.9);
        let forgotten = (0..).position(|_| {
            pace.note(1, milliseconds(6.0));
            pace.price(1) == 0.0
        });
        assert!(forgotten.is_some_and(|steps| steps < 300), "{forgotten:?}");
    }

    #[test]
    fn what_was_measured_last_counts_most() {
        let mut pace = Pace::default();
        for (steps, slope) in [(50, 0.0), (500, 5.0)] {
            for step in 0..steps {
                let tokens = 1 + step % 4;
                pace.note(tokens, milliseconds(5.0 + slope * tokens as f64));
            }
        }
        assert!((pace.price(1) - 0.5).abs() < 0.01, "{}", pace.price(1));
    }
}
