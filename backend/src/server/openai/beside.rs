//! What llama.cpp tells beside the fields of a standard, whose clients pass it over.

use hearth_protocol::llama_cpp::options::LocalOptions;
use serde::Serialize;

use crate::server::llama_cpp::timings::{Progress, Timings};

/// An answer of a standard, or a piece of one, with llama.cpp's fields beside it.
#[derive(Serialize)]
pub(super) struct Beside<T> {
    #[serde(flatten)]
    pub(super) answer: T,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) timings: Option<Timings>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) prompt_progress: Option<Progress>,
}

/// What is told of an answer while it is on its way.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Telling {
    /// How much of the prompt is read.
    pub(super) progress: bool,
    /// The speed so far, with each piece.
    pub(super) timings_per_token: bool,
}

impl<T> Beside<T> {
    pub(super) fn new(answer: T, timings: Option<Timings>) -> Self {
        Self {
            answer,
            timings,
            prompt_progress: None,
        }
    }
}

impl Telling {
    pub(super) fn of(local: &LocalOptions) -> Self {
        Self {
            progress: local.return_progress.unwrap_or(false),
            timings_per_token: local.timings_per_token.unwrap_or(false),
        }
    }
}
