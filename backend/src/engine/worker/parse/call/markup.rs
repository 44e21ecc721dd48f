//! A call as markup: `<function=name><parameter=key>value</parameter></function>` and its relatives. It becomes
//! JSON here: a value is a string where the tool's schema says so, else what JSON reads in it, else a string.

use hearth_protocol::tools::Tool;
use serde_json::Value;

use super::{Event, Flow, LONGEST_NAME, escaped, is_name};
use crate::engine::worker::parse::find::Until;
use crate::engine::worker::parse::json::Json;

/// The tags of a family.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) struct Markup {
    /// In front of the tool's name; empty where the name stands alone in its line.
    pub(in super::super) open: &'static str,
    /// In front of a key.
    pub(in super::super) key: &'static str,
    /// Between key and value.
    pub(in super::super) value: &'static str,
    /// Behind a value.
    pub(in super::super) value_end: &'static str,
    /// Behind the last value.
    pub(in super::super) close: &'static str,
}

#[derive(Debug)]
enum State {
    /// So many bytes of `open` came.
    Open(usize),
    Name,
    /// Between values; what came of a tag.
    Between(String),
    Key,
    /// A value that is a string by the schema, or not; see there for the line ends around it.
    Text(Until, Ends),
    Any(Until),
    /// The arguments are JSON after all.
    Json(Json),
    /// After JSON arguments, up to `close`.
    Close(String),
}

/// One line end at the beginning of a value, and one at its end, is no part of it.
#[derive(Debug, Default)]
struct Ends {
    begun: bool,
    held: bool,
}

/// A call on its way.
#[derive(Debug)]
pub(in super::super) struct MarkupCall {
    markup: Markup,
    state: State,
    /// The text of the name, the key or the value that is read.
    raw: String,
    name: String,
    /// Values that came.
    values: usize,
}

impl MarkupCall {
    /// Before its first character.
    pub(in super::super) fn new(markup: Markup) -> Self {
        Self {
            markup,
            state: match markup.open.is_empty() {
                true => State::Name,
                false => State::Open(0),
            },
            raw: String::new(),
            name: String::new(),
            values: 0,
        }
    }

    pub(super) fn push(&mut self, character: char, tools: &[Tool], events: &mut Vec<Event>) -> Flow {
        match &mut self.state {
            State::Open(came) => {
                let Some(rest) = self
                    .markup
                    .open
                    .get(*came..)
                    .and_then(|rest| rest.strip_prefix(character))
                else {
                    return Flow::Bad;
                };
                *came += character.len_utf8();
                if rest.is_empty() {
                    self.state = State::Name;
                }
                Flow::More
            }
            State::Name => self.name(character, events),
            State::Between(_) => self.between(character, events),
            State::Key => self.key(character, tools, events),
            State::Text(until, ends) => {
                let (text, ended) = until.push(character);
                let text = ends.pass(&text);
                if !text.is_empty() {
                    events.push(Event::Arguments(escaped(&text)));
                }
                if ended {
                    events.push(Event::Arguments("\"".to_owned()));
                    self.state = State::Between(String::new());
                }
                Flow::More
            }
            State::Any(until) => {
                let (text, ended) = until.push(character);
                self.raw.push_str(&text);
                if ended {
                    let raw = std::mem::take(&mut self.raw);
                    let text = without_line_ends(&raw);
                    let value = match serde_json::from_str::<Value>(text.trim()) {
                        Ok(_) => text.trim().to_owned(),
                        Err(_) => Value::from(text).to_string(),
                    };
                    events.push(Event::Arguments(value));
                    self.state = State::Between(String::new());
                }
                Flow::More
            }
            State::Json(json) => {
                let flow = json.push(character);
                if matches!(flow, Flow::More | Flow::Done) {
                    events.push(Event::Arguments(character.to_string()));
                }
                if flow == Flow::Done {
                    self.state = State::Close(String::new());
                    return Flow::More;
                }
                flow
            }
            State::Close(held) => {
                if held.is_empty() && character.is_ascii_whitespace() {
                    return Flow::More;
                }
                held.push(character);
                match self.markup.close {
                    close if close == *held => Flow::Done,
                    close if close.starts_with(held.as_str()) => Flow::More,
                    _ => Flow::Bad,
                }
            }
        }
    }

