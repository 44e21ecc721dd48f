//! The lines of the server's log. Only the rows in view are drawn, whatever their number.

use hearth_protocol::server::LogLevel;
use makepad_widgets::*;

use super::connection::tell;
use crate::msg::server::ServerMsg;
use crate::state::AppState;
use crate::state::server::log::{self, Log};
use crate::ui::widget::text::measure;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;
    use crate::ui::fonts::*;
    use crate::ui::widget::shape::*;

    pub LogView = {{LogView}} {
        width: Fill, height: Fill
        padding: { left: 16, right: 16, top: 10, bottom: 10 }
        draw_bg: {
            instance focus: 0.0
            uniform color: (COLOR_INSET)
            uniform line: (COLOR_LINE_SUBTLE)
            uniform ring: (COLOR_ACCENT)
            fn pixel(self) -> vec4 {
                let point = self.pos * self.rect_size;
                let body = Shape::framed(point, self.rect_size, 12.0, self.color, self.line, self.dpi_factor);
                let band = Shape::band(point, self.rect_size, 12.0, -2.0, 0.0, self.dpi_factor);
                return mix(body, vec4(self.ring.rgb, 1.0), band * self.focus);
            }
        }
        draw_text: { text_style: <FONT_CODE_SMALL> {} }
        color_faint: (COLOR_TEXT_3)
        color_calm: (COLOR_TEXT_2)
        color_plain: (COLOR_TEXT)
        color_info: (COLOR_INFO)
        color_warn: (COLOR_WARN)
        color_bad: (COLOR_BAD)
    }
}

/// Height of a row, in pixels.
const ROW: f64 = 20.0;
/// From the top of a row to the top of its glyphs, in pixels.
const DROP: f64 = 3.0;
/// Where the level and the text begin, in characters from the left.
const LEVEL: f64 = 10.0;
const TEXT: f64 = 16.0;
/// Share of the view that Page Up and Page Down move by.
const PAGE: f64 = 0.85;

/// The lines of the log.
#[derive(Live, LiveHook, Widget)]
pub struct LogView {
    #[redraw]
    #[live]
    draw_bg: DrawQuad,
    #[live]
    draw_text: DrawText,
    #[live]
    color_faint: Vec4,
    #[live]
    color_calm: Vec4,
    #[live]
    color_plain: Vec4,
    #[live]
    color_info: Vec4,
    #[live]
    color_warn: Vec4,
    #[live]
    color_bad: Vec4,
    #[walk]
    walk: Walk,
    #[layout]
    layout: Layout,
    #[live(true)]
    #[visible]
    visible: bool,
    /// What is at the upper edge: the top of row 0 is 0, that of the next is 20, in pixels.
    #[rust]
    top: f64,
    /// Height that rows have, in pixels.
    #[rust]
    room: f64,
}

impl Widget for LogView {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event, scope: &mut Scope) {
        let Some(state) = scope.data.get::<AppState>() else {
            return;
        };
        let log = &state.server.log;
        match event.hits(cx, self.draw_bg.area()) {
            Hit::KeyFocus(_) | Hit::KeyFocusLost(_) => self.draw_bg.redraw(cx),
            Hit::FingerDown(finger) if finger.is_primary_hit() => cx.set_key_focus(self.draw_bg.area()),
            Hit::FingerScroll(finger) => self.scroll(cx, log, finger.scroll.y),
            Hit::KeyDown(key) => {
                let all = self.room + log.rows().count() as f64 * ROW;
                let way = match key.key_code {
                    KeyCode::ArrowUp => -ROW,
                    KeyCode::ArrowDown => ROW,
                    KeyCode::PageUp => -self.room * PAGE,
                    KeyCode::PageDown => self.room * PAGE,
                    KeyCode::Home => -all,
                    KeyCode::End => all,
                    _ => return,
                };
                self.scroll(cx, log, way);
            }
            _ => (),
        }
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, scope: &mut Scope, walk: Walk) -> DrawStep {
        let focus = f32::from(u8::from(cx.has_key_focus(self.draw_bg.area())));
        self.draw_bg.draw_vars.set_var_instance(cx, id!(focus), &[focus]);
        self.draw_bg.begin(cx, walk, self.layout);
        let place = cx.turtle().padded_rect();
        self.room = place.size.y;
        if let Some(state) = scope.data.get::<AppState>() {
            let (least, most) = self.limits(&state.server.log);
            self.top = if state.server.log.follow {
                most
            } else {
                self.top.clamp(least, most)
            };
            self.draw_rows(cx, state, place);
        }
        self.draw_bg.end(cx);
        DrawStep::done()
    }
}

