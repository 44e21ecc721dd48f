//! What Hearth and its workers take of this computer, now and over the last minute: for the pages on which models are
//! loaded and served. It is measured while it is in sight only.

use makepad_widgets::*;

use crate::state::AppState;
use crate::state::settings::hardware::Figure;
use crate::ui::widget::plot::*;
use crate::ui::widget::text::*;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;
    use crate::ui::texts::*;
    use crate::ui::icons::*;
    use crate::ui::widget::surface::*;
    use crate::ui::widget::text::*;
    use crate::ui::widget::icon::*;
    use crate::ui::widget::plot::*;

    UsageRow = <View> {
        width: Fill, height: 44, flow: Right
        align: { y: 0.5 }, padding: { left: 14, right: 14 }, spacing: 10
        clip_x: false, clip_y: false
    }
    pub HardwareStrip = {{HardwareStrip}}<Surface> {
        width: Fill, height: Fit, flow: Down
        padding: 1
        clip_x: false, clip_y: false
        <UsageRow> {
            <Glyph> { draw_icon: { svg_path: (ICON_MEMORY) } }
            <TextLine> { width: Fill, text: (TEXT_USAGE_MEMORY) }
            memory_now = <Caption> {}
            memory_plot = <Plot> {}
        }
        <LineH> {}
        <UsageRow> {
            <Glyph> { draw_icon: { svg_path: (ICON_CHIP) } }
            <TextLine> { width: Fill, text: (TEXT_USAGE_CPU) }
            cpu_now = <Caption> {}
            cpu_plot = <Plot> {}
        }
        video = <View> {
            visible: false
            width: Fill, height: Fit, flow: Down
            clip_x: false, clip_y: false
            <LineH> {}
            <UsageRow> {
                <Glyph> { draw_icon: { svg_path: (ICON_GPU) } }
                <TextLine> { width: Fill, text: (TEXT_USAGE_VIDEO) }
                video_now = <Caption> {}
            }
        }
    }
}

/// The strip.
#[derive(Live, LiveHook, Widget)]
pub struct HardwareStrip {
    #[deref]
    view: View,
}

impl Widget for HardwareStrip {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event, scope: &mut Scope) {
        self.view.handle_event(cx, event, scope);
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, scope: &mut Scope, walk: Walk) -> DrawStep {
        if let Some(state) = scope.data.get::<AppState>() {
            let shown = state.usage_view();
            let figures: [(Figure, &[LiveId], &[LiveId]); 2] = [
                (shown.memory, id!(memory_now), id!(memory_plot)),
                (shown.cpu, id!(cpu_now), id!(cpu_plot)),
            ];
            for (figure, now, plot) in figures {
                self.view.text_line(now).set_text(cx, &figure.now);
                self.view.plot(plot).set(figure.minute);
            }
            self.view
                .widget(id!(video))
                .set_visible(cx, shown.video.is_some());
            self.view
                .text_line(id!(video_now))
                .set_text(cx, &shown.video.unwrap_or_default());
        }
        self.view.draw_walk(cx, scope, walk)
    }
}
