//! A text that can be selected, which rows of lists cannot.

/// A text that is shown to be selected, as it was when the view was opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TextView {
    /// What stands above it.
    pub(crate) title: String,
    /// The text, as it was written.
    pub(crate) text: String,
}
