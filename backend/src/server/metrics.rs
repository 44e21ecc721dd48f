//! What the server has done since Hearth began, counted.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use hearth_protocol::generate::TurnStats;

/// Counters. They only grow, but for the gauges of requests in flight and of answers that wait.
#[derive(Debug)]
pub(super) struct Metrics {
    began_at: SystemTime,
    in_flight: AtomicU32,
    waiting: AtomicU32,
    requests: AtomicU64,
    answers: AtomicU64,
    cancelled: AtomicU64,
    prompt_tokens: AtomicU64,
    cached_tokens: AtomicU64,
    generated_tokens: AtomicU64,
    /// Guessed ahead, and of these the right ones.
    guessed_tokens: (AtomicU64, AtomicU64),
    most_tokens: AtomicU32,
    /// In microseconds, since counters are whole numbers.
    prompt_time: AtomicU64,
    generation_time: AtomicU64,
}

/// The counters at one moment.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Counted {
    /// Requests that are being answered.
    pub(super) in_flight: u32,
    /// Answers that wait for their model.
    pub(super) waiting: u32,
    /// Requests that came, refused ones too.
    pub(super) requests: u64,
    /// Answers of models that ended well.
    pub(super) answers: u64,
    /// Answers that a model had begun and that ended before they were done, as where their client left.
    pub(super) cancelled: u64,
    /// Tokens of their prompts that were read, cached ones not counted, and of texts that became vectors.
    pub(super) prompt_tokens: u64,
    /// Tokens of their prompts that stood in the KV cache already.
    pub(super) cached_tokens: u64,
    /// Tokens they were made of.
    pub(super) generated_tokens: u64,
    /// Tokens that were guessed ahead, and of these the ones that were right.
    pub(super) guessed_tokens: (u64, u64),
    /// Most tokens that stood in a context after an answer.
    pub(super) most_tokens: u32,
    /// Time spent reading prompts.
    pub(super) prompt_seconds: f64,
    /// Time spent writing.
    pub(super) generation_seconds: f64,
}

/// What an answer has cost that broke off, in tokens, as far as its model has told.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Cost {
    /// Of the prompt, read and found in the KV cache.
    pub(super) read: u32,
    pub(super) cached: u32,
    /// Written.
    pub(super) generated: u32,
}

impl Default for Metrics {
    fn default() -> Self {
        Self {
            began_at: SystemTime::now(),
            in_flight: AtomicU32::default(),
            waiting: AtomicU32::default(),
            requests: AtomicU64::default(),
            answers: AtomicU64::default(),
            cancelled: AtomicU64::default(),
            prompt_tokens: AtomicU64::default(),
            cached_tokens: AtomicU64::default(),
            generated_tokens: AtomicU64::default(),
            guessed_tokens: <(AtomicU64, AtomicU64)>::default(),
            most_tokens: AtomicU32::default(),
            prompt_time: AtomicU64::default(),
            generation_time: AtomicU64::default(),
        }
    }
}

impl Metrics {
    /// Since when is counted.
    pub(super) fn began_at(&self) -> SystemTime {
        self.began_at
    }

    /// A request has come.
    pub(super) fn began(&self) {
        self.requests.fetch_add(1, Ordering::Relaxed);
        self.in_flight.fetch_add(1, Ordering::AcqRel);
    }

    /// A request is done with.
    pub(super) fn ended(&self) {
        self.in_flight.fetch_sub(1, Ordering::AcqRel);
    }

    /// So many answers wait for their model.
    pub(super) fn waits(&self, answers: u32) {
        self.waiting.fetch_add(answers, Ordering::AcqRel);
    }

    /// So many of them wait no longer.
    pub(super) fn waits_no_more(&self, answers: u32) {
        self.waiting.fetch_sub(answers, Ordering::AcqRel);
    }

    /// So many tokens of texts became vectors in this time, waiting for the model's other work included.
    pub(super) fn embedded(&self, tokens: u64, time: Duration) {
        self.prompt_tokens.fetch_add(tokens, Ordering::Relaxed);
        let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        self.prompt_time.fetch_add(micros, Ordering::Relaxed);
    }

