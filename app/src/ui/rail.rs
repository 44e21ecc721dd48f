//! The rail on the far left: which page is shown.

use makepad_widgets::*;

use crate::msg::Msg;
use crate::msg::downloads::DownloadsMsg;
use crate::state::{AppState, Page};
use crate::ui::widget::button::*;
use crate::ui::widget::tag::*;
use crate::ui::widget::text::*;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;
    use crate::ui::texts::*;
    use crate::ui::icons::*;
    use crate::ui::widget::surface::*;
    use crate::ui::widget::icon::*;
    use crate::ui::widget::button::*;
    use crate::ui::widget::tag::*;
    use crate::ui::widget::text::*;
    use crate::ui::fonts::*;

    pub Rail = {{Rail}}<Flat> {
        width: 56, height: Fill, flow: Right
        draw_bg: { color: (COLOR_RAIL) }
        <View> {
            width: 55, height: Fill, flow: Down
            spacing: 4, padding: { left: 8, bottom: 12 }
            clip_x: false, clip_y: false
            <View> {
                width: 40, height: 52, align: { x: 0.5, y: 0.5 }
                <Glyph> {
                    icon_walk: { width: 26, height: 26 }
                    draw_icon: { color: (COLOR_ACCENT), svg_path: (ICON_HEARTH) }
                }
            }
            chat = <RailButton> { tip: (TIP_RAIL_CHAT), draw_icon: { svg_path: (ICON_CHAT) } }
            discover = <RailButton> { tip: (TIP_RAIL_DISCOVER), draw_icon: { svg_path: (ICON_DISCOVER) } }
            models = <RailButton> { tip: (TIP_RAIL_MODELS), draw_icon: { svg_path: (ICON_MODELS) } }
            <View> {
                width: 40, height: 40, flow: Overlay
                clip_x: false, clip_y: false
                server = <RailButton> { tip: (TIP_RAIL_SERVER), draw_icon: { svg_path: (ICON_SERVER) } }
                // Lies over the corner of the icon, set off from it by a ring.
                serving = <View> {
                    visible: false
                    width: Fill, height: Fill, padding: { left: 22, top: 5 }
                    <Surface> {
                        width: 13, height: 13, padding: 2
                        draw_bg: { color: (COLOR_RAIL), line: (COLOR_NONE), radius: 6.5 }
                        dot = <Dot> { width: 9, height: 9 }
                    }
                }
            }
            <View> { width: Fill, height: Fill }
            <View> {
                width: 40, height: 40, flow: Overlay
                clip_x: false, clip_y: false
                downloads = <RailButton> { tip: (TIP_RAIL_DOWNLOADS), draw_icon: { svg_path: (ICON_DOWNLOAD) } }
                // How many are active.
                badge = <View> {
                    visible: false
                    width: Fill, height: Fill
                    align: { x: 1.0 }, padding: { right: 3, top: 3 }
                    <Surface> {
                        width: Fit, height: 16
                        padding: { left: 5, right: 5 }, align: { y: 0.5 }
                        draw_bg: { color: (COLOR_ACCENT), line: (COLOR_NONE), radius: 8.0 }
                        count = <Micro> { draw_text: { color: (COLOR_ON_ACCENT), text_style: <FONT_COUNT> {} } }
                    }
                }
            }
            settings = <RailButton> { tip: (TIP_RAIL_SETTINGS), draw_icon: { svg_path: (ICON_SETTINGS) } }
        }
        <LineV> {}
    }
}

/// Each button and its page.
const PAGES: [(&[LiveId; 1], Page); 5] = [
    (id!(chat), Page::Chat),
    (id!(discover), Page::Discover),
    (id!(models), Page::Models),
    (id!(server), Page::Server),
    (id!(settings), Page::Settings),
];

/// The highest number that the badge of downloads tells.
const MOST: usize = 99;

/// The rail.
#[derive(Live, LiveHook, Widget)]
pub struct Rail {
    #[deref]
    view: View,
}

impl Widget for Rail {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event, scope: &mut Scope) {
        self.view.handle_event(cx, event, scope);
        if let Event::Actions(actions) = event {
            for (button, page) in PAGES {
                if self.view.push_button(button).clicked(actions) {
                    cx.action(Msg::ShowPage(page));
                }
            }
            if self.view.push_button(id!(downloads)).clicked(actions) {
                cx.action(Msg::Downloads(DownloadsMsg::Toggle));
            }
        }
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, scope: &mut Scope, walk: Walk) -> DrawStep {
        if let Some(state) = scope.data.get::<AppState>() {
            for (button, page) in PAGES {
                let on = state.page() == page && !state.downloads.is_open;
                self.view.push_button(button).set_on(cx, on);
            }
            let active = state.downloads.active();
            let downloads = self.view.push_button(id!(downloads));
            downloads.set_on(cx, state.downloads.is_open);
            self.view.widget(id!(badge)).set_visible(cx, active > 0);
            let count = if active > MOST {
                format!("{MOST}+")
            } else {
                active.to_string()
            };
            self.view.text_line(id!(count)).set_text(cx, &count);
            let serving = self.view.widget(id!(serving));
            serving.set_visible(cx, state.server.is_running());
            serving.dot(id!(dot)).set(DotKind::Ok);
        }
        self.view.draw_walk(cx, scope, walk)
    }
}
