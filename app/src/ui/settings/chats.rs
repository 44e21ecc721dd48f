//! How chats are answered that say nothing themselves.

use makepad_widgets::*;

use super::row;
use crate::state::AppState;
use crate::state::settings::knob::Card;
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
        <SettingsCard> { chat_rows = <SettingRows> {} }
    }
}

/// The cards of rows.
const CARDS: [(&[LiveId; 1], Card); 2] = [(id!(answer_rows), Card::Answers), (id!(chat_rows), Card::Chats)];

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
        }
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, scope: &mut Scope, walk: Walk) -> DrawStep {
        if let Some(state) = scope.data.get::<AppState>() {
            for (stack, card) in CARDS {
                row::fill(cx, &self.view.stack(stack), state, card);
            }
        }
        self.view.draw_walk(cx, scope, walk)
    }
}
