//! The switch: on or off, at once.

use makepad_widgets::*;

use super::button::is_press;
use super::place::note_control;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;
    use crate::ui::widget::shape::*;

    pub Switch = {{Switch}} {
        width: 34, height: 20
        draw_bg: {
            instance on: 0.0
            instance focus: 0.0
            instance disabled: 0.0
            uniform track: (COLOR_TRACK)
            uniform line: (COLOR_LINE_CONTROL)
            uniform knob: (COLOR_SWITCH_KNOB)
            uniform accent: (COLOR_ACCENT)
            uniform knob_on: (COLOR_ON_ACCENT)
            uniform ring: (COLOR_ACCENT)
            varying wide: vec2
            // The focus ring lies outside: 4 pixels more on each side.
            fn vertex(self) -> vec4 {
                self.wide = self.rect_size + vec2(8.0, 8.0);
                return self.clip_and_transform_vertex(self.rect_pos - vec2(4.0, 4.0), self.wide);
            }
            fn pixel(self) -> vec4 {
                let point = self.pos * self.wide - vec2(4.0, 4.0);
                let fill = mix(self.track, self.accent, self.on);
                let edge = mix(self.line, self.accent, self.on);
                let body = Shape::framed(point, self.rect_size, 10.0, fill, edge, self.dpi_factor);
                let place = point - vec2(mix(3.0, 17.0, self.on), 3.0);
                let knob = Shape::rounded(place, vec2(14.0, 14.0), 7.0, self.dpi_factor);
                let rim = Shape::rounded(
                    place + vec2(1.0, 1.0), vec2(16.0, 16.0), 8.0, self.dpi_factor
                ) * (1.0 - self.on);
                let color = mix(self.knob, self.knob_on, self.on);
                let rimmed = mix(body, vec4(self.line.rgb, 1.0), rim);
                let filled = mix(rimmed, vec4(color.rgb, 1.0), knob);
                let band = Shape::band(point, self.rect_size, 10.0, 2.0, 4.0, self.dpi_factor);
                let shown = filled * mix(1.0, 0.5, self.disabled);
                return mix(shown, vec4(self.ring.rgb, 1.0), band * self.focus);
            }
        }
        animator: {
            on = {
                default: off
                off = { from: { all: Forward { duration: 0.12 } }, apply: { draw_bg: { on: 0.0 } } }
                on = { from: { all: Forward { duration: 0.12 } }, apply: { draw_bg: { on: 1.0 } } }
            }
            focus = {
                default: off
                off = { from: { all: Snap }, apply: { draw_bg: { focus: 0.0 } } }
                on = { from: { all: Snap }, apply: { draw_bg: { focus: 1.0 } } }
            }
            disabled = {
                default: off
                off = { from: { all: Snap }, apply: { draw_bg: { disabled: 0.0 } } }
                on = { from: { all: Snap }, apply: { draw_bg: { disabled: 1.0 } } }
            }
        }
    }
}

/// What a switch tells.
#[derive(Clone, Debug, DefaultNone)]
pub enum SwitchAction {
    /// Nothing.
    None,
    /// The person wants it so. It stays as it is until it is set.
    Wanted(bool),
}

/// A switch. It shows what the state says: who presses it asks for a change.
#[derive(Live, LiveHook, Widget)]
pub struct Switch {
    #[animator]
    animator: Animator,
    #[redraw]
    #[live]
    draw_bg: DrawQuad,
    #[live(true)]
    #[visible]
    visible: bool,
    #[walk]
    walk: Walk,
    /// What it switches; its name for tests and for those who cannot see it.
    #[live]
    label: String,
}

impl Widget for Switch {
    fn set_disabled(&mut self, cx: &mut Cx, disabled: bool) {
        if self.disabled(cx) != disabled {
            self.animator_toggle(cx, disabled, Animate::No, id!(disabled.on), id!(disabled.off));
        }
    }

    fn disabled(&self, cx: &Cx) -> bool {
        self.animator_in_state(cx, id!(disabled.on))
    }

    fn handle_event(&mut self, cx: &mut Cx, event: &Event, scope: &mut Scope) {
        let uid = self.widget_uid();
        if self.animator_handle_event(cx, event).must_redraw() {
            self.draw_bg.redraw(cx);
        }
        let hit = event.hits(cx, self.draw_bg.area());
        if let Hit::Nothing = hit {
            return;
        }
        let enabled = self.visible && !self.disabled(cx);
        let pressed = match hit {
            Hit::KeyFocus(_) => {
                self.animator_play(cx, id!(focus.on));
                false
            }
            Hit::KeyFocusLost(_) => {
                self.animator_play(cx, id!(focus.off));
                false
            }
            Hit::FingerHoverIn(_) if enabled => {
                cx.set_cursor(MouseCursor::Hand);
                false
            }
            Hit::KeyDown(key) => is_press(key.key_code),
            Hit::FingerUp(finger) => finger.is_over && finger.is_primary_hit(),
            _ => false,
        };
        if pressed && enabled {
            let wanted = !self.animator_in_state(cx, id!(on.on));
            cx.widget_action(uid, &scope.path, SwitchAction::Wanted(wanted));
        }
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, _scope: &mut Scope, walk: Walk) -> DrawStep {
        self.draw_bg.draw_walk(cx, walk);
        note_control(cx, self.widget_uid(), self.draw_bg.area());
        DrawStep::done()
    }

    fn text(&self) -> String {
        self.label.clone()
    }
}

impl SwitchRef {
    /// What the person wants it to be.
    pub fn wanted(&self, actions: &Actions) -> Option<bool> {
        let mut told = actions.filter_widget_actions_cast::<SwitchAction>(self.widget_uid());
        told.find_map(|action| match action {
            SwitchAction::Wanted(on) => Some(on),
            SwitchAction::None => None,
        })
    }

    /// Names what it switches.
    pub fn set_label(&self, label: &str) {
        if let Some(mut switch) = self.borrow_mut()
            && switch.label != label
        {
            label.clone_into(&mut switch.label);
        }
    }

    /// Shows it on or off.
    pub fn set_on(&self, cx: &mut Cx, on: bool) {
        if let Some(mut switch) = self.borrow_mut()
            && switch.animator_in_state(cx, id!(on.on)) != on
        {
            let state = if on { id!(on.on) } else { id!(on.off) };
            switch.animator_play(cx, state);
        }
    }
}
