//! gpt-oss writes messages, each with a header: `<|channel|>analysis<|message|>…<|end|>` is thought,
//! `<|channel|>commentary to=functions.name <|constrain|>json<|message|>{…}<|call|>` is a tool call, and
//! `<|channel|>final<|message|>…` is the answer (<https://cookbook.openai.com/articles/openai-harmony>).

use super::call::Event;
use super::find::{self, Found};
use super::json::{Flow, Json};
use super::{GrammarStart, Mode, Parser};

/// The marks of the form.
pub(super) const MARKS: [&str; 7] = [
    "<|start|>",
    "<|channel|>",
    "<|constrain|>",
    "<|message|>",
    "<|end|>",
    "<|call|>",
    "<|return|>",
];

/// In front of a recipient.
const TO: &str = "to=";

/// The recipient that stands for the tools of a request.
const FUNCTIONS: &str = "functions.";

/// Longest header, in bytes; what is longer is text.
const LONGEST_HEADER: usize = 512;

/// Where in the messages the reading is.
#[derive(Debug)]
pub(super) enum Harmony {
    /// Before a message.
    Between,
    /// In a header; its text.
    Header(String),
    Thought {
        empty: bool,
    },
    Text,
    /// In the arguments of a call.
    Call {
        /// `None` where they are whole, or no JSON.
        json: Option<Json>,
        /// Some came.
        some: bool,
    },
}

impl Harmony {
    /// At the end of a prompt, which has begun a message.
    pub(super) fn new(prompt_end: &str) -> Self {
        let begun = prompt_end.rfind("<|start|>").map(|start| &prompt_end[start..]);
        match begun {
            Some(header) if header.contains("<|message|>") => match header {
                header if header.contains("<|channel|>analysis") => Self::Thought { empty: true },
                _ => Self::Text,
            },
            Some(header) if !header.contains("<|end|>") => Self::Header(header.to_owned()),
            _ => Self::Between,
        }
    }

    pub(super) fn is_reasoning(&self) -> bool {
        matches!(self, Self::Thought { .. })
    }
}

impl Parser {
    /// Reads the next of the messages. Gives whether there is more to do.
    pub(super) fn harmony(&mut self, ends: bool) -> bool {
        let Mode::Harmony(harmony) = &mut self.mode else {
            return true;
        };
        if let Harmony::Call { json: Some(_), .. } = harmony {
            return self.harmony_arguments();
        }
        match find::first(&self.pending, MARKS.into_iter(), ends) {
            Found::None(free) => {
                self.harmony_text(free, ends);
                false
            }
            Found::At(at, mark) => {
                let control = self.is_control(at);
                self.harmony_text(at, true);
                let in_text = matches!(&self.mode, Mode::Harmony(Harmony::Text));
                if in_text && !control && self.code.is_inside() {
                    let first = self.take(1);
                    self.say(&first);
                    return true;
                }
                self.take(mark.len());
                self.harmony_mark(mark);
                true
            }
        }
    }

    /// Gives the first bytes of what is pending, which hold no mark.
    fn harmony_text(&mut self, bytes: usize, over: bool) {
        let Mode::Harmony(harmony) = &mut self.mode else {
            return;
        };
        match harmony {
            Harmony::Header(_) => {
                let text = self.take(bytes);
                if let Mode::Harmony(Harmony::Header(header)) = &mut self.mode {
                    header.push_str(&text);
                    if header.len() > LONGEST_HEADER {
                        let text = std::mem::take(header);
                        self.mode = Mode::Harmony(Harmony::Text);
                        self.say(&text);
                    }
                }
                self.harmony_recipient();
            }
            Harmony::Thought { empty } => {
                let empty = *empty;
                let empty = self.think_aloud(bytes, empty, over);
                self.mode = Mode::Harmony(Harmony::Thought { empty });
            }
            Harmony::Between => {
                let text = &self.pending[..bytes];
                if !text.trim().is_empty() {
                    // A model that forgot its headers.
                    self.mode = Mode::Harmony(Harmony::Text);
                    let text = self.take(bytes);
                    self.say(text.trim_start());
                } else if over {
                    self.take(bytes);
                }
            }
            Harmony::Text => {
                let text = self.take(bytes);
                self.say(&text);
            }
            Harmony::Call { .. } => {
                let text = self.take(bytes);
                // Arguments that are whole are followed by nothing but white space.
                if !text.trim().is_empty() {
                    self.mode = Mode::Harmony(Harmony::Text);
                    self.say(&text);
                }
            }
        }
    }

    /// The answer's grammar begins where a header names a tool.
    fn harmony_recipient(&mut self) {
        if self.grammar != GrammarStart::AtCall {
            return;
        }
        if let Mode::Harmony(Harmony::Header(header)) = &self.mode
            && let Some(at) = header.rfind(TO)
            && header[at + TO.len()..].starts_with(FUNCTIONS)
        {
            let text = format!("{}{}", &header[at..], self.pending);
            self.grammar = GrammarStart::Due(text);
        }
    }

    fn harmony_mark(&mut self, mark: &str) {
        let Mode::Harmony(harmony) = &mut self.mode else {
            return;
        };
        if let Harmony::Call { some: false, .. } = harmony {
            // The message is over, and the tool takes no arguments.
            self.out.event(Event::Arguments("{}".to_owned()));
        }
        match (mark, &mut *harmony) {
            ("<|message|>", Harmony::Header(header)) => {
                let header = std::mem::take(header);
                self.harmony_message(&header);
            }
            ("<|channel|>" | "<|constrain|>" | "<|start|>", Harmony::Header(header)) => header.push_str(mark),
            ("<|start|>" | "<|channel|>", _) => *harmony = Harmony::Header(mark.to_owned()),
            ("<|message|>", _) => *harmony = Harmony::Text,
            _ => *harmony = Harmony::Between,
        }
    }

    /// Begins the message that a header announces.
    fn harmony_message(&mut self, header: &str) {
        let recipient = header.rfind(TO).map(|at| {
            let name = header[at + TO.len()..].split(|end: char| end.is_whitespace() || end == '<');
            let name = name.into_iter().next().unwrap_or_default();
            name.strip_prefix(FUNCTIONS).unwrap_or(name).to_owned()
        });
        let channel = header
            .rsplit("<|channel|>")
            .next()
            .unwrap_or_default()
            .trim_start();
        let next = match recipient {
            Some(name) if !self.tools.is_empty() && !name.is_empty() && name != "assistant" => {
                self.out.event(Event::Name(name));
                Harmony::Call {
                    json: Some(Json::new()),
                    some: false,
                }
            }
            _ if channel.starts_with("analysis") => Harmony::Thought { empty: true },
            _ => Harmony::Text,
        };
        self.mode = Mode::Harmony(next);
    }

    /// Reads the arguments of a call.
    fn harmony_arguments(&mut self) -> bool {
        let mark = self.is_control(0);
        let Mode::Harmony(Harmony::Call { json: call, some }) = &mut self.mode else {
            return true;
        };
        let (Some(json), Some(character)) = (call.as_mut(), self.pending.chars().next()) else {
            return false;
        };
        let flow = match mark {
            true => Flow::Bad,
            false => json.push(character),
        };
        if flow != Flow::More {
            *call = None;
        }
        if matches!(flow, Flow::DoneBefore | Flow::Bad) {
            // What follows is no argument.
            return true;
        }
        *some |= !character.is_whitespace();
        let some = *some;
        let text = self.take(character.len_utf8());
        if some {
            self.out.event(Event::Arguments(text));
        }
        true
    }
}
