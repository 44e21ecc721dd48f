//! A paragraph with styled runs, as a list item with its bullet or number, with the writing mark behind the
//! last word.

use makepad_widgets::*;

use super::inline::{self, Run, Style};
use super::lines::{self, Line, PILL_PADDING};
use crate::ui::widget::text::measure;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;
    use crate::ui::fonts::*;
    use crate::ui::widget::shape::*;

    pub Paragraph = {{Paragraph}} {
        width: Fill, height: Fit
        line: 22.0, text_top: 3.0
        draw_text: { color: (COLOR_TEXT), text_style: <FONT_MESSAGE> {} }
        draw_bold: { color: (COLOR_TEXT), text_style: <FONT_MESSAGE_BOLD> {} }
        draw_italic: { color: (COLOR_TEXT), text_style: <FONT_MESSAGE_ITALIC> {} }
        draw_code: { color: (COLOR_TEXT), text_style: <FONT_CODE_SMALL> {} }
        draw_number: { color: (COLOR_TEXT_3), text_style: <FONT_MESSAGE> {} }
        draw_pill: {
            color: (COLOR_HOVER)
            fn pixel(self) -> vec4 {
                let shape = Shape::rounded(self.pos * self.rect_size, self.rect_size, 4.0, self.dpi_factor);
                return vec4(self.color.rgb * shape, shape);
            }
        }
        draw_bullet: {
            color: (COLOR_TEXT_3)
            fn pixel(self) -> vec4 {
                let shape = Shape::rounded(self.pos * self.rect_size, self.rect_size, 2.0, self.dpi_factor);
                return vec4(self.color.rgb * shape, shape);
            }
        }
        draw_mark: {
            color: (COLOR_ACCENT)
            fn pixel(self) -> vec4 {
                let shape = Shape::rounded(self.pos * self.rect_size, self.rect_size, 2.0, self.dpi_factor);
                return vec4(self.color.rgb * shape, shape);
            }
        }
    }
    pub HeadingParagraph = <Paragraph> {
        line: 24.0
        draw_text: { text_style: <FONT_HEADING> {} }
        draw_bold: { text_style: <FONT_HEADING> {} }
        draw_italic: { text_style: <FONT_HEADING> {} }
    }
}

/// From the top of the text to the top of inline code and of its pill, in pixels.
const CODE_TOP: f64 = 2.0;
const PILL_TOP: f64 = -1.0;
/// Height of a pill, in pixels.
const PILL: f64 = 18.0;
/// Room for a bullet or a number, per level of nesting, in pixels.
const INDENT: f64 = 18.0;
/// Room for a number, which is wider than a bullet, in pixels.
const NUMBER_INDENT: f64 = 24.0;

/// What stands before a list item.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Marker {
    /// Nothing: not an item.
    #[default]
    None,
    /// A bullet.
    Bullet,
    /// A number, such as `2.`.
    Number(String),
}

/// A paragraph of a message.
#[derive(Live, LiveHook, Widget)]
pub struct Paragraph {
    #[live]
    draw_text: DrawText,
    #[live]
    draw_bold: DrawText,
    #[live]
    draw_italic: DrawText,
    #[live]
    draw_code: DrawText,
    #[live]
    draw_number: DrawText,
    #[live]
    draw_pill: DrawColor,
    #[live]
    draw_bullet: DrawColor,
    #[live]
    draw_mark: DrawColor,
    #[walk]
    walk: Walk,
    /// Height of a line, and from its top to the top of its text, in pixels.
    #[live]
    line: f64,
    #[live]
    text_top: f64,
    #[rust]
    source: String,
    #[rust]
    runs: Vec<Run>,
    /// The lines, and the width they were broken to.
    #[rust]
    lines: Vec<Line>,
    #[rust]
    broken_to: f64,
    #[rust]
    marker: Marker,
    #[rust]
    depth: usize,
    /// Whether more is being written.
    #[rust]
    writing: bool,
    #[redraw]
    #[area]
    #[rust]
    area: Area,
}

impl Widget for Paragraph {
    fn handle_event(&mut self, _cx: &mut Cx, _event: &Event, _scope: &mut Scope) {}

