//! Where things stand in a field of several lines, and how they are drawn.

use std::ops::Range;

use makepad_widgets::*;

use super::Multiline;
use super::rows::Rows;
use super::ruler::{Line, row};

/// Width of the caret, in pixels.
const CARET: f64 = 2.0;
/// What a marked end of a line shows, in pixels.
const LINE_END: f64 = 5.0;

impl Multiline {
    /// Breaks the text into rows, unless they are of this width already.
    pub(super) fn break_rows(&mut self, cx: &mut Cx, width: f64) {
        self.ruler.line(cx, &self.draw_text);
        let width = width.max(1.0);
        if self.ruler.broken_to() == Some(width) {
            return;
        }
        self.ruler.break_to(width);
        let (ruler, style) = (&mut self.ruler, &self.draw_text);
        self.rows = Rows::of(self.buffer.text(), width, &mut |word| {
            ruler.width(cx, style, word)
        });
        self.reveals = true;
    }

    fn line(&mut self, cx: &mut Cx) -> Line {
        self.ruler.line(cx, &self.draw_text)
    }

    /// From the left edge of its row to the caret, in pixels.
    pub(super) fn caret_left(&mut self, cx: &mut Cx) -> f64 {
        let caret = self.buffer.marked().caret;
        let row = self.rows.of_caret(caret, self.ends_row);
        self.left_of(cx, row, caret)
    }

    /// From the left edge of a row to an index in it, in pixels. White space may stand out of the field.
    fn left_of(&mut self, cx: &mut Cx, at: usize, index: usize) -> f64 {
        let place = self.rows.get(at);
        let laid_out = row(cx, &self.draw_text, &self.buffer.text()[place.start..place.end]);
        let within = index.clamp(place.start, place.end) - place.start;
        let left = f64::from(laid_out.rows[0].index_to_x_in_lpxs(within));
        left.min(self.ruler.broken_to().unwrap_or(left))
    }

    /// What stands in a row at this distance from its left edge in pixels: an index, and whether the end of a row that
    /// was broken.
    pub(super) fn index_in_row(&mut self, cx: &mut Cx, at: usize, left: f64) -> (usize, bool) {
        let place = self.rows.get(at);
        let laid_out = row(cx, &self.draw_text, &self.buffer.text()[place.start..place.end]);
        let index = place.start + laid_out.rows[0].x_in_lpxs_to_index(left as f32);
        (index, index == place.end)
    }

    /// What stands at this place of the window.
    pub(super) fn index_at(&mut self, cx: &mut Cx, at: DVec2) -> (usize, bool) {
        let corner = self.area.rect(cx).pos;
        let at = at - corner - self.layout.padding.left_top() + self.scroll_bars.get_scroll_pos();
        let row = (at.y / self.line(cx).step).floor().max(0.0);
        self.index_in_row(cx, row as usize, at.x)
    }

    /// How many rows are in view, at least one.
    pub(super) fn rows_in_view(&mut self, cx: &mut Cx) -> usize {
        let rows = self.area.rect(cx).size.y / self.line(cx).step;
        (rows.floor() as usize).max(1)
    }

    /// Scrolls the least so that the caret is in view, with what stands above and below the text.
    pub(super) fn reveal_caret(&mut self, cx: &mut Cx, height: f64) {
        let (line, padding) = (self.line(cx), self.layout.padding);
        let row = self.rows.of_caret(self.buffer.marked().caret, self.ends_row);
        let top = line.step * row as f64;
        let bottom = padding.top + top + line.letters + padding.bottom;
        let content = padding.top + line.height_of(self.rows.len()) + padding.bottom;
        let scrolled = self.scroll_bars.get_scroll_pos().y;
        let scrolled = scrolled.max(bottom - height).min(top);
        let last = (content - height).max(0.0);
        self.scroll_bars
            .set_scroll_pos_no_clip(cx, dvec2(0.0, scrolled.clamp(0.0, last)));
    }

