//! A chat that uses everything a prompt can hold, and a way to put a text into each place of it. For tests.

use hearth_protocol::answer::AnswerOptions;
use hearth_protocol::chat::Role;
use hearth_protocol::prompt::PromptMessage;
use hearth_protocol::tools::{Tool, ToolCall};
use serde_json::json;

/// Messages and what is asked of the answer.
#[derive(Debug, Clone)]
pub(crate) struct Chat {
    pub(crate) messages: Vec<PromptMessage>,
    pub(crate) options: AnswerOptions,
}

/// Each place where a text from outside stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    System,
    User,
    UserName,
    Answer,
    Thought,
    CallId,
    CallName,
    CallArgument,
    CallValue,
    CallText,
    Result,
    ResultName,
    LastUser,
    ToolName,
    ToolDescription,
    ParameterName,
    ParameterDescription,
    ParameterChoice,
    TemplateArgument,
}

pub(crate) const PLACES: [Place; 19] = [
    Place::System,
    Place::User,
    Place::UserName,
    Place::Answer,
    Place::Thought,
    Place::CallId,
    Place::CallName,
    Place::CallArgument,
    Place::CallValue,
    Place::CallText,
    Place::Result,
    Place::ResultName,
    Place::LastUser,
    Place::ToolName,
    Place::ToolDescription,
    Place::ParameterName,
    Place::ParameterDescription,
    Place::ParameterChoice,
    Place::TemplateArgument,
];

/// A variable that many templates print.
const PRINTED_VARIABLES: [&str; 3] = ["date_string", "model_identity", "custom_instructions"];

impl Chat {
    /// The chat with a text in one place.
    pub(crate) fn with(place: Place, text: &str) -> Self {
        let at = |this: Place, usual: &str| {
            if this == place {
                text.to_owned()
            } else {
                usual.to_owned()
            }
        };
        let arguments = match place {
            Place::CallText => text.to_owned(),
            _ => json!({at(Place::CallArgument, "city"): at(Place::CallValue, "Ulm")}).to_string(),
        };
        let call = ToolCall {
            id: at(Place::CallId, "call00001"),
            name: at(Place::CallName, "weather"),
            arguments,
        };
        let parameters = json!({
            "type": "object",
            "properties": {at(Place::ParameterName, "city"): {
                "type": "string",
                "description": at(Place::ParameterDescription, "Which city."),
                "enum": ["Bonn", at(Place::ParameterChoice, "Ulm")],
            }},
            "required": [at(Place::ParameterName, "city")],
        });
        let tool = Tool {
            name: at(Place::ToolName, "weather"),
            description: Some(at(Place::ToolDescription, "Tells the weather.")),
            parameters: Some(parameters),
        };
        let messages = vec![
            PromptMessage::text(Role::System, at(Place::System, "Be brief.")),
            PromptMessage {
                name: Some(at(Place::UserName, "Ada")),
                ..PromptMessage::text(Role::User, at(Place::User, "How is the weather?"))
            },
            PromptMessage {
                reasoning: Some(at(Place::Thought, "I should look.")),
                tool_calls: vec![call.clone()],
                ..PromptMessage::text(Role::Assistant, "")
            },
            PromptMessage {
                tool_call_id: Some(call.id),
                name: Some(at(Place::ResultName, "weather")),
                ..PromptMessage::text(Role::Tool, at(Place::Result, "Sun."))
            },
            PromptMessage::text(Role::Assistant, at(Place::Answer, "It is sunny.")),
            PromptMessage::text(Role::User, at(Place::LastUser, "Thanks.")),
        ];
        let mut options = AnswerOptions {
            tools: vec![tool],
            ..AnswerOptions::default()
        };
        if place == Place::TemplateArgument {
            let arguments = PRINTED_VARIABLES.map(|name| (name.to_owned(), text.into()));
            options.template_arguments.extend(arguments);
        }
        Self { messages, options }
    }
}
