//! An answer that belongs to no chat: what the local server makes for other programs. Nothing of it is stored.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::answer::{AnswerOptions, Logprobs};
use crate::engine::{KeepLoaded, LoadedModel, ModelRef};
use crate::generate::{SamplingParams, StopReason, TurnStats};
use crate::prompt::Prompt;
use crate::{Error, Result, RunEvent};

/// An answer to make.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CompletionRequest {
    /// The model; `None` takes the loaded one, else the default of the settings, else the one that answered last, else
    /// the first of the library. It is loaded if it is not.
    pub model: Option<ModelRef>,
    /// What it goes on with; shared, since several answers to one prompt are as many requests.
    pub prompt: Arc<Prompt>,
    /// How tokens are chosen; [`SamplingParams::max_tokens`] may be 0 here, which reads the prompt and writes nothing.
    pub sampling: SamplingParams,
    /// What the answer shall be like.
    pub answer: AnswerOptions,
    /// Let no end-of-text token be chosen.
    pub ignore_end: bool,
    /// Which slot computes it; `None` takes the one that knows most of the prompt already.
    pub slot: Option<u32>,
    /// How long the model stays in memory afterwards.
    pub keep: KeepLoaded,
}

/// What happens while an answer is made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CompletionEvent {
    /// The model is being loaded: share done, 0.0 to 1.0.
    Loading(f32),
    /// The model is in memory, and the request waits for its turn no longer.
    Started(LoadedModel),
    /// The prompt is being read.
    PromptProgress {
        /// Tokens read so far, cached ones included.
        processed: u32,
        /// Of these, tokens that stood in the KV cache already.
        cached: u32,
        /// Tokens of the prompt.
        total: u32,
    },
    /// More of what the model writes.
    Piece(Piece),
    /// How likely the tokens were that came since the last time, where that was asked for. They come before the piece
    /// that holds the last of their text.
    Logprobs(Vec<Logprobs>),
    /// It ended.
    Finished {
        /// Why.
        stop: StopReason,
        /// What it cost.
        stats: TurnStats,
    },
    /// It broke off.
    Failed(Error),
}

/// More of what a model writes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Piece {
    /// Of the answer; whole characters.
    Text(String),
    /// Of its thinking; whole characters.
    Reasoning(String),
    /// It asks for a tool; its arguments follow.
    ToolCall {
        /// Which of the answer's calls, from 0.
        index: u32,
        /// The call's name, to match its result with.
        id: String,
        /// The tool.
        name: String,
    },
    /// More of a call's arguments; all of them together are JSON.
    ToolArguments {
        /// Which of the answer's calls.
        index: u32,
        /// The text.
        text: String,
    },
}

impl CompletionRequest {
    /// An answer with the defaults of everything else.
    pub fn new(model: Option<ModelRef>, prompt: impl Into<Arc<Prompt>>) -> Self {
        Self {
            model,
            prompt: prompt.into(),
            sampling: SamplingParams::default(),
            answer: AnswerOptions::default(),
            ignore_end: false,
            slot: None,
            keep: KeepLoaded::default(),
        }
    }

    /// Checks what can be checked without the model.
    ///
    /// # Errors
    /// [`Error::Invalid`] names the first thing that is wrong.
    pub fn validate(&self) -> Result<()> {
        self.prompt.validate()?;
        let is_chat = matches!(*self.prompt, Prompt::Chat { .. });
        if !is_chat && !self.answer.tools.is_empty() {
            return Err(Error::invalid("tools", "can only be given with messages"));
        }
        let most = self.sampling.max_tokens.map(|most| most.max(1));
        let sampling = SamplingParams {
            max_tokens: most,
            ..self.sampling.clone()
        };
        sampling.validate()?;
        self.answer.validate()
    }
}

impl RunEvent for CompletionEvent {
    fn is_terminal(&self) -> bool {
        matches!(self, Self::Finished { .. } | Self::Failed(_))
    }
    fn failed(error: Error) -> Self {
        Self::Failed(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chat::Role;
    use crate::prompt::PromptMessage;
    use crate::tools::Tool;

    #[test]
    fn what_cannot_be_answered_is_named() {
        let with = |change: fn(&mut CompletionRequest)| {
            let chat = Prompt::chat(vec![PromptMessage::text(Role::User, "Hi")]);
            let mut request = CompletionRequest::new(None, chat);
            change(&mut request);
            request.validate().err().map(|error| error.to_string())
        };
        assert_eq!(with(|_| ()), None);
        assert_eq!(with(|request| request.sampling.max_tokens = Some(0)), None);
        assert_eq!(
            with(|request| request.prompt = Prompt::chat(Vec::new()).into()).as_deref(),
            Some("messages must hold at least one message.")
        );
        assert_eq!(
            with(|request| request.sampling.top_p = 2.0).as_deref(),
            Some("top_p is 2 and must be from 0 to 1.")
        );
        let tools_for_a_text = |request: &mut CompletionRequest| {
            request.prompt = Arc::new(Prompt::Text(Vec::new()));
            request.answer.tools = vec![Tool {
                name: "a".into(),
                description: None,
                parameters: None,
            }];
        };
        assert_eq!(
            with(tools_for_a_text).as_deref(),
            Some("tools can only be given with messages.")
        );
    }
}
