//! The models in memory: what they do, how long they stay, and the button that takes one out.

use makepad_widgets::*;

use crate::msg::Msg;
use crate::state::AppState;
use crate::ui::widget::button::*;
use crate::ui::widget::stack::*;
use crate::ui::widget::tag::*;
use crate::ui::widget::text::*;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;
    use crate::ui::texts::*;
    use crate::ui::fonts::*;
    use crate::ui::icons::*;
    use crate::ui::widget::surface::*;
    use crate::ui::widget::text::*;
    use crate::ui::widget::button::*;
    use crate::ui::widget::stack::*;
    use crate::ui::widget::tag::*;
    use crate::ui::server::kit::*;

    LoadedRow = <View> {
        width: Fill, height: Fit, flow: Down
        clip_x: false, clip_y: false
        line = <LineH> {}
        <View> {
            width: Fill, height: Fit, flow: Right
            align: { y: 0.5 }, padding: { left: 16, right: 8, top: 8, bottom: 8 }, spacing: 10
            clip_x: false, clip_y: false
            dot = <Dot> {}
            <View> {
                width: Fill, height: Fit, flow: Down
                name = <Strong> { width: Fill, line: 18.0 }
                detail = <TextBlock> { draw_text: { color: (COLOR_TEXT_3), text_style: <FONT_SMALL> {} } }
            }
            eject = <IconButton> { tip: (TEXT_EJECT), draw_icon: { svg_path: (ICON_EJECT) } }
        }
    }
    pub LoadedModels = {{LoadedModels}} {
        width: 308, height: Fit, flow: Down
        clip_x: false, clip_y: false
        <PartHead> { <Strong> { width: Fill, text: (TEXT_LOADED_MODELS) } }
        <PartCard> {
            list = <Stack> { row: <LoadedRow> {} }
            line = <LineH> {}
            <View> {
                width: Fill, height: Fit, flow: Down
                padding: { left: 16, right: 16, top: 10, bottom: 10 }
                none = <TextLine> { text: (TEXT_NONE_LOADED), draw_text: { color: (COLOR_TEXT_2) } }
                stay = <TextBlock> { draw_text: { color: (COLOR_TEXT_3), text_style: <FONT_SMALL> {} } }
            }
        }
    }
}

/// The models in memory.
#[derive(Live, LiveHook, Widget)]
pub struct LoadedModels {
    #[deref]
    view: View,
}

impl Widget for LoadedModels {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event, scope: &mut Scope) {
        self.view.handle_event(cx, event, scope);
        if let (Event::Actions(actions), Some(state)) = (event, scope.data.get::<AppState>()) {
            let rows = self.view.stack(id!(list)).rows();
            for (model, row) in state.model_rows().into_iter().zip(rows) {
                if row.push_button(id!(eject)).clicked(actions) {
                    cx.action(Msg::Eject(model.id));
                }
            }
        }
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, scope: &mut Scope, walk: Walk) -> DrawStep {
        if let Some(state) = scope.data.get::<AppState>() {
            let models = state.model_rows();
            self.view.widget(id!(none)).set_visible(cx, models.is_empty());
            self.view.widget(id!(line)).set_visible(cx, !models.is_empty());
            self.view.label(id!(stay)).set_text(cx, &state.model_stay());
            let rows = self.view.stack(id!(list)).set_rows(cx, models.len());
            for (index, (model, row)) in models.iter().zip(rows).enumerate() {
                row.widget(id!(line)).set_visible(cx, index > 0);
                row.dot(id!(dot))
                    .set(if model.busy { DotKind::Busy } else { DotKind::Ok });
                row.text_line(id!(name)).set_text(cx, &model.name);
                row.label(id!(detail)).set_text(cx, &model.detail);
            }
        }
        self.view.draw_walk(cx, scope, walk)
    }
}
