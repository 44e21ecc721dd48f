//! How chats are answered that say nothing themselves.

use makepad_widgets::*;

use super::row;
use crate::msg::Msg;
use crate::state::AppState;
use crate::state::overlay::menu::{MenuOf, Place};
use crate::state::settings::knob::{Card, Knob};
use crate::ui::widget::button::*;
use crate::ui::widget::stack::*;

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

    pub ChatsPart = {{ChatsPart}}<Column> {
        <SectionHead> {
            title = { text: (TEXT_ANSWERS) }
            <Caption> { text: (TEXT_ANSWERS_HINT) }
        }
        <SettingsCard> { answer_rows = <SettingRows> {} }
        <Section> { text: (TEXT_CHATS) }
        <SettingsCard> {
            default_row = <WrappedSetting> {
                words = { label = { text: (TEXT_DEFAULT_MODEL) }, help = { text: (TEXT_DEFAULT_MODEL_HINT) } }
                default_model = <SmallButton> { draw_icon: { svg_path: (ICON_CHEVRONS_UP_DOWN) } }
            }
            <LineH> {}
            chat_rows = <SettingRows> {}
        }
    }
}

/// The cards of rows.
const CARDS: [(&[LiveId; 1], Card); 2] = [(id!(answer_rows), Card::Answers), (id!(chat_rows), Card::Chats)];

/// Between the button and its menu, in pixels.
const GAP: f64 = 4.0;

/// The part.
#[derive(Live, LiveHook, Widget)]
pub struct ChatsPart {
    #[deref]
    view: View,
}

impl Widget for ChatsPart {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event, scope: &mut Scope) {
        self.view.handle_event(cx, event, scope);
        if let Event::Actions(actions) = event {
            for (stack, card) in CARDS {
                row::take(cx, actions, &self.view.stack(stack), card);
            }
            row::take_reset(
                cx,
                actions,
                &self.view.widget(id!(default_row)),
                Knob::DefaultModel,
            );
            let button = self.view.push_button(id!(default_model));
            if button.clicked(actions) {
                let place = button.area().rect(cx);
                cx.action(Msg::OpenMenu {
                    of: MenuOf::DefaultModel,
                    at: Place {
                        x: place.pos.x,
                        y: place.pos.y + place.size.y + GAP,
                    },
                });
            }
        }
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, scope: &mut Scope, walk: Walk) -> DrawStep {
        if let Some(state) = scope.data.get::<AppState>() {
            for (stack, card) in CARDS {
                row::fill(cx, &self.view.stack(stack), state, card);
            }
            self.view
                .push_button(id!(default_model))
                .set_text(cx, &state.default_model());
            let reset = self.view.push_button(id!(default_row.reset));
            reset.set_visible(cx, Knob::DefaultModel.is_changed(state.settings()));
        }
        self.view.draw_walk(cx, scope, walk)
    }
}
