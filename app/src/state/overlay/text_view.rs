//! A text that can be selected, which rows of lists cannot.

/// A text that is shown to be selected, as it was when the view was opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TextView {
    /// What it is.
    pub(crate) of: TextOf,
    /// The text, as it was written.
    pub(crate) text: String,
}

/// What a text is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum TextOf {
    /// A message of the person.
    Message,
    /// A message of the model.
    Answer,
    /// A value with this name.
    Value(String),
}
