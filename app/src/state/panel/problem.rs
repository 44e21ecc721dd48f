//! What is wrong with what was typed in the panel.

use crate::state::number::Fault;
use crate::text::{Texts, say};

/// What is wrong with a text in a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Problem {
    /// That of a number.
    Number(Fault),
    /// The form that was chosen needs a text.
    Empty,
    /// Values for the template are a JSON object.
    NoObject,
    /// The text ends before the JSON does: line and column, from 1.
    EndsEarly(usize, usize),
    /// It is no JSON: line and column, from 1, and why, in the reader's words.
    NoJson(usize, usize, String),
    /// It is no schema: why, as a sentence.
    NoSchema(String),
}

impl Problem {
    /// What a person reads.
    pub(crate) fn words(&self, texts: &Texts) -> String {
        match self {
            Self::Number(fault) => fault.words(texts),
            Self::Empty => say!(texts, "problem-empty"),
            Self::NoObject => say!(texts, "problem-no-object"),
            Self::EndsEarly(line, column) => say!(
                texts,
                "problem-json-end",
                line = line.to_string(),
                column = column.to_string(),
            ),
            Self::NoJson(line, column, why) => say!(
                texts,
                "problem-json",
                line = line.to_string(),
                column = column.to_string(),
                why = why.as_str(),
            ),
            Self::NoSchema(why) => why.clone(),
        }
    }
}
