//! A code block: its language, buttons that wrap and copy it, and the code in colours. Long lines scroll sideways, or wrap
//! where the person wants that.

use makepad_widgets::*;
use unicode_segmentation::UnicodeSegmentation;

use super::highlight::{Line, Token};
use super::painter::Key;
use super::sideways::{ROOM, Sideways};
use super::tall::Tall;
use crate::ui::widget::text::measure;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;
    use crate::ui::texts::*;
    use crate::ui::fonts::*;
    use crate::ui::text_size::*;
    use crate::ui::icons::*;
    use crate::ui::widget::surface::*;
    use crate::ui::widget::text::*;
    use crate::ui::widget::button::*;
    use crate::ui::chat::sideways::*;

    pub CodeText = {{CodeText}} {
        width: Fill, height: Fit
        line: (LINE_BLOCK_CODE)
        draw_text: { text_style: <FONT_BLOCK_CODE> {} }
        draw_pill: { fn pixel(self) -> vec4 { return vec4(self.color.rgb, 1.0); } color: (COLOR_WARN_SOFT) }
        sideways: <Sideways> {}
        color_plain: (COLOR_TEXT)
        color_keyword: (COLOR_CODE_KEYWORD)
        color_text: (COLOR_CODE_STRING)
        color_number: (COLOR_CODE_NUMBER)
        color_name: (COLOR_CODE_NAME)
        color_comment: (COLOR_CODE_COMMENT)
        color_hidden: (COLOR_WARN)
    }
    pub CodeBlock = <Surface> {
        width: Fill, height: Fit, flow: Down
        draw_bg: { color: (COLOR_INSET), line: (COLOR_LINE), radius: 10.0 }
        <View> {
            width: Fill, height: 33
            align: { y: 0.5 }, padding: { left: 13, right: 5, top: 1 }
            language = <Caption> { width: Fill }
            wrap = <SmallQuietButton> { text: (TEXT_WRAP) }
            copy = <SmallQuietButton> { text: (TEXT_COPY), draw_icon: { svg_path: (ICON_COPY) } }
        }
        <LineH> { margin: { left: 1, right: 1 } }
        <View> {
            width: Fill, height: Fit
            padding: { left: 13, right: 13, top: 10, bottom: 10 }
            code = <CodeText> {}
        }
    }
}

/// From the top of a line to the top of its glyphs, in pixels.
const DROP: f64 = 2.0;
/// From the top of a line to the top of the pill of a hidden character, and the pill's height, in pixels.
const PILL_TOP: f64 = 1.0;
const PILL: f64 = 18.0;

/// Code in colours.
#[derive(Live, Widget)]
pub struct CodeText {
    #[live]
    draw_text: DrawText,
    #[live]
    draw_pill: DrawColor,
    #[live]
    sideways: Sideways,
    /// Height of a line of code, in pixels.
    #[live]
    line: f64,
    #[live]
    color_plain: Vec4,
    #[live]
    color_keyword: Vec4,
    #[live]
    color_text: Vec4,
    #[live]
    color_number: Vec4,
    #[live]
    color_name: Vec4,
    #[live]
    color_comment: Vec4,
    #[live]
    color_hidden: Vec4,
    #[walk]
    walk: Walk,
    /// The block and the version of its lines that are shown.
    #[rust]
    shown: Option<(Key, u64)>,
    #[rust]
    lines: Vec<Line>,
    /// The rows of each line as far as they are laid out.
    #[rust]
    rows: Vec<Vec<Row>>,
    /// Lines from here on are to be laid out anew.
    #[rust]
    changed: usize,
    /// Whether lines wrap, and to which width they were laid out.
    #[rust]
    wraps: bool,
    #[rust]
    laid_out_to: Option<f64>,
    #[redraw]
    #[area]
    #[rust]
    area: Area,
}

/// A row of a line: its pieces and its width in pixels.
#[derive(Clone, Debug, Default, PartialEq)]
struct Row {
    pieces: Vec<Piece>,
    width: f64,
}

/// A piece of one row.
#[derive(Clone, Debug, PartialEq)]
struct Piece {
    token: Token,
    text: String,
    /// From the left edge, in pixels.
    left: f64,
    width: f64,
}

impl LiveHook for CodeText {
    /// Another size of text breaks into other lines.
    fn after_apply(&mut self, _cx: &mut Cx, _apply: &mut Apply, _index: usize, _nodes: &[LiveNode]) {
        self.changed = 0;
    }
}

