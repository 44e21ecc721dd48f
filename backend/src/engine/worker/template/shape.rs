//! Chats in the shape that a template takes.
//!
//! Some templates refuse a system message, or two messages of one role after each other; some know only the names
//! of calls that Mistral's API gives, or arguments only as text. Such a template is asked again with the same words
//! in another shape: roles merged, then the system prompt at the head of what the user said, then with other names
//! of calls, then with arguments as text. A template that takes the chat as it is never sees another shape.

use std::collections::HashMap;

use hearth_protocol::chat::Role;
use hearth_protocol::prompt::PromptMessage;

/// What stands between two messages that are made one.
pub(super) const BETWEEN: &str = "\n\n";

/// Length of the names that Mistral's templates demand for calls: letters and digits only.
const SHORT_ID: usize = 9;

/// How the arguments of calls reach the template.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Arguments {
    /// As the value that their JSON stands for, mostly an object.
    Values,
    /// As their JSON.
    Text,
}

/// A chat in one shape.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) messages: Vec<PromptMessage>,
    pub(super) arguments: Arguments,
}

/// The shapes of a chat, in the order in which they are tried; the first is the chat itself.
pub(super) fn shapes(messages: &[PromptMessage]) -> Vec<Shape> {
    let have_calls = messages.iter().any(|message| !message.tool_calls.is_empty());
    let forms: &[_] = if have_calls {
        &[Arguments::Values, Arguments::Text]
    } else {
        &[Arguments::Values]
    };
    let mut named: Vec<Vec<PromptMessage>> = vec![messages.to_vec()];
    named.extend(with_short_ids(messages));
    let mut shapes = Vec::new();
    for arguments in forms {
        for messages in named.iter().flat_map(|messages| turns(messages)) {
            shapes.push(Shape {
                messages,
                arguments: *arguments,
            });
        }
    }
    shapes
}

/// The chat as it is, with roles merged, and without system messages; what is the same comes once.
fn turns(messages: &[PromptMessage]) -> Vec<Vec<PromptMessage>> {
    let mut shapes = vec![messages.to_vec()];
    let without_system = messages.iter().map(|message| match message.role {
        Role::System => PromptMessage {
            role: Role::User,
            ..message.clone()
        },
        _ => message.clone(),
    });
    for shape in [merged(messages.iter().cloned()), merged(without_system)] {
        if shapes.last() != Some(&shape) {
            shapes.push(shape);
        }
    }
    shapes
}

/// One message in the place of several of the same role after each other. Results of tools stay apart, since each
/// belongs to its own call.
fn merged(messages: impl Iterator<Item = PromptMessage>) -> Vec<PromptMessage> {
    let mut merged: Vec<PromptMessage> = Vec::new();
    for message in messages {
        match merged.last_mut() {
            Some(last) if last.role == message.role && last.role != Role::Tool => merge(last, message),
            _ => merged.push(message),
        }
    }
    merged
}

/// Makes two messages one: their texts, their thoughts and their calls. The speaker's name stays where both have it.
pub(super) fn merge(message: &mut PromptMessage, next: PromptMessage) {
    join(&mut message.text, &next.text);
    if let Some(thought) = next.reasoning {
        join(message.reasoning.get_or_insert_default(), &thought);
    }
    message.tool_calls.extend(next.tool_calls);
    if message.name != next.name {
        message.name = None;
    }
}

fn join(text: &mut String, next: &str) {
    if !text.is_empty() && !next.is_empty() {
        text.push_str(BETWEEN);
    }
    text.push_str(next);
}

/// The chat with names of calls that every template takes; `None` where they are such already.
fn with_short_ids(messages: &[PromptMessage]) -> Option<Vec<PromptMessage>> {
    let is_short = |id: &str| id.len() == SHORT_ID && id.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let mut messages = messages.to_vec();
    let mut names: HashMap<String, String> = HashMap::new();
    let mut any_long = false;
    for message in &mut messages {
        let calls = message.tool_calls.iter_mut().map(|call| &mut call.id);
        for id in calls.chain(&mut message.tool_call_id) {
            any_long |= !is_short(id);
            let next = names.len();
            let short = names
                .entry(id.clone())
                .or_insert_with(|| format!("call{next:0width$}", width = SHORT_ID - "call".len()));
            id.clone_from(short);
        }
    }
    any_long.then_some(messages)
}

#[cfg(test)]
mod tests;
