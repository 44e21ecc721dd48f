//! The last lines of a worker's log, kept for errors and passed to tracing.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};

/// How many lines are kept.
const KEPT_LINES: usize = 40;

/// Longest line kept, in characters; llama.cpp prints whole vocabularies on one line.
const KEPT_CHARACTERS: usize = 400;

/// The last lines. Clones share them.
#[derive(Debug, Clone, Default)]
pub(super) struct Log(Arc<Mutex<VecDeque<String>>>);

impl Log {
    /// Reads lines until the source ends.
    pub(super) async fn keep(self, source: impl AsyncRead + Unpin, process: u32) {
        let mut source = BufReader::new(source);
        let mut bytes = Vec::new();
        loop {
            bytes.clear();
            match source.read_until(b'\n', &mut bytes).await {
                Ok(0) => return,
                Ok(_) => self.push(&String::from_utf8_lossy(&bytes), process),
                Err(error) => return tracing::debug!(process, %error, "the worker's log cannot be read"),
            }
        }
    }

    /// The lines, oldest first.
    pub(super) fn lines(&self) -> Vec<String> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .iter()
            .cloned()
            .collect()
    }

    fn push(&self, line: &str, process: u32) {
        let line = line.trim_end();
        if line.is_empty() {
            return;
        }
        tracing::debug!(process, "{line}");
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if lines.len() == KEPT_LINES {
            lines.pop_front();
        }
        lines.push_back(line.chars().take(KEPT_CHARACTERS).collect());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_last_lines_stay_and_are_not_blank() {
        let log = Log::default();
        let text: String = (0..KEPT_LINES + 5)
            .map(|number| format!("line {number}\n\n"))
            .collect();
        log.clone().keep(text.as_bytes(), 1).await;
        let lines = log.lines();
        assert_eq!(lines.len(), KEPT_LINES);
        assert_eq!(lines.first().map(String::as_str), Some("line 5"));
        assert_eq!(lines.last().map(String::as_str), Some("line 44"));
    }

    #[tokio::test]
    async fn bytes_that_are_no_text_and_a_last_line_without_break_are_kept() {
        let log = Log::default();
        log.clone().keep(&b"a\xffb\nend"[..], 1).await;
        assert_eq!(log.lines(), ["a\u{fffd}b", "end"]);
    }
}
