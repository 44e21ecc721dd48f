//! The messages of a chat, as they come.

use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::ToolCall;
use crate::text_or_list::{self, TextOrList};

/// A message of the chat, by its role.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(try_from = "Message")]
pub enum ChatMessage {
    /// Instructions; the role `developer` too.
    System {
        /// The text.
        content: Content,
        /// Who speaks.
        name: Option<String>,
    },
    /// The person.
    User {
        /// Text, or text and images.
        content: Content,
        /// Who speaks.
        name: Option<String>,
    },
    /// The model.
    Assistant {
        /// The text; null where there are tool calls.
        content: Option<Content>,
        /// What it thought before; llama-server's field.
        reasoning_content: Option<String>,
        /// Who speaks.
        name: Option<String>,
        /// Tools it called, one at least.
        tool_calls: Option<Vec<ToolCall>>,
        /// What of it cannot be given to a model here.
        beyond: AssistantBeyond,
    },
    /// The result of a tool.
    Tool {
        /// The result.
        content: Content,
        /// The call it answers.
        tool_call_id: String,
    },
}

/// Fields of an assistant's message that Hearth cannot read. They are read to be refused by name.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AssistantBeyond {
    /// The older form of a tool's call.
    pub function_call: Option<Value>,
    /// A spoken answer that OpenAI keeps.
    pub audio: Option<Value>,
}

/// A message with the fields of all roles. An enum that is tagged by the role would lose the place of what is wrong.
#[derive(Deserialize)]
struct Message {
    role: Role,
    #[serde(default)]
    content: Option<Content>,
    #[serde(default)]
    reasoning_content: Option<String>,
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    tool_calls: Option<Vec<ToolCall>>,
    #[serde(default)]
    tool_call_id: Option<String>,
    #[serde(default)]
    refusal: Option<String>,
    #[serde(default)]
    function_call: Option<Value>,
    #[serde(default)]
    audio: Option<Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Role {
    #[serde(alias = "developer")]
    System,
    User,
    Assistant,
    Tool,
}

impl TryFrom<Message> for ChatMessage {
    type Error = &'static str;

    fn try_from(message: Message) -> Result<Self, Self::Error> {
        let Message {
            role,
            content,
            reasoning_content,
            name,
            tool_calls,
            tool_call_id,
            refusal,
            function_call,
            audio,
        } = message;
        let said = content
            .clone()
            .ok_or("content is missing; only an assistant's may be");
        Ok(match role {
            Role::System => Self::System { content: said?, name },
            Role::User => Self::User { content: said?, name },
            Role::Assistant => Self::Assistant {
                // A refusal is all that was said then.
                content: content.or(refusal.map(Content::Text)),
                reasoning_content,
                name,
                // An empty list says the same as none.
                tool_calls: tool_calls.filter(|calls| !calls.is_empty()),
                beyond: AssistantBeyond { function_call, audio },
            },
            Role::Tool => Self::Tool {
                content: said?,
                tool_call_id: tool_call_id.ok_or("tool_call_id is missing, the call that this answers")?,
            },
        })
    }
}

/// Text, or parts.
#[derive(Debug, Clone, PartialEq)]
pub enum Content {
    /// Text.
    Text(String),
    /// Parts in order.
    Parts(Vec<ContentPart>),
}

impl TextOrList<'_> for Content {
    type Item = ContentPart;
    const EXPECTED: &'static str = "a text or a list of parts such as {\"type\": \"text\", \"text\": \"…\"}";

    fn text(text: String) -> Self {
        Self::Text(text)
    }

    fn list(parts: Vec<ContentPart>) -> Self {
        Self::Parts(parts)
    }
}

impl<'de> Deserialize<'de> for Content {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        text_or_list::deserialize(deserializer)
    }
}

/// A part of a message.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ContentPart {
    /// Text.
    Text {
        /// The text.
        text: String,
    },
    /// A refusal of an earlier answer.
    Refusal {
        /// The text.
        refusal: String,
    },
    /// An image.
    ImageUrl {
        /// Where it is.
        image_url: ImageUrl,
    },
    /// A sound. It is read to be refused by name.
    InputAudio {},
    /// A document. It is read to be refused by name.
    File {},
}

/// Where an image is.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct ImageUrl {
    /// A `data:` address.
    pub url: String,
}
