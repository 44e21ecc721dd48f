//! The rows of a conversation: one per block, so that only what is in view exists as widgets and a growing
//! answer changes one row.
//!
//! Pure: it asks the state and builds a list.

use crate::state::aside::Aside;
use crate::state::conversation::{Conversation, Entry};
use crate::state::turn::Turn;

/// Rows that are to be known above and below the view: more than what the fastest wheel passes in a frame.
const NEAR: usize = 300;

/// A row, with the index of its message and of its block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Row {
    /// Space above the first message.
    Top,
    /// A message of the person.
    User(usize),
    /// Who answers.
    Head(usize),
    /// What stands beside an answer, with the index of it: its title, which opens it.
    Aside(usize, usize),
    /// A block of an open one.
    AsideBlock(usize, usize, usize),
    /// A block of an answer.
    Block(usize, usize),
    /// What is done before the first word comes, with its progress.
    Waiting(usize),
    /// What the answer cost.
    Stats(usize),
    /// An answer whose blocks are not read yet, far from the view.
    Unread(usize),
    /// Buttons below a message.
    Actions(usize),
    /// A message whose text is being changed, in place of its text.
    Edit(usize),
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
            | Self::Aside(message, _)
            | Self::AsideBlock(message, ..)
            | Self::Block(message, _)
            | Self::Waiting(message)
            | Self::Stats(message)
            | Self::Unread(message)
            | Self::Actions(message)
            | Self::Edit(message)
            | Self::Failure(message) => Some(message),
            Self::Top | Self::Gap | Self::Tail => None,
        }
    }
}

/// All rows from the first message to the end.
pub(crate) fn rows(conversation: &Conversation) -> Vec<Row> {
    let mut rows = vec![Row::Top];
    for (index, entry) in conversation.entries.iter().enumerate() {
        let edited = conversation.editing.as_ref().map(|editing| editing.message);
        let edited = edited.is_some() && edited == entry.id;
        if entry.from_person {
            rows.extend((index > 0).then_some(Row::Gap));
            rows.extend(if edited {
                vec![Row::Edit(index)]
            } else {
                vec![Row::User(index), Row::Actions(index)]
            });
            continue;
        }
        if edited {
            rows.extend([Row::Head(index), Row::Edit(index)]);
            continue;
        }
        if !entry.body.is_read() {
            rows.push(Row::Unread(index));
            continue;
        }
        let written = conversation.is_written(index);
        let waiting = written && conversation.turn.as_ref().is_some_and(Turn::is_waiting);
        rows.push(Row::Head(index));
        rows.extend(asides(index, entry, Aside::is_thought));
        rows.extend((0..entry.body.blocks().len()).map(|block| Row::Block(index, block)));
        rows.extend(asides(index, entry, |aside| !aside.is_thought()));
        let below = [
            (waiting, Row::Waiting(index)),
            (entry.failure.is_some(), Row::Failure(index)),
            (conversation.has_stats(index), Row::Stats(index)),
            (!written, Row::Actions(index)),
        ];
        rows.extend(below.into_iter().filter_map(|(shown, row)| shown.then_some(row)));
    }
    rows.push(Row::Tail);
    rows
}

/// Reads the answers around a row, so that all rows near it are known. Gives whether there was one to read.
pub(crate) fn read_around(conversation: &Conversation, rows: &[Row], row: usize) -> bool {
    let row = row.min(rows.len());
    let near = |row: &Row| row.message();
    let Some(message) = rows[row..]
        .iter()
        .find_map(near)
        .or_else(|| rows[..row].iter().rev().find_map(near))
    else {
        return false;
    };
    let (above, below) = conversation.entries.split_at(message);
    let above = read_rows(above.iter().rev());
    read_rows(below.iter()) || above
}

/// Reads answers until they have rows enough.
fn read_rows<'a>(entries: impl Iterator<Item = &'a Entry>) -> bool {
    let (mut rows, mut has_read) = (0, false);
    for entry in entries {
        if rows >= NEAR {
            break;
        }
        has_read |= !entry.body.is_read();
        rows += 1 + entry.body.blocks().len();
    }
    has_read
}

/// Where a row went as answers were read: what stood there stands there still.
pub(crate) fn moved(before: &[Row], after: &[Row], row: usize) -> usize {
    let row = row.min(before.len());
    let stays = |row: &Row| match row {
        Row::Unread(message) => after.iter().position(|after| after.message() == Some(*message)),
        row => row
            .message()
            .and_then(|_| after.iter().position(|after| after == row)),
    };
    let found = before[row..]
        .iter()
        .enumerate()
        .find_map(|(further, row)| Some(stays(row)?.saturating_sub(further)));
    found.unwrap_or_else(|| (after.len() + row).saturating_sub(before.len()))
}

/// The rows of the asides of an answer that are wanted.
fn asides(message: usize, entry: &Entry, wanted: impl Fn(&Aside) -> bool) -> Vec<Row> {
    let mut rows = Vec::new();
    for (index, aside) in entry.asides.iter().enumerate().filter(|(_, aside)| wanted(aside)) {
        rows.push(Row::Aside(message, index));
        let blocks = if aside.open { aside.body.blocks().len() } else { 0 };
        rows.extend((0..blocks).map(|block| Row::AsideBlock(message, index, block)));
    }
    rows
}

#[cfg(test)]
mod tests {
    use hearth_protocol::chat::{ChatEvent, ChatSummary, Message, Role};
    use hearth_protocol::generate::StopReason;
    use hearth_protocol::tools::ToolCall;
    use hearth_protocol::{ChatId, MessageId, UnixMillis};
    use jiff::tz::TimeZone;

    use super::*;
    use crate::effect::{BackendEffect, Effect, Run};
    use crate::msg::{Msg, News};
    use crate::state::{AppState, Places};

