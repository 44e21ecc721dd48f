//! A field of several lines with a fixed height: what does not fit is scrolled, the caret stays in view, and Enter
//! begins a line.

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

    TextAreaBase = {{TextArea}} {}
    pub TextArea = <TextAreaBase> {
        width: Fill, height: 100
        flow: Overlay
        cursor: Text, grab_key_focus: false
        clip_x: false, clip_y: false
        show_bg: true
        draw_bg: {
            instance focus: 0.0
            instance bad: 0.0
            color: (COLOR_RAISED)
            uniform line: (COLOR_LINE)
            uniform line_focus: (COLOR_ACCENT)
            uniform line_bad: (COLOR_BAD)
            uniform halo: (COLOR_ACCENT_SOFT)
            varying wide: vec2
            fn vertex(self) -> vec4 {
                self.wide = self.rect_size + vec2(8.0, 8.0);
                return self.clip_and_transform_vertex(self.rect_pos - vec2(4.0, 4.0), self.wide);
            }
            fn pixel(self) -> vec4 {
                let point = self.pos * self.wide - vec2(4.0, 4.0);
                let line = mix(mix(self.line, self.line_focus, self.focus), self.line_bad, self.bad);
                let body = Shape::framed(point, self.rect_size, 8.0, self.color, line, self.dpi_factor);
                let band = Shape::band(point, self.rect_size, 8.0, 0.0, 3.0, self.dpi_factor);
                return mix(body, vec4(self.halo.rgb, 1.0), band * self.focus);
            }
        }
        scroll = <ScrollYView> {
            width: Fill, height: Fill
            // AROUND.
            margin: { left: 1, right: 1, top: 4, bottom: 4 }
            scroll_bars: { scroll_bar_y: { bar_size: 6.0 } }
            input = <BareField> {
                // BESIDE and ABOVE.
                padding: { left: 10, right: 10, top: 5, bottom: 5 }
            }
        }
        // Lays out the text as the field does, which does not tell where its caret is. Never drawn.
        ruler = <TextLine> { visible: false }
    }
    pub CodeArea = <TextArea> {
        scroll = { input = { draw_text: { text_style: <FONT_CODE_SMALL> {} } } }
        ruler = { draw_text: { text_style: <FONT_CODE_SMALL> {} } }
    }
}

/// Between the text and the edges of its field, in pixels.
const BESIDE: f64 = 10.0;
const ABOVE: f64 = 5.0;
/// Between the part that scrolls and the frame, above and below, in pixels.
const AROUND: f64 = 4.0;

/// A field of several lines.
#[derive(Live, LiveHook, Widget)]
pub struct TextArea {
    #[deref]
    view: View,
    /// The caret and the size of the field that the scroll was set for.
    #[rust]
    in_view: (Cursor, DVec2),
    /// How far the text is scrolled, in pixels.
    #[rust]
    scrolled: f64,
    #[rust]
    had_focus: bool,
    #[rust]
    bad: bool,
}

impl Widget for TextArea {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event, scope: &mut Scope) {
        let focus = cx.has_key_focus(self.input().area());
        match event {
            // The stock field begins a line with Shift only.
            Event::KeyDown(key) if focus && is_enter(key) => {
                let mut broken = *key;
                broken.key_code = KeyCode::ReturnKey;
                broken.modifiers.shift = true;
                self.view.handle_event(cx, &Event::KeyDown(broken), scope);
            }
            _ => self.view.handle_event(cx, event, scope),
        }
        // Below a short text a press is meant for it too.
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
        if focus {
            self.reveal_caret(cx);
        }
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, scope: &mut Scope, walk: Walk) -> DrawStep {
        let focus = cx.has_key_focus(self.input().area());
        for (name, is_on) in [(id!(focus), focus), (id!(bad), self.bad)] {
            let value = f32::from(u8::from(is_on));
            self.view.draw_bg.draw_vars.set_var_instance(cx, name, &[value]);
        }
        self.view.draw_walk(cx, scope, walk)
    }

    fn text(&self) -> String {
        self.input().text()
    }
}

impl TextArea {
    fn input(&self) -> FieldRef {
        self.view.field(id!(input))
    }

    /// Keeps the caret in view. Places are known here, not while drawing.
    fn reveal_caret(&mut self, cx: &mut Cx) {
        let input = self.input();
        let now = (input.caret(), input.area().rect(cx).size);
        let height = self.view.area().rect(cx).size.y - 2.0 * AROUND;
        let (caret, field) = now;
        if field.y <= 0.0 || now == self.in_view {
            return;
        }
        self.in_view = now;
        let width = field.x - 2.0 * BESIDE;
        let lines = self.view.text_line(id!(ruler)).lay_out(cx, width, &input.text());
        let Some(lines) = lines else { return };
        let Some(line) = lines.rows.get(lines.cursor_to_position(caret).row_index) else {
            return;
        };
        let base = ABOVE + f64::from(line.origin_in_lpxs.y);
        let top = base - f64::from(line.ascender_in_lpxs) - ABOVE;
        let bottom = base - f64::from(line.descender_in_lpxs) + ABOVE;
        let last = (field.y - height).max(0.0);
        self.scrolled = self.scrolled.max(bottom - height).min(top).clamp(0.0, last);
        let scroll = self.view.view(id!(scroll));
        scroll.set_scroll_pos(cx, dvec2(0.0, self.scrolled));
        self.view.redraw(cx);
    }
}

fn is_enter(key: &KeyEvent) -> bool {
    let KeyModifiers {
        control, alt, logo, ..
    } = key.modifiers;
    matches!(key.key_code, KeyCode::ReturnKey | KeyCode::NumpadEnter) && !(control || alt || logo)
}

impl TextAreaRef {
    /// The field in it, which has the keyboard.
    pub fn input(&self) -> FieldRef {
        self.borrow().map_or_else(FieldRef::default, |area| area.input())
    }

    /// What happened in it.
    pub fn action(&self, actions: &Actions) -> FieldAction {
        self.input().action(actions)
    }

    /// Shows a text, whose caret stays where it is while the text does, and whether something is wrong with it.
    pub fn set(&self, cx: &mut Cx, text: &str, bad: bool) {
        let input = self.input();
        if input.text() != text {
            input.set_text(cx, text);
        }
        if let Some(mut area) = self.borrow_mut() {
            area.bad = bad;
        }
    }
}
