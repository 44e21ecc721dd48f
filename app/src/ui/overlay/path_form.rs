//! The form for a path: where a chat is written, or which file is read. The system's dialog can fill it in.

use makepad_widgets::*;

use super::scrim::pressed_beside;
use crate::msg::Msg;
use crate::state::AppState;
use crate::state::overlay::Overlay;
use crate::ui::widget::button::*;
use crate::ui::widget::field::*;
use crate::ui::widget::one_line::*;
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
    use crate::ui::widget::one_line::*;
    use crate::ui::overlay::scrim::*;

    pub PathForm = {{PathForm}} {
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
                title = <Heading> { width: Fill }
                text = <TextBlock> {}
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
                    width: Fill, height: Fit, flow: Right
                    margin: { top: 8 }, spacing: 8, align: { x: 1.0 }
                    clip_x: false, clip_y: false
                    cancel = <OverlayButton> { text: (TEXT_CANCEL) }
                    take = <PrimaryButton> {}
                }
            }
        }
    }
}

/// The form.
#[derive(Live, LiveHook, Widget)]
pub struct PathForm {
    #[deref]
    view: View,
}

impl Widget for PathForm {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event, scope: &mut Scope) {
        if !self.view.visible() {
            return;
        }
        self.view.handle_event(cx, event, scope);
        if let Event::Actions(actions) = event {
            match self.view.one_line(id!(path)).action(actions) {
                FieldAction::Changed(path) => cx.action(Msg::PathChanged(path)),
                FieldAction::Entered => cx.action(Msg::TakePath),
                FieldAction::Left | FieldAction::None => (),
            }
            for (button, msg) in [
                (id!(browse), Msg::BrowsePath),
                (id!(cancel), Msg::CloseOverlay),
                (id!(take), Msg::TakePath),
            ] {
                if self.view.push_button(button).clicked(actions) {
                    cx.action(msg);
                }
            }
        }
        let (card, whole) = (self.view.widget(id!(card)).area(), self.view.area());
        if pressed_beside(cx, event, card, whole) {
            cx.action(Msg::CloseOverlay);
        }
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, scope: &mut Scope, walk: Walk) -> DrawStep {
        if let Some(state) = scope.data.get::<AppState>()
            && let Some(Overlay::PathForm(form)) = &state.overlay
        {
            let say = |key| state.texts().say(key, &[]);
            self.view.text_line(id!(title)).set_text(cx, &say(form.title()));
            self.view.label(id!(text)).set_text(cx, &say(form.text()));
            self.view.one_line(id!(path)).set_text(cx, &form.path);
            let fault = self.view.widget(id!(fault));
            fault.set_visible(cx, form.fault.is_some());
            fault.set_text(cx, form.fault.as_deref().unwrap_or_default());
            let take = self.view.push_button(id!(take));
            take.set_text(cx, &say(form.button()));
            take.set_disabled(cx, form.running);
        }
        self.view.draw_walk(cx, scope, walk)
    }
}
