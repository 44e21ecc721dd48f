//! What a template knows of tools, found out by asking it.
//!
//! A template that knows none renders the chat all the same, without the tools or without the calls. So it is shown
//! a chat with words that stand nowhere else, once, and asked whether they come out.

use hearth_protocol::answer::AnswerOptions;
use hearth_protocol::chat::Role;
use hearth_protocol::prompt::PromptMessage;
use hearth_protocol::tools::{Tool, ToolCall};
use jiff::Zoned;
use serde_json::json;

use super::ChatTemplate;
use super::control::ControlTokens;
use super::failure::Failure;

const TOOL: &str = "probed_tool";
const ARGUMENT: &str = "probed_value";
const RESULT: &str = "probed_result";
/// As Mistral's templates demand it.
const CALL: &str = "probed001";

/// What a template shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Abilities {
    /// The tools there are.
    pub(super) tools: bool,
    /// Calls and their results.
    pub(super) calls: bool,
}

impl ChatTemplate {
    /// What it shows; found out on the first call.
    ///
    /// # Errors
    /// `Stuck` alone; a template that fails otherwise shows nothing.
    pub(super) fn abilities(&self, now: &Zoned) -> Result<Abilities, Failure> {
        if let Some(abilities) = self.abilities.get() {
            return Ok(*abilities);
        }
        let mut chat = vec![PromptMessage::text(Role::User, "Hello")];
        let tools = self.shows(&chat, &[TOOL], now)?;
        chat.push(PromptMessage {
            tool_calls: vec![ToolCall {
                id: CALL.into(),
                name: TOOL.into(),
                arguments: json!({"probed": ARGUMENT}).to_string(),
            }],
            ..PromptMessage::text(Role::Assistant, "")
        });
        chat.push(PromptMessage {
            tool_call_id: Some(CALL.into()),
            name: Some(TOOL.into()),
            ..PromptMessage::text(Role::Tool, RESULT)
        });
        let calls = self.shows(&chat, &[ARGUMENT, RESULT], now)?;
        Ok(*self.abilities.get_or_init(|| Abilities { tools, calls }))
    }

    /// Whether all the words come out of a chat with a tool.
    fn shows(&self, chat: &[PromptMessage], words: &[&str], now: &Zoned) -> Result<bool, Failure> {
        let options = AnswerOptions {
            tools: vec![Tool {
                name: TOOL.into(),
                description: Some("A tool.".into()),
                parameters: Some(json!({
                    "type": "object",
                    "properties": {"probed": {"type": "string", "description": "An argument."}},
                    "required": ["probed"],
                })),
            }],
            ..AnswerOptions::default()
        };
        match self.render_shapes(chat, &options, true, &ControlTokens::default(), now) {
            Ok(rendered) => Ok(words.iter().all(|word| rendered.text.contains(word))),
            Err(failure @ Failure::Stuck(_)) => Err(failure),
            Err(_) => Ok(false),
        }
    }
}
