//! A field of several lines in a frame: what does not fit is scrolled, and Enter begins a line.

use makepad_widgets::*;

use super::field::FieldAction;
use super::multiline::*;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;
    use crate::ui::fonts::*;
    use crate::ui::widget::shape::*;
    use crate::ui::widget::multiline::*;

    TextAreaBase = {{TextArea}} {}
    pub TextArea = <TextAreaBase> {
        width: Fill, height: 100
        grab_key_focus: false
        clip_x: false, clip_y: false
        show_bg: true
        draw_bg: {
            instance focus: 0.0
            instance bad: 0.0
            instance radius: 8.0
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
                let body = Shape::framed(point, self.rect_size, self.radius, self.color, line, self.dpi_factor);
                let band = Shape::band(point, self.rect_size, self.radius, 0.0, 3.0, self.dpi_factor);
                return mix(body, vec4(self.halo.rgb, 1.0), band * self.focus);
            }
        }
        input = <Multiline> {
            height: Fill
            // The frame stays whole where the text is scrolled.
            margin: 1
            padding: { left: 10, right: 10, top: 8, bottom: 8 }
            breaks: true
        }
    }
    pub CodeArea = <TextArea> { input = { draw_text: { text_style: <FONT_CODE_SMALL> {} } } }
}

/// A field of several lines.
#[derive(Live, LiveHook, Widget)]
pub struct TextArea {
    #[deref]
    view: View,
    #[rust]
    bad: bool,
}

impl Widget for TextArea {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event, scope: &mut Scope) {
        let had_focus = self.has_focus(cx);
        self.view.handle_event(cx, event, scope);
        if had_focus != self.has_focus(cx) || matches!(event, Event::KeyFocus(_)) {
            self.view.redraw(cx);
        }
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, scope: &mut Scope, walk: Walk) -> DrawStep {
        for (name, is_on) in [(id!(focus), self.has_focus(cx)), (id!(bad), self.bad)] {
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
    fn input(&self) -> MultilineRef {
        self.view.multiline(id!(input))
    }

    fn has_focus(&self, cx: &Cx) -> bool {
        cx.has_key_focus(self.input().area())
    }
}

impl TextAreaRef {
    /// What happened in it.
    pub fn action(&self, actions: &Actions) -> FieldAction {
        self.borrow()
            .map_or(FieldAction::None, |area| area.input().action(actions))
    }

    /// Shows this while the field is empty.
    pub fn set_placeholder(&self, text: &str) {
        if let Some(area) = self.borrow() {
            area.input().set_placeholder(text);
        }
    }

    /// Shows a text, whose caret stays where it is while the text does, and whether something is wrong with it.
    pub fn set(&self, cx: &mut Cx, text: &str, bad: bool) {
        let Some(mut area) = self.borrow_mut() else { return };
        let input = area.input();
        if input.text() != text {
            input.set_text(cx, text);
        }
        area.bad = bad;
    }
}