    #[test]
    fn a_turn_becomes_rows_from_its_first_moment_to_its_last() {
        use Row::*;
        let mut state = AppState::new(Places::default(), TimeZone::UTC);
        assert_eq!(rows(state.open()), [Top, Tail]);

        let run = send(&mut state, "question");
        assert_eq!(
            rows(state.open()),
            [Top, User(0), Actions(0), Head(1), Waiting(1), Tail]
        );

        tell(&mut state, run, started());
        tell(&mut state, run, ChatEvent::Delta("one\n\n```\ntwo".into()));
        assert_eq!(
            rows(state.open()),
            [
                Top,
                User(0),
                Actions(0),
                Head(1),
                Block(1, 0),
                Block(1, 1),
                Stats(1),
                Tail
            ]
        );

        let answer = message(2, Role::Assistant, "one", Some(StopReason::EndOfText));
        tell(&mut state, run, ChatEvent::Finished(answer));
        assert_eq!(
            rows(state.open()),
            [
                Top,
                User(0),
                Actions(0),
                Head(1),
                Block(1, 0),
                Stats(1),
                Actions(1),
                Tail
            ]
        );

        send(&mut state, "again");
        assert_eq!(
            rows(state.open())[7..],
            [Gap, User(2), Actions(2), Head(3), Waiting(3), Tail]
        );
    }

    #[test]
    fn thoughts_stand_above_the_text_and_tools_below_it_and_open_in_place() {
        use Row::*;
        let mut state = AppState::new(Places::default(), TimeZone::UTC);
        let run = send(&mut state, "question");
        tell(&mut state, run, started());
        tell(&mut state, run, ChatEvent::ReasoningDelta("Hm.\n\nWell.".into()));
        assert_eq!(rows(state.open())[3..], [Head(1), Aside(1, 0), Stats(1), Tail]);
        tell(&mut state, run, ChatEvent::Delta("text".into()));
        tell(
            &mut state,
            run,
            ChatEvent::ToolCall(ToolCall {
                id: "1".into(),
                name: "weather".into(),
                arguments: "{}".into(),
            }),
        );
        state.update(Msg::FoldAside { entry: 1, aside: 0 }, UnixMillis(0));
        let open = [
            Aside(1, 0),
            AsideBlock(1, 0, 0),
            AsideBlock(1, 0, 1),
            Block(1, 0),
            Aside(1, 1),
        ];
        assert_eq!(rows(state.open())[4..9], open);

        // What is open stays open where the stored answer comes in its place.
        let stored = Message {
            reasoning: Some("Hm.\n\nWell.".into()),
            ..message(2, Role::Assistant, "text", Some(StopReason::EndOfText))
        };
        tell(&mut state, run, ChatEvent::Finished(stored));
        assert_eq!(rows(state.open())[4..8], open[..4]);
        state.update(Msg::FoldAside { entry: 1, aside: 0 }, UnixMillis(0));
        assert_eq!(rows(state.open())[4..6], [Aside(1, 0), Block(1, 0)]);
    }

    #[test]
    fn answers_far_from_the_view_are_not_read_and_what_is_in_view_stays() {
        let mut chat = AppState::new(Places::default(), TimeZone::UTC).open().clone();
        let stored = |id: i64| {
            let role = if id % 2 == 0 { Role::User } else { Role::Assistant };
            Entry::stored(message(id, role, "one\n\ntwo", Some(StopReason::EndOfText)))
        };
        chat.entries = (0..1_000).map(stored).collect();
        let before = rows(&chat);
        let first = before
            .iter()
            .position(|row| *row == Row::User(500))
            .expect("it is there");
        assert!(read_around(&chat, &before, first));
        let after = rows(&chat);
        let is_read = |index: usize| chat.entries[index].body.is_read();
        assert!(is_read(499) && is_read(501));
        assert!(!is_read(1) && !is_read(999));
        assert_eq!(after[moved(&before, &after, first)], Row::User(500));
        // A gap stays before its message.
        assert_eq!(
            moved(&before, &after, first - 1) + 1,
            moved(&before, &after, first)
        );
        assert!(!read_around(&chat, &after, moved(&before, &after, first)));
        // At the end.
        let last = after.len() - 1;
        assert!(read_around(&chat, &after, last));
        assert_eq!(moved(&after, &rows(&chat), last), rows(&chat).len() - 1);
    }

    fn send(state: &mut AppState, text: &str) -> Run {
        state.update(Msg::DraftChanged(text.into()), UnixMillis(0));
        let effects = state.update(Msg::Send, UnixMillis(0));
        let run = effects.into_iter().find_map(|effect| match effect {
            Effect::Backend(BackendEffect::Send { run, .. }) => Some(run),
            _ => None,
        });
        run.expect("the message is sent")
    }

    fn tell(state: &mut AppState, run: Run, event: ChatEvent) {
        state.update(Msg::Backend(News::Turn { run, event }), UnixMillis(0));
    }

    fn started() -> ChatEvent {
        let chat = ChatSummary {
            id: ChatId(1),
            title: "question".into(),
            pinned: false,
            folder: None,
            created_at: UnixMillis(0),
            updated_at: UnixMillis(0),
        };
        let user = Some(message(1, Role::User, "question", None));
        ChatEvent::Started {
            chat,
            user,
            answer: message(2, Role::Assistant, "", None),
        }
    }

    fn message(id: i64, role: Role, text: &str, stop: Option<StopReason>) -> Message {
        Message {
            id: MessageId(id),
            parent: None,
            role,
            text: text.into(),
            reasoning: None,
            tool_calls: Vec::new(),
            attachments: Vec::new(),
            model: None,
            created_at: UnixMillis(0),
            stop,
            stats: None,
            version: (0, 1),
        }
    }
}
