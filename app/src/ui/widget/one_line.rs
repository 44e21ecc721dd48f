//! A field of one line that never wraps: what does not fit is scrolled, and the caret stays in view.

use makepad_widgets::makepad_draw::text::selection::Cursor;
use makepad_widgets::*;

use super::field::*;
use super::text::*;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;
    use crate::ui::fonts::*;
    use crate::ui::widget::shape::*;
    use crate::ui::widget::field::*;
    use crate::ui::widget::text::*;

    OneLineBase = {{OneLine}} {}
    // Without a frame.
    pub BareLine = <OneLineBase> {
        width: Fill, height: Fit
        flow: Overlay
        cursor: Text, grab_key_focus: false
        scroll = <ScrollXView> {
            width: Fill, height: Fit
            scroll_bars: { scroll_bar_x: { bar_size: 0.0 } }
            input = <BareField> { width: Fit, flow: Right, padding: { right: 2 } }
        }
        ruler = <TextLine> { visible: false }
    }
    pub FramedLine = <BareLine> {
        height: 32
        padding: { left: 11, right: 11, top: 8, bottom: 4 }
        clip_x: false, clip_y: false
        show_bg: true
        draw_bg: {
            instance focus: 0.0
            instance radius: 8.0
            color: (COLOR_RAISED)
            uniform line: (COLOR_LINE)
            uniform line_focus: (COLOR_ACCENT)
            uniform halo: (COLOR_ACCENT_SOFT)
            varying wide: vec2
            fn vertex(self) -> vec4 {
                self.wide = self.rect_size + vec2(8.0, 8.0);
                return self.clip_and_transform_vertex(self.rect_pos - vec2(4.0, 4.0), self.wide);
            }
            fn pixel(self) -> vec4 {
                let point = self.pos * self.wide - vec2(4.0, 4.0);
                let line = mix(self.line, self.line_focus, self.focus);
                let body = Shape::framed(point, self.rect_size, self.radius, self.color, line, self.dpi_factor);
                let band = Shape::band(point, self.rect_size, self.radius, 0.0, 3.0, self.dpi_factor);
                return mix(body, vec4(self.halo.rgb, 1.0), band * self.focus);
            }
        }
    }
}

/// Kept free beside the caret, in pixels.
const BESIDE: f64 = 2.0;

/// A field of one line.
#[derive(Live, LiveHook, Widget)]
pub struct OneLine {
    #[deref]
    view: View,
    /// The caret and the width of the view that the scroll was set for.
    #[rust]
    in_view: (Cursor, f64, usize),
    /// How far the text is scrolled, in pixels.
    #[rust]
    scrolled: f64,
    #[rust]
    had_focus: bool,
}

impl Widget for OneLine {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event, scope: &mut Scope) {
        self.view.handle_event(cx, event, scope);
        // Beside a short text a press is meant for it too.
        if let Hit::FingerDown(finger) = event.hits(cx, self.view.area())
            && finger.is_primary_hit()
        {
            let input = self.input();
            input.set_key_focus(cx);
            input.caret_to_end(cx);
        }
        let focus = cx.has_key_focus(self.input().area());
        if focus != self.had_focus {
            self.had_focus = focus;
            self.view.redraw(cx);
        }
        self.follow_caret(cx);
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, scope: &mut Scope, walk: Walk) -> DrawStep {
        let focus = f32::from(u8::from(cx.has_key_focus(self.input().area())));
        self.view
            .draw_bg
            .draw_vars
            .set_var_instance(cx, id!(focus), &[focus]);
        self.view.draw_walk(cx, scope, walk)
    }

    fn set_key_focus(&self, cx: &mut Cx) {
        self.input().set_key_focus(cx);
    }

    fn key_focus(&self, cx: &Cx) -> bool {
        cx.has_key_focus(self.input().area())
    }

    fn text(&self) -> String {
        self.input().text()
    }

    fn set_text(&mut self, cx: &mut Cx, text: &str) {
        let input = self.input();
        if input.text() != text {
            input.set_text(cx, text);
        }
    }
}

impl OneLine {
    fn input(&self) -> FieldRef {
        self.view.field(id!(input))
    }

    /// Scrolls the least so that the caret is in view.
    fn follow_caret(&mut self, cx: &mut Cx) {
        let scroll = self.view.view(id!(scroll));
        let (input, width) = (self.input(), scroll.area().rect(cx).size.x);
        let text = input.text();
        let now = (input.caret(), width, text.len());
        if width <= 0.0 || now == self.in_view {
            return;
        }
        self.in_view = now;
        let ruler = self.view.text_line(id!(ruler));
        ruler.set_text(cx, text.get(..now.0.index).unwrap_or(&text));
        let caret = ruler.width_of_text(cx);
        self.scrolled = self.scrolled.max(caret + BESIDE - width).min(caret).max(0.0);
        scroll.set_scroll_pos(cx, dvec2(self.scrolled, 0.0));
        self.view.redraw(cx);
    }
}

impl OneLineRef {
    /// What happened in it.
    pub fn action(&self, actions: &Actions) -> FieldAction {
        self.borrow()
            .map_or(FieldAction::None, |line| line.input().action(actions))
    }

    /// The field in it, which has the keyboard.
    pub fn input(&self) -> FieldRef {
        self.borrow().map_or_else(FieldRef::default, |line| line.input())
    }

    /// Marks the whole text, so that typing replaces it.
    pub fn select_all(&self, cx: &mut Cx) {
        self.input().select_all(cx);
    }

    /// Shows this while the field is empty.
    pub fn set_placeholder(&self, cx: &mut Cx, text: &str) {
        self.input().set_placeholder(cx, text);
    }
}
