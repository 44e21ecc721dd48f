//! The server's log with its head: filter, levels, pause, copy, clear.

use hearth_protocol::server::LogLevel;
use makepad_widgets::*;

use super::connection::tell;
use crate::msg::server::ServerMsg;
use crate::state::AppState;
use crate::ui::widget::button::*;
use crate::ui::widget::field::*;
use crate::ui::widget::text::*;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;
    use crate::ui::texts::*;
    use crate::ui::fonts::*;
    use crate::ui::icons::*;
    use crate::ui::widget::surface::*;
    use crate::ui::widget::text::*;
    use crate::ui::widget::button::*;
    use crate::ui::widget::field::*;
    use crate::ui::widget::segmented::*;
    use crate::ui::server::kit::*;
    use crate::ui::server::log_view::*;

    Level = <Segment> { height: 22, padding: { left: 8, right: 8 } }
    pub ServerLog = {{ServerLog}} {
        width: Fill, height: Fill, flow: Down
        clip_x: false, clip_y: false
        head = <View> {
            width: Fill, height: Fit, flow: Right
            margin: { bottom: 8 }, spacing: 8
            clip_x: false, clip_y: false
            <View> {
                width: Fill, height: 28, flow: Right
                align: { y: 0.5 }, spacing: 8
                clip_x: false, clip_y: false
                <Strong> { text: (TEXT_LOG) }
                count = <Caption> { width: Fill }
                pause = <SmallQuietButton> { text: (TEXT_LOG_PAUSE), draw_icon: { svg_path: (ICON_PAUSE) } }
                follow = <SmallQuietButton> { text: (TEXT_LOG_FOLLOW), draw_icon: { svg_path: (ICON_PLAY) } }
                copy_log = <IconButton> { tip: (TEXT_LOG_COPY), draw_icon: { svg_path: (ICON_COPY) } }
                clear = <IconButton> { tip: (TEXT_LOG_CLEAR), draw_icon: { svg_path: (ICON_TRASH) } }
            }
            sieve = <View> {
                width: 390, height: 28, flow: Right
                align: { y: 0.5 }, spacing: 8
                clip_x: false, clip_y: false
                filter = <Field> {
                    height: 28, padding: { left: 10, right: 10, top: 6, bottom: 4 }
                    empty_text: (TEXT_LOG_FILTER)
                    draw_bg: { border_radius: 7.0 }
                    draw_text: { text_style: <FONT_SMALL> {} }
                }
                <Segmented> {
                    height: 28
                    all = <Level> { text: (TEXT_LOG_ALL) }
                    requests = <Level> { text: (TEXT_LOG_REQUESTS) }
                    warnings = <Level> { text: (TEXT_LOG_WARNINGS) }
                    errors = <Level> { text: (TEXT_LOG_ERRORS) }
                }
            }
        }
        lines = <LogView> {}
    }
}

/// Each button and the least grave lines that it shows.
const LEVELS: [(&[LiveId; 1], LogLevel); 4] = [
    (id!(all), LogLevel::Info),
    (id!(requests), LogLevel::Request),
    (id!(warnings), LogLevel::Warning),
    (id!(errors), LogLevel::Error),
];

/// A log below this width has its filter below its title, in pixels.
const NARROW: f64 = 640.0;
/// Width of the filter beside the title, in pixels.
const SIEVE: f64 = 390.0;

/// The log.
#[derive(Live, LiveHook, Widget)]
pub struct ServerLog {
    #[deref]
    view: View,
}

impl Widget for ServerLog {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event, scope: &mut Scope) {
        self.view.handle_event(cx, event, scope);
        let Event::Actions(actions) = event else { return };
        for (button, level) in LEVELS {
            if self.view.push_button(button).clicked(actions) {
                tell(cx, ServerMsg::SetLevel(level));
            }
        }
        let buttons: [(&[LiveId], ServerMsg); 4] = [
            (id!(pause), ServerMsg::SetFollow(false)),
            (id!(follow), ServerMsg::SetFollow(true)),
            (id!(copy_log), ServerMsg::CopyLog),
            (id!(clear), ServerMsg::ClearLog),
        ];
        for (button, message) in buttons {
            if self.view.push_button(button).clicked(actions) {
                tell(cx, message);
            }
        }
        if let FieldAction::Changed(text) = self.view.field(id!(filter)).action(actions) {
            tell(cx, ServerMsg::FilterChanged(text));
        }
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, scope: &mut Scope, walk: Walk) -> DrawStep {
        let is_narrow = cx.peek_walk_turtle(walk).size.x < NARROW;
        let (head, sieve) = (self.view.view(id!(head)), self.view.view(id!(sieve)));
        if is_narrow {
            head.apply_over(cx, live! { flow: Down });
            sieve.apply_over(cx, live! { width: Fill });
        } else {
            head.apply_over(cx, live! { flow: Right });
            sieve.apply_over(cx, live! { width: (SIEVE) });
        }
        if let Some(state) = scope.data.get::<AppState>() {
            let log = &state.server.log;
            self.view
                .text_line(id!(count))
                .set_text(cx, &log.label(state.texts()));
            self.view.widget(id!(pause)).set_visible(cx, log.follow);
            self.view.widget(id!(follow)).set_visible(cx, !log.follow);
            self.view.field(id!(filter)).show(cx, log.filter());
            for (button, level) in LEVELS {
                self.view.push_button(button).set_on(cx, log.level() == level);
            }
        }
        self.view.draw_walk(cx, scope, walk)
    }
}
