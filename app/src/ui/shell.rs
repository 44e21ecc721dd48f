//! The frame of the window: the rail, the page beside it, and what lies over both.

use makepad_widgets::*;

use crate::state::health::BannerKind;
use crate::state::overlay::Overlay;
use crate::state::{AppState, Page};

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;
    use crate::ui::icons::*;
    use crate::ui::rail::*;
    use crate::ui::chat::page::*;
    use crate::ui::discover::page::*;
    use crate::ui::downloads::panel::*;
    use crate::ui::placeholder::*;
    use crate::ui::server::page::*;
    use crate::ui::settings::page::*;
    use crate::ui::overlay::confirm::*;
    use crate::ui::overlay::first_steps::*;
    use crate::ui::overlay::link::*;
    use crate::ui::overlay::menu::*;
    use crate::ui::overlay::palette::*;
    use crate::ui::overlay::path_form::*;
    use crate::ui::overlay::picker::*;
    use crate::ui::overlay::text_view::*;
    use crate::ui::overlay::toasts::*;
    use crate::ui::overlay::tooltip::*;
    use crate::ui::widget::surface::*;
    use crate::ui::widget::text::*;
    use crate::ui::widget::icon::*;

    // What is wrong with the whole.
    Banner = <Flat> {
        visible: false
        width: Fill, height: Fit, flow: Right
        padding: { left: 16, right: 16, top: 9, bottom: 9 }, spacing: 12
        glyph = <View> { width: Fit, height: Fit, padding: { top: 1 } }
        text = <TextBlock> { draw_text: { color: (COLOR_TEXT) } }
    }

    pub Shell = {{Shell}} {
        width: Fill, height: Fill, flow: Overlay
        <View> {
            width: Fill, height: Fill, flow: Down
            warning = <Banner> {
                draw_bg: { color: (COLOR_WARN_SOFT) }
                glyph = { <Glyph18> { draw_icon: { color: (COLOR_WARN), svg_path: (ICON_WARNING) } } }
            }
            failure = <Banner> {
                draw_bg: { color: (COLOR_BAD_SOFT) }
                glyph = { <Glyph18> { draw_icon: { color: (COLOR_BAD), svg_path: (ICON_ERROR) } } }
            }
            <View> {
                width: Fill, height: Fill, flow: Right
                rail = <Rail> {}
                <View> {
                    width: Fill, height: Fill, flow: Overlay
                    chat_page = <ChatPage> {}
                    discover_page = <DiscoverPage> {}
                    models_page = <ModelsPage> {}
                    server_page = <ServerPage> {}
                    settings_page = <SettingsPage> {}
                    downloads_panel = <DownloadsPanel> {}
                }
            }
        }
        picker = <Picker> {}
        confirm = <Confirm> {}
        link = <LinkQuestion> {}
        path_form = <PathForm> {}
        text_view = <TextView> {}
        palette = <Palette> {}
        first_steps = <FirstSteps> {}
        menu = <Menu> {}
        toasts = <Toasts> {}
        tooltip = <Tooltip> {}
    }
}

/// Each page and its widget.
const PAGES: [(Page, &[LiveId; 1]); 5] = [
    (Page::Chat, id!(chat_page)),
    (Page::Discover, id!(discover_page)),
    (Page::Models, id!(models_page)),
    (Page::Server, id!(server_page)),
    (Page::Settings, id!(settings_page)),
];

/// Width of the rail and of the list of chats, in pixels.
pub(crate) const RAIL: f64 = 56.0;
pub(crate) const LIST: f64 = 264.0;
/// Window narrower than this: the list of chats lies over the conversation. In pixels.
const NARROW: f64 = 960.0;

/// Width of the panel of a chat's settings, and of the window below which it lies over the conversation, in pixels.
pub(crate) const PANEL: f64 = 300.0;
const PANEL_BESIDE: f64 = 1120.0;

/// Whether a page of this width is too narrow for the panel beside the conversation.
pub(crate) fn lies_panel_over(page: f64) -> bool {
    page + RAIL < PANEL_BESIDE
}

/// Whether a page of this width is too narrow for the list beside the conversation.
pub(crate) fn is_narrow(page: f64) -> bool {
    page + RAIL < NARROW
}

/// The widget of what lies over the pages.
pub(crate) fn widget_of(overlay: &Overlay) -> &'static [LiveId; 1] {
    match overlay {
        Overlay::Menu(_) => id!(menu),
        Overlay::Confirm(_) => id!(confirm),
        Overlay::Link(_) => id!(link),
        Overlay::PathForm(_) => id!(path_form),
        Overlay::TextView(_) => id!(text_view),
        Overlay::Palette(_) => id!(palette),
        Overlay::Picker(_) => id!(picker),
        Overlay::FirstStart(_) => id!(first_steps),
    }
}

/// The frame of the window.
#[derive(Live, LiveHook, Widget)]
pub struct Shell {
    #[deref]
    view: View,
}

impl Widget for Shell {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event, scope: &mut Scope) {
        // A list takes the wheel whatever lies over it: under an overlay none may.
        if let (Event::Scroll(_), Some(state)) = (event, scope.data.get::<AppState>()) {
            let panel = state.downloads.is_open.then_some(id!(downloads_panel));
            if let Some(top) = state.overlay.as_ref().map(widget_of).or(panel) {
                return self.view.widget(top).handle_event(cx, event, scope);
            }
        }
        self.view.handle_event(cx, event, scope);
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, scope: &mut Scope, walk: Walk) -> DrawStep {
        if let Some(state) = scope.data.get::<AppState>() {
            for (page, widget) in PAGES {
                self.view.widget(widget).set_visible(cx, state.page() == page);
            }
            let panel = self.view.widget(id!(downloads_panel));
            panel.set_visible(cx, state.downloads.is_open);
            let banner = state.banner();
            for (kind, widget) in [
                (BannerKind::Warning, id!(warning)),
                (BannerKind::Failed, id!(failure)),
            ] {
                let shown = banner.as_ref().filter(|banner| banner.kind == kind);
                let widget = self.view.widget(widget);
                widget.set_visible(cx, shown.is_some());
                widget
                    .label(id!(text))
                    .set_text(cx, shown.map_or("", |banner| &banner.text));
            }
            let overlay = state.overlay.as_ref().map(widget_of);
            for widget in [
                id!(menu),
                id!(confirm),
                id!(link),
                id!(path_form),
                id!(text_view),
                id!(palette),
                id!(picker),
                id!(first_steps),
            ] {
                let shown = overlay.is_some_and(|overlay| overlay == widget);
                self.view.widget(widget).set_visible(cx, shown);
            }
        }
        self.view.draw_walk(cx, scope, walk)
    }
}
