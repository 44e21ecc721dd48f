//! The look, the language, and the first steps once more.

use makepad_widgets::*;

use super::choices;
use super::row::take_reset;
use crate::msg::Msg;
use crate::state::AppState;
use crate::state::settings::knob::Knob;
use crate::ui::widget::button::*;

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
    use crate::ui::settings::appearance::*;

    pub GeneralPart = {{GeneralPart}}<Column> {
        <Appearance> {}
        <Section> { text: (TEXT_GENERAL) }
        <SettingsCard> {
            language_row = <ExplainedSetting> {
                words = { label = { text: (TEXT_LANGUAGE) }, help = { text: (TEXT_LANGUAGE_HINT) } }
                <Segmented> {
                    system_language = <Segment> { text: (TEXT_LANGUAGE_SYSTEM) }
                    // Each in its own words, for those who cannot read the others.
                    english = <Segment> { text: (TEXT_ENGLISH) }
                    german = <Segment> { text: (TEXT_GERMAN) }
                }
            }
            <LineH> {}
            <ExplainedSetting> {
                words = { label = { text: (TEXT_FIRST_STEPS) }, help = { text: (TEXT_FIRST_STEPS_HINT) } }
                first_steps_again = <SmallButton> { text: (TEXT_SHOW) }
            }
        }
    }
}

/// The part.
#[derive(Live, LiveHook, Widget)]
pub struct GeneralPart {
    #[deref]
    view: View,
}

impl Widget for GeneralPart {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event, scope: &mut Scope) {
        self.view.handle_event(cx, event, scope);
        let Event::Actions(actions) = event else { return };
        choices::take(cx, &self.view, choices::LANGUAGES, actions);
        take_reset(cx, actions, &self.view.widget(id!(language_row)), Knob::Language);
        if self.view.push_button(id!(first_steps_again)).clicked(actions) {
            cx.action(Msg::ShowFirstStart);
        }
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, scope: &mut Scope, walk: Walk) -> DrawStep {
        if let Some(state) = scope.data.get::<AppState>() {
            choices::fill(cx, &self.view, choices::LANGUAGES, state.settings());
            let reset = self.view.widget(id!(language_row)).push_button(id!(reset));
            reset.set_visible(cx, Knob::Language.is_changed(state.settings()));
        }
        self.view.draw_walk(cx, scope, walk)
    }
}
