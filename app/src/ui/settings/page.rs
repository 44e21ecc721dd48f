//! The page of settings: its parts at the left, the chosen one beside them.

use makepad_widgets::*;

use crate::msg::Msg;
use crate::msg::settings::SettingsMsg;
use crate::state::AppState;
use crate::state::settings::Part;
use crate::ui::widget::button::*;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;
    use crate::ui::texts::*;
    use crate::ui::icons::*;
    use crate::ui::widget::surface::*;
    use crate::ui::widget::text::*;
    use crate::ui::widget::button::*;
    use crate::ui::settings::kit::*;
    use crate::ui::settings::about::*;
    use crate::ui::settings::general::*;
    use crate::ui::settings::shortcuts::*;

    // A part that is as wide as is good to read, in the middle, and scrolls.
    PartPage = <ScrollYView> {
        visible: false
        width: Fill, height: Fill, flow: Down
        align: { x: 0.5 }
        scroll_bars: { scroll_bar_y: { bar_size: 0.0 } }
    }

    pub SettingsPage = {{SettingsPage}}<Flat> {
        width: Fill, height: Fill, flow: Right
        visible: false
        parts = <Flat> {
            width: 216, height: Fill, flow: Right
            draw_bg: { color: (COLOR_SIDEBAR) }
            <View> {
                width: Fill, height: Fill, flow: Down
                padding: { left: 8, right: 8 }, spacing: 2
                clip_x: false, clip_y: false
                <View> {
                    width: Fill, height: 50
                    align: { y: 0.5 }, padding: { left: 8 }
                    <Heading> { text: (TEXT_SETTINGS) }
                }
                general = <NavButton> { text: (TEXT_GENERAL), draw_icon: { svg_path: (ICON_SLIDERS) } }
                shortcuts = <NavButton> { text: (TEXT_SHORTCUTS), draw_icon: { svg_path: (ICON_KEYBOARD) } }
                about = <NavButton> { text: (TEXT_ABOUT), draw_icon: { svg_path: (ICON_INFO) } }
            }
            <LineV> {}
        }
        <View> {
            width: Fill, height: Fill, flow: Overlay
            general_part = <PartPage> { column = <GeneralPart> {} }
            shortcuts_part = <PartPage> { column = <ShortcutsPart> {} }
            about_part = <PartPage> { column = <AboutPart> {} }
        }
    }
}

/// Width of the list of parts on a page with room for it, and on a narrow one, in pixels.
const LIST: (f64, f64) = (216.0, 164.0);
/// A page below this width is narrow, and the widest that a part becomes, in pixels.
const NARROW: f64 = 760.0;
const WIDEST: f64 = 720.0;

/// Each part, its button and its page.
const PARTS: [(Part, &[LiveId; 1], &[LiveId; 1]); 3] = [
    (Part::General, id!(general), id!(general_part)),
    (Part::Shortcuts, id!(shortcuts), id!(shortcuts_part)),
    (Part::About, id!(about), id!(about_part)),
];

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
            for (part, button, _) in PARTS {
                if self.view.push_button(button).clicked(actions) {
                    cx.action(Msg::Settings(SettingsMsg::ShowPart(part)));
                }
            }
        }
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, scope: &mut Scope, walk: Walk) -> DrawStep {
        if let Some(state) = scope.data.get::<AppState>() {
            let shown = state.settings_part();
            let whole = cx.peek_walk_turtle(walk).size.x;
            let list = if whole < NARROW { LIST.1 } else { LIST.0 };
            self.view
                .widget(id!(parts))
                .apply_over(cx, live! { width: (list) });
            let width = (whole - list).min(WIDEST);
            for (part, button, page) in PARTS {
                self.view.push_button(button).set_on(cx, part == shown);
                let page = self.view.widget(page);
                page.set_visible(cx, part == shown);
                page.widget(id!(column)).apply_over(cx, live! { width: (width) });
            }
        }
        self.view.draw_walk(cx, scope, walk)
    }
}
