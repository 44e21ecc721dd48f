//! From what a model writes to the pieces of its answer: text, thoughts and tool calls.
//!
//! Whatever the cuts between tokens, the pieces together are the same. What may be a tag is held until it is known
//! to be one; what looks like a tool call and is none comes out as text, so that nothing is lost. In Markdown code,
//! tags are text, unless they are control tokens of the model.

mod call;
mod calls;
mod code;
mod family;
mod find;
mod harmony;
mod id;
mod json;
mod text;

use std::collections::VecDeque;

use hearth_protocol::answer::{AnswerOptions, Format};
use hearth_protocol::completion::Piece;
use hearth_protocol::tools::{Tool, ToolChoice};

use self::call::Event;
use self::calls::Calls;
use self::code::Code;
use self::family::{Body, Syntax};
use self::harmony::Harmony;
use self::id::CallIds;

pub(super) use self::family::{Family, Style};

/// What a token brings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fragment<'text> {
    /// Text; whole characters.
    Text(&'text str),
    /// A control token; its text.
    Control(&'text str),
}

/// Reads one answer.
#[derive(Debug)]
pub(super) struct Parser {
    style: Style,
    syntax: Syntax,
    /// Tools that can be asked for; none where calls are not looked for.
    tools: Vec<Tool>,
    /// A call may stand at the beginning without marks.
    bare: bool,
    mode: Mode,
    /// What came and is not settled.
    pending: String,
    /// Bytes that went before `pending`.
    passed: usize,
    /// Where control tokens begin, counted from the answer's first byte.
    control: VecDeque<usize>,
    code: Code,
    /// The last character of the thought.
    last: Option<char>,
    /// `<response>` was left out, so its end is, too.
    wrapped: bool,
    grammar: GrammarStart,
    out: Out,
}

/// Where in the answer the reading is.
#[derive(Debug)]
enum Mode {
    /// At its beginning, or after a thought or a call: only white space has come.
    Start {
        clean: bool,
    },
    Thought {
        empty: bool,
    },
    Text,
    Calls(Calls),
    Harmony(Harmony),
}

/// When a grammar begins to be enforced.
#[derive(Debug, Clone, PartialEq, Eq)]
enum GrammarStart {
    /// There is none, or it has begun.
    Never,
    /// With the first token that is no thought.
    AfterThought,
    /// With the first call.
    AtCall,
    /// Now; the text it begins with.
    Due(String),
}

/// The pieces that are ready, and the calls among them.
#[derive(Debug)]
struct Out {
    pieces: Vec<Piece>,
    ids: CallIds,
    calls: u32,
}

impl Parser {
    /// A parser for one answer. `prompt_end` is the end of the rendered prompt, which may have opened a thought.
    pub(super) fn new(style: Style, options: &AnswerOptions, prompt_end: &str) -> Self {
        let syntax = style.family.syntax();
        let tools = match options.tool_choice {
            ToolChoice::None => Vec::new(),
            _ => options.tools.clone(),
        };
        let demanded = matches!(options.tool_choice, ToolChoice::Required | ToolChoice::Named(_));
        let bare = !tools.is_empty() && syntax.bare.is_some() && options.format == Format::Text;
        let thinks = style.is_thinking(prompt_end);
        let mode = match syntax.body {
            Body::Harmony => Mode::Harmony(Harmony::new(prompt_end)),
            _ if thinks => Mode::Thought { empty: true },
            _ => Mode::Start { clean: false },
        };
        let grammar = match options.format != Format::Text || demanded {
            true if thinks && syntax.body != Body::Harmony => GrammarStart::AfterThought,
            true => GrammarStart::Due(String::new()),
            false if tools.is_empty() => GrammarStart::Never,
            false => GrammarStart::AtCall,
        };
        Self {
            style,
            syntax,
            tools,
            bare,
            mode,
            pending: String::new(),
            passed: 0,
            control: VecDeque::new(),
            code: Code::new(),
            last: None,
            wrapped: false,
            grammar,
            out: Out {
                pieces: Vec::new(),
                ids: CallIds::new(),
                calls: 0,
            },
        }
    }

    /// Takes what the next token brings and gives what is settled by it.
    pub(super) fn push(&mut self, fragment: Fragment<'_>) -> Vec<Piece> {
        match fragment {
            Fragment::Text(text) => self.pending.push_str(text),
            Fragment::Control(text) => {
                if !self.knows(text) {
                    return Vec::new();
                }
                self.control.push_back(self.passed + self.pending.len());
                self.pending.push_str(text);
            }
        }
        self.run(false);
        self.out.take()
    }

    /// Gives what is held, at the end of the answer.
    pub(super) fn finish(&mut self) -> Vec<Piece> {
        self.run(true);
        self.out.take()
    }

    /// Whether the next token is part of a thought.
    pub(super) fn is_reasoning(&self) -> bool {
        match &self.mode {
            Mode::Thought { .. } => true,
            Mode::Harmony(harmony) => harmony.is_reasoning(),
            _ => false,
        }
    }

    /// Whether the model asked for a tool.
    pub(super) fn called_tools(&self) -> bool {
        self.out.calls > 0
    }

    /// Tells once that the answer's grammar is to be enforced from now on, and which text it begins with. To be
    /// asked before the first token is chosen and after each.
    pub(super) fn grammar_due(&mut self) -> Option<String> {
        match std::mem::replace(&mut self.grammar, GrammarStart::Never) {
            GrammarStart::Due(text) => Some(text),
            other => {
                self.grammar = other;
                None
            }
        }
    }

    /// Whether a control token's text is, or is part of, a mark of this model.
    fn knows(&self, text: &str) -> bool {
        let thoughts = self
            .style
            .thoughts
            .iter()
            .flat_map(|tags| [tags.open, tags.close]);
        let marks = self.syntax.marks();
        let marks = marks
            .into_iter()
            .filter(|_| !self.tools.is_empty() || self.syntax.body == Body::Harmony);
        !text.is_empty() && thoughts.chain(marks).any(|mark| mark.contains(text))
    }

    fn run(&mut self, ends: bool) {
        while match self.mode {
            Mode::Start { clean } => self.start(clean, ends),
            Mode::Thought { empty } => self.thought(empty, ends),
            Mode::Text => self.text(ends),
            Mode::Calls(_) => self.calls(ends),
            Mode::Harmony(_) => self.harmony(ends),
        } {}
    }

    /// Takes bytes from the front of what is pending.
    fn take(&mut self, bytes: usize) -> String {
        self.passed += bytes;
        let rest = self.pending.split_off(bytes);
        let taken = std::mem::replace(&mut self.pending, rest);
        while self.control.front().is_some_and(|&start| start < self.passed) {
            self.control.pop_front();
        }
        taken
    }

    /// Whether a control token begins at this byte of what is pending.
    fn is_control(&self, at: usize) -> bool {
        self.control.contains(&(self.passed + at))
    }

    /// Gives text of the answer.
    fn say(&mut self, text: &str) {
        text.chars().for_each(|character| self.code.push(character));
        self.out.text(text);
    }
}

impl Out {
    fn take(&mut self) -> Vec<Piece> {
        std::mem::take(&mut self.pieces)
    }

    fn text(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        match self.pieces.last_mut() {
            Some(Piece::Text(last)) => last.push_str(text),
            _ => self.pieces.push(Piece::Text(text.to_owned())),
        }
    }

    fn reasoning(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        match self.pieces.last_mut() {
            Some(Piece::Reasoning(last)) => last.push_str(text),
            _ => self.pieces.push(Piece::Reasoning(text.to_owned())),
        }
    }

    fn event(&mut self, event: Event) {
        match event {
            Event::Name(name) => {
                let index = self.calls;
                self.calls += 1;
                let id = self.ids.get(index);
                self.pieces.push(Piece::ToolCall { index, id, name });
            }
            Event::Arguments(text) => {
                let index = self.calls.saturating_sub(1);
                match self.pieces.last_mut() {
                    Some(Piece::ToolArguments { text: last, .. }) => last.push_str(&text),
                    _ => self.pieces.push(Piece::ToolArguments { index, text }),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
