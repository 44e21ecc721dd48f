//! One line of text with some of its words marked, cut where its place is too narrow.

use makepad_widgets::*;

use super::text::measure;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;
    use crate::ui::fonts::*;

    MarkedLineBase = {{MarkedLine}} {}
    pub MarkedLine = <MarkedLineBase> {
        width: Fill, height: 20
        draw_text: { color: (COLOR_TEXT_2), text_style: <FONT_BODY> {} }
        draw_mark: { color: (COLOR_ACCENT_TEXT), text_style: <FONT_LABEL> {} }
    }
    pub MarkedSmall = <MarkedLine> {
        height: 16
        draw_text: { text_style: <FONT_SMALL> {} }
        draw_mark: { text_style: <FONT_SMALL_BOLD> {} }
    }
}

/// One line of text with marks.
#[derive(Live, LiveHook, Widget)]
pub struct MarkedLine {
    #[live]
    draw_text: DrawText,
    #[live]
    draw_mark: DrawText,
    #[walk]
    walk: Walk,
    #[live(true)]
    #[visible]
    visible: bool,
    #[redraw]
    #[area]
    #[rust]
    area: Area,
    #[rust]
    text: String,
    /// Byte ranges of the marks, in order.
    #[rust]
    marks: Vec<(usize, usize)>,
}

impl Widget for MarkedLine {
    fn handle_event(&mut self, _cx: &mut Cx, _event: &Event, _scope: &mut Scope) {}

    fn draw_walk(&mut self, cx: &mut Cx2d, _scope: &mut Scope, walk: Walk) -> DrawStep {
        cx.begin_turtle(walk, Layout::default());
        let place = cx.turtle().rect();
        let mut left = place.pos.x;
        let right = left + place.size.x;
        for (piece, marked) in pieces(&self.text, &self.marks) {
            let style = if marked {
                &mut self.draw_mark
            } else {
                &mut self.draw_text
            };
            let width = measure(style, cx, piece);
            let fits = left + width <= right + 0.5;
            let shown = if fits {
                piece.to_owned()
            } else {
                cut(style, cx, piece, right - left)
            };
            if !shown.is_empty() {
                let height = style
                    .layout(cx, 0.0, 0.0, None, false, Align::default(), &shown)
                    .size_in_lpxs
                    .height as f64;
                let top = place.pos.y + ((place.size.y - height) * 0.5).floor();
                style.draw_abs(cx, dvec2(left, top), &shown);
            }
            if !fits {
                break;
            }
            left += width;
        }
        cx.end_turtle_with_area(&mut self.area);
        DrawStep::done()
    }

    fn text(&self) -> String {
        self.text.clone()
    }
}

impl MarkedLineRef {
    /// Shows a text with these byte ranges marked.
    pub(crate) fn set(&self, text: &str, marks: &[(usize, usize)]) {
        if let Some(mut line) = self.borrow_mut()
            && (line.text != text || line.marks != marks)
        {
            text.clone_into(&mut line.text);
            line.marks = marks.to_vec();
        }
    }
}

/// As much of a text as fits `width` with an ellipsis.
fn cut(style: &DrawText, cx: &mut Cx, text: &str, width: f64) -> String {
    let ends: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    let keep = |count: usize| format!("{}…", text[..ends[count]].trim_end());
    let (mut low, mut high) = (0, ends.len().saturating_sub(1));
    while low < high {
        let middle = (low + high).div_ceil(2);
        if measure(style, cx, &keep(middle)) <= width {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    if ends.is_empty() { String::new() } else { keep(low) }
}

/// The text in pieces, in order, and whether each is marked. Ranges that are none of the text's are left out.
fn pieces<'a>(text: &'a str, marks: &[(usize, usize)]) -> Vec<(&'a str, bool)> {
    let mut pieces = Vec::with_capacity(2 * marks.len() + 1);
    let mut done = 0;
    for (from, to) in marks {
        if let (Some(before), Some(marked)) = (text.get(done..*from), text.get(*from..*to)) {
            pieces.extend([(before, false), (marked, true)]);
            done = *to;
        }
    }
    pieces.push((&text[done..], false));
    pieces.retain(|(piece, _)| !piece.is_empty());
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_falls_into_marked_and_other_pieces() {
        type Case = (
            &'static str,
            &'static [(usize, usize)],
            &'static [(&'static str, bool)],
        );
        let cases: [Case; 5] = [
            ("one two", &[(4, 7)], &[("one ", false), ("two", true)]),
            ("one two", &[(0, 3)], &[("one", true), (" two", false)]),
            ("one two", &[], &[("one two", false)]),
            // Not at the border of a character, behind the end, and the wrong way round.
            ("größe", &[(3, 4), (2, 99), (5, 1)], &[("größe", false)]),
            ("", &[(0, 0)], &[]),
        ];
        for (text, marks, expected) in cases {
            assert_eq!(pieces(text, marks), expected, "{text:?} {marks:?}");
        }
    }
}