    /// Draws what is in view.
    pub(super) fn draw_rows(&mut self, cx: &mut Cx2d, place: Rect) {
        let (line, padding) = (self.line(cx), self.layout.padding);
        let scrolled = self.scroll_bars.get_scroll_pos().y;
        let corner = place.pos + padding.left_top() - dvec2(0.0, scrolled);
        let first = ((scrolled - padding.top) / line.step).floor().max(0.0) as usize;
        let last = ((scrolled + place.size.y) / line.step).ceil().max(0.0) as usize;
        let seen = first.min(self.rows.len())..last.min(self.rows.len());
        let focus = cx.has_key_focus(self.area);

        self.draw_marked.append_to_draw_call(cx);
        if focus {
            self.draw_marked_part(cx, &seen, corner, line);
        }
        if self.buffer.text().is_empty() {
            self.draw_text.color = self.color_placeholder;
            let width = self.ruler.broken_to().unwrap_or_default();
            let (ruler, style) = (&mut self.ruler, &self.draw_text);
            let rows = Rows::of(&self.empty_text, width, &mut |word| ruler.width(cx, style, word));
            draw(
                cx,
                &mut self.draw_text,
                &self.empty_text,
                &rows,
                0..rows.len(),
                corner,
                line,
            );
        }
        self.draw_text.color = self.color;
        draw(
            cx,
            &mut self.draw_text,
            self.buffer.text(),
            &self.rows,
            seen,
            corner,
            line,
        );
        if focus {
            let pos = self.draw_the_caret(cx, corner, line);
            cx.show_text_ime(self.area, pos - place.pos);
        }
    }

    fn draw_marked_part(&mut self, cx: &mut Cx2d, seen: &Range<usize>, corner: DVec2, line: Line) {
        let marked = self.buffer.marked().range();
        if marked.is_empty() {
            return;
        }
        let of_part = self.rows.of_part(&marked);
        for at in of_part.start.max(seen.start)..of_part.end.min(seen.end) {
            let row = self.rows.get(at);
            let left = self.left_of(cx, at, marked.start);
            let right = if marked.end > row.end && row.ends_line {
                self.left_of(cx, at, row.end) + LINE_END
            } else {
                self.left_of(cx, at, marked.end)
            };
            let pos = corner + dvec2(left, line.step * at as f64);
            // Without gaps between the rows.
            let size = dvec2(right - left, line.step);
            self.draw_marked.draw_abs(cx, Rect { pos, size });
        }
    }

    /// Gives where it stands in the window.
    fn draw_the_caret(&mut self, cx: &mut Cx2d, corner: DVec2, line: Line) -> DVec2 {
        let row = self.rows.of_caret(self.buffer.marked().caret, self.ends_row);
        let left = self.caret_left(cx) - 0.5 * CARET;
        let pos = corner + dvec2(left, line.step * row as f64);
        if self.is_lit && !self.read_only {
            let size = dvec2(CARET, line.letters);
            self.draw_caret.draw_abs(cx, Rect { pos, size });
        }
        pos
    }
}

/// Draws some of the rows of a text, the first of which begins at this corner.
fn draw(
    cx: &mut Cx2d,
    style: &mut DrawText,
    text: &str,
    rows: &Rows,
    seen: Range<usize>,
    corner: DVec2,
    line: Line,
) {
    for at in seen {
        let place = rows.get(at);
        let text = text[place.start..place.end].trim_end();
        if text.is_empty() {
            continue;
        }
        // Rows with signs of other fonts stand higher; their letters' feet stand in line.
        let laid_out = row(cx, style, text);
        let above = f64::from(laid_out.rows[0].ascender_in_lpxs);
        let top = corner.y + line.step * at as f64 + line.above - above;
        style.draw_abs(cx, dvec2(corner.x, top), &laid_out.text);
    }
}
