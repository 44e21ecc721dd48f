//! Tools, the calls of them and their results: as transformers gives them to templates, and in words for templates
//! that know nothing of tools.

use std::collections::VecDeque;

use hearth_protocol::chat::Role;
use hearth_protocol::prompt::PromptMessage;
use hearth_protocol::tools::{Tool, ToolCall};
use serde_json::{Map, Value as Json, json};

use super::shape::{Arguments, merge};

/// Says in words how to ask for a tool. The answer is read by the generic parser of calls.
const HOW_TO_CALL: &str = "You can use these tools. Each is described by a JSON object:";

/// As above, behind the tools.
const FORM_OF_CALLS: &str = "\
To use a tool, answer with a JSON object of this form and nothing else:
{\"name\": \"the tool's name\", \"arguments\": {\"argument\": \"value\"}}";

/// A tool as templates expect it. What many templates ask for without looking is always there: a description, and a
/// schema that is an object with properties.
pub(super) fn definition(tool: &Tool) -> Json {
    json!({"type": "function", "function": function(tool)})
}

/// Its part that describes the function.
pub(super) fn function(tool: &Tool) -> Json {
    let mut parameters = match &tool.parameters {
        Some(Json::Object(schema)) => schema.clone(),
        _ => Map::new(),
    };
    if parameters.get("type").is_none_or(|kind| kind == "object") {
        for (key, value) in [("type", "object".into()), ("properties", Map::new().into())] {
            parameters.entry(key).or_insert(value);
        }
    }
    json!({
        "name": tool.name,
        "description": tool.description.as_deref().unwrap_or_default(),
        "parameters": parameters,
    })
}

/// A call as templates expect it.
pub(super) fn call(call: &ToolCall, form: Arguments) -> Json {
    let arguments = match form {
        Arguments::Values => arguments(call),
        Arguments::Text => call.arguments.as_str().into(),
    };
    json!({
        "id": call.id,
        "type": "function",
        "function": {"name": call.name, "arguments": arguments},
    })
}

/// The arguments of a call as a value; text that is no JSON stays text, and no text is no arguments.
fn arguments(call: &ToolCall) -> Json {
    if call.arguments.trim().is_empty() {
        return Map::new().into();
    }
    serde_json::from_str(&call.arguments).unwrap_or_else(|_| call.arguments.as_str().into())
}

/// Whether messages tell of tools.
pub(super) fn are_in(messages: &[PromptMessage]) -> bool {
    let tells = |message: &PromptMessage| message.role == Role::Tool || !message.tool_calls.is_empty();
    messages.iter().any(tells)
}

/// Gives each result the name of its tool and of its call, where the message does not say them: results without a
/// call belong to the calls before them, in order.
pub(super) fn pair(messages: &mut [PromptMessage]) {
    let mut open: VecDeque<(String, String)> = VecDeque::new();
    for message in messages {
        if !message.tool_calls.is_empty() {
            open = message
                .tool_calls
                .iter()
                .map(|call| (call.id.clone(), call.name.clone()))
                .collect();
        }
        if message.role != Role::Tool {
            continue;
        }
        let place = match &message.tool_call_id {
            Some(wanted) => open.iter().position(|(id, _)| id == wanted),
            None => Some(0),
        };
        if let Some((id, name)) = place.and_then(|place| open.remove(place)) {
            message.tool_call_id.get_or_insert(id);
            message.name.get_or_insert(name);
        }
    }
}

/// The chat with everything about tools in words: the tools in the system prompt, calls in the text of the one who
/// made them, results as what a user says.
pub(crate) fn spell(messages: &[PromptMessage], tools: &[Tool]) -> Vec<PromptMessage> {
    let mut spelled: Vec<PromptMessage> = Vec::with_capacity(messages.len() + 1);
    let mut after_result = false;
    for message in messages {
        let is_result = message.role == Role::Tool;
        let message = in_words(message);
        match spelled.last_mut().filter(|_| is_result && after_result) {
            Some(last) => merge(last, message),
            None => spelled.push(message),
        }
        after_result = is_result;
    }
    if tools.is_empty() {
        return spelled;
    }
    let mut lines = vec![HOW_TO_CALL.to_owned()];
    lines.extend(tools.iter().map(|tool| function(tool).to_string()));
    lines.push(format!("\n{FORM_OF_CALLS}"));
    let words = PromptMessage::text(Role::System, lines.join("\n"));
    match spelled.first_mut().filter(|first| first.role == Role::System) {
        Some(system) => merge(system, words),
        None => spelled.insert(0, words),
    }
    spelled
}

fn in_words(message: &PromptMessage) -> PromptMessage {
    let mut message = message.clone();
    for call in std::mem::take(&mut message.tool_calls) {
        if !message.text.is_empty() {
            message.text.push('\n');
        }
        message.text += &json!({"name": call.name, "arguments": arguments(&call)}).to_string();
    }
    if message.role == Role::Tool {
        let of = match message.name.take() {
            Some(name) => format!("Result of {name}:"),
            None => "Result:".to_owned(),
        };
        message = PromptMessage::text(Role::User, format!("{of}\n{}", message.text));
    }
    message
}

#[cfg(test)]
mod tests;
