//! `POST /embedding` and `POST /embeddings`: texts as vectors, in a shape older than OpenAI's.

use serde::{Deserialize, Serialize};

use super::completion::Prompt;

/// What a client sends. Unknown fields are ignored.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct EmbeddingRequest {
    /// The model's name; none takes the one that is loaded.
    #[serde(default)]
    pub model: Option<String>,
    /// A text or several, or token ids.
    #[serde(alias = "input")]
    pub content: Prompt,
    /// How vectors are scaled: -1 not at all, 2 to length 1 (L2).
    #[serde(default)]
    pub embd_normalize: Option<i64>,
}

/// A vector.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Embedding {
    /// Which text, from 0.
    pub index: u32,
    /// The vector; one, since the vectors of single tokens are pooled.
    pub embedding: [Vec<f32>; 1],
}
