//! Tools a model may ask for.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Error, Result};

/// A tool the model may ask for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Tool {
    /// Its name: 1 to 64 letters, digits, `_`, `-` and `.`.
    pub name: String,
    /// What it does, for the model.
    pub description: Option<String>,
    /// A JSON schema of its arguments, an object; `None` takes none.
    pub parameters: Option<Value>,
}

/// Whether tools are asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolChoice {
    /// As the model likes.
    #[default]
    Auto,
    /// Not at all.
    None,
    /// At least one, enforced by grammar.
    Required,
    /// This one, enforced by grammar.
    Named(String),
}

/// A tool the model asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolCall {
    /// The call's name, to match its result with.
    pub id: String,
    /// The tool.
    pub name: String,
    /// Its arguments as JSON text.
    pub arguments: String,
}

impl Tool {
    /// Longest name, in characters (OpenAI's limit).
    const LONGEST_NAME: usize = 64;

    /// Longest name, description and schema of one tool together, in bytes: template and grammar read all of it before an
    /// answer begins, and others wait meanwhile.
    const LONGEST: usize = 1 << 20;

    /// Bytes of its name, its description and its schema.
    pub fn bytes(&self) -> usize {
        let schema = self.parameters.as_ref().map_or(0, json_bytes);
        self.name.len() + self.description.as_deref().map_or(0, str::len) + schema
    }

    /// Checks name, schema and length.
    ///
    /// # Errors
    /// [`Error::Invalid`] names what is wrong.
    pub fn validate(&self) -> Result<()> {
        let is_name = |letter: char| letter.is_ascii_alphanumeric() || "_-.".contains(letter);
        let length = self.name.chars().count();
        if !(1..=Self::LONGEST_NAME).contains(&length) || !self.name.chars().all(is_name) {
            return Err(Error::invalid(
                "tools",
                format!(
                    "has a tool named {:?}; a name is 1 to 64 letters, digits, _, - and .",
                    self.name
                ),
            ));
        }
        if self.parameters.as_ref().is_some_and(|schema| !schema.is_object()) {
            return Err(Error::invalid(
                "tools",
                format!("has a schema for {} that is no JSON object", self.name),
            ));
        }
        if self.bytes() > Self::LONGEST {
            return Err(Error::invalid(
                "tools",
                format!("has more than {} MiB for {}", Self::LONGEST >> 20, self.name),
            ));
        }
        Ok(())
    }
}

/// Bytes of a value as JSON text.
pub(crate) fn json_bytes(value: &Value) -> usize {
    /// Counts what is written.
    struct Counter(usize);

    impl std::io::Write for Counter {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    let mut counter = Counter(0);
    match serde_json::to_writer(&mut counter, value) {
        Ok(()) => counter.0,
        // A value always has a JSON form.
        Err(_) => usize::MAX,
    }
}

impl ToolChoice {
    /// Checks that what is demanded is there.
    ///
    /// # Errors
    /// [`Error::Invalid`] where a tool is demanded that is not in the list.
    pub fn validate(&self, tools: &[Tool]) -> Result<()> {
        match self {
            Self::Required if tools.is_empty() => {
                Err(Error::invalid("tool_choice", "demands a tool, and there is none"))
            }
            Self::Named(name) if !tools.iter().any(|tool| tool.name == *name) => Err(Error::invalid(
                "tool_choice",
                format!("demands the tool {name:?}, which is not among the tools"),
            )),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn tool(name: &str, parameters: Option<Value>) -> Tool {
        Tool {
            name: name.into(),
            description: None,
            parameters,
        }
    }

    #[test]
    fn names_and_schemas_are_checked() {
        let cases = [
            (tool("get_weather", None), true),
            (tool("a.b-c_9", Some(json!({"type": "object"}))), true),
            (tool("", None), false),
            (tool("two words", None), false),
            (tool(&"x".repeat(65), None), false),
            (tool("x", Some(json!([1]))), false),
            (tool("x", Some(json!({"a": "x".repeat(Tool::LONGEST)}))), false),
        ];
        for (tool, valid) in cases {
            assert_eq!(tool.validate().is_ok(), valid, "{tool:?}");
        }
    }

    #[test]
    fn a_tool_that_is_demanded_must_be_there() {
        let tools = [tool("a", None)];
        let cases = [
            (ToolChoice::Auto, &tools[..0], true),
            (ToolChoice::Required, &tools[..0], false),
            (ToolChoice::Required, &tools[..], true),
            (ToolChoice::Named("a".into()), &tools[..], true),
            (ToolChoice::Named("b".into()), &tools[..], false),
        ];
        for (choice, tools, valid) in cases {
            assert_eq!(choice.validate(tools).is_ok(), valid, "{choice:?}");
        }
    }
}
