//! Small marks: tags, key caps, state dots, notices.

use makepad_widgets::*;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;
    use crate::ui::fonts::*;
    use crate::ui::widget::surface::*;
    use crate::ui::widget::text::*;
    use crate::ui::widget::icon::*;
    use crate::ui::widget::shape::*;

    pub Tag = <Surface> {
        width: Fit, height: 20
        padding: { left: 7, right: 7 }, align: { y: 0.5 }
        draw_bg: { color: (COLOR_TAG), line: (COLOR_NONE), radius: 5.0 }
        label = <Small> { draw_text: { text_style: <FONT_CODE_MICRO> {} } }
    }

    pub Dot = {{Dot}} {
        width: 8, height: 8
        draw_bg: {
            instance kind: 0.0
            uniform idle: (COLOR_TEXT_DISABLED)
            uniform ok: (COLOR_OK)
            uniform busy: (COLOR_ACCENT)
            uniform bad: (COLOR_BAD)
            fn pixel(self) -> vec4 {
                let rested = mix(self.idle, self.ok, clamp(self.kind, 0.0, 1.0));
                let worked = mix(rested, self.busy, clamp(self.kind - 1.0, 0.0, 1.0));
                let color = mix(worked, self.bad, clamp(self.kind - 2.0, 0.0, 1.0));
                let shape = Shape::rounded(
                    self.pos * self.rect_size,
                    self.rect_size,
                    self.rect_size.x * 0.5,
                    self.dpi_factor
                );
                return vec4(color.rgb, 1.0) * shape;
            }
        }
    }
}

/// The state a dot stands for. A word always goes with it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DotKind {
    /// Nothing there.
    #[default]
    Idle,
    /// Ready.
    Ok,
    /// At work.
    Busy,
    /// Failed.
    Bad,
}

/// A round mark in the colour of a state.
#[derive(Live, LiveHook, Widget)]
pub struct Dot {
    #[redraw]
    #[live]
    draw_bg: DrawQuad,
    #[live(true)]
    #[visible]
    visible: bool,
    #[walk]
    walk: Walk,
    #[rust]
    kind: DotKind,
}

impl Widget for Dot {
    fn handle_event(&mut self, _cx: &mut Cx, _event: &Event, _scope: &mut Scope) {}

    fn draw_walk(&mut self, cx: &mut Cx2d, _scope: &mut Scope, walk: Walk) -> DrawStep {
        let kind = match self.kind {
            DotKind::Idle => 0.0,
            DotKind::Ok => 1.0,
            DotKind::Busy => 2.0,
            DotKind::Bad => 3.0,
        };
        self.draw_bg.draw_vars.set_var_instance(cx, id!(kind), &[kind]);
        self.draw_bg.draw_walk(cx, walk);
        DrawStep::done()
    }
}

impl DotRef {
    /// Shows this state.
    pub fn set(&self, kind: DotKind) {
        if let Some(mut dot) = self.borrow_mut() {
            dot.kind = kind;
        }
    }
}
