//! A code block: its language, a button that copies it, and the code in colours. Long lines wrap.

use makepad_widgets::*;

use super::highlight::{self, Token};
use crate::ui::widget::text::measure;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;
    use crate::ui::fonts::*;
    use crate::ui::icons::*;
    use crate::ui::widget::surface::*;
    use crate::ui::widget::text::*;
    use crate::ui::widget::button::*;

    pub CodeText = {{CodeText}} {
        width: Fill, height: Fit
        draw_text: { text_style: <FONT_CODE> {} }
        color_plain: (COLOR_TEXT)
        color_keyword: (COLOR_CODE_KEYWORD)
        color_text: (COLOR_CODE_STRING)
        color_number: (COLOR_CODE_NUMBER)
        color_name: (COLOR_CODE_NAME)
        color_comment: (COLOR_CODE_COMMENT)
    }
    pub CodeBlock = <Surface> {
        width: Fill, height: Fit, flow: Down
        draw_bg: { color: (COLOR_INSET), line: (COLOR_LINE), radius: 10.0 }
        <View> {
            width: Fill, height: 33
            align: { y: 0.5 }, padding: { left: 13, right: 5, top: 1 }
            language = <Caption> { width: Fill }
            copy = <SmallQuietButton> { text: "Copy", draw_icon: { svg_path: (ICON_COPY) } }
        }
        <LineH> { margin: { left: 1, right: 1 } }
        <View> {
            width: Fill, height: Fit
            padding: { left: 13, right: 13, top: 10, bottom: 10 }
            code = <CodeText> {}
        }
    }
}

/// Height of a line of code, in pixels.
const LINE: f64 = 20.0;
/// From the top of a line to the top of its glyphs, in pixels.
const DROP: f64 = 2.0;

/// Code in colours.
#[derive(Live, LiveHook, Widget)]
pub struct CodeText {
    #[live]
    draw_text: DrawText,
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
    #[walk]
    walk: Walk,
    #[rust]
    language: String,
    #[rust]
    source: String,
    #[rust]
    lines: Vec<Vec<(Token, String)>>,
    /// Rows as they wrap, and the width they wrap to.
    #[rust]
    rows: Vec<Vec<Piece>>,
    #[rust]
    wrapped_to: f64,
    #[redraw]
    #[area]
    #[rust]
    area: Area,
}

/// A piece of one row.
#[derive(Clone, Debug)]
struct Piece {
    token: Token,
    text: String,
    /// From the left edge, in pixels.
    left: f64,
}

impl Widget for CodeText {
    fn handle_event(&mut self, _cx: &mut Cx, _event: &Event, _scope: &mut Scope) {}

    fn draw_walk(&mut self, cx: &mut Cx2d, _scope: &mut Scope, walk: Walk) -> DrawStep {
        let width = cx.peek_walk_turtle(walk).size.x;
        if self.wrapped_to != width {
            self.wrapped_to = width;
            self.rows = wrap(&self.lines, width, |text| measure(&self.draw_text, cx, text));
        }
        let height = self.rows.len().max(1) as f64 * LINE;
        cx.begin_turtle(
            Walk {
                height: Size::Fixed(height),
                ..walk
            },
            Layout::default(),
        );
        let mut pen = cx.turtle().pos() + dvec2(0.0, DROP);
        for row in &self.rows {
            for piece in row {
                self.draw_text.color = match piece.token {
                    Token::Plain => self.color_plain,
                    Token::Keyword => self.color_keyword,
                    Token::Text => self.color_text,
                    Token::Number => self.color_number,
                    Token::Name => self.color_name,
                    Token::Comment => self.color_comment,
                };
                self.draw_text
                    .draw_abs(cx, pen + dvec2(piece.left, 0.0), &piece.text);
            }
            pen.y += LINE;
        }
        cx.end_turtle_with_area(&mut self.area);
        DrawStep::done()
    }

    fn text(&self) -> String {
        self.source.clone()
    }
}

impl CodeTextRef {
    /// Shows this code.
    pub(crate) fn set_code(&self, language: &str, source: &str) {
        if let Some(mut code) = self.borrow_mut()
            && (code.source != source || code.language != language)
        {
            language.clone_into(&mut code.language);
            source.clone_into(&mut code.source);
            code.lines = highlight::highlight(language, &source.replace('\t', "    "));
            code.wrapped_to = 0.0;
        }
    }
}

/// Breaks lines at the character that would cross `width`.
fn wrap(lines: &[Vec<(Token, String)>], width: f64, mut measure: impl FnMut(&str) -> f64) -> Vec<Vec<Piece>> {
    let cell = measure("0").max(1.0);
    let mut rows = Vec::new();
    for line in lines {
        let mut row = Vec::new();
        let mut left = 0.0;
        for (token, text) in line {
            let mut piece = Piece {
                token: *token,
                text: String::new(),
                left,
            };
            let mut buffer = [0; 4];
            for it in text.chars() {
                let advance = if it.is_ascii() {
                    cell
                } else {
                    measure(it.encode_utf8(&mut buffer))
                };
                if left + advance > width && left > 0.0 {
                    row.extend((!piece.text.is_empty()).then_some(piece));
                    rows.push(std::mem::take(&mut row));
                    left = 0.0;
                    piece = Piece {
                        token: *token,
                        text: String::new(),
                        left,
                    };
                }
                piece.text.push(it);
                left += advance;
            }
            row.extend((!piece.text.is_empty()).then_some(piece));
        }
        rows.push(row);
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_break_and_short_ones_do_not() {
        let line = |text: &str| vec![(Token::Plain, text.to_owned())];
        let lines = [
            line("abcdef"),
            line(""),
            vec![(Token::Keyword, "ab".into()), (Token::Plain, "你c".into())],
        ];
        let wide = |text: &str| text.chars().map(|it| if it.is_ascii() { 1.0 } else { 2.0 }).sum();
        let rows = wrap(&lines, 4.0, wide);
        let shown: Vec<String> = rows
            .iter()
            .map(|row| row.iter().map(|piece| piece.text.as_str()).collect())
            .collect();
        assert_eq!(shown, ["abcd", "ef", "", "ab你", "c"]);
        assert_eq!(rows[4][0].left, 0.0);
        assert_eq!(rows[3][1].left, 2.0);
    }
}
