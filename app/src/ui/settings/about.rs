//! Which Hearth this is, and what it stands on.

use makepad_widgets::*;

use super::row::tell;
use crate::msg::settings::SettingsMsg;
use crate::ui::widget::button::*;
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

    pub AboutPart = {{AboutPart}}<Column> {
        <Section> { text: (TEXT_ABOUT) }
        <SettingsCard> {
            <Setting> {
                words = { label = { text: (TEXT_VERSION) } }
                version = <TextLine> { draw_text: { color: (COLOR_TEXT_2) } }
            }
            <LineH> {}
            <Setting> {
                words = { label = { text: (TEXT_ABOUT_LICENCE) } }
                <TextLine> { text: (TEXT_LICENCE_NAMES), draw_text: { color: (COLOR_TEXT_2) } }
            }
            <LineH> {}
            <ExplainedSetting> {
                words = { label = { text: (TEXT_LICENCES) }, help = { text: (TEXT_LICENCES_HINT) } }
                licences = <SmallButton> { text: (TEXT_SHOW) }
            }
        }
    }
}

/// The part.
#[derive(Live, LiveHook, Widget)]
pub struct AboutPart {
    #[deref]
    view: View,
}

impl Widget for AboutPart {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event, scope: &mut Scope) {
        self.view.handle_event(cx, event, scope);
        if let Event::Actions(actions) = event
            && self.view.push_button(id!(licences)).clicked(actions)
        {
            tell(cx, SettingsMsg::ShowLicences);
        }
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, scope: &mut Scope, walk: Walk) -> DrawStep {
        self.view
            .text_line(id!(version))
            .set_text(cx, env!("CARGO_PKG_VERSION"));
        self.view.draw_walk(cx, scope, walk)
    }
}
