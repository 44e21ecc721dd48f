//! What the model is given of a chat.

use hearth_protocol::chat::{Message, Role};
use hearth_protocol::prompt::{Prompt, PromptMessage};

use super::attach::with_files;

/// Stands between two messages that become one.
const SEAM: &str = "\n\n";

/// The instructions and the messages in order.
///
/// Many chat templates refuse a chat in which person and model do not take turns. So an answer without text, which
/// failed or was stopped before its first word, is left out, and the two questions that then stand side by side
/// become one message: the model reads all that the person said. What a tool returned stays apart, since each result
/// belongs to its own call.
pub(super) fn build(system_prompt: Option<&str>, history: &[Message]) -> Vec<PromptMessage> {
    let system = system_prompt.map(|text| PromptMessage::text(Role::System, text));
    let messages = history.iter().filter(|message| !is_empty_answer(message));
    let mut prompt: Vec<PromptMessage> = Vec::with_capacity(history.len() + 1);
    for message in system.into_iter().chain(messages.map(of_message)) {
        match prompt.last_mut() {
            Some(last) if last.role == message.role && message.role != Role::Tool => {
                last.text.push_str(SEAM);
                last.text.push_str(&message.text);
                last.tool_calls.extend(message.tool_calls);
            }
            _ => prompt.push(message),
        }
    }
    prompt
}

fn is_empty_answer(message: &Message) -> bool {
    message.role == Role::Assistant && message.text.trim().is_empty() && message.tool_calls.is_empty()
}

fn of_message(message: &Message) -> PromptMessage {
    PromptMessage {
        reasoning: message.reasoning.clone(),
        tool_calls: message.tool_calls.clone(),
        ..PromptMessage::text(message.role, with_files(&message.text, &message.attachments))
    }
}

/// The same, and behind it an answer that goes on. One of which nothing was written yet is begun anew.
pub(super) fn build_begun(system_prompt: Option<&str>, history: &[Message], begun: &Message) -> Prompt {
    let mut messages = build(system_prompt, history);
    let thought = begun.reasoning.as_deref().unwrap_or_default();
    if begun.text.is_empty() && thought.trim().is_empty() {
        return Prompt::chat(messages);
    }
    match messages.last_mut() {
        Some(last) if last.role == Role::Assistant => {
            last.text.push_str(SEAM);
            last.text.push_str(&begun.text);
        }
        _ => messages.push(of_message(begun)),
    }
    Prompt::Chat {
        messages,
        go_on: true,
    }
}

#[cfg(test)]
mod tests {
    use hearth_protocol::{MessageId, UnixMillis};

    use super::*;

    /// Messages as `u:text`, with the role's first letter.
    fn check(system_prompt: Option<&str>, history: &[&str], expected: &[&str]) {
        let history: Vec<Message> = history
            .iter()
            .map(|message| {
                let (role, text) = message.split_once(':').expect("role:text");
                Message {
                    id: MessageId(1),
                    parent: None,
                    role: [Role::System, Role::User, Role::Assistant, Role::Tool]
                        ["suat".find(role).expect("role")],
                    text: text.to_owned(),
                    reasoning: None,
                    tool_calls: Vec::new(),
                    attachments: Vec::new(),
                    model: None,
                    created_at: UnixMillis(0),
                    stop: None,
                    stats: None,
                    version: (0, 1),
                }
            })
            .collect();
        let prompt: Vec<String> = build(system_prompt, &history)
            .iter()
            .map(|message| {
                let role = match message.role {
                    Role::System => 's',
                    Role::User => 'u',
                    Role::Assistant => 'a',
                    Role::Tool => 't',
                };
                format!("{role}:{}", message.text)
            })
            .collect();
        assert_eq!(prompt, expected);
    }

    #[test]
    fn person_and_model_take_turns() {
        check(None, &["u:hi"], &["u:hi"]);
        check(
            Some("be kind"),
            &["u:hi", "a:ho", "u:so"],
            &["s:be kind", "u:hi", "a:ho", "u:so"],
        );
        check(
            Some("be kind"),
            &["s:be brief", "u:hi"],
            &["s:be kind\n\nbe brief", "u:hi"],
        );
        // Answers without text.
        check(None, &["u:one", "a:", "u:two"], &["u:one\n\ntwo"]);
        check(
            None,
            &["u:one", "a: \n", "u:two", "a:", "u:three"],
            &["u:one\n\ntwo\n\nthree"],
        );
        // An answer that broke off with text counts.
        check(None, &["u:one", "a:The", "u:two"], &["u:one", "a:The", "u:two"]);
        check(None, &["u:both", "t:1", "t:2"], &["u:both", "t:1", "t:2"]);
    }
}
