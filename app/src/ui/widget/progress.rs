//! A bar of progress.

use makepad_widgets::*;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;
    use crate::ui::widget::shape::*;

    pub ProgressBar = {{ProgressBar}} {
        width: Fill, height: 4
        draw_bg: {
            instance value: 0.0
            instance level: 0.0
            uniform track: (COLOR_TRACK)
            uniform fill: (COLOR_ACCENT)
            uniform warn: (COLOR_WARN)
            uniform bad: (COLOR_BAD)
            fn pixel(self) -> vec4 {
                let size = self.rect_size;
                let point = self.pos * size;
                let shape = Shape::rounded(point, size, size.y * 0.5, self.dpi_factor);
                let done = clamp((size.x * self.value - point.x) * self.dpi_factor + 0.5, 0.0, 1.0);
                let fill = mix(
                    mix(self.fill, self.warn, clamp(self.level, 0.0, 1.0)),
                    self.bad,
                    clamp(self.level - 1.0, 0.0, 1.0)
                );
                return vec4(mix(self.track.rgb, fill.rgb, done), 1.0) * shape;
            }
        }
    }
    // How full the context is: at rest neutral, then a warning.
    pub Meter = <ProgressBar> { width: 48, draw_bg: { fill: (COLOR_TRACK_FILL) } }
}

/// How a bar is coloured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Level {
    /// In its own colour.
    #[default]
    Normal,
    /// Nearly full.
    Warn,
    /// Full.
    Bad,
}

/// A bar of progress.
#[derive(Live, LiveHook, Widget)]
pub struct ProgressBar {
    #[redraw]
    #[live]
    draw_bg: DrawQuad,
    #[live(true)]
    #[visible]
    visible: bool,
    #[walk]
    walk: Walk,
    #[rust]
    value: f32,
    #[rust]
    level: Level,
}

impl Widget for ProgressBar {
    fn handle_event(&mut self, _cx: &mut Cx, _event: &Event, _scope: &mut Scope) {}

    fn draw_walk(&mut self, cx: &mut Cx2d, _scope: &mut Scope, walk: Walk) -> DrawStep {
        let level = match self.level {
            Level::Normal => 0.0,
            Level::Warn => 1.0,
            Level::Bad => 2.0,
        };
        self.draw_bg
            .draw_vars
            .set_var_instance(cx, id!(value), &[self.value]);
        self.draw_bg.draw_vars.set_var_instance(cx, id!(level), &[level]);
        self.draw_bg.draw_walk(cx, walk);
        DrawStep::done()
    }
}

impl ProgressBarRef {
    /// Sets the share done, 0.0 to 1.0.
    pub fn set(&self, value: f32, level: Level) {
        if let Some(mut bar) = self.borrow_mut() {
            bar.value = value.clamp(0.0, 1.0);
            bar.level = level;
        }
    }
}
