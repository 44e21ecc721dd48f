//! What a client sends.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use super::super::chat::ToolChoiceMode;
use super::item::InputItem;
use crate::text_or_list::{self, TextOrList};

/// A request for an answer. Unknown fields are ignored.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct CreateResponse {
    /// The model's id.
    #[serde(default)]
    pub model: Option<String>,
    /// What is asked.
    #[serde(default)]
    pub input: Option<Input>,
    /// What is asked of the model before the input. Those of earlier answers do not stay.
    #[serde(default)]
    pub instructions: Option<String>,
    /// The answer to go on from.
    #[serde(default)]
    pub previous_response_id: Option<String>,
    /// Whether to stream.
    #[serde(default)]
    pub stream: Option<bool>,
    /// Whether the answer is kept; it is where nothing is said.
    #[serde(default)]
    pub store: Option<bool>,
    /// 0.0 to 2.0.
    #[serde(default)]
    pub temperature: Option<f32>,
    /// 0.0 to 1.0.
    #[serde(default)]
    pub top_p: Option<f32>,
    /// Most tokens to generate, thinking included.
    #[serde(default)]
    pub max_output_tokens: Option<i64>,
    /// Likeliest tokens to tell at each place, 0 to 20.
    #[serde(default)]
    pub top_logprobs: Option<u32>,
    /// What to tell beside the answer.
    #[serde(default)]
    pub include: Option<Vec<String>>,
    /// Tools the model may call.
    #[serde(default)]
    pub tools: Option<Vec<Tool>>,
    /// Which of them it must call.
    #[serde(default)]
    pub tool_choice: Option<ToolChoice>,
    /// Whether it may call several at once.
    #[serde(default)]
    pub parallel_tool_calls: Option<bool>,
    /// The form of the text.
    #[serde(default)]
    pub text: Option<TextOptions>,
    /// How much it thinks.
    #[serde(default)]
    pub reasoning: Option<Reasoning>,
    /// What the client notes beside the answer.
    #[serde(default)]
    pub metadata: Option<Map<String, Value>>,
    /// What happens when the context is full.
    #[serde(default)]
    pub truncation: Option<Truncation>,
}

/// Fields of the same request that ask for what Hearth cannot do. They are read to be refused by name.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Beyond {
    /// Whether to answer later.
    pub background: Option<bool>,
    /// A conversation that OpenAI keeps.
    pub conversation: Option<Value>,
    /// A prompt that OpenAI keeps.
    pub prompt: Option<Value>,
    /// What is left out of a long chat.
    pub context_management: Option<Vec<Value>>,
}

/// What is asked.
#[derive(Debug, Clone, PartialEq)]
pub enum Input {
    /// What a person says.
    Text(String),
    /// Items in order.
    Items(Vec<InputItem>),
}

impl TextOrList<'_> for Input {
    type Item = InputItem;
    const EXPECTED: &'static str =
        "a text or a list of items such as {\"role\": \"user\", \"content\": \"…\"}";

    fn text(text: String) -> Self {
        Self::Text(text)
    }

    fn list(items: Vec<InputItem>) -> Self {
        Self::Items(items)
    }
}

impl<'de> Deserialize<'de> for Input {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        text_or_list::deserialize(deserializer)
    }
}

/// A tool the model may call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Tool {
    /// A function.
    Function {
        /// Its name.
        name: String,
        /// What it does.
        #[serde(default)]
        description: Option<String>,
        /// JSON schema of its arguments.
        #[serde(default)]
        parameters: Option<Value>,
        /// Whether to hold to the schema strictly. Hearth always does.
        #[serde(default)]
        strict: Option<bool>,
    },
    /// A function whose argument is free text. It is read to be refused by name.
    Custom {},
    /// A tool that OpenAI's servers or models know by themselves. It is read to be refused by name.
    #[serde(
        rename = "web_search",
        alias = "web_search_preview",
        alias = "file_search",
        alias = "code_interpreter",
        alias = "image_generation",
        alias = "computer",
        alias = "computer_use_preview",
        alias = "mcp",
        alias = "local_shell",
        alias = "shell",
        alias = "apply_patch"
    )]
    Hosted {},
}

/// Which tools must be called.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    untagged,
    expecting = "expected none, auto, required, a function such as {\"type\": \"function\", \"name\": \"NAME\"}, or allowed_tools"
)]
pub enum ToolChoice {
    /// `none`, `auto` or `required`.
    Mode(ToolChoiceMode),
    /// Some of the tools.
    Tools(ChosenTools),
}

