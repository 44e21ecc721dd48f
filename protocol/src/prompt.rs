//! What a model is given to go on with: a chat, a text, or two ends with a gap.

use serde::{Deserialize, Serialize};

use crate::answer::AnswerOptions;
use crate::chat::Role;
use crate::engine::{LoadedModel, ModelRef};
use crate::tools::ToolCall;
use crate::{Error, Image, Result};

/// What a model is given to go on with.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Prompt {
    /// A chat, which the model's template writes. No text in it ever becomes a control token.
    Chat {
        /// The messages from first to last, the system prompt as the first where there is one; at least one.
        messages: Vec<PromptMessage>,
        /// Go on with the last message, which is the model's, instead of beginning an answer to it.
        go_on: bool,
    },
    /// A text that the program has put together itself, control tokens included: nothing is added but the token with
    /// which the model's texts begin, where the text does not begin with it or with token ids, which are read as they
    /// are. It may be empty where the model has such a token.
    Text(Vec<PromptPart>),
    /// The gap between two texts, for models that were trained to fill it. Where not all of it fits the context, what is
    /// nearest to the gap is read.
    Infill(Infill),
}

/// A piece of a text that is gone on with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PromptPart {
    /// Text; what looks like a control token is one.
    Text(String),
    /// Token ids.
    Tokens(Vec<u32>),
}

/// A gap to fill.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Infill {
    /// The text before it.
    pub before: String,
    /// The text behind it.
    pub after: String,
    /// What already stands at the beginning of the gap.
    pub begun: String,
    /// Other files of the same work, the least important first.
    pub files: Vec<InfillFile>,
}

/// Another file of the same work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InfillFile {
    /// Its name.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// One message of a chat that a model is given. None of its texts ever becomes a control token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PromptMessage {
    /// Who speaks.
    pub role: Role,
    /// Its text.
    pub text: String,
    /// What the model thought before, for templates that show it.
    #[serde(default)]
    pub reasoning: Option<String>,
    /// Tools the model asked for in it.
    #[serde(default)]
    pub tool_calls: Vec<ToolCall>,
    /// Of a tool's result: the call it belongs to.
    #[serde(default)]
    pub tool_call_id: Option<String>,
    /// Of a tool's result: the tool; else the speaker's name.
    #[serde(default)]
    pub name: Option<String>,
    /// Pictures beside the text.
    #[serde(default)]
    pub images: Vec<Image>,
}

/// What shall become tokens.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TokenizeRequest {
    /// The model; `None` takes the one that would answer. It is loaded if it is not.
    pub model: Option<ModelRef>,
    /// The text.
    pub input: TokenizeInput,
}

/// A text that shall become tokens.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TokenizeInput {
    /// A text by itself.
    Text {
        /// The text; may be empty.
        text: String,
        /// Add the tokens with which the model's texts begin and end.
        add_special: bool,
        /// Read what looks like a control token as one.
        parse_special: bool,
    },
    /// A prompt, as an answer to it would begin.
    Prompt {
        /// The prompt.
        prompt: Prompt,
        /// What the answer would be like: its tools and its thinking are part of what a template writes.
        answer: Box<AnswerOptions>,
    },
}

/// A text as tokens.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Tokenized {
    /// The model they are of.
    pub model: LoadedModel,
    /// The text, control tokens written out: of a chat what the template wrote.
    pub text: String,
    /// Its tokens, with those that are added to every text.
    pub tokens: Vec<Token>,
}

/// A token of a model's vocabulary.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Token {
    /// Its id.
    pub id: u32,
    /// Its bytes; a character may be spread over several tokens.
    pub bytes: Vec<u8>,
}

/// Longest text that is turned into tokens for somebody, in bytes: it is done at once, and answers wait for it.
const LONGEST_TEXT: usize = 4 << 20;

impl TokenizeRequest {
    /// Checks what can be checked without the model.
    ///
    /// # Errors
    /// [`Error::Invalid`] where there is nothing to turn into tokens, or too much.
    pub fn validate(&self) -> Result<()> {
        let bytes = match &self.input {
            TokenizeInput::Text { text, .. } => text.len(),
            TokenizeInput::Prompt { prompt, answer } => {
                prompt.validate()?;
                answer.validate()?;
                prompt.bytes() + answer.tools_bytes()
            }
        };
        if bytes > LONGEST_TEXT {
            let problem = format!("is longer than {} MiB", LONGEST_TEXT >> 20);
            return Err(Error::invalid("content", problem));
        }
        Ok(())
    }
}

impl PromptPart {
    /// Bytes of its text; token ids have none.
    pub fn bytes(&self) -> usize {
        match self {
            Self::Text(text) => text.len(),
            Self::Tokens(_) => 0,
        }
    }
}

impl Infill {
    /// Bytes of its texts.
    pub fn bytes(&self) -> usize {
        let files = self.files.iter().map(|file| file.name.len() + file.text.len());
        self.before.len() + self.after.len() + self.begun.len() + files.sum::<usize>()
    }
}

impl Prompt {
    /// Bytes of its texts.
    pub fn bytes(&self) -> usize {
        match self {
            Self::Chat { messages, .. } => messages.iter().map(PromptMessage::bytes).sum(),
            Self::Text(parts) => parts.iter().map(PromptPart::bytes).sum(),
            Self::Infill(infill) => infill.bytes(),
        }
    }

    /// A chat that shall be answered.
    pub fn chat(messages: Vec<PromptMessage>) -> Self {
        Self::Chat {
            messages,
            go_on: false,
        }
    }

    /// Checks what can be checked without the model.
    ///
    /// # Errors
    /// [`Error::Invalid`] where there is nothing to go on with.
    pub fn validate(&self) -> Result<()> {
        match self {
            Self::Chat { messages, .. } if messages.is_empty() => {
                Err(Error::invalid("messages", "must hold at least one message"))
            }
            Self::Infill(infill) if infill.bytes() > LONGEST_TEXT => {
                let problem = format!(
                    "is longer than {} MiB with all that stands around it",
                    LONGEST_TEXT >> 20
                );
                Err(Error::invalid("the gap", problem))
            }
            _ => Ok(()),
        }
    }
}

impl PromptMessage {
    /// Bytes of its texts: what it says, what was thought, and the calls of tools.
    pub fn bytes(&self) -> usize {
        let calls = self.tool_calls.iter();
        let calls = calls.map(|call| call.id.len() + call.name.len() + call.arguments.len());
        let others = [&self.reasoning, &self.tool_call_id, &self.name];
        let others = others.into_iter().flatten().map(String::len);
        self.text.len() + calls.sum::<usize>() + others.sum::<usize>()
    }

    /// A message that is only text.
    pub fn text(role: Role, text: impl Into<String>) -> Self {
        Self {
            role,
            text: text.into(),
            reasoning: None,
            tool_calls: Vec::new(),
            tool_call_id: None,
            name: None,
            images: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_would_hold_everyone_up_is_no_question() {
        let asks = |length| {
            let input = TokenizeInput::Text {
                text: "x".repeat(length),
                add_special: false,
                parse_special: false,
            };
            let request = TokenizeRequest { model: None, input };
            request.validate().is_ok()
        };
        assert!(asks(0) && asks(LONGEST_TEXT) && !asks(LONGEST_TEXT + 1));
        let gap = |length| {
            let infill = Infill {
                before: "x".repeat(length),
                ..Infill::default()
            };
            Prompt::Infill(infill).validate().is_ok()
        };
        assert!(gap(10) && !gap(LONGEST_TEXT + 1));
    }
}
