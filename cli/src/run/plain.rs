//! Answers as text: the answer to standard output, all else to standard error.

use std::io::{self, IsTerminal, Write};

use hearth_protocol::chat::{ChatEvent, Message};
use hearth_protocol::engine::LoadEvent;

use super::turn::View;
use crate::text::{grouped, printable};

/// Prompts below this many tokens are read before a person would look for progress.
const TOKENS_WORTH_PROGRESS: u32 = 256;

const GREY: &str = "\u{1b}[90m";
const PLAIN: &str = "\u{1b}[0m";
const CLEAR_LINE: &str = "\r\u{1b}[K";

/// Writes answers as they come.
pub(crate) struct PlainText {
    /// Whether the answer is read on a screen; a file or a pipe gets it byte by byte.
    on_screen: bool,
    /// Whether progress can be shown and taken away again.
    shows_progress: bool,
    /// Whether the stats line is wanted.
    stats: bool,
    /// What is being loaded.
    loading: String,
    /// Whether a line of progress stands there.
    progress: bool,
    /// Whether the answer stands at the start of a line.
    line_start: bool,
}

impl PlainText {
    /// A view that prints the stats line on a terminal, or wherever it is if `stats` is set.
    pub(crate) fn new(stats: bool) -> Self {
        let shows_progress = io::stderr().is_terminal();
        Self {
            on_screen: io::stdout().is_terminal(),
            shows_progress,
            stats: stats || shows_progress,
            loading: "the model".to_owned(),
            progress: false,
            line_start: true,
        }
    }

    fn show_progress(&mut self, text: &str) -> io::Result<()> {
        if self.shows_progress {
            self.progress = true;
            write!(io::stderr().lock(), "{CLEAR_LINE}{}", grey(text, true))?;
        }
        Ok(())
    }

    fn show_loading(&mut self, share: f32) -> io::Result<()> {
        let text = format!("Loading {} {:.0} %", self.loading, share * 100.0);
        self.show_progress(&text)
    }

    fn clear_progress(&mut self) -> io::Result<()> {
        if std::mem::take(&mut self.progress) {
            write!(io::stderr().lock(), "{CLEAR_LINE}")?;
        }
        Ok(())
    }

    fn write_answer(&mut self, text: &str) -> io::Result<()> {
        self.clear_progress()?;
        if text.is_empty() {
            return Ok(());
        }
        self.line_start = text.ends_with('\n');
        let mut output = io::stdout().lock();
        if self.on_screen {
            output.write_all(printable(text).as_bytes())?;
        } else {
            output.write_all(text.as_bytes())?;
        }
        output.flush()
    }

    /// Ends the answer's last line.
    fn end_line(&mut self) -> io::Result<()> {
        self.clear_progress()?;
        if !std::mem::replace(&mut self.line_start, true) {
            writeln!(io::stdout().lock())?;
        }
        Ok(())
    }
}

impl View for PlainText {
    fn load(&mut self, event: &LoadEvent) -> io::Result<()> {
        match event {
            LoadEvent::Started { name, .. } => {
                self.loading.clone_from(name);
                self.show_loading(0.0)
            }
            LoadEvent::Progress(share) => self.show_loading(*share),
            LoadEvent::Loaded(model) => {
                self.clear_progress()?;
                let mut error = io::stderr().lock();
                model
                    .notices
                    .iter()
                    .try_for_each(|notice| writeln!(error, "{notice}"))
            }
            LoadEvent::Failed(_) => self.clear_progress(),
        }
    }

    fn turn(&mut self, event: &ChatEvent) -> io::Result<()> {
        match event {
            ChatEvent::Loading(share) => self.show_loading(*share),
            ChatEvent::PromptProgress { processed, total } if *total >= TOKENS_WORTH_PROGRESS => {
                let text = format!(
                    "Reading the prompt: {} of {} tokens",
                    grouped(*processed),
                    grouped(*total)
                );
                self.show_progress(&text)
            }
            ChatEvent::Delta(text) => self.write_answer(text),
            ChatEvent::NotStored(error) => {
                self.clear_progress()?;
                // The answer goes on behind it; what is read from a pipe is left as it is.
                let before = if self.on_screen && !self.line_start {
                    "\n"
                } else {
                    ""
                };
                writeln!(io::stderr().lock(), "{before}{error}")
            }
            ChatEvent::Finished(answer) => {
                self.end_line()?;
                match stats_line(answer) {
                    Some(line) if self.stats => {
                        writeln!(io::stderr().lock(), "{}", grey(&line, self.shows_progress))
                    }
                    _ => Ok(()),
                }
            }
            ChatEvent::Failed { .. } => self.end_line(),
            ChatEvent::Started { .. }
            | ChatEvent::PromptProgress { .. }
            | ChatEvent::ReasoningDelta(_)
            | ChatEvent::ToolCall(_)
            | ChatEvent::Logprobs(_) => Ok(()),
        }
    }
}

fn grey(text: &str, on_screen: bool) -> String {
    if on_screen {
        format!("{GREY}{text}{PLAIN}")
    } else {
        text.to_owned()
    }
}

/// `61.3 tok/s · 128 tokens · TTFT 0.21 s · stop: end of text`.
fn stats_line(answer: &Message) -> Option<String> {
    let stats = answer.stats?;
    let mut line = format!(
        "{:.1} tok/s · {} tokens · TTFT {:.2} s",
        stats.generated_tokens_per_second,
        grouped(stats.generated_tokens),
        stats.time_to_first_token_ms / 1000.0,
    );
    if let Some(stop) = &answer.stop {
        line.push_str(&format!(" · stop: {stop}"));
    }
    Some(line)
}

#[cfg(test)]
mod tests {
    use hearth_protocol::chat::Role;
    use hearth_protocol::generate::{StopReason, TurnStats};
    use hearth_protocol::{MessageId, UnixMillis};

    use super::*;

    #[test]
    fn the_stats_line_reads_as_in_the_window() {
        let mut answer = Message {
            id: MessageId(1),
            parent: None,
            role: Role::Assistant,
            text: String::new(),
            reasoning: None,
            tool_calls: Vec::new(),
            attachments: Vec::new(),
            model: None,
            created_at: UnixMillis(0),
            stop: Some(StopReason::EndOfText),
            stats: None,
            version: (0, 1),
        };
        assert_eq!(stats_line(&answer), None);
        answer.stats = Some(TurnStats {
            generated_tokens: 128,
            time_to_first_token_ms: 214.0,
            generated_tokens_per_second: 61.34,
            ..TurnStats::default()
        });
        let line = stats_line(&answer);
        assert_eq!(
            line.as_deref(),
            Some("61.3 tok/s · 128 tokens · TTFT 0.21 s · stop: end of text")
        );
    }
}
