//! What leaves this computer, said plainly.

use makepad_widgets::*;

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

    Statement = <View> {
        width: Fill, height: Fit, flow: Right
        padding: { left: 16, right: 16, top: 12, bottom: 12 }, spacing: 14
        words = <View> {
            width: Fill, height: Fit, flow: Down, spacing: 2
            label = <TextBlock> { draw_text: { color: (COLOR_TEXT) } }
            help = <TextBlock> { draw_text: { color: (COLOR_TEXT_3), text_style: <FONT_SMALL> {} } }
        }
    }
    pub PrivacyPart = <Column> {
        <Section> { text: (TEXT_PRIVACY) }
        <SettingsCard> {
            <Statement> { words = { label = { text: (TEXT_NO_TELEMETRY) }, help = { text: (TEXT_NO_TELEMETRY_HINT) } } }
            <LineH> {}
            <Statement> { words = { label = { text: (TEXT_STAYS) }, help = { text: (TEXT_STAYS_HINT) } } }
            <LineH> {}
            <Statement> { words = { label = { text: (TEXT_LEAVES) }, help = { text: (TEXT_LEAVES_HINT) } } }
            <LineH> {}
            <Statement> { words = { label = { text: (TEXT_NEVER) }, help = { text: (TEXT_NEVER_HINT) } } }
        }
    }
}
