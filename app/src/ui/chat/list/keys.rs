//! The list of chats and the keyboard: Tab stops at one row, arrows lead on from it.

use hearth_protocol::ChatId;
use makepad_widgets::*;

use super::*;
use crate::ui::keyboard::is_shown;

impl ChatList {
    /// From a row that has the keyboard: arrows go to the next one, Delete deletes the chat.
    pub(super) fn take_key(&mut self, cx: &mut Cx, key: &KeyEvent, state: &AppState) {
        let mut rows = self.drawn.iter();
        let Some((chat, _)) = rows.find(|(_, row)| cx.has_key_focus(row.area())) else {
            return;
        };
        let chats: Vec<ChatId> = state.list_rows().iter().filter_map(ListRow::chat).collect();
        let Some(at) = chats.iter().position(|known| known == chat) else {
            return;
        };
        let (above, below) = (at.checked_sub(1), at + 1);
        let next = match key.key_code {
            KeyCode::ArrowUp => above,
            KeyCode::ArrowDown => Some(below),
            KeyCode::Home => Some(0),
            KeyCode::End => chats.len().checked_sub(1),
            KeyCode::Delete => {
                cx.action(Msg::DeleteChat(*chat));
                Some(below).filter(|below| *below < chats.len()).or(above)
            }
            _ => return,
        };
        if let Some(next) = next.and_then(|next| chats.get(next)) {
            self.focus(cx, *next);
        }
    }

    fn focus(&mut self, cx: &mut Cx, chat: ChatId) {
        self.wanted = Some(chat);
        self.view.redraw(cx);
    }

    /// What is not drawn yet takes no keyboard: asks again when the list is drawn next.
    pub(super) fn try_focus(&mut self, cx: &mut Cx, state: &AppState) {
        let Some(chat) = self.wanted.filter(|chat| state.chats.get(*chat).is_some()) else {
            self.wanted = None;
            return;
        };
        let renamed = state
            .chats
            .rename
            .as_ref()
            .is_some_and(|rename| rename.chat == chat);
        let row = self.drawn.iter().find(|(drawn, _)| *drawn == chat);
        let target = row.map(|(_, row)| {
            if renamed {
                row.widget(id!(title))
            } else {
                row.clone()
            }
        });
        match target.filter(|target| is_shown(cx, target)) {
            Some(target) => {
                self.wanted = None;
                target.set_key_focus(cx);
                if renamed {
                    target.as_field().select_all(cx);
                }
            }
            None => self.focus(cx, chat),
        }
    }
}

impl ChatListRef {
    /// Gives a chat's row the keyboard, or the field that renames it, once it is there.
    pub(crate) fn focus(&self, cx: &mut Cx, chat: ChatId) {
        if let Some(mut list) = self.borrow_mut() {
            list.focus(cx, chat);
        }
    }

    /// Where Tab stops: one row, from which arrows lead to the others, and its buttons while they are shown.
    pub(crate) fn stops(&self, cx: &Cx) -> Vec<WidgetRef> {
        let Some(list) = self.borrow() else {
            return Vec::new();
        };
        let mut rows = list
            .drawn
            .iter()
            .map(|(_, row)| row)
            .filter(|row| is_shown(cx, row));
        let first = rows.clone().next();
        let row = rows.find(|row| has_keys(cx, row)).or(first);
        row.map_or_else(Vec::new, |row| match row.widget(id!(title)) {
            field if field.is_empty() => vec![row.clone(), row.widget(id!(rename)), row.widget(id!(delete))],
            field => vec![field],
        })
    }
}

/// Whether a row or one of its buttons has the keyboard.
pub(super) fn has_keys(cx: &Cx, row: &WidgetRef) -> bool {
    let parts = [row.clone(), row.widget(id!(rename)), row.widget(id!(delete))];
    // Where nothing has the keyboard, the place that has it is as empty as that of what was never drawn.
    parts
        .iter()
        .map(WidgetRef::area)
        .any(|area| !area.is_empty() && cx.has_key_focus(area))
}
