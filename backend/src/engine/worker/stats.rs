//! The clock of one answer. Pure: the moments are passed in.

use std::time::{Duration, Instant};

use hearth_protocol::generate::TurnStats;

/// Counts and moments of one answer.
#[derive(Debug, Clone)]
pub(super) struct Meter {
    asked_at: Instant,
    prompt_tokens: u32,
    cached_tokens: u32,
    reading_from: Option<Instant>,
    read_tokens: u32,
    reading: Duration,
    generated_tokens: u32,
    first_token_at: Option<Instant>,
    last_token_at: Option<Instant>,
}

impl Meter {
    /// The request came at this moment.
    pub(super) fn new(asked_at: Instant) -> Self {
        Self {
            asked_at,
            prompt_tokens: 0,
            cached_tokens: 0,
            reading_from: None,
            read_tokens: 0,
            reading: Duration::ZERO,
            generated_tokens: 0,
            first_token_at: None,
            last_token_at: None,
        }
    }

    /// Reading begins: the prompt is known, and how much of it need not be read.
    pub(super) fn begin(&mut self, prompt_tokens: u32, cached_tokens: u32, now: Instant) {
        self.prompt_tokens = prompt_tokens;
        self.cached_tokens = cached_tokens;
        self.reading_from = Some(now);
    }

    /// This many tokens of the prompt are known by now, the cached ones included.
    pub(super) fn read(&mut self, tokens: u32, now: Instant) {
        self.read_tokens = tokens.saturating_sub(self.cached_tokens);
        self.reading = self
            .reading_from
            .map_or(Duration::ZERO, |from| now.saturating_duration_since(from));
    }

    /// A token was generated.
    pub(super) fn generated(&mut self, now: Instant) {
        self.generated_tokens += 1;
        self.first_token_at.get_or_insert(now);
        self.last_token_at = Some(now);
    }

    /// Tokens generated so far.
    pub(super) fn generated_tokens(&self) -> u32 {
        self.generated_tokens
    }

    /// Tokens of the prompt that were known when it began.
    pub(super) fn cached_tokens(&self) -> u32 {
        self.cached_tokens
    }

    /// What it cost until now.
    pub(super) fn stats(&self, now: Instant, context_used: u32, context_length: u32) -> TurnStats {
        let generating = match (self.first_token_at, self.last_token_at) {
            (Some(first), Some(last)) => last.saturating_duration_since(first),
            _ => Duration::ZERO,
        };
        let first_token = self
            .first_token_at
            .map(|at| at.saturating_duration_since(self.asked_at));
        TurnStats {
            prompt_tokens: self.prompt_tokens,
            cached_tokens: self.cached_tokens,
            generated_tokens: self.generated_tokens,
            time_to_first_token_ms: milliseconds(first_token.unwrap_or_default()),
            prompt_tokens_per_second: speed(self.read_tokens, self.reading),
            // The first token came with the end of the prompt: what was generated since is the others.
            generated_tokens_per_second: speed(self.generated_tokens.saturating_sub(1), generating),
            context_used,
            context_length,
            wall_time_ms: milliseconds(now.saturating_duration_since(self.asked_at)),
            ..TurnStats::default()
        }
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// Tokens per second; 0 where nothing was done or no time passed.
fn speed(tokens: u32, time: Duration) -> f64 {
    if time.is_zero() {
        0.0
    } else {
        f64::from(tokens) / time.as_secs_f64()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speeds_and_times_follow_from_the_moments() {
        let asked_at = Instant::now();
        let after = |milliseconds| asked_at + Duration::from_millis(milliseconds);
        let mut meter = Meter::new(asked_at);
        meter.begin(300, 100, after(50));
        meter.read(300, after(550));
        for moment in [600, 700, 800] {
            meter.generated(after(moment));
        }
        let expected = TurnStats {
            prompt_tokens: 300,
            cached_tokens: 100,
            generated_tokens: 3,
            time_to_first_token_ms: 600.0,
            prompt_tokens_per_second: 400.0,
            generated_tokens_per_second: 10.0,
            context_used: 303,
            context_length: 512,
            wall_time_ms: 900.0,
            ..TurnStats::default()
        };
        assert_eq!(meter.stats(after(900), 303, 512), expected);
    }

    #[test]
    fn an_answer_that_never_began_costs_only_its_time() {
        let asked_at = Instant::now();
        let stats = Meter::new(asked_at).stats(asked_at + Duration::from_millis(5), 0, 64);
        let expected = TurnStats {
            context_length: 64,
            wall_time_ms: 5.0,
            ..TurnStats::default()
        };
        assert_eq!(stats, expected);
    }
}
