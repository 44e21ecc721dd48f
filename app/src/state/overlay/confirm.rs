//! A question before something that cannot be undone.

use crate::msg::Msg;

/// A question with two answers. The harmless one has the keyboard first.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Confirm {
    /// The question, in a few words.
    pub(crate) title: String,
    /// What happens then, and what stays.
    pub(crate) text: String,
    /// The words on the button that does it: a verb.
    pub(crate) button: String,
    /// What it does.
    pub(crate) then: Box<Msg>,
}
