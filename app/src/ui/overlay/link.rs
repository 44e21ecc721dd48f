//! The question before a link is opened that is no web page: its address, and what can be done with it.

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
    use crate::ui::fonts::*;
    use crate::ui::widget::surface::*;
    use crate::ui::widget::text::*;
    use crate::ui::widget::button::*;
    use crate::ui::overlay::scrim::*;

    pub LinkQuestion = {{LinkQuestion}} {
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
                <Surface> {
                    width: Fill, height: Fit, margin: { top: 6 }
                    padding: { left: 10, right: 10, top: 8, bottom: 8 }
                    draw_bg: { color: (COLOR_INSET), line: (COLOR_OVERLAY_LINE), radius: 8.0 }
                    address = <TextLine> {
                        width: Fill, cut_middle: true
                        draw_text: { text_style: <FONT_CODE_SMALL> {} }
                    }
                }
                <View> {
                    width: Fill, height: Fit, flow: Right
                    margin: { top: 16 }, spacing: 8, align: { x: 1.0 }
                    clip_x: false, clip_y: false
                    copy = <OverlayButton> { text: (TEXT_COPY_ADDRESS) }
                    cancel = <OverlayButton> { text: (TEXT_CANCEL) }
                    open = <PrimaryButton> { text: (TEXT_OPEN) }
                }
            }
        }
    }
}

/// The question.
#[derive(Live, LiveHook, Widget)]
pub struct LinkQuestion {
    #[deref]
    view: View,
}

impl Widget for LinkQuestion {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event, scope: &mut Scope) {
        if !self.view.visible() {
            return;
        }
        self.view.handle_event(cx, event, scope);
        if let Event::Actions(actions) = event {
            for (button, answer) in [
                (id!(copy), Msg::CopyAskedLink),
                (id!(cancel), Msg::CloseOverlay),
                (id!(open), Msg::OpenAskedLink),
            ] {
                if self.view.push_button(button).clicked(actions) {
                    cx.action(answer);
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
            && let Some(Overlay::Link(link)) = &state.overlay
        {
            self.view
                .text_line(id!(title))
                .set_text(cx, &state.texts().say(link.title(), &[]));
            self.view
                .label(id!(text))
                .set_text(cx, &state.texts().say(link.text(), &[]));
            self.view.text_line(id!(address)).set_text(cx, &link.shown());
            self.view.push_button(id!(open)).set_visible(cx, link.can_open);
        }
        self.view.draw_walk(cx, scope, walk)
    }
}
