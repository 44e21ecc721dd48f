//! What happens to a number in its row.

/// What happens to a number: in its field, at its slider, by its button.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum NumberMsg {
    /// The slider was moved to this share of its length, from 0.0 to 1.0.
    Slid(f64),
    /// The text in the field.
    Typed(String),
    /// It goes up or down by this many steps.
    Stepped(f64),
    /// What was typed in the field is done.
    Done,
    /// It is as it would be if nobody had set it here.
    Reset,
}
