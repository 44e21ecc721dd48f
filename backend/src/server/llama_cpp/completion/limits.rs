//! Limits that end a whole answer before the model does: a time, and an indentation of its lines. Editors ask for them.

use std::time::{Duration, Instant};

use hearth_protocol::completion::CompletionEvent;
use hearth_protocol::generate::{StopReason, TurnStats};
use hearth_protocol::llama_cpp::completion::CompletionOptions;

use super::whole::Asked;
use crate::server::refusal::Refusal;
use crate::server::run::{Run, Whole};

/// What ends an answer early.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Limits {
    /// How long tokens may come, once there is a line break.
    longest: Option<Duration>,
    /// Blanks with which each new line must begin.
    indent: usize,
}

impl Limits {
    /// Those of a request, if it has any.
    pub(super) fn of(options: &CompletionOptions) -> Option<Self> {
        let longest = options
            .t_max_predict_ms
            .and_then(|limit| u64::try_from(limit).ok());
        let limits = Self {
            longest: longest.filter(|limit| *limit > 0).map(Duration::from_millis),
            indent: options.n_indent.unwrap_or(0) as usize,
        };
        (limits != Self::default()).then_some(limits)
    }
}

/// Waits for the whole answers, each of which ends where its limits say and is computed no further then.
///
/// # Errors
/// What broke one of them off.
pub(super) async fn collect(mut run: Run, asked: &Asked) -> Result<Vec<Whole>, Refusal> {
    let Some(limits) = asked.limits else {
        return run.collect().await;
    };
    let mut answers: Vec<_> = (0..run.choices()).map(|_| Limited::default()).collect();
    while let Some((choice, event)) = run.next().await {
        if let CompletionEvent::Failed(error) = event {
            return Err(error.into());
        }
        if let Some(answer) = answers.get_mut(choice as usize) {
            let ended = answer.is_cut;
            answer.take(event, limits, Instant::now());
            if answer.is_cut && !ended {
                run.end(choice, &answer.whole.stats);
            }
        }
    }
    Ok(answers.into_iter().map(|answer| answer.whole).collect())
}

/// An answer in the making, with what its statistics would be if it ended now.
#[derive(Debug, Default)]
struct Limited {
    whole: Whole,
    is_cut: bool,
    /// Where the newest line begins, once there are two.
    line: Option<usize>,
    /// Tokens of the prompt: cached ones, and all.
    prompt: (u32, u32),
    /// When something came first, when the first token did, and when the last one did.
    began: Option<Instant>,
    first: Option<Instant>,
    last: Option<Instant>,
}

impl Limited {
    /// Takes what comes next; nothing more once it is cut.
    fn take(&mut self, event: CompletionEvent, limits: Limits, now: Instant) {
        if self.is_cut {
            return;
        }
        self.began.get_or_insert(now);
        match &event {
            CompletionEvent::PromptProgress { cached, total, .. } => self.prompt = (*cached, *total),
            CompletionEvent::Logprobs(_) => {
                self.first.get_or_insert(now);
                self.last = Some(now);
            }
            _ => (),
        }
        let is_text = matches!(event, CompletionEvent::Piece(_));
        self.whole.take(event);
        if is_text {
            let is_late = limits
                .longest
                .zip(self.first)
                .is_some_and(|(longest, first)| now - first > longest);
            let cut = self.cut(limits.indent);
            if let Some(cut) = cut {
                self.whole.text.truncate(cut);
            }
            if cut.is_some() || (is_late && self.whole.text.contains('\n')) {
                self.is_cut = true;
                self.whole.stop = Some(StopReason::TokenLimit);
                self.whole.stats = self.stats();
            }
        }
    }

    /// Where the text must end since a new line begins with too few blanks: behind these.
    fn cut(&mut self, indent: usize) -> Option<usize> {
        let text = &self.whole.text;
        loop {
            if let Some(line) = self.line {
                let begun = &text[line..];
                let rest = begun.trim_start_matches([' ', '\t']);
                let blanks = begun.len() - rest.len();
                if blanks < indent && !rest.is_empty() {
                    return Some(line + blanks);
                }
            }
            let from = self.line.unwrap_or(0);
            let next = text[from..].find('\n')?;
            self.line = Some(from + next + 1);
        }
    }

