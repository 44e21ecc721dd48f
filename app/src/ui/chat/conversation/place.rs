//! From which row on the conversation is drawn.

use makepad_widgets::*;

use super::{Chat, Conversation, Row, rows};

/// Rows above and below the first in view that may come into view next.
const NEXT: usize = 60;

impl Conversation {
    /// The rows, of which the list begins from the right one. Answers near it are read before.
    pub(super) fn rows(&mut self, chat: &Chat, list: &PortalListRef) -> Vec<Row> {
        let rows = rows::rows(chat);
        if self.follow {
            list.set_first_id_and_scroll(rows.len() - 1, 0.0);
        }
        if let Some((row, scroll)) = self.standing.wanted(&rows, chat) {
            self.follow = false;
            list.set_first_id_and_scroll(row, scroll);
        }
        let first = list.first_id();
        // The field that edits would be another one after each reading: its keyboard is kept as long as that can be.
        if chat.editing.is_some() && !is_unread_near(&rows, first) {
            return rows;
        }
        if !rows::read_around(chat, &rows, first) {
            return rows;
        }
        let read = rows::rows(chat);
        let first = rows::moved(&rows, &read, first);
        list.set_first_id_and_scroll(first, list.scroll_position());
        read
    }
}

fn is_unread_near(rows: &[Row], first: usize) -> bool {
    let end = rows.len().min(first.saturating_add(NEXT));
    let near = &rows[first.saturating_sub(NEXT).min(end)..end];
    near.iter().any(|row| matches!(row, Row::Unread(_)))
}
