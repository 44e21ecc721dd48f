//! The panel and the keyboard: Tab stops at one row, arrows lead on from it.

use hearth_protocol::DownloadId;
use makepad_widgets::*;

use super::{DownloadsPanel, DownloadsPanelRef, open_menu_below, tell};
use crate::msg::downloads::{DownloadsMsg, Turn};
use crate::state::AppState;
use crate::state::downloads::{Downloads, group_of, loses_by_removal};
use crate::state::overlay::menu::MenuOf;
use crate::ui::downloads::rows::{self, KEYED};
use crate::ui::keyboard::is_shown;
use crate::ui::widget::button::is_press;
use crate::ui::widget::reused::has_keys;

impl DownloadsPanel {
    /// From a row that has the keyboard: arrows go to the next one, with Alt they give it another turn; Enter does what
    /// fits it best, Delete takes it away, the menu key opens its menu.
    pub(super) fn take_key(&mut self, cx: &mut Cx, key: &KeyEvent, state: &AppState) {
        let has_focus = |item: &WidgetRef| cx.has_key_focus(item.widget(id!(row)).area());
        let focused = self.drawn.iter().find(|(_, item)| has_focus(item));
        let focused = focused.map(|(row, item)| (row.id, item.clone()));
        // A row that was scrolled out of view has the keyboard still.
        let Some(id) = focused
            .as_ref()
            .map(|(id, _)| *id)
            .or(self.last.filter(|_| self.keyed))
        else {
            return;
        };
        let (shown, last) = (&state.downloads, state.downloads.len().saturating_sub(1));
        let Some(at) = shown.shown().position(|download| download.id == id) else {
            return;
        };
        let next = match key.key_code {
            KeyCode::ArrowUp if key.modifiers.alt => return self.give_turn(cx, id, Turn::Earlier),
            KeyCode::ArrowDown if key.modifiers.alt => return self.give_turn(cx, id, Turn::Later),
            KeyCode::ArrowUp => at.checked_sub(1),
            KeyCode::ArrowDown => Some(at + 1),
            KeyCode::Home => Some(0),
            KeyCode::End => Some(last),
            KeyCode::F10 if key.modifiers.shift => {
                if let Some((_, item)) = &focused {
                    open_menu_below(cx, MenuOf::Download(id), &item.widget(id!(name)));
                }
                return;
            }
            KeyCode::Delete => {
                tell(cx, DownloadsMsg::Remove(id));
                if shown.row(at).is_some_and(loses_by_removal) {
                    // The question has the keyboard.
                    None
                } else if at < last {
                    Some(at + 1)
                } else {
                    at.checked_sub(1)
                }
            }
            code if is_press(code) && focused.is_some() => return tell(cx, DownloadsMsg::Act(id)),
            _ => None,
        };
        if let Some(next) = next.and_then(|next| shown.row(next)) {
            self.give_keys(cx, next.id);
        }
    }

    /// The row keeps the keyboard wherever it goes.
    fn give_turn(&mut self, cx: &mut Cx, id: DownloadId, turn: Turn) {
        tell(cx, DownloadsMsg::Move(id, turn));
        self.give_keys(cx, id);
    }

    fn give_keys(&mut self, cx: &mut Cx, id: DownloadId) {
        self.wanted = Some(id);
        self.view.redraw(cx);
    }

    /// Notes which row has the keyboard, itself or by one of its buttons.
    pub(super) fn note_keys(&mut self, cx: &Cx) {
        let keyed = self.drawn.iter().find(|(_, item)| has_keys(cx, item, &KEYED));
        self.keyed = keyed.is_some();
        if let Some((row, _)) = keyed.filter(|(row, _)| Some(row.id) != self.last) {
            (self.last, self.stood) = (Some(row.id), None);
        }
    }

    /// The keyboard goes along with its row, where that stands elsewhere now, or has other buttons.
    pub(super) fn follow_row(&mut self, downloads: &Downloads) {
        let row = |id| {
            let at = downloads.shown().position(|download| download.id == id)?;
            Some((at, group_of(downloads.row(at)?)))
        };
        let stands = self.last.and_then(row);
        let was_moved = self.stood.is_some() && stands.is_some() && stands != self.stood;
        if was_moved && self.keyed && self.wanted.is_none() {
            self.wanted = self.last;
        }
        self.stood = stands;
    }

    /// What is not drawn yet takes no keyboard: asks again with the next frame.
    pub(super) fn try_focus(&mut self, cx: &mut Cx) {
        let find = |wanted| self.drawn.iter().find(|(row, _)| Some(row.id) == wanted);
        let row = match self.wanted {
            // It comes into view with the next frame.
            Some(wanted) if find(Some(wanted)).is_none() => return self.give_keys(cx, wanted),
            Some(wanted) => find(Some(wanted)),
            None => find(self.last).or(self.drawn.first()),
        };
        let target = match row {
            Some((_, item)) => item.widget(id!(row)),
            None => self.view.widget(id!(close)),
        };
        if is_shown(cx, &target) {
            self.wanted = None;
            target.set_key_focus(cx);
            self.view.redraw(cx);
        } else {
            self.drawn_by_now = cx.new_next_frame();
        }
    }
}

impl DownloadsPanelRef {
    /// Gives a row the keyboard, or the button that closes the panel where there is none.
    pub(crate) fn focus(&self, cx: &mut Cx) {
        if let Some(mut panel) = self.borrow_mut() {
            panel.drawn_by_now = cx.new_next_frame();
        }
    }

    /// Where Tab stops among the rows: one row, from which arrows lead to the others, and its buttons.
    pub(crate) fn stops(&self, cx: &Cx) -> Vec<WidgetRef> {
        let Some(panel) = self.borrow() else {
            return Vec::new();
        };
        let items = panel.drawn.iter().map(|(_, item)| item);
        let mut shown = items.filter(|item| is_shown(cx, item));
        let first = shown.clone().next();
        let item = shown.find(|item| has_keys(cx, item, &KEYED)).or(first);
        item.map_or_else(Vec::new, |item| {
            let tools = rows::TOOLS.map(|tool| item.widget(tool));
            let tools = tools.into_iter().filter(|tool| !tool.is_empty());
            std::iter::once(item.widget(id!(row))).chain(tools).collect()
        })
    }
}
