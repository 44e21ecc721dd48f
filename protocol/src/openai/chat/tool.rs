//! The tools of a chat: those that may be called, and their calls.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A tool the model may call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Tool {
    /// A function.
    Function {
        /// The function.
        function: FunctionDefinition,
    },
    /// A function whose argument is free text. It is read to be refused by name.
    Custom {},
}

/// A function the model may call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FunctionDefinition {
    /// Its name.
    pub name: String,
    /// What it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// JSON schema of its arguments.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parameters: Option<Value>,
}

/// Which tools must be called.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(
    untagged,
    expecting = "expected none, auto, required, a function such as {\"type\": \"function\", \"function\": {\"name\": \"NAME\"}}, or allowed_tools"
)]
pub enum ToolChoice {
    /// `none`, `auto` or `required`.
    Mode(ToolChoiceMode),
    /// This one.
    Named {
        /// The function.
        function: FunctionName,
    },
    /// Some of the tools.
    Allowed {
        /// Which, and whether they must be called.
        allowed_tools: AllowedTools,
    },
}

/// The tools that may be called.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct AllowedTools {
    /// `auto` or `required`.
    pub mode: ToolChoiceMode,
    /// The tools.
    pub tools: Vec<AllowedTool>,
}

/// One of the tools that may be called.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct AllowedTool {
    /// The function.
    pub function: FunctionName,
}

/// Whether tools are called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ToolChoiceMode {
    /// None.
    None,
    /// The model decides.
    Auto,
    /// At least one.
    Required,
}

/// A function by name.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct FunctionName {
    /// Its name.
    pub name: String,
}

/// A call of a tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolCall {
    /// Its id.
    pub id: String,
    /// Always `function`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The function and its arguments.
    pub function: FunctionCall,
}

/// A function and its arguments.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FunctionCall {
    /// Its name.
    pub name: String,
    /// Arguments as JSON text.
    pub arguments: String,
}
