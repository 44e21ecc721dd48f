//! The slider: a value between two ends, moved by pointer or arrow keys.

use makepad_widgets::*;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;
    use crate::ui::widget::shape::*;

    pub ValueSlider = {{ValueSlider}} {
        width: Fill, height: 18
        draw_bg: {
            instance share: 0.5
            instance active: 0.0
            uniform track: (COLOR_TRACK)
            uniform track_fill: (COLOR_TRACK_FILL)
            uniform accent: (COLOR_ACCENT)
            uniform knob: (COLOR_KNOB)
            uniform knob_line: (COLOR_KNOB_LINE)
            uniform halo: (COLOR_ACCENT_SOFT)
            varying wide: vec2
            // The halo of the knob lies outside: 12 pixels more at the sides, 4 above and below.
            fn vertex(self) -> vec4 {
                self.wide = self.rect_size + vec2(24.0, 8.0);
                return self.clip_and_transform_vertex(self.rect_pos - vec2(12.0, 4.0), self.wide);
            }
            fn pixel(self) -> vec4 {
                let point = self.pos * self.wide - vec2(12.0, 4.0);
                let middle = self.rect_size.y * 0.5;
                let at = floor(7.0 + (self.rect_size.x - 14.0) * self.share + 0.5);
                let line = point - vec2(0.0, middle - 2.0);
                let whole = Shape::rounded(line, vec2(self.rect_size.x, 4.0), 2.0, self.dpi_factor);
                let part = Shape::rounded(line, vec2(at, 4.0), 2.0, self.dpi_factor);
                let fill = mix(self.track_fill, self.accent, self.active);
                let bar = vec4(mix(self.track.rgb, fill.rgb, part), 1.0) * whole;
                let corner = point - vec2(at, middle);
                let glow = Shape::rounded(corner + vec2(11.0, 11.0), vec2(22.0, 22.0), 11.0, self.dpi_factor);
                let lit = mix(bar, vec4(self.halo.rgb, 1.0), glow * self.active);
                let outer = Shape::rounded(corner + vec2(7.0, 7.0), vec2(14.0, 14.0), 7.0, self.dpi_factor);
                let inner = Shape::rounded(corner + vec2(6.0, 6.0), vec2(12.0, 12.0), 6.0, self.dpi_factor);
                let edge = mix(self.knob_line, self.accent, self.active);
                return mix(lit, vec4(mix(edge, self.knob, inner).rgb, 1.0), outer);
            }
        }
        animator: {
            active = {
                default: off
                off = { from: { all: Forward { duration: 0.09 } }, apply: { draw_bg: { active: 0.0 } } }
                on = { from: { all: Forward { duration: 0.09 } }, apply: { draw_bg: { active: 1.0 } } }
            }
        }
    }
}

/// Half of the knob, which stays within the slider, in pixels.
const HALF_KNOB: f64 = 7.0;
/// Steps of an arrow key with Shift.
const LARGE: f64 = 10.0;

/// What a slider tells.
#[derive(Clone, Debug, DefaultNone)]
pub enum ValueSliderAction {
    /// Nothing.
    None,
    /// It was moved to this share of its length, from 0.0 to 1.0.
    Moved(f64),
    /// It was moved by so many steps.
    Stepped(f64),
}

/// A slider. It shows what the state says: who moves it asks for a change.
#[derive(Live, LiveHook, Widget)]
pub struct ValueSlider {
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
    #[rust]
    share: f64,
    /// What it sets; its name for tests and for those who cannot see it.
    #[rust]
    label: String,
}

impl Widget for ValueSlider {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event, scope: &mut Scope) {
        let uid = self.widget_uid();
        if self.animator_handle_event(cx, event).must_redraw() {
            self.draw_bg.redraw(cx);
        }
        if !self.visible {
            return;
        }
        let action = match event.hits(cx, self.draw_bg.area()) {
            Hit::KeyFocus(_) => {
                self.animator_play(cx, id!(active.on));
                return;
            }
            Hit::KeyFocusLost(_) => {
                self.animator_play(cx, id!(active.off));
                return;
            }
            Hit::FingerHoverIn(_) => {
                cx.set_cursor(MouseCursor::Hand);
                return;
            }
            Hit::KeyDown(key) => match steps(&key) {
                Some(steps) => ValueSliderAction::Stepped(steps),
                None => return,
            },
            Hit::FingerDown(finger) if finger.is_primary_hit() => {
                cx.set_key_focus(self.draw_bg.area());
                ValueSliderAction::Moved(self.share_at(cx, finger.abs.x))
            }
            Hit::FingerMove(finger) => ValueSliderAction::Moved(self.share_at(cx, finger.abs.x)),
            _ => return,
        };
        cx.widget_action(uid, &scope.path, action);
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, _scope: &mut Scope, walk: Walk) -> DrawStep {
        let share = self.share as f32;
        self.draw_bg.draw_vars.set_var_instance(cx, id!(share), &[share]);
        self.draw_bg.draw_walk(cx, walk);
        DrawStep::done()
    }

    fn text(&self) -> String {
        self.label.clone()
    }
}

impl ValueSlider {
    fn share_at(&self, cx: &Cx, x: f64) -> f64 {
        let place = self.draw_bg.area().rect(cx);
        let length = (place.size.x - 2.0 * HALF_KNOB).max(1.0);
        ((x - place.pos.x - HALF_KNOB) / length).clamp(0.0, 1.0)
    }
}

/// By how many steps a key moves a value; `None` where it means something else.
pub(crate) fn steps(key: &KeyEvent) -> Option<f64> {
    let KeyModifiers {
        control, alt, logo, ..
    } = key.modifiers;
    if control || alt || logo {
        return None;
    }
    let size = if key.modifiers.shift { LARGE } else { 1.0 };
    match key.key_code {
        KeyCode::ArrowRight | KeyCode::ArrowUp => Some(size),
        KeyCode::ArrowLeft | KeyCode::ArrowDown => Some(-size),
        KeyCode::PageUp => Some(LARGE),
        KeyCode::PageDown => Some(-LARGE),
        _ => None,
    }
}

impl ValueSliderRef {
    /// What the person did with it.
    pub fn action(&self, actions: &Actions) -> ValueSliderAction {
        actions
            .filter_widget_actions_cast::<ValueSliderAction>(self.widget_uid())
            .filter(|action| !matches!(action, ValueSliderAction::None))
            .last()
            .unwrap_or_default()
    }

    /// Shows this share of its length, of what `label` says.
    pub fn set(&self, share: f64, label: &str) {
        if let Some(mut slider) = self.borrow_mut() {
            slider.share = share;
            if slider.label != label {
                slider.label = label.to_owned();
            }
        }
    }
}
