//! Items: what a chat is made of, on its way in and out.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use super::super::chat::TokenLogprob;
use super::Status;
use crate::text_or_list::{self, TextOrList};

/// An item that comes in. Answers' items come back as they went out.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(try_from = "Item")]
pub enum InputItem {
    /// A message.
    Message {
        /// Who speaks.
        role: MessageRole,
        /// What.
        content: Content,
    },
    /// A tool that the model called.
    FunctionCall {
        /// The call's id.
        call_id: String,
        /// The function.
        name: String,
        /// Its arguments as JSON text.
        arguments: String,
    },
    /// The result of a tool.
    FunctionCallOutput {
        /// The call it answers.
        call_id: String,
        /// The result.
        output: Content,
    },
    /// What the model thought.
    Reasoning {
        /// In short.
        summary: Option<Content>,
        /// In full.
        content: Option<Content>,
    },
}

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MessageRole {
    /// Whoever instructs.
    #[serde(alias = "developer")]
    System,
    /// The person.
    User,
    /// The model.
    Assistant,
}

/// Text, or parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// Text.
    Text(String),
    /// Parts in order.
    Parts(Vec<Part>),
}

impl TextOrList<'_> for Content {
    type Item = Part;
    const EXPECTED: &'static str =
        "a text or a list of parts such as {\"type\": \"input_text\", \"text\": \"…\"}";

    fn text(text: String) -> Self {
        Self::Text(text)
    }

    fn list(parts: Vec<Part>) -> Self {
        Self::Parts(parts)
    }
}

impl<'de> Deserialize<'de> for Content {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        text_or_list::deserialize(deserializer)
    }
}

/// A part of what comes in.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Part {
    /// Text: `input_text`, or of an earlier answer.
    #[serde(
        rename = "input_text",
        alias = "output_text",
        alias = "reasoning_text",
        alias = "summary_text",
        alias = "text"
    )]
    Text {
        /// The text.
        text: String,
    },
    /// A refusal of an earlier answer.
    Refusal {
        /// The text.
        refusal: String,
    },
    /// A picture.
    #[serde(rename = "input_image")]
    Image {
        /// A `data:` address.
        #[serde(default)]
        image_url: Option<String>,
    },
    /// A document. It is read to be refused by name.
    #[serde(rename = "input_file")]
    File {},
    /// A sound. It is read to be refused by name.
    #[serde(rename = "input_audio")]
    Audio {},
}

/// An item with the fields of all kinds. An enum that is tagged by the kind would lose the place of what is wrong, and a
/// message may leave its kind out.
#[derive(Deserialize)]
struct Item {
    #[serde(default, rename = "type")]
    kind: Option<Kind>,
    #[serde(default)]
    role: Option<MessageRole>,
    #[serde(default)]
    content: Option<Content>,
    #[serde(default)]
    call_id: Option<String>,
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    arguments: Option<String>,
    #[serde(default)]
    output: Option<Content>,
    #[serde(default)]
    summary: Option<Content>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Message,
    FunctionCall,
    FunctionCallOutput,
    Reasoning,
}

impl TryFrom<Item> for InputItem {
    type Error = &'static str;

    fn try_from(item: Item) -> Result<Self, Self::Error> {
        let kind = item
            .kind
            .or(item.role.map(|_| Kind::Message))
            .ok_or("type is missing")?;
        let call_id = item.call_id.ok_or("call_id is missing");
        Ok(match kind {
            Kind::Message => Self::Message {
                role: item.role.ok_or("role is missing")?,
                content: item.content.ok_or("content is missing")?,
            },
            Kind::FunctionCall => Self::FunctionCall {
                call_id: call_id?,
                name: item.name.ok_or("name is missing")?,
                arguments: item.arguments.ok_or("arguments is missing")?,
            },
            Kind::FunctionCallOutput => Self::FunctionCallOutput {
                call_id: call_id?,
                output: item.output.ok_or("output is missing")?,
            },
            Kind::Reasoning => Self::Reasoning {
                summary: item.summary,
                content: item.content,
            },
        })
    }
}

/// An item that the model wrote.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum OutputItem {
    /// A message.
    Message {
        /// Its id.
        id: String,
        /// How far it is.
        status: Status,
        /// Always `assistant`.
        role: &'static str,
        /// Its parts.
        content: Vec<OutputPart>,
    },
    /// A tool that it calls.
    FunctionCall {
        /// Its id.
        id: String,
        /// How far it is.
        status: Status,
        /// The call's id, to match its result with.
        call_id: String,
        /// The function.
        name: String,
        /// Its arguments as JSON text.
        arguments: String,
    },
    /// What it thought.
    Reasoning {
        /// Its id.
        id: String,
        /// How far it is.
        status: Status,
        /// Always empty: all of it stands in the content.
        summary: Vec<Value>,
        /// Its parts.
        content: Vec<OutputPart>,
    },
}

/// A part of what the model wrote.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum OutputPart {
    /// Text of a message.
    OutputText {
        /// The text.
        text: String,
        /// Always empty.
        annotations: Vec<Value>,
        /// How likely its tokens were, where that was asked for.
        logprobs: Vec<TokenLogprob>,
    },
    /// Thinking.
    ReasoningText {
        /// The text.
        text: String,
    },
}

impl OutputItem {
    /// Its id.
    pub fn id(&self) -> &str {
        match self {
            Self::Message { id, .. } | Self::FunctionCall { id, .. } | Self::Reasoning { id, .. } => id,
        }
    }

    /// Says how far it is.
    pub fn set_status(&mut self, now: Status) {
        match self {
            Self::Message { status, .. }
            | Self::FunctionCall { status, .. }
            | Self::Reasoning { status, .. } => *status = now,
        }
    }
}
