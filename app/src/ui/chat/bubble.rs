//! The person's message: a box to the right, as wide as its text, up to most of the column.

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
    use crate::ui::widget::surface::*;
    use crate::ui::chat::ink::*;

    pub Bubble = {{Bubble}} {
        width: Fill, height: Fit
        line: (LINE_MESSAGE)
        frame: <Surface> { draw_bg: { color: (COLOR_BUBBLE), line: (COLOR_BUBBLE_LINE), radius: 14.0 } }
        ink: <Ink> {}
    }
}

/// Share of the column that a message may take.
const WIDEST: f64 = 0.84;
/// Left and right of the text, and above and below it, in pixels.
const BESIDE: f64 = 15.0;
const ABOVE: f64 = 11.0;

/// A message of the person.
#[derive(Live, Widget)]
pub struct Bubble {
    #[redraw]
    #[live]
    frame: View,
    #[walk]
    walk: Walk,
    #[live]
    ink: Ink,
    /// Height of a line, in pixels.
    #[live]
    line: f64,
    #[rust]
    text: String,
    /// The lines, and the width of the column they were broken for.
    #[rust]
    lines: Vec<Line>,
    #[rust]
    broken_to: f64,
}

impl LiveHook for Bubble {
    /// Another size of text breaks into other lines.
    fn after_apply(&mut self, _cx: &mut Cx, _apply: &mut Apply, _index: usize, _nodes: &[LiveNode]) {
        self.broken_to = 0.0;
    }
}

impl Widget for Bubble {
    fn handle_event(&mut self, _cx: &mut Cx, _event: &Event, _scope: &mut Scope) {}

    fn draw_walk(&mut self, cx: &mut Cx2d, _scope: &mut Scope, walk: Walk) -> DrawStep {
        let column = cx.turtle().padded_rect().size.x;
        if self.broken_to != column {
            self.broken_to = column;
            let widest = column * WIDEST - 2.0 * BESIDE;
            self.lines = self.ink.lines(cx, &Inline::written(&self.text), widest);
        }
        let width = self.lines.iter().map(lines::end).fold(0.0, f64::max).ceil() + 2.0 * BESIDE;
        let place = Walk {
            width: Size::Fixed(width),
            height: Size::Fixed(self.lines.len() as f64 * self.line + 2.0 * ABOVE),
            margin: Margin {
                left: (column - width).max(0.0).floor(),
                ..Margin::default()
            },
            ..walk
        };
        self.frame.draw_bg.begin(cx, place, Layout::default());
        let mut place = Rect {
            pos: cx.turtle().pos() + dvec2(BESIDE, ABOVE),
            size: dvec2(width, self.line),
        };
        self.ink.begin(cx);
        for line in &self.lines {
            self.ink.draw(cx, line, place, 0, &mut Links::default());
            place.pos.y += self.line;
        }
        self.frame.draw_bg.end(cx);
        DrawStep::done()
    }

    fn text(&self) -> String {
        self.text.clone()
    }

    fn set_text(&mut self, _cx: &mut Cx, text: &str) {
        if self.text != text {
            text.clone_into(&mut self.text);
            self.broken_to = 0.0;
        }
    }
}
