//! What a template is given: the variables of transformers, with whose text each string is.

use hearth_protocol::answer::AnswerOptions;
use hearth_protocol::chat::Role;
use hearth_protocol::prompt::PromptMessage;
use hearth_protocol::tools::ToolChoice;
use hearth_protocol::{Error, Result};
use jiff::Zoned;
use minijinja::Value;
use serde_json::{Map, Value as Json, json};

use super::control::ControlTokens;
use super::shape::Shape;
use super::thought::Place;
use super::{marks, tools};

/// Work that any chat may cost, in units of the engine: about one per operation and one per 64 bytes of text. The
/// largest of 3,192 real renders, of at most a dozen messages each, took 5,671.
const FUEL: u64 = 500_000;

/// Further work for each message.
const FUEL_PER_MESSAGE: u64 = 2_000;

/// Further work for each byte of the variables.
const FUEL_PER_BYTE: u64 = 1;

/// The variable whose items name their role.
const MESSAGES: &str = "messages";

/// Variables that are not a request's to set.
const RESERVED: [&str; 7] = [
    MESSAGES,
    "tools",
    "add_generation_prompt",
    "bos_token",
    "eos_token",
    "strftime_now",
    "raise_exception",
];

/// The variables of a render.
#[derive(Debug, Clone)]
pub(super) struct Variables {
    /// All that came from people, tools and files; data, the roles of the messages excepted.
    pub(super) data: Map<String, Json>,
    /// The vocabulary's tokens, where it has them.
    pub(super) bos: Option<String>,
    /// As above.
    pub(super) eos: Option<String>,
    /// What `strftime_now` tells.
    pub(super) now: Zoned,
}

/// What a template reads under names of its own.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wants {
    /// Where it expects earlier thoughts.
    pub(super) thoughts: Place,
    /// Whether it expects the tools as one text in `functions`, and the time in `datetime`, as Firefunction's does.
    pub(super) functions: bool,
    /// Whether it reads the date from `date_string`, as those of Llama 3 do, which else tell a day of 2024.
    pub(super) date: bool,
}

impl Wants {
    /// Those of a template's source.
    pub(super) fn of_source(source: &str) -> Self {
        Self {
            thoughts: super::thought::place_in(source),
            // How llama.cpp knows Firefunction v2.
            functions: source.contains(" functools["),
            date: source.contains("date_string"),
        }
    }
}

/// Whether a request may set these.
///
/// # Errors
/// `Invalid` names the first that it may not.
pub(crate) fn check_arguments(arguments: &Map<String, Json>) -> Result<()> {
    match arguments.keys().find(|name| RESERVED.contains(&name.as_str())) {
        Some(name) => Err(Error::invalid(
            "template_arguments",
            format!("cannot set {name}, which Hearth sets"),
        )),
        None => Ok(()),
    }
}

/// The tools that a prompt shows: none where the model shall ask for none.
pub(crate) fn shown_tools(options: &AnswerOptions) -> &[hearth_protocol::tools::Tool] {
    match options.tool_choice {
        ToolChoice::None => &[],
        _ => &options.tools,
    }
}

/// The data of a prompt. Variables that transformers always sets are there, as null where there is nothing.
pub(super) fn data(
    shape: &Shape,
    options: &AnswerOptions,
    head: bool,
    wants: Wants,
    now: &Zoned,
) -> Map<String, Json> {
    let messages = shape.messages.iter();
    let messages: Vec<Json> = messages.map(|it| message(it, shape, wants.thoughts)).collect();
    let tools = match shown_tools(options) {
        tools if !tools.is_empty() => tools.iter().map(tools::definition).collect(),
        _ => Json::Null,
    };
    let mut data = Map::new();
    data.insert(MESSAGES.into(), messages.into());
    data.insert("tools".into(), tools);
    data.insert("documents".into(), Json::Null);
    data.insert("add_generation_prompt".into(), head.into());
    if let Some(enabled) = options.reasoning.enabled {
        // Each template reads the one or the other.
        data.insert("enable_thinking".into(), enabled.into());
        data.insert("thinking".into(), enabled.into());
    }
    if let Some(budget) = options.reasoning.budget {
        data.insert("thinking_budget".into(), budget.into());
    }
    if wants.functions {
        let functions: Json = shown_tools(options).iter().map(tools::function).collect();
        data.insert("functions".into(), format!("{functions:#}").into());
        let time = now.strftime("%b %d %Y %H:%M:%S").to_string();
        data.insert("datetime".into(), time.into());
    }
    if wants.date {
        let date = now.strftime("%d %b %Y").to_string();
        data.insert("date_string".into(), date.into());
    }
    data.extend(options.template_arguments.clone());
    data
}

fn message(message: &PromptMessage, shape: &Shape, thoughts: Place) -> Json {
    let role = match message.role {
        Role::System => "system",
        Role::User => "user",
        Role::Assistant => "assistant",
        Role::Tool => "tool",
    };
    let mut json = Map::new();
    json.insert("role".into(), role.into());
    let text = message.text.as_str();
    match (thoughts, message.reasoning.as_deref()) {
        (Place::Key(key), Some(thought)) => {
            json.insert("content".into(), text.into());
            json.insert(key.into(), thought.into());
        }
        (Place::Part, Some(thought)) => {
            let parts = json!([{"type": "thinking", "thinking": thought}, {"type": "text", "text": text}]);
            json.insert("content".into(), parts);
        }
        _ => {
            json.insert("content".into(), text.into());
        }
    }
    if !message.tool_calls.is_empty() {
        let calls = message.tool_calls.iter();
        let calls = calls.map(|call| tools::call(call, shape.arguments)).collect();
        json.insert("tool_calls".into(), calls);
    }
    for (key, value) in [("tool_call_id", &message.tool_call_id), ("name", &message.name)] {
        if let Some(value) = value {
            json.insert(key.into(), value.as_str().into());
        }
    }
    json.into()
}

