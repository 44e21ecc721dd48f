//! The rows of a conversation: one per block, so that only what is in view exists as widgets and a growing
//! answer changes one row.
//!
//! Pure: it asks the state and builds a list.

use crate::state::conversation::Conversation;

/// A row, with the index of its message and of its block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Row {
    /// Space above the first message.
    Top,
    /// A message of the person.
    User(usize),
    /// Who answers.
    Head(usize),
    /// A block of an answer.
    Block(usize, usize),
    /// What is done before the first word comes, with its progress.
    Waiting(usize),
    /// What the answer cost.
    Stats(usize),
    /// Buttons below an answer.
    Actions(usize),
    /// Why there is no answer.
    Failure(usize),
    /// Space between messages.
    Gap,
    /// The end, which tells whether the newest text is in view.
    Tail,
}


impl Row {
    /// The message it belongs to.
    pub(crate) fn message(self) -> Option<usize> {
        match self {
            Self::User(message)
            | Self::Head(message)
            | Self::Block(message, _)
            | Self::Waiting(message)
            | Self::Stats(message)
            | Self::Actions(message)
            | Self::Failure(message) => Some(message),
            Self::Top | Self::Gap | Self::Tail => None,
        }
    }
}

/// All rows from the first message to the end.
pub(crate) fn rows(conversation: &Conversation) -> Vec<Row> {
    let mut rows = vec![Row::Top];
    for (index, entry) in conversation.entries.iter().enumerate() {
        if entry.from_person {
            rows.extend((index > 0).then_some(Row::Gap));
            rows.push(Row::User(index));
            continue;
        }
        let written = conversation.is_written(index);
        let waiting = written && conversation.turn.as_ref().is_some_and(|turn| turn.waiting().is_some());
        rows.push(Row::Head(index));
        rows.extend((0..entry.body.all().len()).map(|block| Row::Block(index, block)));
        let below = [
            (waiting, Row::Waiting(index)),
            (entry.failure.is_some(), Row::Failure(index)),
            (!conversation.stats_line(index).is_empty(), Row::Stats(index)),
            (!written, Row::Actions(index)),
        ];
        rows.extend(below.into_iter().filter_map(|(shown, row)| shown.then_some(row)));
    }
    rows.push(Row::Tail);
    rows
}
