//! A paragraph, a heading or a formula: styled text that wraps, with the writing mark behind the last word.

use makepad_widgets::*;

use super::ink::{Ink, Links};
use super::lines::{self, Line};
use crate::state::blocks::Inline;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;
    use crate::ui::fonts::*;
    use crate::ui::text_size::*;
    use crate::ui::widget::shape::*;
    use crate::ui::chat::ink::*;

    pub Paragraph = {{Paragraph}} {
        width: Fill, height: Fit
        line: (LINE_MESSAGE)
        ink: <Ink> {}
        draw_mark: {
            color: (COLOR_ACCENT)
            fn pixel(self) -> vec4 {
                let shape = Shape::rounded(self.pos * self.rect_size, self.rect_size, 2.0, self.dpi_factor);
                return vec4(self.color.rgb * shape, shape);
            }
        }
    }
    pub Title = <Paragraph> {
        line: 28.0
        ink: {
            regular: { text_style: <FONT_TITLE> {} }
            bold: { text_style: <FONT_TITLE> {} }
            italic: { text_style: <FONT_TITLE> {} }
            bold_italic: { text_style: <FONT_TITLE> {} }
            text_top: 3.0
        }
    }
    pub HeadingParagraph = <Paragraph> {
        line: 24.0
        ink: {
            regular: { text_style: <FONT_HEADING> {} }
            bold: { text_style: <FONT_HEADING> {} }
            italic: { text_style: <FONT_HEADING> {} }
            bold_italic: { text_style: <FONT_HEADING> {} }
        }
    }
    pub SmallHeading = <Paragraph> {
        ink: {
            regular: { text_style: <FONT_MESSAGE_BOLD> {} }
            italic: { text_style: <FONT_MESSAGE_BOLD_ITALIC> {} }
        }
    }
    pub Formula = <Paragraph> { line: (LINE_FORMULA), ink: <FormulaInk> {} }
}

/// Size of the writing mark, and its place behind the last word, in pixels.
const MARK: DVec2 = DVec2 { x: 8.0, y: 16.0 };
const MARK_LEFT: f64 = 3.0;
const MARK_TOP: f64 = 3.0;

/// Styled text of a message.
#[derive(Live, Widget)]
pub struct Paragraph {
    #[live]
    ink: Ink,
    #[live]
    draw_mark: DrawColor,
    #[walk]
    walk: Walk,
    /// Height of a line, in pixels.
    #[live]
    line: f64,
    #[rust]
    text: Inline,
    /// The lines, and the width they were broken to.
    #[rust]
    lines: Vec<Line>,
    #[rust]
    broken_to: f64,
    #[rust]
    links: Links,
    /// Whether more is being written.
    #[rust]
    writing: bool,
    #[redraw]
    #[area]
    #[rust]
    area: Area,
}

impl LiveHook for Paragraph {
    /// Another size of text breaks into other lines.
    fn after_apply(&mut self, _cx: &mut Cx, _apply: &mut Apply, _index: usize, _nodes: &[LiveNode]) {
        self.broken_to = 0.0;
    }
}

impl Widget for Paragraph {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event, scope: &mut Scope) {
        let uid = self.widget_uid();
        self.links.handle_event(cx, event, scope, uid, &[&self.text]);
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, _scope: &mut Scope, walk: Walk) -> DrawStep {
        let width = cx.peek_walk_turtle(walk).size.x;
        if self.broken_to != width {
            self.broken_to = width;
            self.lines = self.ink.lines(cx, &self.text, width);
        }
        let height = self.lines.len() as f64 * self.line;
        let size = Walk {
            height: Size::Fixed(height),
            ..walk
        };
        cx.begin_turtle(size, Layout::default());
        let mut place = Rect {
            pos: cx.turtle().pos(),
            size: dvec2(width, self.line),
        };
        let origin = place.pos;
        self.ink.begin(cx);
        self.links.begin();
        for line in &self.lines {
            self.ink.draw(cx, line, place, 0, &mut self.links);
            place.pos.y += self.line;
        }
        if self.writing {
            let last = self.lines.last().map_or(0.0, lines::end);
            let pos = origin + dvec2(last + MARK_LEFT, height - self.line + MARK_TOP);
            self.draw_mark.draw_abs(cx, Rect { pos, size: MARK });
        }
        cx.end_turtle_with_area(&mut self.area);
        DrawStep::done()
    }

    fn text(&self) -> String {
        self.text.text()
    }
}

impl ParagraphRef {
    /// Shows this text. Does not ask for a redraw: texts are set while the window is drawn.
    pub(super) fn set(&self, text: &Inline, writing: bool) {
        if let Some(mut paragraph) = self.borrow_mut() {
            if paragraph.text != *text {
                text.clone_into(&mut paragraph.text);
                paragraph.broken_to = 0.0;
            }
            paragraph.writing = writing;
        }
    }

    /// Where its links are and what each says, for tests.
    #[cfg(feature = "probe")]
    pub(super) fn links(&self) -> Vec<Area> {
        self.borrow()
            .map_or_else(Vec::new, |paragraph| paragraph.links.areas())
    }
}
