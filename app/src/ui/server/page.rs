//! The page of the local server: its switch above, how it is reached at the left, what it does at the right.

use makepad_widgets::*;

use super::connection::tell;
use crate::msg::server::ServerMsg;
use crate::state::{AppState, Page};
use crate::ui::sight::passes_over;
use crate::ui::widget::switch::*;
use crate::ui::widget::tag::*;
use crate::ui::widget::text::*;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;
    use crate::ui::texts::*;
    use crate::ui::fonts::*;
    use crate::ui::widget::surface::*;
    use crate::ui::widget::text::*;
    use crate::ui::widget::switch::*;
    use crate::ui::widget::tag::*;
    use crate::ui::usage::*;
    use crate::ui::server::kit::*;
    use crate::ui::server::connection::*;
    use crate::ui::server::keys::*;
    use crate::ui::server::examples::*;
    use crate::ui::server::models::*;
    use crate::ui::server::log::*;

    StateTag = <Surface> {
        width: Fit, height: 24, flow: Right
        padding: { left: 8, right: 8 }, spacing: 6, align: { y: 0.5 }
        draw_bg: { color: (COLOR_TAG), line: (COLOR_NONE), radius: 5.0 }
        dot = <Dot> { width: 6, height: 6 }
        label = <Small> {}
    }
    pub ServerPage = {{ServerPage}}<Flat> {
        width: Fill, height: Fill, flow: Down
        visible: false
        <View> {
            width: Fill, height: 51, flow: Right
            align: { y: 0.5 }, padding: { left: 24, right: 24 }, spacing: 12
            clip_x: false, clip_y: false
            <Heading> { text: (TEXT_SERVER) }
            resting = <StateTag> {}
            serving = <StateTag> {
                draw_bg: { color: (COLOR_OK_SOFT) }
                label = { draw_text: { color: (COLOR_OK) } }
            }
            <Spacer> {}
            in_flight = <Caption> { margin: { right: 8 } }
            power = <Switch> { label: (TEXT_SERVER) }
        }
        <LineH> {}
        <View> {
            width: Fill, height: Fill, flow: Right
            side = <Flat> {
                width: 448, height: Fill, flow: Right
                draw_bg: { color: (COLOR_SIDEBAR) }
                <ScrollYView> {
                    width: Fill, height: Fill, flow: Down
                    padding: { left: 24, right: 24, top: 20, bottom: 24 }
                    scroll_bars: { scroll_bar_y: { bar_size: 0.0 } }
                    connection = <Connection> {}
                    server_keys = <ServerKeys> {}
                    <PartHead> {
                        margin: { top: 24 }
                        <Strong> { text: (TEXT_USAGE) }
                        <Spacer> {}
                        <Caption> { text: (TEXT_USAGE_HINT) }
                    }
                    server_usage = <HardwareStrip> {}
                }
                <LineV> {}
            }
            main = <View> {
                width: Fill, height: Fill, flow: Down
                padding: { left: 24, right: 24, top: 20, bottom: 24 }, spacing: 16
                clip_x: false, clip_y: false
                <View> {
                    width: Fill, height: Fit, flow: Right
                    spacing: 16
                    clip_x: false, clip_y: false
                    endpoints = <Endpoints> {}
                    loaded_models = <LoadedModels> {}
                }
                example = <Example> {}
                server_log = <ServerLog> {}
            }
        }
    }
}

/// Widths of the side and of the models in a window with room for them, and in a narrow one, in pixels.
const SIDE: (f64, f64) = (448.0, 352.0);
const MODELS: (f64, f64) = (308.0, 140.0);
/// A page below this width is narrow, in pixels.
const NARROW: f64 = 1100.0;

/// The page of the local server.
#[derive(Live, LiveHook, Widget)]
pub struct ServerPage {
    #[deref]
    view: View,
}

impl Widget for ServerPage {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event, scope: &mut Scope) {
        if passes_over(Page::Server, event, scope) {
            return;
        }
        self.view.handle_event(cx, event, scope);
        if let Event::Actions(actions) = event
            && self.view.switch(id!(power)).wanted(actions).is_some()
        {
            tell(cx, ServerMsg::Toggle);
        }
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, scope: &mut Scope, walk: Walk) -> DrawStep {
        let is_narrow = cx.peek_walk_turtle(walk).size.x < NARROW;
        for (path, (wide, narrow)) in [(id!(side), SIDE), (id!(loaded_models), MODELS)] {
            let width = if is_narrow { narrow } else { wide };
            self.view.widget(path).apply_over(cx, live! { width: (width) });
        }
        if let Some(state) = scope.data.get::<AppState>() {
            let shown = state.server_view();
            let serves = shown.running && !state.server.is_busy();
            for (path, visible) in [(id!(serving), serves), (id!(resting), !serves)] {
                let tag = self.view.widget(path);
                tag.set_visible(cx, visible);
                tag.text_line(id!(label))
                    .set_text(cx, &state.texts().say(shown.state, &[]));
                tag.dot(id!(dot)).set(match (serves, state.server.is_busy()) {
                    (true, _) => DotKind::Ok,
                    (false, true) => DotKind::Busy,
                    (false, false) => DotKind::Idle,
                });
            }
            let in_flight = self.view.text_line(id!(in_flight));
            in_flight.set_visible(cx, !shown.in_flight.is_empty());
            in_flight.set_text(cx, &shown.in_flight);
            let power = self.view.switch(id!(power));
            power.set_on(cx, shown.on);
            power.set_disabled(cx, !shown.can_toggle);
        }
        self.view.draw_walk(cx, scope, walk)
    }
}
