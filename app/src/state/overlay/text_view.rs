//! A message as text that can be selected, which the rows of a conversation cannot.

/// A message whose text is shown to be selected, as it was when the view was opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TextView {
    /// Whether the person wrote it; else it is an answer.
    pub(crate) from_person: bool,
    /// Its text, as it was written.
    pub(crate) text: String,
}
