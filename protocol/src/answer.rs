//! What a request may ask of an answer beyond how its tokens are chosen.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::generate::at_most;
use crate::tools::{Tool, ToolChoice, json_bytes};
use crate::{Error, Result};

/// Most logprobs of other tokens beside each chosen one (OpenAI's limit).
pub const MOST_LOGPROBS: u32 = 20;

/// Most tools: a template writes all of them before the chat, and the grammar knows each (OpenAI's limit is 128).
const MOST_TOOLS: usize = 512;

/// Longest of all tools together, and of a schema, a grammar or an expression, in bytes: they are read before an answer
/// begins, and others wait meanwhile.
const LONGEST_TOOLS: usize = 4 << 20;
const LONGEST_FORM: usize = 1 << 20;

/// Longest of all values for the chat template together, in bytes.
const LONGEST_ARGUMENTS: usize = 1 << 20;

/// What an answer shall be like. The defaults ask for nothing special.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct AnswerOptions {
    /// Tools the model may ask for.
    pub tools: Vec<Tool>,
    /// Whether it shall.
    pub tool_choice: ToolChoice,
    /// Whether it may ask for one tool only.
    pub one_tool_only: bool,
    /// The form of the text.
    pub format: Format,
    /// Thinking before the answer.
    pub reasoning: Reasoning,
    /// What happens when the chat outgrows the context.
    pub context_policy: ContextPolicy,
    /// A named chat template of the model, such as `tool_use`; `None` takes the one that suits.
    pub template: Option<String>,
    /// Further values for the chat template, by name.
    pub template_arguments: Map<String, Value>,
    /// Tell the log-probability of each token and of this many likeliest ones, 0 to [`MOST_LOGPROBS`].
    pub logprobs: Option<u32>,
    /// Compute this answer alone and without what earlier ones left in the cache, so that the same request with the
    /// same seed gives the same text, to the last bit of every logit. Slower.
    pub deterministic: bool,
}

/// The form of a text, kept by grammar: no token is chosen that breaks it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// Any text.
    #[default]
    Text,
    /// A JSON object.
    JsonObject,
    /// JSON that a schema describes.
    JsonSchema(Value),
    /// What a grammar in llama.cpp's GBNF describes; its start is `root`.
    Gbnf(String),
    /// What a regular expression matches as a whole.
    Regex(String),
}

/// Thinking before the answer, for models that do so.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Reasoning {
    /// Whether the model shall think; `None` leaves it to the model's template.
    pub enabled: Option<bool>,
    /// Most tokens to think with; then the thought is closed and the answer begins. `None` sets no limit.
    pub budget: Option<u32>,
}

/// What happens when a chat and its answer are longer than the context.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ContextPolicy {
    /// A prompt that is too long is refused, and an answer ends where the context does.
    #[default]
    Stop,
    /// The oldest turns are left out, whole ones, so that the newest and the system prompt stay.
    Rolling,
    /// Turns in the middle are left out, whole ones: the first, the newest and the system prompt stay.
    KeepEnds,
}

/// How likely a token was, before any sampler changed it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TokenChance {
    /// The token's id.
    pub token: i32,
    /// Its bytes; a character may be spread over several tokens.
    pub bytes: Vec<u8>,
    /// Natural logarithm of its probability, 0 or less.
    pub logprob: f32,
}

/// A token that was chosen, and the likeliest in its place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Logprobs {
    /// The chosen one.
    pub chosen: TokenChance,
    /// The likeliest, the first first.
    pub top: Vec<TokenChance>,
}

impl Format {
    /// Bytes of what describes it.
    fn bytes(&self) -> usize {
        match self {
            Self::Text | Self::JsonObject => 0,
            Self::JsonSchema(schema) => json_bytes(schema),
            Self::Gbnf(text) | Self::Regex(text) => text.len(),
        }
    }
}

/// # Errors
/// [`Error::Invalid`] for more than so many bytes.
fn shorter(field: &str, bytes: usize, longest: usize) -> Result<()> {
    if bytes <= longest {
        return Ok(());
    }
    Err(Error::invalid(
        field,
        format!("is longer than {} MiB", longest >> 20),
    ))
}

impl AnswerOptions {
    /// Bytes of all tools.
    pub(crate) fn tools_bytes(&self) -> usize {
        self.tools.iter().map(Tool::bytes).sum()
    }

    /// Checks every field and what does not go together.
    ///
    /// # Errors
    /// [`Error::Invalid`] names the first field that is wrong.
    pub fn validate(&self) -> Result<()> {
        at_most("tools", self.tools.len(), MOST_TOOLS)?;
        for tool in &self.tools {
            tool.validate()?;
        }
        let arguments = self.template_arguments.iter();
        let arguments = arguments.map(|(name, value)| name.len() + json_bytes(value));
        shorter("tools", self.tools_bytes(), LONGEST_TOOLS)?;
        shorter("response_format", self.format.bytes(), LONGEST_FORM)?;
        shorter("template_arguments", arguments.sum(), LONGEST_ARGUMENTS)?;
        self.tool_choice.validate(&self.tools)?;
        if self.format != Format::Text
            && matches!(self.tool_choice, ToolChoice::Required | ToolChoice::Named(_))
        {
            return Err(Error::invalid(
                "response_format",
                "and tool_choice each demand a form of the same text; leave one out",
            ));
        }
        if self.logprobs.is_some_and(|count| count > MOST_LOGPROBS) {
            return Err(Error::invalid(
                "top_logprobs",
                format!("must be from 0 to {MOST_LOGPROBS}"),
            ));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_are_valid_and_missing_fields_take_them() {
        assert_eq!(AnswerOptions::default().validate(), Ok(()));
        let options: AnswerOptions = serde_json::from_str("{}").expect("parse");
        assert_eq!(options, AnswerOptions::default());
    }

    #[test]
    fn what_does_not_go_together_is_refused() {
        let tool = Tool {
            name: "a".into(),
            description: None,
            parameters: None,
        };
        let both = AnswerOptions {
            tools: vec![tool.clone()],
            tool_choice: ToolChoice::Required,
            format: Format::JsonObject,
            ..AnswerOptions::default()
        };
        let many = AnswerOptions {
            logprobs: Some(21),
            ..AnswerOptions::default()
        };
        let tools = AnswerOptions {
            tools: vec![tool.clone(); MOST_TOOLS + 1],
            ..AnswerOptions::default()
        };
        let long = |bytes: usize| Value::from("x".repeat(bytes));
        let heavy = Tool {
            description: Some("x".repeat(1_000_000)),
            ..tool
        };
        let heavy = AnswerOptions {
            tools: vec![heavy; 5],
            ..AnswerOptions::default()
        };
        let schema = AnswerOptions {
            format: Format::JsonSchema(long(LONGEST_FORM)),
            ..AnswerOptions::default()
        };
        let grammar = AnswerOptions {
            format: Format::Gbnf("x".repeat(LONGEST_FORM + 1)),
            ..AnswerOptions::default()
        };
        let arguments = AnswerOptions {
            template_arguments: Map::from_iter([("a".to_owned(), long(LONGEST_ARGUMENTS))]),
            ..AnswerOptions::default()
        };
        let cases = [
            (heavy, "tools"),
            (schema, "response_format"),
            (grammar, "response_format"),
            (arguments, "template_arguments"),
            (both, "response_format"),
            (many, "top_logprobs"),
            (tools, "tools"),
        ];
        for (options, field) in cases {
            assert!(matches!(options.validate(), Err(Error::Invalid { field: named, .. }) if named == field));
        }
    }
}
