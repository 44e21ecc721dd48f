//! Where the data lies, and what can be done with all of it.

use makepad_widgets::*;

use crate::msg::Msg;
use crate::msg::settings::SettingsMsg;
use crate::state::AppState;
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

    pub DataPart = {{DataPart}}<Column> {
        <SectionHead> {
            title = { text: (TEXT_DATA_PLACE) }
            open_data = <SmallQuietButton> { text: (TEXT_DATA_OPEN), draw_icon: { svg_path: (ICON_EXTERNAL) } }
        }
        <SettingsCard> {
            <PathSetting> { words = { label = { text: (TEXT_DATA_CHATS) } }, home = <Path> {} }
            <LineH> {}
            <PathSetting> { words = { label = { text: (TEXT_DATA_MODELS) } }, models = <Path> {} }
            <LineH> {}
            <WrappedSetting> {
                words = { label = { text: (TEXT_DATA_MOVE) }, help = { text: (TEXT_DATA_MOVE_HINT) } }
                move_data = <SmallButton> { text: (TEXT_DATA_MOVE_BUTTON) }
            }
        }
        <Section> { text: (TEXT_DATA_ALL) }
        <SettingsCard> {
            <WrappedSetting> {
                words = { label = { text: (TEXT_EXPORT_ALL) }, help = { text: (TEXT_EXPORT_ALL_HINT) } }
                export_all = <SmallButton> { text: (TEXT_EXPORT) }
            }
            <LineH> {}
            <WrappedSetting> {
                words = { label = { text: (TEXT_IMPORT_CHATS) }, help = { text: (TEXT_IMPORT_CHATS_HINT) } }
                import_chats = <SmallButton> { text: (TEXT_IMPORT) }
            }
            <LineH> {}
            <WrappedSetting> {
                words = { label = { text: (TEXT_DELETE_ALL) }, help = { text: (TEXT_DELETE_ALL_HINT) } }
                delete_all = <BadButton> { text: (TEXT_DELETE_ALL_BUTTON) }
            }
        }
    }
}

/// The part.
#[derive(Live, LiveHook, Widget)]
pub struct DataPart {
    #[deref]
    view: View,
}

impl Widget for DataPart {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event, scope: &mut Scope) {
        self.view.handle_event(cx, event, scope);
        let Event::Actions(actions) = event else { return };
        let buttons: [(&[LiveId], Msg); 5] = [
            (id!(open_data), Msg::Settings(SettingsMsg::OpenData)),
            (id!(move_data), Msg::Settings(SettingsMsg::AskMoveData)),
            (id!(export_all), Msg::Settings(SettingsMsg::AskExportAll)),
            (id!(import_chats), Msg::AskImport),
            (id!(delete_all), Msg::Settings(SettingsMsg::AskDeleteAll)),
        ];
        for (button, message) in buttons {
            if self.view.push_button(button).clicked(actions) {
                cx.action(message);
            }
        }
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, scope: &mut Scope, walk: Walk) -> DrawStep {
        if let Some(state) = scope.data.get::<AppState>() {
            self.view.text_line(id!(home)).set_text(cx, &state.places.data);
            self.view
                .text_line(id!(models))
                .set_text(cx, &state.places.models);
        }
        self.view.draw_walk(cx, scope, walk)
    }
}
