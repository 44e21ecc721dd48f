//! The question before something that cannot be undone. The harmless answer has the keyboard.

use makepad_widgets::*;

use super::scrim::pressed_beside;
use crate::msg::Msg;
use crate::state::AppState;
use crate::state::overlay::Overlay;
use crate::ui::widget::button::*;
use crate::ui::widget::text::*;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;
    use crate::ui::texts::*;
    use crate::ui::widget::surface::*;
    use crate::ui::widget::text::*;
    use crate::ui::widget::button::*;
    use crate::ui::overlay::scrim::*;

    pub DangerButton = <PrimaryButton> {
        draw_bg: {
            color: (COLOR_BAD_FILL), color_hover: (COLOR_BAD_FILL_HOVER), color_down: (COLOR_BAD_FILL_HOVER)
        }
        draw_text: { color: (COLOR_ON_BAD), color_hover: (COLOR_ON_BAD) }
        draw_icon: { color: (COLOR_ON_BAD), color_hover: (COLOR_ON_BAD) }
    }
    pub Confirm = {{Confirm}} {
        width: Fill, height: Fill
        visible: false
        flow: Overlay, align: { x: 0.5, y: 0.44 }
        scrim = <Scrim> {}
        card = <Card> {
            width: 440, height: Fit
            <Surface> {
                width: Fill, height: Fit, flow: Down
                padding: 25, spacing: 8
                draw_bg: { color: (COLOR_OVERLAY), line: (COLOR_OVERLAY_LINE), radius: 16.0 }
                title = <Heading> { width: Fill }
                text = <TextBlock> {}
                <View> {
                    width: Fill, height: Fit, flow: Right
                    margin: { top: 16 }, spacing: 8, align: { x: 1.0 }
                    clip_x: false, clip_y: false
                    cancel = <OverlayButton> { text: (TEXT_CANCEL) }
                    confirm = <DangerButton> {}
                }
            }
        }
    }
}

/// The question.
#[derive(Live, LiveHook, Widget)]
pub struct Confirm {
    #[deref]
    view: View,
}

impl Widget for Confirm {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event, scope: &mut Scope) {
        if !self.view.visible() {
            return;
        }
        self.view.handle_event(cx, event, scope);
        if let Event::Actions(actions) = event {
            if self.view.push_button(id!(cancel)).clicked(actions) {
                cx.action(Msg::CloseOverlay);
            }
            if self.view.push_button(id!(confirm)).clicked(actions) {
                cx.action(Msg::TakeConfirmed);
            }
        }
        let (card, whole) = (self.view.widget(id!(card)).area(), self.view.area());
        if pressed_beside(cx, event, card, whole) {
            cx.action(Msg::CloseOverlay);
        }
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, scope: &mut Scope, walk: Walk) -> DrawStep {
        let state = scope.data.get::<AppState>();
        if let Some(Overlay::Confirm(confirm)) = state.and_then(|state| state.overlay.as_ref()) {
            self.view.text_line(id!(title)).set_text(cx, &confirm.title);
            self.view.label(id!(text)).set_text(cx, &confirm.text);
            self.view.push_button(id!(confirm)).set_text(cx, &confirm.button);
        }
        self.view.draw_walk(cx, scope, walk)
    }
}
