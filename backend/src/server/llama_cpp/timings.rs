//! `timings` and `prompt_progress`: what an answer cost, as llama.cpp tells it.

use std::time::Instant;

use hearth_protocol::completion::CompletionEvent;
use hearth_protocol::generate::TurnStats;
use serde::Serialize;

use crate::server::metrics::times;

/// What an answer cost (`result_timings` in `tools/server/server-task.h`). Times in milliseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub(in crate::server) struct Timings {
    /// Tokens of the prompt that stood in the cache.
    pub(in crate::server) cache_n: u32,
    /// Tokens of the prompt that were read.
    pub(in crate::server) prompt_n: u32,
    pub(in crate::server) prompt_ms: f64,
    pub(in crate::server) prompt_per_token_ms: f64,
    pub(in crate::server) prompt_per_second: f64,
    /// Tokens that were written.
    pub(in crate::server) predicted_n: u32,
    pub(in crate::server) predicted_ms: f64,
    pub(in crate::server) predicted_per_token_ms: f64,
    pub(in crate::server) predicted_per_second: f64,
    /// Tokens that were guessed ahead, and of these the ones that were right.
    #[serde(skip_serializing_if = "is_none")]
    pub(in crate::server) draft_n: u32,
    #[serde(skip_serializing_if = "is_none")]
    pub(in crate::server) draft_n_accepted: u32,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives references")]
fn is_none(count: &u32) -> bool {
    *count == 0
}

/// How much of a prompt is read (`prompt_progress`).
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(in crate::server) struct Progress {
    pub(in crate::server) total: u32,
    pub(in crate::server) cache: u32,
    pub(in crate::server) processed: u32,
    pub(in crate::server) time_ms: f64,
}

/// What a whole answer cost.
pub(in crate::server) fn of(stats: &TurnStats) -> Timings {
    let (prompt, generation) = times(stats);
    let read = stats.prompt_tokens.saturating_sub(stats.cached_tokens);
    let (draft_n, draft_n_accepted) = stats.guessed_tokens;
    Timings {
        cache_n: stats.cached_tokens,
        draft_n,
        draft_n_accepted,
        ..measured(read, prompt, stats.generated_tokens, generation)
    }
}

/// The first token comes with the end of the prompt, so that the time of writing is that of all others.
fn measured(prompt_n: u32, prompt: f64, predicted_n: u32, generation: f64) -> Timings {
    let steps = predicted_n.saturating_sub(1);
    let per_token = |tokens: u32, seconds: f64| {
        if tokens == 0 {
            0.0
        } else {
            seconds * 1e3 / f64::from(tokens)
        }
    };
    let per_second = |tokens: u32, seconds: f64| {
        if seconds > 0.0 {
            f64::from(tokens) / seconds
        } else {
            0.0
        }
    };
    Timings {
        prompt_n,
        prompt_ms: prompt * 1e3,
        prompt_per_token_ms: per_token(prompt_n, prompt),
        prompt_per_second: per_second(prompt_n, prompt),
        predicted_n,
        predicted_ms: generation * 1e3,
        predicted_per_token_ms: per_token(steps, generation),
        predicted_per_second: per_second(steps, generation),
        ..Timings::default()
    }
}

/// Measures an answer while it is on its way. Its tokens are counted by the pieces that come, so that the numbers are
/// near the truth; those at the end are exact.
#[derive(Debug)]
pub(in crate::server) struct Clock {
    began: Instant,
    /// Tokens of the prompt: in the cache, and read or in the cache.
    prompt: (u32, u32),
    /// When the first and the last news of the prompt came.
    reading: Option<(Instant, Instant)>,
    first: Option<Instant>,
    last: Option<Instant>,
    pieces: u32,
}

impl Default for Clock {
    fn default() -> Self {
        Self {
            began: Instant::now(),
            prompt: (0, 0),
            reading: None,
            first: None,
            last: None,
            pieces: 0,
        }
    }
}

impl Clock {
    /// Something happened.
    pub(in crate::server) fn hear(&mut self, event: &CompletionEvent) {
        match event {
            CompletionEvent::PromptProgress {
                processed, cached, ..
            } => {
                let now = Instant::now();
                self.prompt = (*cached, *processed);
                let (first, _) = self.reading.unwrap_or((now, now));
                self.reading = Some((first, now));
            }
            CompletionEvent::Piece(_) => {
                let now = Instant::now();
                self.first.get_or_insert(now);
                self.last = Some(now);
                self.pieces += 1;
            }
            _ => (),
        }
    }

    /// What the answer has cost so far; `None` before anything has come.
    pub(in crate::server) fn so_far(&self) -> Option<Timings> {
        let (cached, processed) = self.prompt;
        let read = processed.saturating_sub(cached);
        let timings = match (self.first, self.last, self.reading) {
            (Some(first), Some(last), _) => {
                let prompt = (first - self.began).as_secs_f64();
                measured(read, prompt, self.pieces, (last - first).as_secs_f64())
            }
            (_, _, Some((first, last))) => measured(read, (last - first).as_secs_f64(), 0, 0.0),
            _ => return None,
        };
        Some(Timings {
            cache_n: cached,
            ..timings
        })
    }

    /// How much of the prompt is read.
    pub(in crate::server) fn progress(&self, processed: u32, cached: u32, total: u32) -> Progress {
        Progress {
            total,
            cache: cached,
            processed,
            time_ms: self.began.elapsed().as_secs_f64() * 1e3,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_costs_what_its_statistics_say() {
        let stats = TurnStats {
            prompt_tokens: 12,
            cached_tokens: 2,
            generated_tokens: 5,
            prompt_tokens_per_second: 100.0,
            generated_tokens_per_second: 10.0,
            ..TurnStats::default()
        };
        let timings = of(&stats);
        assert_eq!(
            (timings.cache_n, timings.prompt_n, timings.predicted_n),
            (2, 10, 5)
        );
        assert!((timings.prompt_ms - 100.0).abs() < 1e-6 && (timings.predicted_ms - 400.0).abs() < 1e-6);
        assert!((timings.predicted_per_second - 10.0).abs() < 1e-6);
        // Nothing is divided by nothing.
        let json = serde_json::to_string(&of(&TurnStats::default())).expect("serialise");
        assert!(!json.contains("null"), "{json}");
    }
}
