//! Chats in the shape that a template takes.
//!
//! Some templates refuse a system message, or two messages of one role after each other. Such a template is asked
//! again with the same words in another shape: roles merged, then the system prompt at the head of what the user
//! said. A template that takes the chat as it is never sees another shape.

use hearth_protocol::chat::Role;

use crate::engine::PromptMessage;

/// What stands between two messages that are made one.
const BETWEEN: &str = "\n\n";

/// The shapes of a chat, in the order in which they are tried; the first is the chat itself.
pub(super) fn shapes(messages: &[PromptMessage]) -> Vec<Vec<PromptMessage>> {
    let mut shapes = vec![messages.to_vec()];
    let without_system = messages.iter().map(|message| match message.role {
        Role::System => PromptMessage {
            role: Role::User,
            ..message.clone()
        },
        _ => message.clone(),
    });
    for shape in [merge(messages.iter().cloned()), merge(without_system)] {
        if shapes.last() != Some(&shape) {
            shapes.push(shape);
        }
    }
    shapes
}

/// One message in the place of several of the same role after each other. Results of tools stay apart.
fn merge(messages: impl Iterator<Item = PromptMessage>) -> Vec<PromptMessage> {
    let mut merged: Vec<PromptMessage> = Vec::new();
    for message in messages {
        match merged.last_mut() {
            Some(last) if last.role == message.role && last.role != Role::Tool => {
                if !last.text.is_empty() && !message.text.is_empty() {
                    last.text.push_str(BETWEEN);
                }
                last.text.push_str(&message.text);
            }
            _ => merged.push(message),
        }
    }
    merged
}

#[cfg(test)]
mod tests;
