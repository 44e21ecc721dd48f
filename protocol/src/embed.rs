//! Embeddings: texts become vectors that lie close to each other where the texts mean alike.

use serde::{Deserialize, Serialize};

use crate::engine::{KeepLoaded, ModelRef};
use crate::{Error, Result, RunEvent};

/// Texts to embed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EmbedRequest {
    /// The model; it is loaded if it is not. Models that chat can embed too.
    pub model: ModelRef,
    /// The texts, at least one, each of which becomes a vector.
    pub inputs: Vec<EmbedInput>,
    /// How.
    pub options: EmbedOptions,
    /// How long the model stays in memory afterwards.
    pub keep: KeepLoaded,
}

/// One text to embed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EmbedInput {
    /// Text, not empty. The tokens that the model wants at both ends of a text are added, and what looks like a control
    /// token is read as plain text.
    Text(String),
    /// Token ids, not empty, which are read as they are.
    Tokens(Vec<u32>),
}

/// How texts become vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct EmbedOptions {
    /// How the vectors of a text's tokens become one; `None` takes what the model's file says
    /// (`<architecture>.pooling_type`), and the mean where it says nothing. Models that were trained for another pooling
    /// say so; llama.cpp itself gives the vectors of the single tokens where the file says nothing.
    pub pooling: Option<Pooling>,
    /// Scale each vector to length 1 (L2).
    pub normalise: bool,
    /// Keep only so many numbers of each vector, the first ones, for models that were trained for it (Matryoshka,
    /// arXiv 2205.13147); 1 up to the model's own. The shorter vector is then normalised.
    pub dimensions: Option<u32>,
    /// What happens to a text that is longer than the model reads.
    pub too_long: TooLong,
}

/// How the vectors of a text's tokens become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pooling {
    /// Their mean.
    Mean,
    /// The first, as of BERT's `[CLS]`.
    Cls,
    /// The last.
    Last,
}

/// What happens to a text that is longer than the model reads.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TooLong {
    /// The request is refused with [`Error::TextTooLong`].
    #[default]
    Refuse,
    /// The end of the text is left out.
    Cut,
}

/// What happens while texts are embedded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EmbedEvent {
    /// The model is being loaded: share done, 0.0 to 1.0.
    Loading(f32),
    /// So many texts are embedded.
    Progress {
        /// Texts that are.
        done: u32,
        /// Texts in all.
        total: u32,
    },
    /// All are.
    Finished(Embeddings),
    /// It broke off; nothing is kept of it.
    Failed(Error),
}

/// Texts as vectors.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Embeddings {
    /// A vector for each text, in their order; all of the same length.
    pub vectors: Vec<Vec<f32>>,
    /// How many tokens of each text were read, those that were added at its ends included.
    pub tokens: Vec<u32>,
}

impl Default for EmbedOptions {
    fn default() -> Self {
        Self {
            pooling: None,
            normalise: true,
            dimensions: None,
            too_long: TooLong::Refuse,
        }
    }
}

impl EmbedRequest {
    /// Checks what can be checked without the model.
    ///
    /// # Errors
    /// [`Error::Invalid`] names the first thing that is wrong; texts are counted from 1.
    pub fn validate(&self) -> Result<()> {
        if self.inputs.is_empty() {
            return Err(Error::invalid("input", "holds no text; give at least one"));
        }
        if let Some(place) = self.inputs.iter().position(EmbedInput::is_empty) {
            return Err(Error::invalid(&format!("input {}", place + 1), "is empty"));
        }
        if self.options.dimensions == Some(0) {
            return Err(Error::invalid("dimensions", "must be 1 or more"));
        }
        Ok(())
    }
}

impl EmbedInput {
    /// Whether there is nothing to embed.
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Text(text) => text.trim().is_empty(),
            Self::Tokens(tokens) => tokens.is_empty(),
        }
    }
}

impl RunEvent for EmbedEvent {
    fn is_terminal(&self) -> bool {
        matches!(self, Self::Finished(_) | Self::Failed(_))
    }
    fn failed(error: Error) -> Self {
        Self::Failed(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_embedded_is_named() {
        let text = |text: &str| EmbedInput::Text(text.into());
        let none = EmbedOptions {
            dimensions: Some(0),
            ..EmbedOptions::default()
        };
        let cases = [
            (vec![text("a"), EmbedInput::Tokens(vec![1])], None, None),
            (vec![], None, Some("input holds no text; give at least one.")),
            (vec![text("a"), text(" \n")], None, Some("input 2 is empty.")),
            (vec![EmbedInput::Tokens(vec![])], None, Some("input 1 is empty.")),
            (vec![text("a")], Some(none), Some("dimensions must be 1 or more.")),
        ];
        for (inputs, options, refusal) in cases {
            let request = EmbedRequest {
                model: ModelRef::Name("m".into()),
                inputs,
                options: options.unwrap_or_default(),
                keep: KeepLoaded::default(),
            };
            let refused = request.validate().err().map(|error| error.to_string());
            assert_eq!(refused.as_deref(), refusal, "{request:?}");
        }
    }
}