impl Variables {
    /// The same with marks taken out of all data.
    pub(super) fn without_marks(mut self) -> Self {
        self.change(&|text: String| {
            if marks::has_marks(&text) {
                marks::without_marks(&text).into_owned()
            } else {
                text
            }
        });
        self
    }

    /// The same with every control token in the data broken up by marks.
    pub(super) fn broken_up(mut self, control: &ControlTokens) -> Self {
        self.change(&|text: String| control.break_up(&text));
        self
    }

    fn change(&mut self, change: &impl Fn(String) -> String) {
        for value in self.data.values_mut() {
            *value = changed(value.take(), change);
        }
    }

    /// Whether a control token stands anywhere in the data.
    pub(super) fn hold(&self, control: &ControlTokens) -> bool {
        self.data
            .values()
            .any(|value| any_text(value, &|text| control.are_in(text)))
    }

    /// The work that the render may cost.
    pub(super) fn fuel(&self) -> u64 {
        let messages = self
            .data
            .get(MESSAGES)
            .and_then(Json::as_array)
            .map_or(0, Vec::len);
        let bytes: usize = self.data.values().map(size).sum();
        FUEL + messages as u64 * FUEL_PER_MESSAGE + bytes as u64 * FUEL_PER_BYTE
    }

    /// As the engine takes them. The roles, the vocabulary's tokens and the date are ours and count as written by
    /// the template.
    pub(super) fn to_value(&self) -> Value {
        let trusted = |text: &str| Value::from_safe_string(text.to_owned());
        let mut variables: Vec<(&str, Value)> = Vec::with_capacity(self.data.len() + 3);
        for (name, json) in &self.data {
            let value = match json.as_array().filter(|_| name == MESSAGES) {
                Some(messages) => messages.iter().map(message_value).collect(),
                None => value_of(json),
            };
            variables.push((name, value));
        }
        for (name, token) in [("bos_token", &self.bos), ("eos_token", &self.eos)] {
            variables.extend(token.as_deref().map(|token| (name, trusted(token))));
        }
        let now = self.now.clone();
        let strftime_now = Value::from_function(move |format: &str| {
            Value::from_safe_string(now.strftime(format).to_string())
        });
        variables.push(("strftime_now", strftime_now));
        Value::from_pairs(variables)
    }
}

/// A message; its role is the template's own word.
fn message_value(message: &Json) -> Value {
    let Json::Object(fields) = message else {
        return value_of(message);
    };
    let field = |(key, value): (&String, &Json)| {
        let value = match value.as_str().filter(|_| key == "role") {
            Some(role) => Value::from_safe_string(role.to_owned()),
            None => value_of(value),
        };
        (key.clone(), value)
    };
    Value::from_pairs(fields.iter().map(field))
}

/// JSON as the engine takes it; every string is data.
fn value_of(json: &Json) -> Value {
    match json {
        Json::Null => Value::from(()),
        Json::Bool(it) => Value::from(*it),
        Json::Number(number) => match (number.as_i64(), number.as_u64(), number.as_f64()) {
            (Some(number), _, _) => Value::from(number),
            (_, Some(number), _) => Value::from(number),
            (_, _, Some(number)) => Value::from(number),
            _ => Value::from(()),
        },
        Json::String(text) => Value::from(text.as_str()),
        Json::Array(items) => items.iter().map(value_of).collect(),
        Json::Object(fields) => {
            let field = |(key, value): (&String, &Json)| (key.clone(), value_of(value));
            Value::from_pairs(fields.iter().map(field))
        }
    }
}

/// JSON with each string in it changed, the names of fields too.
fn changed(json: Json, change: &impl Fn(String) -> String) -> Json {
    match json {
        Json::String(text) => change(text).into(),
        Json::Array(items) => items.into_iter().map(|item| changed(item, change)).collect(),
        Json::Object(fields) => {
            let field = |(key, value)| (change(key), changed(value, change));
            fields.into_iter().map(field).collect()
        }
        json => json,
    }
}

/// Whether a string in it, or the name of a field, is such a one.
fn any_text(json: &Json, is: &impl Fn(&str) -> bool) -> bool {
    match json {
        Json::String(text) => is(text),
        Json::Array(items) => items.iter().any(|item| any_text(item, is)),
        Json::Object(fields) => fields.iter().any(|(key, value)| is(key) || any_text(value, is)),
        _ => false,
    }
}

/// Its size in bytes, roughly.
fn size(json: &Json) -> usize {
    1 + match json {
        Json::String(text) => text.len(),
        Json::Array(items) => items.iter().map(size).sum(),
        Json::Object(fields) => fields.iter().map(|(key, value)| key.len() + size(value)).sum(),
        _ => 0,
    }
}

#[cfg(test)]
mod tests;
