//! A call as a JSON object with the tool's name and its arguments, under the names that models give them. The two
//! may come in any order, and may stand in an object of their own under `function`.

use super::{Event, Flow, is_name};
use crate::engine::worker::parse::json::Json;

/// What a key stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Meaning {
    Name,
    Arguments,
    /// Of no interest, and usual in a call.
    Usual,
    /// Nothing that a call has.
    Unknown,
}

#[derive(Debug)]
enum State {
    Begin,
    KeyOrEnd,
    Key,
    Colon(Meaning),
    ValueBegin(Meaning),
    Value(Meaning, Json),
    AfterValue,
}

/// A call on its way.
#[derive(Debug)]
pub(in super::super) struct ObjectCall {
    state: State,
    /// A key that no call has makes this none.
    strict: bool,
    /// Objects that are open: 1, or 2 within `function`.
    depth: usize,
    /// The raw text of the key or of the value that is kept.
    raw: String,
    named: bool,
    /// Arguments that came before the name.
    early: String,
    /// Some arguments came.
    argued: bool,
}

impl ObjectCall {
    /// Before its opening brace. A strict one ends as no call at the first key that no call has.
    pub(in super::super) fn new(strict: bool) -> Self {
        Self {
            state: State::Begin,
            strict,
            depth: 0,
            raw: String::new(),
            named: false,
            early: String::new(),
            argued: false,
        }
    }

    pub(super) fn push(&mut self, character: char, events: &mut Vec<Event>) -> Flow {
        let space = character.is_ascii_whitespace();
        match &mut self.state {
            State::Key => return self.key(character),
            State::Value(..) => return self.value(character, events),
            _ if space => return Flow::More,
            _ => {}
        }
        match (&self.state, character) {
            (State::Begin, '{') => {
                self.depth = 1;
                self.state = State::KeyOrEnd;
            }
            (State::KeyOrEnd, '"') => {
                self.raw = "\"".to_owned();
                self.state = State::Key;
            }
            (State::KeyOrEnd | State::AfterValue, '}') => return self.close(events),
            (State::AfterValue, ',') => self.state = State::KeyOrEnd,
            (State::Colon(meaning), ':') => self.state = State::ValueBegin(*meaning),
            // `"function": {"name": …}`
            (State::ValueBegin(Meaning::Name), '{') if self.depth == 1 => {
                self.depth = 2;
                self.state = State::KeyOrEnd;
            }
            (State::ValueBegin(meaning), _) => {
                self.raw.clear();
                self.state = State::Value(*meaning, Json::new());
                return self.value(character, events);
            }
            _ => return Flow::Bad,
        }
        Flow::More
    }

    fn key(&mut self, character: char) -> Flow {
        let escaped = self.raw.ends_with('\\') && !self.raw.ends_with("\\\\");
        self.raw.push(character);
        if character != '"' || escaped {
            return Flow::More;
        }
        let meaning = match self.raw.trim_matches('"') {
            "name" | "tool_name" | "function" | "tool" | "function_name" => Meaning::Name,
            "arguments" | "parameters" | "args" => Meaning::Arguments,
            "type" | "id" | "tool_call_id" | "call_id" | "index" => Meaning::Usual,
            _ => Meaning::Unknown,
        };
        if self.strict && meaning == Meaning::Unknown {
            return Flow::Bad;
        }
        self.state = State::Colon(meaning);
        Flow::More
    }

    fn value(&mut self, character: char, events: &mut Vec<Event>) -> Flow {
        let State::Value(meaning, json) = &mut self.state else {
            return Flow::Bad;
        };
        let meaning = *meaning;
        let flow = json.push(character);
        match flow {
            Flow::Bad => return Flow::Bad,
            Flow::More | Flow::Done if meaning == Meaning::Arguments => {
                // An object goes out as it comes; a string that holds one when it is whole.
                if self.raw == "{" || character == '{' && self.raw.is_empty() {
                    self.raw = "{".to_owned();
                    self.argue(character.to_string(), events);
                } else {
                    self.raw.push(character);
                }
            }
            Flow::More | Flow::Done => self.raw.push(character),
            Flow::DoneBefore => {}
        }
        if flow == Flow::More {
            return Flow::More;
        }
        self.state = State::AfterValue;
        let text = serde_json::from_str::<String>(&self.raw);
        match (meaning, text) {
            (Meaning::Name, Ok(name)) if !self.named => {
                if !is_name(&name) {
                    return Flow::Bad;
                }
                self.named = true;
                events.push(Event::Name(name));
                let early = std::mem::take(&mut self.early);
                if !early.is_empty() {
                    events.push(Event::Arguments(early));
                }
            }
            (Meaning::Name, _) => return Flow::Bad,
            (Meaning::Arguments, Ok(text)) if !self.argued => {
                if serde_json::from_str::<serde_json::Map<_, _>>(&text).is_err() {
                    return Flow::Bad;
                }
                self.argue(text, events);
            }
            (Meaning::Arguments, _) if !self.argued && self.raw != "null" => return Flow::Bad,
            _ => {}
        }
        if flow == Flow::DoneBefore {
            return self.push(character, events);
        }
        Flow::More
    }

    fn argue(&mut self, text: String, events: &mut Vec<Event>) {
        self.argued = true;
        if self.named {
            events.push(Event::Arguments(text));
        } else {
            self.early.push_str(&text);
        }
    }

    fn close(&mut self, events: &mut Vec<Event>) -> Flow {
        self.depth -= 1;
        if self.depth > 0 {
            self.state = State::AfterValue;
            return Flow::More;
        }
        if !self.named {
            return Flow::Bad;
        }
        if !self.argued {
            self.argue("{}".to_owned(), events);
        }
        Flow::Done
    }
}