    /// An answer has ended well.
    pub(super) fn answered(&self, stats: &TurnStats) {
        let read = stats.prompt_tokens.saturating_sub(stats.cached_tokens);
        let (prompt, generation) = times(stats);
        let add = |counter: &AtomicU64, value: u64| counter.fetch_add(value, Ordering::Relaxed);
        add(&self.answers, 1);
        add(&self.prompt_tokens, u64::from(read));
        add(&self.cached_tokens, u64::from(stats.cached_tokens));
        add(&self.generated_tokens, u64::from(stats.generated_tokens));
        let (guessed, right) = stats.guessed_tokens;
        add(&self.guessed_tokens.0, u64::from(guessed));
        add(&self.guessed_tokens.1, u64::from(right));
        self.most_tokens.fetch_max(stats.context_used, Ordering::Relaxed);
        add(&self.prompt_time, (prompt * 1e6) as u64);
        add(&self.generation_time, (generation * 1e6) as u64);
    }

    /// An answer has ended before it was done, and has cost this.
    pub(super) fn broke_off(&self, cost: Cost) {
        let add = |counter: &AtomicU64, value: u32| counter.fetch_add(u64::from(value), Ordering::Relaxed);
        add(&self.cancelled, 1);
        add(&self.prompt_tokens, cost.read);
        add(&self.cached_tokens, cost.cached);
        add(&self.generated_tokens, cost.generated);
    }

    /// The counters now.
    pub(super) fn counted(&self) -> Counted {
        let of = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Counted {
            in_flight: self.in_flight.load(Ordering::Acquire),
            waiting: self.waiting.load(Ordering::Acquire),
            requests: of(&self.requests),
            answers: of(&self.answers),
            cancelled: of(&self.cancelled),
            prompt_tokens: of(&self.prompt_tokens),
            cached_tokens: of(&self.cached_tokens),
            generated_tokens: of(&self.generated_tokens),
            guessed_tokens: (of(&self.guessed_tokens.0), of(&self.guessed_tokens.1)),
            most_tokens: self.most_tokens.load(Ordering::Relaxed),
            prompt_seconds: of(&self.prompt_time) as f64 / 1e6,
            generation_seconds: of(&self.generation_time) as f64 / 1e6,
        }
    }
}

/// Seconds an answer spent reading its prompt and writing, from its speeds.
pub(super) fn times(stats: &TurnStats) -> (f64, f64) {
    let time = |tokens: u32, speed: f64| {
        if speed > 0.0 {
            f64::from(tokens) / speed
        } else {
            0.0
        }
    };
    (
        time(
            stats.prompt_tokens.saturating_sub(stats.cached_tokens),
            stats.prompt_tokens_per_second,
        ),
        time(
            stats.generated_tokens.saturating_sub(1),
            stats.generated_tokens_per_second,
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_add_up() {
        let metrics = Metrics::default();
        metrics.began();
        metrics.began();
        metrics.ended();
        let stats = TurnStats {
            prompt_tokens: 30,
            cached_tokens: 10,
            generated_tokens: 5,
            guessed_tokens: (4, 3),
            context_used: 35,
            prompt_tokens_per_second: 10.0,
            generated_tokens_per_second: 2.0,
            ..TurnStats::default()
        };
        metrics.answered(&stats);
        metrics.answered(&stats);
        metrics.embedded(7, Duration::from_millis(500));
        metrics.broke_off(Cost {
            read: 4,
            cached: 3,
            generated: 2,
        });
        metrics.waits(3);
        metrics.waits_no_more(1);
        let counted = Counted {
            in_flight: 1,
            waiting: 2,
            requests: 2,
            answers: 2,
            cancelled: 1,
            prompt_tokens: 51,
            cached_tokens: 23,
            generated_tokens: 12,
            guessed_tokens: (8, 6),
            most_tokens: 35,
            prompt_seconds: 4.5,
            generation_seconds: 4.0,
        };
        assert_eq!(metrics.counted(), counted);
        // An answer of one token has no speed.
        assert_eq!(times(&TurnStats::default()), (0.0, 0.0));
    }
}
