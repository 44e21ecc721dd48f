//! A small plot of shares over time: one bar a measurement, the newest at the right.

use makepad_widgets::*;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;

    pub Plot = {{Plot}} {
        width: 96, height: 24
        draw_base: {
            color: (COLOR_INSET)
            fn pixel(self) -> vec4 {
                return vec4(self.color.rgb, 1.0);
            }
        }
        draw_bar: {
            color: (COLOR_TRACK_FILL)
            fn pixel(self) -> vec4 {
                return vec4(self.color.rgb, 1.0);
            }
        }
    }
}

/// Bars that have room beside each other.
const BARS: usize = 60;

/// A plot.
#[derive(Live, LiveHook, Widget)]
pub struct Plot {
    #[redraw]
    #[live]
    draw_base: DrawColor,
    #[live]
    draw_bar: DrawColor,
    #[live(true)]
    #[visible]
    visible: bool,
    #[walk]
    walk: Walk,
    #[rust]
    shares: Vec<f32>,
}

impl Widget for Plot {
    fn handle_event(&mut self, _cx: &mut Cx, _event: &Event, _scope: &mut Scope) {}

    fn draw_walk(&mut self, cx: &mut Cx2d, _scope: &mut Scope, walk: Walk) -> DrawStep {
        let place = cx.walk_turtle(walk);
        self.draw_base.draw_abs(cx, place);
        let width = place.size.x / BARS as f64;
        // The ground, on which nothing and nearly nothing stand.
        let ground = Rect {
            pos: dvec2(place.pos.x, place.pos.y + place.size.y - 1.0),
            size: dvec2(place.size.x, 1.0),
        };
        self.draw_bar.draw_abs(cx, ground);
        for (back, share) in self.shares.iter().rev().take(BARS).enumerate() {
            let height = (f64::from(*share) * place.size.y).clamp(1.0, place.size.y);
            let bar = Rect {
                pos: dvec2(
                    place.pos.x + place.size.x - width * (back + 1) as f64,
                    place.pos.y + place.size.y - height,
                ),
                size: dvec2(width, height),
            };
            self.draw_bar.draw_abs(cx, bar);
        }
        DrawStep::done()
    }
}

impl PlotRef {
    /// Shows these shares, 0.0 to 1.0, the newest last.
    pub fn set(&self, shares: Vec<f32>) {
        if let Some(mut plot) = self.borrow_mut() {
            plot.shares = shares;
        }
    }
}
