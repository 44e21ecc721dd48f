//! The question before a link is opened that is no web page: its address, and what can be done with it.

use makepad_widgets::*;

use crate::msg::Msg;
use crate::state::AppState;
use crate::ui::widget::button::*;
use crate::ui::widget::text::*;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;
    use crate::ui::fonts::*;
    use crate::ui::widget::surface::*;
    use crate::ui::widget::text::*;
    use crate::ui::widget::button::*;

    Scrim = <View> {
        width: Fill, height: Fill
        show_bg: true
        draw_bg: {
            color: (COLOR_SCRIM)
            fn pixel(self) -> vec4 { return vec4(self.color.rgb * self.color.a, self.color.a); }
        }
    }
    pub Question = {{Question}} {
        width: Fill, height: Fill
        visible: false
        flow: Overlay, align: { x: 0.5, y: 0.5 }
        scrim = <Scrim> {}
        card = <Card> {
            width: 440, height: Fit
            <Surface> {
                width: Fill, height: Fit, flow: Down
                padding: 25, spacing: 8
                draw_bg: { color: (COLOR_OVERLAY), line: (COLOR_OVERLAY_LINE), radius: 14.0 }
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
                    margin: { top: 14 }, spacing: 8, align: { x: 1.0 }
                    clip_x: false, clip_y: false
                    copy = <OverlayButton> { text: "Copy address" }
                    cancel = <OverlayButton> { text: "Cancel" }
                    open = <PrimaryButton> { text: "Open" }
                }
            }
        }
    }
}

/// Its buttons, from left to right.
const BUTTONS: [&[LiveId; 1]; 3] = [id!(copy), id!(cancel), id!(open)];

/// The question.
#[derive(Live, LiveHook, Widget)]
pub struct Question {
    #[deref]
    view: View,
    /// Whether its first button is to get the keyboard when it has been drawn.
    #[rust]
    wanted: bool,
    #[rust]
    drawn_by_now: NextFrame,
}

impl Widget for Question {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event, scope: &mut Scope) {
        let is_open = |state: &AppState| state.asked_link.is_some();
        if !scope.data.get().is_some_and(is_open) {
            return;
        }
        self.view.handle_event(cx, event, scope);
        if let Event::Actions(actions) = event {
            let answers = [Msg::CopyAskedLink, Msg::CloseAskedLink, Msg::OpenAskedLink];
            for (button, answer) in BUTTONS.into_iter().zip(answers) {
                if self.view.push_button(button).clicked(actions) {
                    cx.action(answer);
                }
            }
        }
        if self.wanted && self.drawn_by_now.is_event(event).is_some() {
            let cancel = self.view.push_button(id!(cancel)).area();
            if cancel.is_valid(cx) {
                cx.set_key_focus(cancel);
                self.wanted = false;
            } else {
                self.drawn_by_now = cx.new_next_frame();
            }
        }
        // A press beside a button reaches nothing below.
        let card = self.view.view(id!(card)).area();
        let on_card = matches!(event.hits(cx, card), Hit::FingerUp(_));
        if let Hit::FingerUp(finger) = event.hits(cx, self.view.view(id!(scrim)).area())
            && !on_card
            && finger.is_over
        {
            cx.action(Msg::CloseAskedLink);
        }
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, scope: &mut Scope, walk: Walk) -> DrawStep {
        if let Some(link) = scope
            .data
            .get::<AppState>()
            .and_then(|state| state.asked_link.as_ref())
        {
            self.view.text_line(id!(title)).set_text(cx, link.title());
            self.view.label(id!(text)).set_text(cx, link.text());
            self.view.text_line(id!(address)).set_text(cx, &link.shown());
            self.view.push_button(id!(open)).set_visible(cx, link.can_open);
        }
        self.view.draw_walk(cx, scope, walk)
    }
}

impl QuestionRef {
    /// Gives the harmless answer the keyboard.
    pub(crate) fn focus(&self, cx: &mut Cx) {
        if let Some(mut question) = self.borrow_mut() {
            question.wanted = true;
            question.drawn_by_now = cx.new_next_frame();
        }
    }

    /// Where Tab stops while it is open.
    pub(crate) fn stops(&self) -> Vec<WidgetRef> {
        self.borrow()
            .map(|question| BUTTONS.map(|button| question.view.widget(button)).to_vec())
            .unwrap_or_default()
    }
}
