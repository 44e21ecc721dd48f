//! The text of an answer on its way out: bytes are held until they are whole characters, characters while they may be
//! the beginning of a stop string, and what is left is parsed into answer, thoughts and tool calls.

use hearth_protocol::completion::Piece;

use super::parse::{Fragment, Parser};
use super::stop::{StopStep, StopStrings};
use super::utf8::Utf8Hold;

/// The text of one answer.
pub(super) struct Text {
    bytes: Utf8Hold,
    stop: StopStrings,
    parser: Parser,
}

/// What a token led to.
#[derive(Debug, Default)]
pub(super) struct Step {
    /// What can be told now.
    pub(super) pieces: Vec<Piece>,
    /// The stop string that came, if one did.
    pub(super) stop: Option<String>,
}

impl Text {
    pub(super) fn new(stop: Vec<String>, parser: Parser) -> Self {
        Self {
            bytes: Utf8Hold::new(),
            stop: StopStrings::new(stop),
            parser,
        }
    }

    /// Takes the bytes of a token of text.
    pub(super) fn push(&mut self, bytes: &[u8]) -> Step {
        let text = self.bytes.push(bytes);
        self.pass(&text)
    }

    /// Takes a control token, by its text. No stop string reaches over it.
    pub(super) fn push_control(&mut self, text: &str) -> Step {
        let mut step = self.flush();
        if step.stop.is_none() {
            step.pieces.extend(self.parser.push(Fragment::Control(text)));
        }
        step
    }

    /// Ends the answer: gives all that was held.
    pub(super) fn finish(&mut self) -> Step {
        let mut step = self.flush();
        step.pieces.extend(self.parser.finish());
        step
    }

    /// Gives what the parser holds, after a stop string.
    pub(super) fn finish_parser(&mut self) -> Vec<Piece> {
        self.parser.finish()
    }

    /// Whether the next token is part of a thought.
    pub(super) fn is_reasoning(&self) -> bool {
        self.parser.is_reasoning()
    }

    /// What may still become a stop string.
    pub(super) fn held(&self) -> &str {
        self.stop.held()
    }

    /// Whether the model asked for a tool.
    pub(super) fn called_tools(&self) -> bool {
        self.parser.called_tools()
    }

    /// Tells once that the answer's grammar is to be enforced from now on, and which text it begins with.
    pub(super) fn grammar_due(&mut self) -> Option<String> {
        let begun = self.parser.grammar_due()?;
        Some(begun + self.stop.held())
    }

    fn flush(&mut self) -> Step {
        let rest = self.bytes.flush();
        let mut step = self.pass(&rest);
        if step.stop.is_none() {
            let held = self.stop.flush();
            step.pieces.extend(self.parse(&held));
        }
        step
    }

    fn pass(&mut self, text: &str) -> Step {
        if text.is_empty() {
            return Step::default();
        }
        match self.stop.push(text) {
            StopStep::Text(text) => Step {
                pieces: self.parse(&text),
                stop: None,
            },
            StopStep::Hit { text, stop } => Step {
                pieces: self.parse(&text),
                stop: Some(stop),
            },
        }
    }

    fn parse(&mut self, text: &str) -> Vec<Piece> {
        if text.is_empty() {
            return Vec::new();
        }
        self.parser.push(Fragment::Text(text))
    }
}
