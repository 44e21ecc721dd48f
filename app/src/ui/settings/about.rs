//! Which Hearth this is.

use makepad_widgets::*;

use crate::ui::widget::text::*;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;
    use crate::ui::texts::*;
    use crate::ui::widget::text::*;
    use crate::ui::settings::kit::*;

    pub AboutPart = {{AboutPart}}<Column> {
        <Section> { text: (TEXT_ABOUT) }
        <SettingsCard> {
            <Setting> {
                words = { label = { text: (TEXT_VERSION) } }
                version = <TextLine> { draw_text: { color: (COLOR_TEXT_2) } }
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
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, scope: &mut Scope, walk: Walk) -> DrawStep {
        self.view
            .text_line(id!(version))
            .set_text(cx, env!("CARGO_PKG_VERSION"));
        self.view.draw_walk(cx, scope, walk)
    }
}
