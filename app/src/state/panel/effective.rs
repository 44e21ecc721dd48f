//! What counts for the next answer, in the whole: the chat's own choices, else the model's defaults, else the settings.

use hearth_protocol::answer::AnswerOptions;
use hearth_protocol::chat::TurnOptions;
use hearth_protocol::generate::SamplingParams;

/// What counts for the next answer.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Effective {
    /// The instructions; empty for none.
    pub(crate) system_prompt: String,
    /// How tokens are chosen.
    pub(crate) sampling: SamplingParams,
    /// What the answer shall be like.
    pub(crate) answer: AnswerOptions,
}

impl Effective {
    /// These options, and for what they leave out `settings`.
    pub(crate) fn of(options: TurnOptions, settings: &SamplingParams) -> Self {
        Self {
            system_prompt: options.system_prompt.unwrap_or_default(),
            sampling: options.sampling.unwrap_or_else(|| settings.clone()),
            answer: options.answer.unwrap_or_default(),
        }
    }

    /// All of it as options that leave nothing out but the model.
    pub(crate) fn into_options(self) -> TurnOptions {
        TurnOptions {
            model: None,
            sampling: Some(self.sampling),
            system_prompt: Some(self.system_prompt),
            answer: Some(self.answer),
        }
    }
}