/// Some of the tools.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ChosenTools {
    /// This one must be called.
    Function {
        /// Its name.
        name: String,
    },
    /// Only these may be called.
    AllowedTools {
        /// `auto` or `required`.
        mode: ToolChoiceMode,
        /// The tools.
        tools: Vec<AllowedTool>,
    },
}

/// One of the tools that may be called.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum AllowedTool {
    /// A function.
    Function {
        /// Its name.
        name: String,
    },
}

/// The form of the text.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct TextOptions {
    /// The form.
    #[serde(default, deserialize_with = "crate::nullable::deserialize")]
    pub format: TextFormat,
    /// How many words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verbosity: Option<String>,
}

/// The form of the text.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum TextFormat {
    /// Free text.
    #[default]
    Text,
    /// Any JSON object.
    JsonObject,
    /// JSON that fits a schema.
    JsonSchema {
        /// Its name.
        name: String,
        /// What it is for.
        #[serde(default)]
        description: Option<String>,
        /// The schema.
        schema: Value,
        /// Whether to hold to it strictly. Hearth always does.
        #[serde(default)]
        strict: Option<bool>,
    },
}

/// How much a model thinks.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reasoning {
    /// `none`, `minimal`, `low`, `medium`, `high`, `xhigh`.
    #[serde(default)]
    pub effort: Option<String>,
    /// How its thinking is told; Hearth tells all of it.
    #[serde(default, alias = "generate_summary")]
    pub summary: Option<String>,
}

/// What happens when the context is full.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Truncation {
    /// The request is refused.
    #[default]
    Disabled,
    /// The oldest turns are left out.
    Auto,
}

#[cfg(test)]
mod tests {
    use super::super::item::{Content, MessageRole, Part};
    use super::*;

    #[test]
    fn items_of_every_kind_are_understood() {
        let body = r#"{"model": "m", "store": null, "truncation": "auto", "user": "unknown",
            "input": [
                {"role": "developer", "content": "Be brief."},
                {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Look."}]},
                {"type": "reasoning", "id": "rs_1", "summary": [], "content": [{"type": "reasoning_text", "text": "Hm"}]},
                {"type": "function_call", "id": "fc_1", "call_id": "c1", "name": "look", "arguments": "{}"},
                {"type": "function_call_output", "call_id": "c1", "output": "A cat."},
                {"type": "message", "role": "assistant", "id": "msg_1", "status": "completed",
                 "content": [{"type": "output_text", "text": "A cat.", "annotations": [], "logprobs": []}]}],
            "tools": [{"type": "function", "name": "look", "parameters": {"type": "object"}, "strict": true}],
            "tool_choice": {"type": "allowed_tools", "mode": "auto", "tools": [{"type": "function", "name": "look"}]},
            "text": {"format": {"type": "json_schema", "name": "x", "schema": {}}}}"#;
        let request: CreateResponse = serde_json::from_str(body).expect("parse");
        let Some(Input::Items(items)) = request.input else {
            panic!("{:?}", request.input);
        };
        assert_eq!(items.len(), 6);
        assert_eq!(
            items[0],
            InputItem::Message {
                role: MessageRole::System,
                content: Content::Text("Be brief.".into()),
            }
        );
        assert!(
            matches!(&items[2], InputItem::Reasoning { content: Some(Content::Parts(parts)), .. }
            if matches!(&parts[..], [Part::Text { text }] if text == "Hm"))
        );
        assert!(matches!(&items[3], InputItem::FunctionCall { name, .. } if name == "look"));
        assert_eq!(request.truncation, Some(Truncation::Auto));
    }

    #[test]
    fn what_is_not_there_is_refused_by_its_name() {
        let cases = [
            (r#"{"input": [{"type": "web_search_call"}]}"#, "web_search_call"),
            (r#"{"input": [{"id": "x"}]}"#, "type"),
            (r#"{"input": 3}"#, "a text or a list of items"),
            (r#"{"input": [{"role": "user"}]}"#, "content"),
            (r#"{"tools": [{"type": "guess"}]}"#, "guess"),
            (r#"{"tool_choice": 3}"#, "expected none, auto, required"),
        ];
        for (body, named) in cases {
            let error = serde_json::from_str::<CreateResponse>(body).expect_err(body);
            assert!(error.to_string().contains(named), "{body}: {error}");
        }
    }
}
