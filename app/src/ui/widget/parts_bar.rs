//! A bar that shows how something whole is divided.

use makepad_widgets::*;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;
    use crate::ui::widget::shape::*;

    pub PartsBar = {{PartsBar}} {
        width: Fill, height: 8
        draw_bg: {
            instance first: 0.0
            instance second: 0.0
            instance third: 0.0
            instance fourth: 0.0
            uniform track: (COLOR_TRACK)
            uniform color_1: (COLOR_TEXT_DISABLED)
            uniform color_2: (COLOR_ACCENT)
            uniform color_3: (COLOR_ACCENT_PRESSED)
            uniform color_4: (COLOR_TRACK_FILL)
            fn part(self, point: vec2, end: float) -> float {
                return clamp((self.rect_size.x * end - point.x) * self.dpi_factor + 0.5, 0.0, 1.0);
            }
            fn pixel(self) -> vec4 {
                let point = self.pos * self.rect_size;
                let shape = Shape::rounded(point, self.rect_size, 2.0, self.dpi_factor);
                let color = mix(self.track.rgb, self.color_4.rgb, self.part(point, self.fourth));
                let color_to_3 = mix(color, self.color_3.rgb, self.part(point, self.third));
                let color_to_2 = mix(color_to_3, self.color_2.rgb, self.part(point, self.second));
                return vec4(mix(color_to_2, self.color_1.rgb, self.part(point, self.first)), 1.0) * shape;
            }
        }
    }
}

/// The bar.
#[derive(Live, LiveHook, Widget)]
pub struct PartsBar {
    #[redraw]
    #[live]
    draw_bg: DrawQuad,
    #[live(true)]
    #[visible]
    visible: bool,
    #[walk]
    walk: Walk,
    /// Where each part ends, from 0.0 to 1.0, never falling.
    #[rust]
    ends: [f32; 4],
}

impl Widget for PartsBar {
    fn handle_event(&mut self, _cx: &mut Cx, _event: &Event, _scope: &mut Scope) {}

    fn draw_walk(&mut self, cx: &mut Cx2d, _scope: &mut Scope, walk: Walk) -> DrawStep {
        let names: [&[LiveId]; 4] = [id!(first), id!(second), id!(third), id!(fourth)];
        for (name, end) in names.into_iter().zip(self.ends) {
            self.draw_bg.draw_vars.set_var_instance(cx, name, &[end]);
        }
        self.draw_bg.draw_walk(cx, walk);
        DrawStep::done()
    }
}

impl PartsBarRef {
    /// Shows where each part ends, from 0.0 to 1.0, never falling.
    pub fn set(&self, ends: [f32; 4]) {
        if let Some(mut bar) = self.borrow_mut() {
            bar.ends = ends;
        }
    }
}