    /// Gives what came of a value, where the text ends within it.
    pub(super) fn cut(&mut self, events: &mut Vec<Event>) {
        match &mut self.state {
            State::Text(until, ends) => {
                let text = ends.pass(&until.flush());
                if !text.is_empty() {
                    events.push(Event::Arguments(escaped(&text)));
                }
            }
            State::Any(until) => {
                let rest = until.flush();
                self.raw.push_str(&rest);
                let text = self.raw.trim();
                // A cut number or word is none; a text would have to be closed to be one.
                if text.starts_with(['{', '[', '"']) {
                    events.push(Event::Arguments(text.to_owned()));
                }
            }
            _ => {}
        }
    }

    fn name(&mut self, character: char, events: &mut Vec<Event>) -> Flow {
        let alone = self.markup.open.is_empty();
        let ends = match character {
            '>' => !alone,
            '\n' | '<' => alone && !self.raw.trim().is_empty(),
            _ => false,
        };
        if !ends {
            self.raw.push(character);
            return match self.raw.len() > LONGEST_NAME {
                true => Flow::Bad,
                false => Flow::More,
            };
        }
        let raw = std::mem::take(&mut self.raw);
        // An attribute's value ends with its quote.
        let name = raw.split('"').next().unwrap_or_default().trim();
        if !is_name(name) {
            return Flow::Bad;
        }
        self.name = name.to_owned();
        events.push(Event::Name(name.to_owned()));
        let held = match character {
            '<' => "<".to_owned(),
            _ => String::new(),
        };
        self.state = State::Between(held);
        Flow::More
    }

    fn between(&mut self, character: char, events: &mut Vec<Event>) -> Flow {
        let State::Between(held) = &mut self.state else {
            return Flow::Bad;
        };
        if held.is_empty() && character.is_ascii_whitespace() {
            return Flow::More;
        }
        if held.is_empty() && character == '{' && self.values == 0 {
            let mut json = Json::new();
            let flow = json.push(character);
            events.push(Event::Arguments("{".to_owned()));
            self.state = State::Json(json);
            return flow;
        }
        held.push(character);
        if *held == self.markup.key {
            self.state = State::Key;
        } else if *held == self.markup.close {
            let end = match self.values {
                0 => "{}",
                _ => "}",
            };
            events.push(Event::Arguments(end.to_owned()));
            return Flow::Done;
        } else if ![self.markup.key, self.markup.close]
            .iter()
            .any(|tag| tag.starts_with(held.as_str()))
        {
            return Flow::Bad;
        }
        Flow::More
    }

    fn key(&mut self, character: char, tools: &[Tool], events: &mut Vec<Event>) -> Flow {
        self.raw.push(character);
        let Some(raw) = self.raw.strip_suffix(self.markup.value) else {
            return match self.raw.len() > LONGEST_NAME {
                true => Flow::Bad,
                false => Flow::More,
            };
        };
        let key = raw.split(['"', '<']).next().unwrap_or_default().trim();
        if key.is_empty() {
            return Flow::Bad;
        }
        let is_text = match raw {
            raw if raw.contains("string=\"true\"") => true,
            raw if raw.contains("string=\"false\"") => false,
            _ => is_text(tools, &self.name, key),
        };
        let begin = match self.values {
            0 => "{",
            _ => ", ",
        };
        let quote = if is_text { "\"" } else { "" };
        events.push(Event::Arguments(format!("{begin}\"{}\": {quote}", escaped(key))));
        self.values += 1;
        let until = Until::new(self.markup.value_end);
        self.raw.clear();
        self.state = match is_text {
            true => State::Text(until, Ends::default()),
            false => State::Any(until),
        };
        Flow::More
    }
}

impl Ends {
    /// Takes the next text of a value and gives what is certainly part of it.
    fn pass(&mut self, text: &str) -> String {
        let mut passed = String::new();
        for character in text.chars() {
            let first = !std::mem::replace(&mut self.begun, true);
            if first && character == '\n' {
                continue;
            }
            if std::mem::replace(&mut self.held, character == '\n') {
                passed.push('\n');
            }
            if character != '\n' {
                passed.push(character);
            }
        }
        passed
    }
}

fn without_line_ends(text: &str) -> &str {
    let text = text.strip_prefix('\n').unwrap_or(text);
    text.strip_suffix('\n').unwrap_or(text)
}

/// Whether the tool's schema says that a value can only be a string.
fn is_text(tools: &[Tool], name: &str, key: &str) -> bool {
    let schema = tools
        .iter()
        .find(|tool| tool.name == name)
        .and_then(|tool| tool.parameters.as_ref()?.get("properties")?.get(key));
    let Some(schema) = schema else {
        return false;
    };
    match (schema.get("type"), schema.get("enum").and_then(Value::as_array)) {
        (Some(Value::String(kind)), _) => kind == "string",
        (None, Some(values)) => values.iter().all(Value::is_string),
        _ => false,
    }
}
