//! What a client sends.

use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use crate::text_or_list::{self, TextOrList};

/// The chat of a request, which is all that counting its tokens needs. Unknown fields, such as `cache_control`, are
/// ignored.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Conversation {
    /// The model's id.
    #[serde(default)]
    pub model: Option<String>,
    /// Instructions.
    #[serde(default)]
    pub system: Option<Content>,
    /// The chat so far.
    pub messages: Vec<Message>,
    /// Tools the model may call.
    #[serde(default)]
    pub tools: Option<Vec<Tool>>,
    /// Which of them it must call.
    #[serde(default)]
    pub tool_choice: Option<ToolChoice>,
    /// Thinking before the answer; none where nothing is said.
    #[serde(default)]
    pub thinking: Option<Thinking>,
    /// The form of the answer, and how much the model thinks.
    #[serde(default)]
    pub output_config: Option<OutputConfig>,
    /// The form of the answer, by its older name.
    #[serde(default)]
    pub output_format: Option<OutputFormat>,
}

/// What else a request for an answer says.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Generation {
    /// Most tokens to generate, thinking included.
    pub max_tokens: u32,
    /// Whether to stream.
    #[serde(default)]
    pub stream: Option<bool>,
    /// 0.0 to 1.0.
    #[serde(default)]
    pub temperature: Option<f32>,
    /// 0.0 to 1.0.
    #[serde(default)]
    pub top_p: Option<f32>,
    /// Texts that end the answer.
    #[serde(default)]
    pub stop_sequences: Option<Vec<String>>,
}

/// Fields of the same request that ask for what Hearth cannot do. They are read to be refused by name.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Beyond {
    /// A machine in which code runs.
    pub container: Option<Value>,
    /// Servers of tools that the server itself calls.
    pub mcp_servers: Option<Vec<Value>>,
    /// What is left out of a long chat.
    pub context_management: Option<ContextManagement>,
}

/// What is left out of a long chat.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct ContextManagement {
    /// One after the other.
    pub edits: Option<Vec<Value>>,
}

/// A message of the chat.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Message {
    /// Who speaks.
    pub role: Role,
    /// What.
    pub content: Content,
}

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The person.
    User,
    /// The model.
    Assistant,
}

/// Text, or blocks.
#[derive(Debug, Clone, PartialEq)]
pub enum Content {
    /// Text.
    Text(String),
    /// Blocks in order.
    Blocks(Vec<Block>),
}

impl TextOrList<'_> for Content {
    type Item = Block;
    const EXPECTED: &'static str = "a text or a list of blocks such as {\"type\": \"text\", \"text\": \"…\"}";

    fn text(text: String) -> Self {
        Self::Text(text)
    }

    fn list(blocks: Vec<Block>) -> Self {
        Self::Blocks(blocks)
    }
}

impl<'de> Deserialize<'de> for Content {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        text_or_list::deserialize(deserializer)
    }
}

/// A block of a message.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Block {
    /// Text.
    Text {
        /// The text.
        text: String,
    },
    /// A picture.
    Image {
        /// Where it is.
        source: ImageSource,
    },
    /// A tool that the model called.
    ToolUse {
        /// The call's id.
        id: String,
        /// The tool.
        name: String,
        /// Its arguments.
        #[serde(default, deserialize_with = "crate::nullable::deserialize")]
        input: Map<String, Value>,
    },
    /// The result of a tool.
    ToolResult {
        /// The call it answers.
        tool_use_id: String,
        /// The result.
        #[serde(default)]
        content: Option<Content>,
        /// Whether the tool failed.
        #[serde(default)]
        is_error: Option<bool>,
    },
    /// What the model thought. Its signature is not looked at.
    Thinking {
        /// The text.
        thinking: String,
    },
    /// What another server's model thought, encrypted: nothing of it can be read here.
    RedactedThinking {},
    /// A document. It is read to be refused by name.
    Document {},
    /// What a search has found. It is read to be refused by name.
    SearchResult {},
}

/// Where a picture is.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ImageSource {
    /// Here.
    Base64 {
        /// The bytes of its file.
        data: String,
    },
    /// In the web.
    Url {},
    /// Among the files that Anthropic keeps.
    File {},
}

/// A tool the model may call.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Tool {
    /// `custom`, or the name of a tool that Anthropic's servers or models know by themselves.
    #[serde(default, rename = "type")]
    pub kind: Option<String>,
    /// Its name.
    pub name: String,
    /// What it does.
    #[serde(default)]
    pub description: Option<String>,
    /// JSON schema of its arguments.
    #[serde(default)]
    pub input_schema: Option<Value>,
}

/// Which tools must be called.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct ToolChoice {
    /// How.
    #[serde(rename = "type")]
    pub mode: ToolMode,
    /// Of `tool`: which.
    #[serde(default)]
    pub name: Option<String>,
    /// Whether only one may be called.
    #[serde(default)]
    pub disable_parallel_tool_use: Option<bool>,
}

/// Whether tools are called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ToolMode {
    /// The model decides.
    Auto,
    /// At least one.
    Any,
    /// This one.
    Tool,
    /// None.
    None,
}

/// Thinking before the answer.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Thinking {
    /// With a limit.
    Enabled {
        /// Most tokens to think with.
        budget_tokens: u32,
    },
    /// As the model likes.
    Adaptive {},
    /// None.
    Disabled {},
}

/// The form of the answer, and how much the model thinks.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct OutputConfig {
    /// The form.
    pub format: Option<OutputFormat>,
    /// `low`, `medium`, `high`, `max`.
    pub effort: Option<String>,
}

/// The form of the answer.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum OutputFormat {
    /// JSON that fits a schema.
    JsonSchema {
        /// The schema.
        schema: Value,
    },
}