    fn stats(&self) -> TurnStats {
        let (cached_tokens, prompt_tokens) = self.prompt;
        let generated_tokens = u32::try_from(self.whole.logprobs.len()).unwrap_or(u32::MAX);
        let seconds = |from: Option<Instant>, to: Option<Instant>| match (from, to) {
            (Some(from), Some(to)) => (to - from).as_secs_f64(),
            _ => 0.0,
        };
        let per_second = |tokens: u32, seconds: f64| {
            if seconds > 0.0 {
                f64::from(tokens) / seconds
            } else {
                0.0
            }
        };
        let (reading, writing) = (seconds(self.began, self.first), seconds(self.first, self.last));
        TurnStats {
            prompt_tokens,
            cached_tokens,
            generated_tokens,
            time_to_first_token_ms: reading * 1e3,
            prompt_tokens_per_second: per_second(prompt_tokens.saturating_sub(cached_tokens), reading),
            generated_tokens_per_second: per_second(generated_tokens.saturating_sub(1), writing),
            context_used: prompt_tokens.saturating_add(generated_tokens),
            wall_time_ms: (reading + writing) * 1e3,
            ..TurnStats::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server::told;

    /// An answer of these pieces, a token and a second each.
    fn answer(limits: Limits, pieces: &[&str]) -> Limited {
        let began = Instant::now();
        let mut answer = Limited::default();
        let progress = CompletionEvent::PromptProgress {
            processed: 8,
            cached: 4,
            total: 8,
        };
        answer.take(progress, limits, began);
        for (place, text) in (1..).zip(pieces) {
            let now = began + Duration::from_secs(place);
            answer.take(told::token(1, text.as_bytes(), -1.0), limits, now);
            answer.take(told::text(text), limits, now);
        }
        answer
    }

    #[test]
    fn a_line_with_too_few_blanks_ends_the_answer() {
        let indented = |pieces: &[&str]| {
            let limits = Limits {
                longest: None,
                indent: 4,
            };
            let answer = answer(limits, pieces);
            (answer.whole.text, answer.is_cut)
        };
        let cases: [(&[&str], &str, bool); 6] = [
            (&["x = 1"], "x = 1", false),
            (&["a\n", "    b\n", "\t\t\t\tc"], "a\n    b\n\t\t\t\tc", false),
            (&["a\n", "  ", "  b"], "a\n    b", false),
            (&["a\n", "  ", "b\n    c"], "a\n  ", true),
            (&["a\n    b\n}\n", "more"], "a\n    b\n", true),
            (&["a\n", "\n", "    b"], "a\n", true),
        ];
        for (pieces, text, is_cut) in cases {
            assert_eq!(indented(pieces), (text.to_owned(), is_cut), "{pieces:?}");
        }
    }

    /// What such an answer had cost was told as nothing at all.
    #[test]
    fn a_time_ends_the_answer_at_a_line_and_it_is_counted() {
        let limits = Limits {
            longest: Some(Duration::from_millis(1500)),
            indent: 0,
        };
        assert!(!answer(limits, &["a", "b", "c"]).is_cut, "no line has ended");
        assert!(!answer(limits, &["a\n", "b"]).is_cut, "there is time");
        let answer = answer(limits, &["a\n", "b", "c", "d"]);
        assert_eq!((answer.whole.text.as_str(), answer.is_cut), ("a\nbc", true));
        assert_eq!(answer.whole.stop, Some(StopReason::TokenLimit));
        let stats = answer.whole.stats;
        assert_eq!(
            (
                stats.prompt_tokens,
                stats.cached_tokens,
                stats.generated_tokens,
                stats.context_used
            ),
            (8, 4, 3, 11)
        );
        assert!((stats.prompt_tokens_per_second - 4.0).abs() < 1e-6);
        assert!((stats.generated_tokens_per_second - 1.0).abs() < 1e-6);
    }

    #[test]
    fn what_is_off_is_no_limit() {
        let of = |json: serde_json::Value| Limits::of(&serde_json::from_value(json).expect("fields"));
        assert_eq!(
            of(serde_json::json!({"t_max_predict_ms": -1, "n_indent": 0})),
            None
        );
        assert_eq!(of(serde_json::json!({})), None);
        assert!(of(serde_json::json!({"n_indent": 1})).is_some());
    }
}