impl LogView {
    /// The least and the most that can be at the upper edge.
    fn limits(&self, log: &Log) -> (f64, f64) {
        let rows = log.rows();
        let (first, end) = (rows.start as f64 * ROW, rows.end as f64 * ROW);
        (first, (end - self.room).max(first))
    }

    fn scroll(&mut self, cx: &mut Cx, log: &Log, way: f64) {
        let (least, most) = self.limits(log);
        self.top = (self.top + way).clamp(least, most);
        // Who looks at older lines is not carried on; who comes back to the end is.
        let follow = self.top >= most;
        if follow != log.follow {
            tell(cx, ServerMsg::SetFollow(follow));
        }
        self.draw_bg.redraw(cx);
    }

    fn draw_rows(&mut self, cx: &mut Cx2d, state: &AppState, place: Rect) {
        let log = &state.server.log;
        let cell = measure(&self.draw_text, cx, "0").max(1.0);
        let most = ((place.size.x / cell - TEXT).max(1.0)) as usize;
        let rows = log.rows();
        let first = ((self.top / ROW) as u64).max(rows.start);
        let end = (((self.top + self.room) / ROW).ceil() as u64).min(rows.end);
        for row in first..end {
            let Some(line) = log.row(row) else { continue };
            let top = place.pos.y + row as f64 * ROW - self.top + DROP;
            let at = |column: f64| dvec2(place.pos.x + column * cell, top);
            let (level, text) = match line.level {
                LogLevel::Info => (self.color_faint, self.color_calm),
                LogLevel::Request => (self.color_info, self.color_plain),
                LogLevel::Warning => (self.color_warn, self.color_plain),
                LogLevel::Error => (self.color_bad, self.color_plain),
            };
            let clock = state.present().clock_to_the_second(line.at);
            self.write(cx, at(0.0), self.color_faint, &clock);
            self.write(cx, at(LEVEL), level, log::mark(line.level));
            self.write(cx, at(TEXT), text, &cut(&line.text, most));
        }
    }

    fn write(&mut self, cx: &mut Cx2d, at: DVec2, color: Vec4, text: &str) {
        if !text.is_empty() {
            self.draw_text.color = color;
            self.draw_text.draw_abs(cx, at, text);
        }
    }
}

/// The beginning of a text that is longer than `most` characters.
fn cut(text: &str, most: usize) -> std::borrow::Cow<'_, str> {
    match text.char_indices().nth(most) {
        None => text.into(),
        Some(_) => {
            let end = text.char_indices().nth(most - 1).map_or(0, |(at, _)| at);
            format!("{}…", &text[..end]).into()
        }
    }
}

#[cfg(feature = "probe")]
impl LogViewRef {
    /// The lines in view, as tests read them.
    pub(super) fn lines_in_view(&self, log: &Log) -> String {
        let Some(view) = self.borrow() else {
            return String::new();
        };
        let first = (view.top / ROW) as u64;
        let end = ((view.top + view.room) / ROW).ceil() as u64;
        let line = |row| {
            Some(format!(
                "{} {}\n",
                log::mark(log.row(row)?.level),
                log.row(row)?.text
            ))
        };
        (first..end).filter_map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::cut;

    #[test]
    fn a_long_line_ends_with_an_ellipsis_in_its_last_place() {
        for (text, most, shown) in [
            ("abc", 3, "abc"),
            ("abcd", 3, "ab…"),
            ("äöü", 2, "ä…"),
            ("ab", 1, "…"),
        ] {
            assert_eq!(cut(text, most), shown);
        }
    }
}