    fn draw_walk(&mut self, cx: &mut Cx2d, _scope: &mut Scope, walk: Walk) -> DrawStep {
        let indent = self.indent();
        let width = cx.peek_walk_turtle(walk).size.x - indent;
        self.break_lines(cx, width);
        let height = self.lines.len() as f64 * self.line;
        cx.begin_turtle(
            Walk {
                height: Size::Fixed(height),
                ..walk
            },
            Layout::default(),
        );
        let origin = cx.turtle().pos() + dvec2(indent, 0.0);
        // The pills' draw call comes before the glyphs', so that they lie under them.
        self.draw_pill.append_to_draw_call(cx);
        self.draw_marker(cx, origin);
        for (index, line) in self.lines.iter().enumerate() {
            let pen = origin + dvec2(0.0, index as f64 * self.line + self.text_top);
            for piece in line {
                let (style, top) = match piece.style {
                    Style::Plain => (&mut self.draw_text, 0.0),
                    Style::Bold => (&mut self.draw_bold, 0.0),
                    Style::Italic => (&mut self.draw_italic, 0.0),
                    Style::Code => {
                        let pos = pen + dvec2(piece.left - PILL_PADDING, PILL_TOP);
                        let size = dvec2(piece.width + 2.0 * PILL_PADDING, PILL);
                        self.draw_pill.draw_abs(cx, Rect { pos, size });
                        (&mut self.draw_code, CODE_TOP)
                    }
                };
                style.draw_abs(cx, pen + dvec2(piece.left, top), &piece.text);
            }
        }
        if self.writing {
            let last = self.lines.last().map_or(0.0, lines::end);
            let pos = origin + dvec2(last + 3.0, height - self.line + self.text_top);
            self.draw_mark.draw_abs(
                cx,
                Rect {
                    pos,
                    size: dvec2(8.0, 16.0),
                },
            );
        }
        cx.end_turtle_with_area(&mut self.area);
        DrawStep::done()
    }

    fn text(&self) -> String {
        self.source.clone()
    }

    /// Does not ask for a redraw: texts are set while the window is drawn.
    fn set_text(&mut self, _cx: &mut Cx, text: &str) {
        if self.source != text {
            text.clone_into(&mut self.source);
            self.runs = inline::runs(text);
            self.broken_to = 0.0;
        }
    }
}

impl Paragraph {
    fn break_lines(&mut self, cx: &mut Cx, width: f64) {
        if self.broken_to == width {
            return;
        }
        self.broken_to = width;
        self.lines = lines::lines(&self.runs, width, |style, text| {
            let style = match style {
                Style::Plain => &self.draw_text,
                Style::Bold => &self.draw_bold,
                Style::Italic => &self.draw_italic,
                Style::Code => &self.draw_code,
            };
            measure(style, cx, text)
        });
    }

    fn indent(&self) -> f64 {
        let marker = match &self.marker {
            Marker::None => 0.0,
            Marker::Bullet => INDENT,
            Marker::Number(_) => NUMBER_INDENT,
        };
        self.depth as f64 * INDENT + marker
    }

    fn draw_marker(&mut self, cx: &mut Cx2d, origin: DVec2) {
        match &self.marker {
            Marker::None => (),
            Marker::Bullet => {
                let place = Rect {
                    pos: origin + dvec2(-13.0, 10.0),
                    size: dvec2(4.0, 4.0),
                };
                self.draw_bullet.draw_abs(cx, place);
            }
            Marker::Number(number) => {
                let pen = origin + dvec2(2.0 - NUMBER_INDENT, self.text_top);
                self.draw_number.draw_abs(cx, pen, number);
            }
        }
    }
}

impl ParagraphRef {
    /// Makes it a list item, `depth` levels in.
    pub(crate) fn set_marker(&self, marker: Marker, depth: usize) {
        if let Some(mut paragraph) = self.borrow_mut() {
            paragraph.marker = marker;
            paragraph.depth = depth;
        }
    }

    /// Shows the writing mark behind the last word.
    pub(crate) fn set_writing(&self, writing: bool) {
        if let Some(mut paragraph) = self.borrow_mut() {
            paragraph.writing = writing;
        }
    }
}
