//! A call as the tool's name and then its arguments as a JSON object, with marks between the two:
//! `name[ARGS]{…}` (Mistral), `name<｜tool▁sep｜>{…}` and ```function<｜tool▁sep｜>name\n```json\n{…}``` (DeepSeek),
//! `functions.name:0<|tool_call_argument_begin|>{…}` (Kimi).

use super::{Event, Flow, LONGEST_NAME, is_name};
use crate::engine::worker::parse::json::Json;

/// Between a call's kind and its name, or between name and arguments.
const DEEPSEEK_SEPARATOR: &str = "<｜tool▁sep｜>";

/// A call on its way.
#[derive(Debug)]
pub(in super::super) struct NamedCall {
    /// What stands before the arguments.
    head: String,
    arguments: Option<Json>,
}

impl NamedCall {
    /// Before the first character of its name.
    pub(in super::super) fn new() -> Self {
        Self {
            head: String::new(),
            arguments: None,
        }
    }

    pub(super) fn push(&mut self, character: char, events: &mut Vec<Event>) -> Flow {
        if let Some(json) = &mut self.arguments {
            let flow = json.push(character);
            if matches!(flow, Flow::More | Flow::Done) {
                events.push(Event::Arguments(character.to_string()));
            }
            return flow;
        }
        if character != '{' {
            self.head.push(character);
            return match self.head.len() > LONGEST_NAME {
                true => Flow::Bad,
                false => Flow::More,
            };
        }
        let name = name_in(&self.head);
        if !is_name(name) {
            return Flow::Bad;
        }
        events.push(Event::Name(name.to_owned()));
        events.push(Event::Arguments("{".to_owned()));
        let mut json = Json::new();
        let flow = json.push('{');
        self.arguments = Some(json);
        flow
    }
}

/// The name in what stands before the arguments.
fn name_in(head: &str) -> &str {
    if let Some((before, behind)) = head.split_once(DEEPSEEK_SEPARATOR) {
        return match behind.trim() {
            "" => before.trim(),
            behind => behind.lines().next().unwrap_or_default().trim(),
        };
    }
    let head = head.split(['[', '<', '\n']).find(|part| !part.trim().is_empty());
    let name = head.unwrap_or_default().trim();
    let name = name.strip_prefix("functions.").unwrap_or(name);
    name.split_once(':').map_or(name, |(name, _)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_is_found_in_every_form() {
        let cases = [
            ("get_weather[ARGS]", "get_weather"),
            ("get_weather[CALL_ID]abcdefghi[ARGS]", "get_weather"),
            ("get_weather", "get_weather"),
            ("get_weather<｜tool▁sep｜>", "get_weather"),
            ("function<｜tool▁sep｜>get_weather\n```json\n", "get_weather"),
            (
                "functions.get_weather:0<|tool_call_argument_begin|>",
                "get_weather",
            ),
            ("", ""),
        ];
        for (head, name) in cases {
            assert_eq!(name_in(head), name, "{head:?}");
        }
    }
}
