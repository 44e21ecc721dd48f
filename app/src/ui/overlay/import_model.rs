//! The form for an import: which model file, and how it comes into the library.

use makepad_widgets::*;

use super::scrim::pressed_beside;
use crate::msg::Msg;
use crate::msg::my_models::MyModelsMsg;
use crate::state::AppState;
use crate::state::my_models::import::MODES;
use crate::state::overlay::Overlay;
use crate::ui::widget::button::*;
use crate::ui::widget::field::*;
use crate::ui::widget::one_line::*;
use crate::ui::widget::row::*;
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
    use crate::ui::widget::icon::*;
    use crate::ui::widget::button::*;
    use crate::ui::widget::one_line::*;
    use crate::ui::widget::row::*;
    use crate::ui::overlay::scrim::*;

    // One of several ways; the chosen one has a tick.
    Way = <MenuRow> {
        height: 48
        words = <View> {
            width: Fill, height: Fit, flow: Down
            label = <Strong> { width: Fill, line: 18.0 }
            help = <Caption> { width: Fill, line: 18.0 }
        }
        tick = <View> {
            visible: false
            width: Fit, height: Fit
            <Glyph18> { draw_icon: { color: (COLOR_ACCENT_TEXT), svg_path: (ICON_CHECK) } }
        }
    }
    pub ImportModel = {{ImportModel}} {
        width: Fill, height: Fill
        visible: false
        flow: Overlay, align: { x: 0.5, y: 0.44 }
        scrim = <Scrim> {}
        card = <Card> {
            width: 560, height: Fit
            <Surface> {
                width: Fill, height: Fit, flow: Down
                padding: 25, spacing: 8
                draw_bg: { color: (COLOR_OVERLAY), line: (COLOR_OVERLAY_LINE), radius: 16.0 }
                title = <Heading> { width: Fill, text: (TEXT_IMPORT_TITLE) }
                <TextBlock> { text: (TEXT_IMPORT_TEXT) }
                <View> {
                    width: Fill, height: Fit, flow: Right
                    margin: { top: 8 }, spacing: 8, align: { y: 0.5 }
                    clip_x: false, clip_y: false
                    path = <FramedLine> {
                        draw_bg: { color: (COLOR_CANVAS) }
                        scroll = { input = {
                            empty_text: (TEXT_PATH)
                            draw_text: { text_style: <FONT_CODE_SMALL> {} }
                        } }
                        ruler = { draw_text: { text_style: <FONT_CODE_SMALL> {} } }
                    }
                    browse = <OverlayButton> { text: (TEXT_BROWSE), draw_icon: { svg_path: (ICON_FOLDER) } }
                }
                fault = <Label> {
                    width: Fill, height: Fit, padding: 0
                    draw_text: { color: (COLOR_BAD), text_style: <FONT_SMALL> {} }
                }
                <View> {
                    width: Fill, height: Fit, flow: Down
                    margin: { top: 4, left: -8, right: -8 }
                    way_copy = <Way> {}
                    way_move = <Way> {}
                    way_link = <Way> {}
                    way_hard = <Way> {}
                }
                <View> {
                    width: Fill, height: Fit, flow: Right
                    margin: { top: 8 }, spacing: 8, align: { x: 1.0 }
                    clip_x: false, clip_y: false
                    cancel = <OverlayButton> { text: (TEXT_CANCEL) }
                    take = <PrimaryButton> { text: (TEXT_IMPORT) }
                }
            }
        }
    }
}

/// The rows of the ways, in their order.
const WAYS: [&[LiveId; 1]; 4] = [id!(way_copy), id!(way_move), id!(way_link), id!(way_hard)];

/// The form.
#[derive(Live, LiveHook, Widget)]
pub struct ImportModel {
    #[deref]
    view: View,
}

impl Widget for ImportModel {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event, scope: &mut Scope) {
        if !self.view.visible() {
            return;
        }
        self.view.handle_event(cx, event, scope);
        if let Event::Actions(actions) = event {
            self.handle_actions(cx, actions);
        }
        let (card, whole) = (self.view.widget(id!(card)).area(), self.view.area());
        if pressed_beside(cx, event, card, whole) {
            cx.action(Msg::CloseOverlay);
        }
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, scope: &mut Scope, walk: Walk) -> DrawStep {
        if let Some(state) = scope.data.get::<AppState>()
            && let Some(Overlay::ImportModel(form)) = &state.overlay
        {
            self.view.one_line(id!(path)).set_text(cx, &form.path);
            let fault = self.view.widget(id!(fault));
            fault.set_visible(cx, form.fault.is_some());
            fault.set_text(cx, form.fault.as_deref().unwrap_or_default());
            for (way, (mode, label, help)) in WAYS.into_iter().zip(MODES) {
                let row = self.view.widget(way);
                row.text_line(id!(label))
                    .set_text(cx, &state.texts().say(label, &[]));
                row.text_line(id!(help))
                    .set_text(cx, &state.texts().say(help, &[]));
                row.widget(id!(tick)).set_visible(cx, form.mode == mode);
            }
        }
        self.view.draw_walk(cx, scope, walk)
    }
}

impl ImportModel {
    fn handle_actions(&mut self, cx: &mut Cx, actions: &Actions) {
        let tell = |cx: &mut Cx, message| cx.action(Msg::MyModels(message));
        match self.view.one_line(id!(path)).action(actions) {
            FieldAction::Changed(path) => tell(cx, MyModelsMsg::ImportPathChanged(path)),
            FieldAction::Entered => tell(cx, MyModelsMsg::Import),
            FieldAction::Left | FieldAction::None => (),
        }
        for (way, (mode, ..)) in WAYS.into_iter().zip(MODES) {
            if self.view.row(way).clicked(actions) {
                tell(cx, MyModelsMsg::SetImportMode(mode));
            }
        }
        for (button, msg) in [
            (id!(browse), Msg::MyModels(MyModelsMsg::BrowseImport)),
            (id!(cancel), Msg::CloseOverlay),
            (id!(take), Msg::MyModels(MyModelsMsg::Import)),
        ] {
            if self.view.push_button(button).clicked(actions) {
                cx.action(msg);
            }
        }
    }
}
