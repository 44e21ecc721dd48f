//! A text that can be selected and copied, and not changed.

use makepad_widgets::*;

use super::scrim::pressed_beside;
use crate::msg::Msg;
use crate::state::AppState;
use crate::state::overlay::Overlay;
use crate::ui::widget::button::*;
use crate::ui::widget::text::*;
use crate::ui::widget::text_area::*;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;
    use crate::ui::texts::*;
    use crate::ui::fonts::*;
    use crate::ui::widget::surface::*;
    use crate::ui::widget::text::*;
    use crate::ui::widget::text_area::*;
    use crate::ui::widget::button::*;
    use crate::ui::overlay::scrim::*;

    pub TextView = {{TextView}} {
        width: Fill, height: Fill
        visible: false
        flow: Overlay, align: { x: 0.5, y: 0.5 }
        scrim = <Scrim> {}
        place = <View> {
            width: Fit, height: Fill, padding: { top: 48, bottom: 48 }
            card = <Card> {
                width: 672, height: Fill
                <Surface> {
                    width: Fill, height: Fill, flow: Down
                    padding: 25, spacing: 12
                    draw_bg: { color: (COLOR_OVERLAY), line: (COLOR_OVERLAY_LINE), radius: 16.0 }
                    title = <Heading> { width: Fill }
                    text = <TextArea> {
                        height: Fill
                        draw_bg: { color: (COLOR_CANVAS) }
                        input = { read_only: true, pages: true, draw_text: { text_style: <FONT_MESSAGE> {} } }
                    }
                    <View> {
                        width: Fill, height: Fit, flow: Right
                        spacing: 8, align: { y: 0.5 }
                        clip_x: false, clip_y: false
                        <Caption> { text: (TEXT_VIEW_HINT) }
                        <View> { width: Fill, height: 1 }
                        close = <OverlayButton> { text: (TEXT_CLOSE) }
                    }
                }
            }
        }
    }
}

/// The view.
#[derive(Live, LiveHook, Widget)]
pub struct TextView {
    #[deref]
    view: View,
}

impl Widget for TextView {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event, scope: &mut Scope) {
        if !self.view.visible() {
            return;
        }
        if let Event::Actions(actions) = event
            && self.view.push_button(id!(close)).clicked(actions)
        {
            cx.action(Msg::CloseOverlay);
        }
        self.view.handle_event(cx, event, scope);
        let (card, whole) = (self.view.widget(id!(card)).area(), self.view.area());
        if pressed_beside(cx, event, card, whole) {
            cx.action(Msg::CloseOverlay);
        }
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, scope: &mut Scope, walk: Walk) -> DrawStep {
        if let Some(state) = scope.data.get::<AppState>()
            && let Some(Overlay::TextView(shown)) = &state.overlay
        {
            self.view.text_line(id!(title)).set_text(cx, &shown.title);
            self.view.text_area(id!(text)).set(cx, &shown.text, false);
        }
        self.view.draw_walk(cx, scope, walk)
    }
}