impl Widget for CodeText {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event, _scope: &mut Scope) {
        if self.sideways.handle_event(cx, event, self.area) {
            self.redraw(cx);
        }
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, _scope: &mut Scope, walk: Walk) -> DrawStep {
        let width = cx.peek_walk_turtle(walk).size.x;
        self.lay_out(cx, width);
        let widest = self
            .rows
            .iter()
            .flatten()
            .map(|row| row.width)
            .fold(0.0, f64::max);
        let offset = self.sideways.begin(if self.wraps { 0.0 } else { widest }, width);
        let count = self.rows.iter().map(Vec::len).sum::<usize>().max(1);
        let bar = if self.sideways.is_needed() { ROOM } else { 0.0 };
        let size = Walk {
            height: Size::Fixed(count as f64 * self.line + bar),
            ..walk
        };
        cx.begin_turtle(size, Layout::default());
        let place = cx.turtle().rect();
        let tall = Tall::new(cx, place);
        self.draw_pill.append_to_draw_call(cx);
        let mut top = 0.0;
        for row in self.rows.iter().flatten() {
            if tall.shows(top, top + self.line) {
                let pen = place.pos + dvec2(-offset, top);
                let seen = row
                    .pieces
                    .iter()
                    .filter(|piece| piece.left - offset < width && piece.left + piece.width - offset > 0.0);
                for piece in seen {
                    if piece.token == Token::Hidden {
                        let pos = pen + dvec2(piece.left, PILL_TOP);
                        let size = dvec2(piece.width, PILL);
                        self.draw_pill.draw_abs(cx, Rect { pos, size });
                    }
                    self.draw_text.color = match piece.token {
                        Token::Plain => self.color_plain,
                        Token::Keyword => self.color_keyword,
                        Token::Text => self.color_text,
                        Token::Number => self.color_number,
                        Token::Name => self.color_name,
                        Token::Comment => self.color_comment,
                        Token::Hidden => self.color_hidden,
                    };
                    self.draw_text
                        .draw_abs(cx, pen + dvec2(piece.left, DROP), &piece.text);
                }
            }
            top += self.line;
        }
        self.sideways.draw(cx, place);
        cx.end_turtle_with_area(&mut self.area);
        DrawStep::done()
    }

    fn text(&self) -> String {
        let lines = self
            .lines
            .iter()
            .map(|line| line.iter().map(|(_, text)| text.as_str()).collect::<String>());
        lines.collect::<Vec<_>>().join("\n")
    }
}

impl CodeText {
    /// Lays out the lines that have changed, or all where the width has and they wrap.
    fn lay_out(&mut self, cx: &mut Cx, width: f64) {
        let to = self.wraps.then_some(width);
        if self.laid_out_to != to {
            self.laid_out_to = to;
            self.changed = 0;
        }
        self.rows.truncate(self.changed);
        for line in &self.lines[self.rows.len()..] {
            self.rows
                .push(rows(line, to, |text| measure(&self.draw_text, cx, text)));
        }
        self.changed = self.lines.len();
    }
}

impl CodeTextRef {
    /// Shows these lines of a block; `version` tells whether they have changed. Does not ask for a redraw: texts are set
    /// while the window is drawn.
    pub(crate) fn set(&self, key: Key, (version, lines): (u64, &[Line]), wraps: bool) {
        let Some(mut code) = self.borrow_mut() else { return };
        code.wraps = wraps;
        if code.shown == Some((key, version)) {
            return;
        }
        code.shown = Some((key, version));
        let same = code
            .lines
            .iter()
            .zip(lines)
            .take_while(|(old, new)| old == new)
            .count();
        code.lines.truncate(same);
        code.lines.extend_from_slice(&lines[same..]);
        code.changed = code.changed.min(same);
    }
}

/// Lays out a line: as one row, or broken at the sign that would cross a width.
fn rows(line: &Line, width: Option<f64>, mut measure: impl FnMut(&str) -> f64) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut row = Row::default();
    for (token, text) in line {
        let all = measure(text);
        let Some(width) = width.filter(|width| row.width + all > *width) else {
            row.push(*token, text, all);
            continue;
        };
        for sign in text.graphemes(true) {
            let advance = measure(sign);
            if row.width + advance > width && row.width > 0.0 {
                rows.push(std::mem::take(&mut row));
            }
            row.push(*token, sign, advance);
        }
    }
    rows.push(row);
    rows
}

impl Row {
    fn push(&mut self, token: Token, text: &str, width: f64) {
        match self.pieces.last_mut() {
            Some(last) if last.token == token => {
                last.text.push_str(text);
                last.width += width;
            }
            _ => self.pieces.push(Piece {
                token,
                text: text.to_owned(),
                left: self.width,
                width,
            }),
        }
        self.width += width;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(line: &Line, width: Option<f64>) -> Vec<String> {
        let wide = |text: &str| {
            text.graphemes(true)
                .map(|it| if it.is_ascii() { 1.0 } else { 2.0 })
                .sum()
        };
        let rows = rows(line, width, wide);
        let text = |row: &Row| row.pieces.iter().map(|piece| piece.text.as_str()).collect();
        rows.iter().map(text).collect()
    }

    #[test]
    fn lines_stay_whole_unless_they_wrap() {
        let plain = |text: &str| vec![(Token::Plain, text.to_owned())];
        assert_eq!(shown(&plain("abcdef"), None), ["abcdef"]);
        assert_eq!(shown(&plain("abcdef"), Some(4.0)), ["abcd", "ef"]);
        assert_eq!(shown(&Vec::new(), Some(4.0)), [""]);
        let line = vec![(Token::Keyword, "ab".into()), (Token::Plain, "你c".into())];
        assert_eq!(shown(&line, Some(4.0)), ["ab你", "c"]);
        assert_eq!(
            shown(&plain("e\u{301}e\u{301}👩\u{200d}🔬"), Some(2.0)),
            ["e\u{301}", "e\u{301}", "👩\u{200d}🔬"]
        );
    }
}
