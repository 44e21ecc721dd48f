//! A text that can be selected, which the rows of a conversation cannot be.

use crate::text::Key;

/// A text that is shown to be selected, as it was when the view was opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TextView {
    /// What it is.
    pub(crate) title: Key,
    /// The text, as it was written.
    pub(crate) text: String,
}
