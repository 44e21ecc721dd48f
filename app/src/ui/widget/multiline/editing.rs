//! What the keyboard and the pointer do in a field of several lines.

use std::ops::Range;

use makepad_widgets::*;

use super::Multiline;
use super::buffer::{Change, Kind, Marked};
use super::keys::{Command, Way, command};
use super::rows::Rows;
use crate::ui::widget::field::{BLINKS, FieldAction, word_after, word_before};

/// Time between two turns of the caret, in seconds.
const BLINK: f64 = 0.5;

/// What a pressed button marks as it moves.
#[derive(Clone, Debug)]
pub(super) struct Pressed {
    /// What it marked at first.
    first: Range<usize>,
    clicks: u32,
}

impl Multiline {
    /// Does what a key asks for.
    pub(super) fn take_key(&mut self, cx: &mut Cx, key: &KeyEvent) -> Option<FieldAction> {
        let change = match command(key, self.breaks, self.pages)? {
            Command::Go { way, back, extends } => {
                self.go(cx, way, back, extends);
                return None;
            }
            Command::MarkAll => {
                let all = 0..self.buffer.text().len();
                self.mark(&all);
                return None;
            }
            _ if self.read_only => return None,
            Command::Enter => return Some(FieldAction::Entered),
            Command::Break => return self.insert(cx, "\n", Kind::Other),
            Command::Undo => self.buffer.undo(),
            Command::Redo => self.buffer.redo(),
            Command::Remove { way, back } => {
                let kind = match (way, back) {
                    (Way::Sign, true) => Kind::Erase,
                    (Way::Sign, false) => Kind::Delete,
                    _ => Kind::Other,
                };
                let (to, _) = self.way_from_caret(cx, way, back);
                self.buffer.remove_to(to, kind)
            }
        };
        self.changed(cx, change)
    }

    /// Puts a text in the place of what is marked.
    pub(super) fn insert(&mut self, cx: &mut Cx, text: &str, kind: Kind) -> Option<FieldAction> {
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        let change = self.buffer.insert(&text, kind);
        self.changed(cx, Some(change))
    }

    /// Breaks the rows anew that a change touched.
    pub(super) fn changed(&mut self, cx: &mut Cx, change: Option<Change>) -> Option<FieldAction> {
        let change = change?;
        // What a pressed button marked stood in the text before.
        (self.ends_row, self.goal, self.pressed) = (false, None, None);
        match self.ruler.broken_to() {
            Some(width) => {
                let (ruler, style) = (&mut self.ruler, &self.draw_text);
                let mut measure = |word: &str| ruler.width(cx, style, word);
                self.rows.change(self.buffer.text(), &change, width, &mut measure);
            }
            None => self.rows = Rows::default(),
        }
        self.reveals = true;
        self.light_caret(cx);
        Some(FieldAction::Changed(self.buffer.text().to_owned()))
    }

    fn go(&mut self, cx: &mut Cx, way: Way, back: bool, extends: bool) {
        let marked = self.buffer.marked().range();
        let goal = self.goal.take();
        if way == Way::Sign && !extends && !marked.is_empty() {
            self.ends_row = false;
            return self
                .buffer
                .place(if back { marked.start } else { marked.end }, false);
        }
        if matches!(way, Way::Row | Way::Page) {
            // A way through short rows leads back to where it began.
            self.goal = goal.or_else(|| Some(self.caret_left(cx)));
        }
        let (to, ends_row) = self.way_from_caret(cx, way, back);
        self.ends_row = ends_row;
        self.buffer.place(to, extends);
    }

    /// Where a way leads, and whether to the end of a row that was broken.
    fn way_from_caret(&mut self, cx: &mut Cx, way: Way, back: bool) -> (usize, bool) {
        let rows = match way {
            Way::Page => self.rows_in_view(cx),
            _ => 1,
        };
        let (text, caret) = (self.buffer.text(), self.buffer.marked().caret);
        let row = self.rows.of_caret(caret, self.ends_row);
        match (way, back) {
            (Way::Sign, true) => (self.buffer.before(caret), false),
            (Way::Sign, false) => (self.buffer.behind(caret), false),
            (Way::Word, true) => (word_before(text, caret), false),
            (Way::Word, false) => (word_after(text, caret), false),
            (Way::RowEnd, true) => (self.rows.get(row).start, false),
            (Way::RowEnd, false) => (self.rows.get(row).end, true),
            (Way::TextEnd, true) => (0, false),
            (Way::TextEnd, false) => (text.len(), false),
            (Way::Row | Way::Page, true) if row == 0 => (0, false),
            (Way::Row | Way::Page, false) if row + 1 == self.rows.len() => (text.len(), false),
            (Way::Row | Way::Page, _) => {
                let to = if back {
                    row.saturating_sub(rows)
                } else {
                    row + rows
                };
                let left = self.goal.unwrap_or_default();
                self.index_in_row(cx, to, left)
            }
        }
    }

    /// A click: the caret, a word or a line.
    pub(super) fn press(&mut self, cx: &mut Cx, at: DVec2, clicks: u32, extends: bool) {
        let (index, ends_row) = self.index_at(cx, at);
        self.goal = None;
        self.ends_row = ends_row;
        if extends && clicks == 1 {
            let anchor = self.buffer.marked().anchor;
            self.buffer.place(index, true);
            self.pressed = Some(Pressed {
                first: anchor..anchor,
                clicks,
            });
            return;
        }
        let first = self.part_at(index, clicks);
        self.mark(&first);
        self.pressed = Some(Pressed { first, clicks });
    }

    /// The button moves while it is down.
    pub(super) fn drag(&mut self, cx: &mut Cx, at: DVec2) {
        let Some(Pressed { first, clicks }) = self.pressed.clone() else {
            return;
        };
        let (index, ends_row) = self.index_at(cx, at);
        let part = self.part_at(index, clicks);
        self.ends_row = ends_row;
        self.buffer.mark(if part.start < first.start {
            Marked {
                caret: part.start,
                anchor: first.end,
            }
        } else {
            Marked {
                caret: part.end.max(first.end),
                anchor: first.start,
            }
        });
    }

    /// What so many clicks mark.
    fn part_at(&self, index: usize, clicks: u32) -> Range<usize> {
        match clicks {
            2 => self.buffer.word_at(index),
            3.. => self.buffer.line_at(index),
            _ => index..index,
        }
    }

    fn mark(&mut self, part: &Range<usize>) {
        self.buffer.mark(Marked {
            caret: part.end,
            anchor: part.start,
        });
    }

    /// Puts the caret at a place of the text.
    pub(super) fn set_caret(&mut self, cx: &mut Cx, index: usize) {
        (self.ends_row, self.goal) = (false, None);
        self.buffer.place(index, false);
        self.reveals = true;
        self.light_caret(cx);
    }

    /// Shows the caret, and lets it blink from now on.
    pub(super) fn light_caret(&mut self, cx: &mut Cx) {
        (self.is_lit, self.turns) = (true, 0);
        cx.stop_timer(self.blink);
        if cx.has_key_focus(self.area) {
            self.blink = cx.start_timeout(BLINK);
        }
        self.area.redraw(cx);
    }

    /// The caret goes or comes; after a while without keys it stays.
    pub(super) fn turn_caret(&mut self, cx: &mut Cx) {
        if self.turns >= BLINKS && self.is_lit {
            return;
        }
        self.is_lit = !self.is_lit;
        self.turns += 1;
        self.blink = cx.start_timeout(BLINK);
        self.area.redraw(cx);
    }
}
