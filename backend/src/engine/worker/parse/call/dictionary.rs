//! A call as Gemma writes it: `call:name{key:<|"|>text<|"|>,count:2,list:[true,null]}`, with keys that are not
//! quoted and texts between marks. It becomes JSON here.

use super::{Event, Flow, LONGEST_NAME, escaped, is_name};
use crate::engine::worker::parse::find::Until;

/// In front of the name.
const OPEN: &str = "call:";

/// Deepest nesting that is followed.
const DEEPEST: usize = 128;

#[derive(Debug)]
enum State {
    /// What came up to the opening brace.
    Name(String),
    /// A key comes, or the end of the object.
    Key(String),
    /// A value comes, or the end of the list; what came of it.
    Value(String),
    Text(Until),
    AfterValue,
}

/// A call on its way.
#[derive(Debug)]
pub(in super::super) struct DictionaryCall {
    /// In front of a text and behind it.
    quote: &'static str,
    state: State,
    /// The open brackets.
    open: Vec<char>,
    /// The text that is read is a key.
    key: bool,
}

impl DictionaryCall {
    /// Before its first character.
    pub(in super::super) fn new(quote: &'static str) -> Self {
        Self {
            quote,
            state: State::Name(String::new()),
            open: Vec::new(),
            key: false,
        }
    }

    pub(super) fn push(&mut self, character: char, events: &mut Vec<Event>) -> Flow {
        let space = character.is_ascii_whitespace();
        match &mut self.state {
            State::Name(head) if character == '{' => {
                let name = head
                    .strip_prefix(OPEN)
                    .map(str::trim)
                    .filter(|name| is_name(name));
                let Some(name) = name else {
                    return Flow::Bad;
                };
                events.push(Event::Name(name.to_owned()));
                self.begin(character, events)
            }
            State::Name(head) => {
                head.push(character);
                let possible = OPEN.starts_with(head.as_str()) || head.starts_with(OPEN);
                match possible && head.len() <= LONGEST_NAME {
                    true => Flow::More,
                    false => Flow::Bad,
                }
            }
            State::Text(until) => {
                let (text, ended) = until.push(character);
                if !text.is_empty() {
                    events.push(Event::Arguments(escaped(&text)));
                }
                if ended {
                    events.push(Event::Arguments("\"".to_owned()));
                    self.state = match self.key {
                        true => State::Key(String::new()),
                        false => State::AfterValue,
                    };
                }
                Flow::More
            }
            State::Key(raw) if space && raw.is_empty() => Flow::More,
            State::Key(raw) => {
                if character == '}' && raw.is_empty() && !self.key {
                    return self.close(character, events);
                }
                if character == ':' {
                    let raw = std::mem::take(raw);
                    let key = raw.trim().trim_matches('"');
                    let piece = match std::mem::replace(&mut self.key, false) {
                        true => ": ".to_owned(),
                        false if key.is_empty() => return Flow::Bad,
                        false => format!("\"{}\": ", escaped(key)),
                    };
                    events.push(Event::Arguments(piece));
                    self.state = State::Value(String::new());
                    return Flow::More;
                }
                raw.push(character);
                if *raw == self.quote {
                    events.push(Event::Arguments("\"".to_owned()));
                    self.key = true;
                    self.state = State::Text(Until::new(self.quote));
                    return Flow::More;
                }
                match "{}[],".contains(character) || raw.len() > LONGEST_NAME {
                    true => Flow::Bad,
                    false => Flow::More,
                }
            }
            State::Value(raw) if space && raw.is_empty() => Flow::More,
            State::Value(raw) => match character {
                '{' | '[' if raw.is_empty() => self.begin(character, events),
                ']' if raw.is_empty() && self.open.last() == Some(&']') => self.close(character, events),
                ',' | '}' | ']' => {
                    let text = raw.trim();
                    if text.is_empty() {
                        return Flow::Bad;
                    }
                    let value = match serde_json::from_str::<serde_json::Value>(text) {
                        Ok(_) => text.to_owned(),
                        Err(_) => format!("\"{}\"", escaped(text)),
                    };
                    events.push(Event::Arguments(value));
                    self.state = State::AfterValue;
                    self.push(character, events)
                }
                _ => {
                    raw.push(character);
                    if *raw == self.quote {
                        events.push(Event::Arguments("\"".to_owned()));
                        self.key = false;
                        self.state = State::Text(Until::new(self.quote));
                    }
                    Flow::More
                }
            },
            State::AfterValue if space => Flow::More,
            State::AfterValue => match (character, self.open.last()) {
                (',', Some(open)) => {
                    events.push(Event::Arguments(", ".to_owned()));
                    self.state = match open {
                        '}' => State::Key(String::new()),
                        _ => State::Value(String::new()),
                    };
                    Flow::More
                }
                (character, Some(open)) if *open == character => self.close(character, events),
                _ => Flow::Bad,
            },
        }
    }

    /// Gives what came of a text, where the answer ends within it.
    pub(super) fn cut(&mut self, events: &mut Vec<Event>) {
        if let State::Text(until) = &mut self.state {
            let text = until.flush();
            if !text.is_empty() {
                events.push(Event::Arguments(escaped(&text)));
            }
        }
    }

    fn begin(&mut self, bracket: char, events: &mut Vec<Event>) -> Flow {
        if self.open.len() == DEEPEST {
            return Flow::Bad;
        }
        events.push(Event::Arguments(bracket.to_string()));
        let (end, state) = match bracket {
            '{' => ('}', State::Key(String::new())),
            _ => (']', State::Value(String::new())),
        };
        self.open.push(end);
        self.state = state;
        Flow::More
    }

    fn close(&mut self, bracket: char, events: &mut Vec<Event>) -> Flow {
        events.push(Event::Arguments(bracket.to_string()));
        self.open.pop();
        self.state = State::AfterValue;
        match self.open.is_empty() {
            true => Flow::Done,
            false => Flow::More,
        }
    }
}
