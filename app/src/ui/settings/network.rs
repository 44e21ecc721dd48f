//! The account at the Hugging Face Hub, and how the network is used.

use hearth_protocol::Secret;
use makepad_widgets::*;

use super::row::{self, tell};
use crate::msg::settings::SettingsMsg;
use crate::state::AppState;
use crate::state::settings::knob::Card;
use crate::ui::widget::button::*;
use crate::ui::widget::field::*;
use crate::ui::widget::stack::*;
use crate::ui::widget::text::*;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;
    use crate::ui::texts::*;
    use crate::ui::fonts::*;
    use crate::ui::icons::*;
    use crate::ui::spacing::*;
    use crate::ui::widget::surface::*;
    use crate::ui::widget::text::*;
    use crate::ui::widget::icon::*;
    use crate::ui::widget::button::*;
    use crate::ui::widget::field::*;
    use crate::ui::widget::switch::*;
    use crate::ui::widget::segmented::*;
    use crate::ui::widget::stack::*;
    use crate::ui::widget::tag::*;
    use crate::ui::widget::progress::*;
    use crate::ui::usage::*;
    use crate::ui::settings::kit::*;
    use crate::ui::settings::row::*;

    pub NetworkPart = {{NetworkPart}}<Column> {
        <Section> { text: (TEXT_HUB) }
        <SettingsCard> {
            <WrappedSetting> {
                words = { label = { text: (TEXT_TOKEN) }, help = { text: (TEXT_TOKEN_HINT) } }
                token = <Field> { width: 160, is_password: true, empty_text: (TEXT_TOKEN_EMPTY) }
                keep_token = <SmallButton> { text: (TEXT_SAVE) }
            }
            token_problem = <View> {
                visible: false
                width: Fill, height: Fit, padding: { left: 16, right: 16, bottom: 10 }
                why = <TextBlock> { draw_text: { color: (COLOR_BAD), text_style: <FONT_SMALL> {} } }
            }
            <LineH> {}
            owner_row = <ExplainedSetting> {
                words = { label = { text: (TEXT_SIGNED_IN) } }
                owner_known = <View> {
                    width: Fit, height: Fit
                    <Glyph> { draw_icon: { color: (COLOR_OK), svg_path: (ICON_CHECK_CIRCLE) } }
                }
                owner = <TextLine> { max_width: 260.0, draw_text: { color: (COLOR_TEXT_2) } }
                forget_token = <SmallButton> { text: (TEXT_SIGN_OUT) }
            }
        }
        <Section> { text: (TEXT_NETWORK) }
        <SettingsCard> { network_rows = <SettingRows> {} }
    }
}

/// The part.
#[derive(Live, LiveHook, Widget)]
pub struct NetworkPart {
    #[deref]
    view: View,
}

impl Widget for NetworkPart {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event, scope: &mut Scope) {
        self.view.handle_event(cx, event, scope);
        let Event::Actions(actions) = event else { return };
        row::take(cx, actions, &self.view.stack(id!(network_rows)), Card::Network);
        match self.view.field(id!(token)).action(actions) {
            FieldAction::Changed(text) => tell(cx, SettingsMsg::TokenTyped(Secret::new(&text))),
            FieldAction::Entered => tell(cx, SettingsMsg::KeepToken),
            FieldAction::Left | FieldAction::None => (),
        }
        let buttons: [(&[LiveId], SettingsMsg); 2] = [
            (id!(keep_token), SettingsMsg::KeepToken),
            (id!(forget_token), SettingsMsg::ForgetToken),
        ];
        for (button, message) in buttons {
            if self.view.push_button(button).clicked(actions) {
                tell(cx, message);
            }
        }
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, scope: &mut Scope, walk: Walk) -> DrawStep {
        if let Some(state) = scope.data.get::<AppState>() {
            row::fill(cx, &self.view.stack(id!(network_rows)), state, Card::Network);
            let account = state.account_view();
            let field = self.view.field(id!(token));
            if Secret::new(&field.text()).expose() != account.typed {
                field.set_text(cx, &account.typed);
            }
            self.view
                .push_button(id!(keep_token))
                .set_disabled(cx, !account.can_keep);
            self.view
                .widget(id!(token_problem))
                .set_visible(cx, !account.problem.is_empty());
            self.view
                .label(id!(token_problem.why))
                .set_text(cx, &account.problem);
            self.view
                .text_line(id!(owner_row.help))
                .set_text(cx, &account.source);
            self.view
                .widget(id!(owner_known))
                .set_visible(cx, account.is_known);
            self.view.text_line(id!(owner)).set_text(cx, &account.owner);
            self.view
                .widget(id!(forget_token))
                .set_visible(cx, account.can_forget);
        }
        self.view.draw_walk(cx, scope, walk)
    }
}
