//! The page of settings: its parts at the left, the chosen one beside them.

use makepad_widgets::*;

use super::elements;
use crate::msg::Msg;
use crate::msg::settings::SettingsMsg;
use crate::state::settings::Part;
use crate::state::{AppState, Page};
use crate::ui::sight::passes_over;
use crate::ui::widget::button::*;
use crate::ui::widget::reveal::reveal_on_page;

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
    use crate::ui::settings::chats::*;
    use crate::ui::settings::data::*;
    use crate::ui::settings::general::*;
    use crate::ui::settings::hardware::*;
    use crate::ui::settings::models::*;
    use crate::ui::settings::network::*;
    use crate::ui::settings::privacy::*;
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
            <ScrollYView> {
                width: Fill, height: Fill, flow: Down
                padding: { left: 8, right: 8 }, spacing: 2
                scroll_bars: { scroll_bar_y: { bar_size: 0.0 } }
                <View> {
                    width: Fill, height: 50
                    align: { y: 0.5 }, padding: { left: 8 }
                    <Heading> { text: (TEXT_SETTINGS) }
                }
                to_general = <NavButton> { text: (TEXT_GENERAL), draw_icon: { svg_path: (ICON_SLIDERS) } }
                to_models = <NavButton> { text: (TEXT_MODELS_PART), draw_icon: { svg_path: (ICON_FOLDER) } }
                to_network = <NavButton> { text: (TEXT_NETWORK_PART), draw_icon: { svg_path: (ICON_KEY) } }
                to_hardware = <NavButton> { text: (TEXT_HARDWARE), draw_icon: { svg_path: (ICON_CHIP) } }
                to_chats = <NavButton> { text: (TEXT_CHATS), draw_icon: { svg_path: (ICON_CHAT) } }
                to_shortcuts = <NavButton> { text: (TEXT_SHORTCUTS), draw_icon: { svg_path: (ICON_KEYBOARD) } }
                to_data = <NavButton> { text: (TEXT_DATA), draw_icon: { svg_path: (ICON_DISK) } }
                to_privacy = <NavButton> { text: (TEXT_PRIVACY), draw_icon: { svg_path: (ICON_SHIELD) } }
                to_about = <NavButton> { text: (TEXT_ABOUT), draw_icon: { svg_path: (ICON_INFO) } }
            }
            <LineV> {}
        }
        <View> {
            width: Fill, height: Fill, flow: Overlay
            general_part = <PartPage> { column = <GeneralPart> {} }
            models_part = <PartPage> { column = <ModelsPart> {} }
            network_part = <PartPage> { column = <NetworkPart> {} }
            hardware_part = <PartPage> { column = <HardwarePart> {} }
            chats_part = <PartPage> { column = <ChatsPart> {} }
            shortcuts_part = <PartPage> { column = <ShortcutsPart> {} }
            data_part = <PartPage> { column = <DataPart> {} }
            privacy_part = <PartPage> { column = <PrivacyPart> {} }
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
const PARTS: [(Part, &[LiveId; 1], &[LiveId; 1]); 9] = [
    (Part::General, id!(to_general), id!(general_part)),
    (Part::Models, id!(to_models), id!(models_part)),
    (Part::Network, id!(to_network), id!(network_part)),
    (Part::Hardware, id!(to_hardware), id!(hardware_part)),
    (Part::Chats, id!(to_chats), id!(chats_part)),
    (Part::Shortcuts, id!(to_shortcuts), id!(shortcuts_part)),
    (Part::Data, id!(to_data), id!(data_part)),
    (Part::Privacy, id!(to_privacy), id!(privacy_part)),
    (Part::About, id!(to_about), id!(about_part)),
];

/// The settings.
#[derive(Live, LiveHook, Widget)]
pub struct SettingsPage {
    #[deref]
    view: View,
}

impl Widget for SettingsPage {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event, scope: &mut Scope) {
        if passes_over(Page::Settings, event, scope) {
            return;
        }
        self.view.handle_event(cx, event, scope);
        if let Event::Actions(actions) = event {
            for (part, button, _) in PARTS {
                if self.view.push_button(button).clicked(actions) {
                    cx.action(Msg::Settings(SettingsMsg::ShowPart(part)));
                }
            }
        }
        if let Event::KeyFocus(_) = event
            && let Some(state) = scope.data.get::<AppState>()
        {
            self.reveal_focused(cx, state.settings_part());
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

impl SettingsPage {
    /// Scrolls the least so that what has the keyboard is in view.
    fn reveal_focused(&self, cx: &mut Cx, shown: Part) {
        let mut stops = elements::stops_in(&self.view).into_iter();
        let Some(stop) = stops.find(|stop| cx.has_key_focus(stop.area())) else {
            return;
        };
        if let Some((_, _, page)) = PARTS.iter().find(|(part, _, _)| *part == shown) {
            let scroll = self.view.view(*page);
            let content = scroll.widget(id!(column));
            let place = stop.area().rect(cx);
            // The list of parts does not scroll with the part.
            if place.pos.x >= content.area().rect(cx).pos.x {
                reveal_on_page(cx, &scroll, &content, place);
            }
        }
    }
}

impl SettingsPageRef {
    /// Whether a widget is drawn on the page, be it scrolled out of view.
    pub(crate) fn holds(&self, cx: &Cx, widget: &WidgetRef) -> bool {
        let Some(page) = self.borrow().filter(|page| page.view.visible()) else {
            return false;
        };
        let (area, whole) = (widget.area(), page.view.area());
        if !area.is_valid(cx) || !whole.is_valid(cx) || area.rect(cx).size.x <= 0.0 {
            return false;
        }
        let is_it = |stop: &WidgetRef| stop.area() == area;
        elements::stops_in(&page.view).iter().any(is_it)
    }
}
