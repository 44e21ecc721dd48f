//! A row of a list or a menu: hovered, chosen, clicked, clicked twice.

use makepad_widgets::*;

use super::button::is_press;
use super::place::seen;
use super::reused;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;
    use crate::ui::widget::shape::*;

    pub Row = {{Row}} {
        width: Fill, height: 32
        padding: { left: 8, right: 8 }, spacing: 8
        align: { y: 0.5 }, flow: Right
        show_bg: true, cursor: Hand, grab_key_focus: false
        draw_bg: {
            instance hover: 0.0
            instance down: 0.0
            instance on: 0.0
            instance ring: 0.0
            instance radius: 8.0
            uniform color_hover: (COLOR_HOVER)
            uniform color_down: (COLOR_PRESSED)
            uniform color_on: (COLOR_SELECTED)
            uniform color_ring: (COLOR_ACCENT)
            color: (COLOR_NONE)
            fn pixel(self) -> vec4 {
                let point = self.pos * self.rect_size;
                let shape = Shape::rounded(point, self.rect_size, self.radius, self.dpi_factor);
                let band = Shape::band(point, self.rect_size, self.radius, -2.0, 0.0, self.dpi_factor);
                let rest = vec4(self.color.rgb, 1.0) * self.color.a;
                let hovered = mix(rest, vec4(self.color_hover.rgb, 1.0), self.hover);
                let pressed = mix(hovered, vec4(self.color_down.rgb, 1.0), self.down);
                let fill = mix(pressed, vec4(self.color_on.rgb, 1.0), self.on);
                return mix(fill * shape, vec4(self.color_ring.rgb, 1.0), band * self.ring);
            }
        }
        animator: {
            hover = {
                default: off
                off = { from: { all: Forward { duration: 0.09 } }, apply: { draw_bg: { hover: 0.0 } } }
                on = { from: { all: Forward { duration: 0.09 } }, apply: { draw_bg: { hover: 1.0 } } }
            }
            down = {
                default: off
                off = { from: { all: Forward { duration: 0.09 } }, apply: { draw_bg: { down: 0.0 } } }
                on = { from: { all: Snap }, apply: { draw_bg: { down: 1.0 } } }
            }
        }
    }
    pub MenuRow = <Row> {
        padding: { left: 12, right: 12 }, spacing: 10
        draw_bg: {
            color_hover: (COLOR_OVERLAY_HOVER), color_down: (COLOR_OVERLAY_PRESSED)
            color_on: (COLOR_OVERLAY_HOVER)
            radius: 7.0
        }
    }
}

/// What a row tells.
#[derive(Clone, Debug, DefaultNone)]
pub enum RowAction {
    /// Nothing.
    None,
    /// It was clicked.
    Clicked,
    /// It was clicked a second time.
    DoubleClicked,
}

/// A row with any children. Its children get events first, so that buttons in it work.
#[derive(Live, Widget)]
pub struct Row {
    #[deref]
    view: View,
    /// Which look it has.
    #[rust]
    look: u64,
    /// The keys that were held with the last click; `None` where it was pressed by a key.
    #[rust]
    held: Option<KeyModifiers>,
}

impl LiveHook for Row {
    fn after_apply_from_doc(&mut self, cx: &mut Cx) {
        self.look = reused::look(cx);
    }
}

impl Widget for Row {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event, scope: &mut Scope) {
        let uid = self.widget_uid();
        self.view.handle_event(cx, event, scope);
        if let Event::KeyFocus(_) = event {
            self.view.redraw(cx);
        }
        if let Event::MouseMove(mouse) = event {
            // By place, since a button in the row takes the pointer for itself.
            let place = seen(cx, self.view.area());
            let taken = mouse.handled.get();
            let free = taken.is_empty() || place.contains(seen(cx, taken).pos);
            let over = free && place.contains(mouse.abs);
            self.hover(cx, over);
        }
        let action = match event.hits(cx, self.view.area()) {
            Hit::FingerUp(finger) if finger.is_over && finger.is_primary_hit() => {
                self.held = Some(finger.modifiers);
                if finger.tap_count > 1 {
                    RowAction::DoubleClicked
                } else {
                    RowAction::Clicked
                }
            }
            Hit::KeyDown(key) if is_press(key.key_code) => {
                self.held = None;
                RowAction::Clicked
            }
            _ => return,
        };
        cx.widget_action(uid, &scope.path, action);
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, scope: &mut Scope, walk: Walk) -> DrawStep {
        let ring = cx.has_key_focus(self.view.area());
        self.set(cx, id!(ring), ring);
        self.view.draw_walk(cx, scope, walk)
    }
}

impl Row {
    fn set(&mut self, cx: &mut Cx, state: &[LiveId], shown: bool) {
        let value = f32::from(u8::from(shown));
        self.view.draw_bg.draw_vars.set_var_instance(cx, state, &[value]);
    }

    /// Which look it has.
    pub(super) fn look(&self) -> u64 {
        self.look
    }

    /// It shows something else from now on, which no pointer is over yet.
    pub(super) fn leave(&mut self, cx: &mut Cx) {
        self.view.animator_cut(cx, id!(hover.off));
    }

    fn hover(&mut self, cx: &mut Cx, over: bool) {
        if self.view.animator_in_state(cx, id!(hover.on)) != over {
            self.view
                .animator_play(cx, if over { id!(hover.on) } else { id!(hover.off) });
        }
    }
}

impl RowRef {
    /// Whether it was clicked once, or twice.
    pub fn clicked(&self, actions: &Actions) -> bool {
        matches!(self.action(actions), RowAction::Clicked)
    }

    /// What happened to it.
    pub fn action(&self, actions: &Actions) -> RowAction {
        // The view inside it tells its own actions by the same name.
        actions
            .filter_widget_actions_cast::<RowAction>(self.widget_uid())
            .find(|action| !matches!(action, RowAction::None))
            .unwrap_or_default()
    }

    /// The keys that were held while the pointer clicked it; `None` where it did not.
    pub fn pointer_click(&self, actions: &Actions) -> Option<KeyModifiers> {
        self.clicked(actions).then(|| self.borrow()?.held).flatten()
    }

    /// Shows it as the chosen one.
    pub fn set_on(&self, cx: &mut Cx, on: bool) {
        if let Some(mut row) = self.borrow_mut() {
            row.set(cx, id!(on), on);
        }
    }
}
