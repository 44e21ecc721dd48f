//! The settings: colours of the window, where the data lives, and which Hearth this is.

use hearth_protocol::settings::Theme;
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
    use crate::ui::icons::*;
    use crate::ui::widget::surface::*;
    use crate::ui::widget::text::*;
    use crate::ui::widget::segmented::*;

    Setting = <View> {
        width: Fill, height: 52, flow: Right
        padding: { left: 16, right: 16 }, spacing: 16, align: { y: 0.5 }
        clip_x: false, clip_y: false
        label = <TextLine> {}
        gap = <Spacer> {}
    }
    SettingsCard = <Surface> { width: Fill, height: Fit, flow: Down, padding: 1 }
    Section = <Strong> { margin: { top: 24, bottom: 8 } }
    Path = <TextLine> {
        width: 420, align_x: 1.0, cut_middle: true
        draw_text: { color: (COLOR_TEXT_2), text_style: <FONT_CODE_SMALL> {} }
    }

    pub SettingsPage = {{SettingsPage}}<Flat> {
        width: Fill, height: Fill, flow: Down
        visible: false
        align: { x: 0.5 }
        <View> {
            width: Fill, height: 51
            align: { y: 0.5 }, padding: { left: 24, right: 24 }
            <Heading> { text: "Settings" }
        }
        <LineH> {}
        <View> {
            width: 720, height: Fit, flow: Down
            padding: { left: 24, right: 24 }
            clip_x: false, clip_y: false
            <Section> { text: "General" }
            <SettingsCard> {
                <Setting> {
                    label = { text: "Theme" }
                    theme = <Segmented> {
                        light = <Segment> { text: "Light", draw_icon: { svg_path: (ICON_SUN) } }
                        dark = <Segment> { text: "Dark", draw_icon: { svg_path: (ICON_MOON) } }
                    }
                }
            }
            <Section> { text: "Data" }
            <SettingsCard> {
                <Setting> { label = { text: "Chats and settings" }, home = <Path> {} }
                <LineH> {}
                <Setting> { label = { text: "Models" }, models = <Path> {} }
            }
            <Section> { text: "About" }
            <SettingsCard> {
                <Setting> {
                    label = { text: "Version" }
                    version = <TextLine> { draw_text: { color: (COLOR_TEXT_2) } }
                }
            }
        }
    }
}

/// The settings.
#[derive(Live, LiveHook, Widget)]
pub struct SettingsPage {
    #[deref]
    view: View,
}

impl Widget for SettingsPage {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event, scope: &mut Scope) {
        self.view.handle_event(cx, event, scope);
        if let Event::Actions(actions) = event {
            for (button, theme) in [(id!(light), Theme::Light), (id!(dark), Theme::Dark)] {
                if self.view.push_button(button).clicked(actions) {
                    cx.action(Msg::SetTheme(theme));
                }
            }
        }
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, scope: &mut Scope, walk: Walk) -> DrawStep {
        if let Some(state) = scope.data.get::<AppState>() {
            for (button, theme) in [(id!(light), Theme::Light), (id!(dark), Theme::Dark)] {
                self.view.push_button(button).set_on(cx, state.theme() == theme);
            }
            self.view.text_line(id!(home)).set_text(cx, &state.places.data);
            self.view
                .text_line(id!(models))
                .set_text(cx, &state.places.models);
            self.view
                .text_line(id!(version))
                .set_text(cx, env!("CARGO_PKG_VERSION"));
        }
        self.view.draw_walk(cx, scope, walk)
    }
}
