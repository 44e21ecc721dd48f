//! The list of chats and the keyboard: Tab stops at one row, arrows lead on from it.

use makepad_widgets::*;

use super::*;
use crate::ui::keyboard::is_shown;

/// The buttons of a row.
pub(super) const TOOLS: [&[LiveId; 1]; 2] = [id!(pin), id!(more)];

impl ChatList {
    /// From the field that searches: arrows choose a hit. From a row that has the keyboard: arrows go to the next one,
    /// right and left open and close a folder, Delete deletes, F2 renames, the menu key opens the menu.
    pub(super) fn take_key(&mut self, cx: &mut Cx, key: &KeyEvent, state: &AppState) {
        if cx.has_key_focus(self.view.one_line(id!(search)).input().area()) {
            match key.key_code {
                KeyCode::ArrowUp => cx.action(Msg::StepHit { back: true }),
                KeyCode::ArrowDown => cx.action(Msg::StepHit { back: false }),
                _ => (),
            }
            return;
        }
        let mut rows = self.drawn.iter();
        let Some((row, widget)) = rows.find(|(_, row)| cx.has_key_focus(row.area())) else {
            return;
        };
        let (row, widget) = (*row, widget.clone());
        let keys: Vec<RowKey> = state.list_rows().iter().filter_map(ListRow::key).collect();
        let Some(at) = keys.iter().position(|known| *known == row) else {
            return;
        };
        let (above, below) = (at.checked_sub(1), at + 1);
        let next = match key.key_code {
            KeyCode::ArrowUp => above,
            KeyCode::ArrowDown => Some(below),
            KeyCode::Home => Some(0),
            KeyCode::End => keys.len().checked_sub(1),
            KeyCode::ArrowLeft | KeyCode::ArrowRight => {
                fold(cx, row, key.key_code == KeyCode::ArrowRight, state);
                None
            }
            KeyCode::F10 if key.modifiers.shift => {
                open_menu_below(cx, row, &widget);
                None
            }
            KeyCode::Delete => match row {
                RowKey::Chat(chat) => {
                    cx.action(Msg::DeleteChat(chat));
                    Some(below).filter(|below| *below < keys.len()).or(above)
                }
                RowKey::Folder(folder) => {
                    cx.action(Msg::AskDeleteFolder(folder));
                    None
                }
                RowKey::NewFolder => None,
            },
            _ => None,
        };
        if let Some(next) = next.and_then(|next| keys.get(next)) {
            self.focus(cx, *next);
        }
    }

    fn focus(&mut self, cx: &mut Cx, row: RowKey) {
        self.wanted = Some(row);
        self.view.redraw(cx);
    }

    /// What is not drawn yet takes no keyboard: asks again when the list is drawn next.
    pub(super) fn try_focus(&mut self, cx: &mut Cx, state: &AppState) {
        let is_there = |key: &RowKey| rows::row_of(state.list_rows(), *key).is_some();
        let Some(key) = self.wanted.filter(is_there) else {
            self.wanted = None;
            return;
        };
        let named = state.chats.rename.as_ref().is_some_and(|rename| rename.of == key);
        let row = self.drawn.iter().find(|(drawn, _)| *drawn == key);
        let target = row.map(|(_, row)| {
            if named {
                row.widget(id!(title.input))
            } else {
                row.clone()
            }
        });
        match target.filter(|target| is_shown(cx, target)) {
            Some(target) => {
                self.wanted = None;
                target.set_key_focus(cx);
                if named {
                    target.as_field().select_all(cx);
                }
            }
            None => self.focus(cx, key),
        }
    }
}

impl ChatListRef {
    /// Gives a row the keyboard, or the field that names it, once it is there.
    pub(crate) fn focus(&self, cx: &mut Cx, row: RowKey) {
        if let Some(mut list) = self.borrow_mut() {
            list.focus(cx, row);
        }
    }

    /// The row that has the keyboard, itself or by one of its buttons.
    pub(crate) fn focused(&self, cx: &Cx) -> Option<RowKey> {
        let list = self.borrow()?;
        let row = list.drawn.iter().find(|(_, row)| has_keys(cx, row, &TOOLS));
        row.map(|(key, _)| *key)
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
        let row = rows.find(|row| has_keys(cx, row, &TOOLS)).or(first);
        row.map_or_else(Vec::new, |row| match row.widget(id!(title.input)) {
            field if field.is_empty() => {
                let tools = TOOLS.map(|tool| row.widget(tool));
                let tools = tools.into_iter().filter(|tool| !tool.is_empty());
                std::iter::once(row.clone()).chain(tools).collect()
            }
            field => vec![field],
        })
    }
}

/// Opens a folder, or closes it.
fn fold(cx: &mut Cx, row: RowKey, open: bool, state: &AppState) {
    let is_it = |it: &&ListRow| it.key() == Some(row);
    if let Some(ListRow::Folder(folder)) = state.list_rows().iter().find(is_it)
        && folder.open != open
    {
        cx.action(Msg::ToggleFolder(folder.folder));
    }
}
