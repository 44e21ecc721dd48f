//! A field of several lines: it breaks them itself, keeps those that did not change, and draws those in view only, so
//! that a key breaks and lays out no more in a text of a whole book. The toolkit's own lays out the whole text at each key.

mod buffer;
mod drawing;
mod editing;
mod keys;
mod rows;
mod ruler;

use makepad_widgets::*;

use self::buffer::{Buffer, Kind};
use self::editing::Pressed;
use self::rows::Rows;
use self::ruler::Ruler;
use super::field::FieldAction;
use super::place::note_control;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;
    use crate::ui::fonts::*;

    MultilineBase = {{Multiline}} {}
    pub Multiline = <MultilineBase> {
        width: Fill, height: Fit
        clip_x: true, clip_y: true
        color: (COLOR_TEXT)
        color_placeholder: (COLOR_TEXT_3)
        draw_text: { text_style: <FONT_BODY> {} }
        draw_caret: {
            uniform caret: (COLOR_ACCENT)
            fn pixel(self) -> vec4 {
                return vec4(self.caret.rgb, 1.0);
            }
        }
        draw_marked: {
            uniform tint: (COLOR_ACCENT)
            fn pixel(self) -> vec4 {
                return vec4(self.tint.rgb * 0.28, 0.28);
            }
        }
        scroll_bars: <ScrollBars> {
            show_scroll_x: false, show_scroll_y: true
            scroll_bar_y: { bar_size: 6.0 }
        }
    }
}

/// A field of several lines. Where its height follows its text, that is between `lowest` and `highest`; what does not
/// fit is scrolled.
#[derive(Live, LiveHook, Widget)]
pub struct Multiline {
    #[live]
    draw_text: DrawText,
    #[live]
    draw_caret: DrawQuad,
    #[live]
    draw_marked: DrawQuad,
    #[live]
    scroll_bars: ScrollBars,
    #[live]
    color: Vec4,
    #[live]
    color_placeholder: Vec4,
    #[walk]
    walk: Walk,
    #[layout]
    layout: Layout,
    /// Least and greatest height, in pixels.
    #[live]
    lowest: f64,
    #[live(f64::INFINITY)]
    highest: f64,
    /// Enter begins a line, as it always does with Shift.
    #[live]
    breaks: bool,
    /// Page Up and Page Down move the caret.
    #[live]
    pages: bool,
    /// It can be read, marked and copied only.
    #[live]
    read_only: bool,
    #[live]
    empty_text: String,
    #[redraw]
    #[rust]
    area: Area,
    #[rust]
    buffer: Buffer,
    /// The caret stands at the end of a row that was broken, not at the beginning of the next.
    #[rust]
    ends_row: bool,
    /// Where the caret wants to be in a row it comes to from above or below, in pixels.
    #[rust]
    goal: Option<f64>,
    /// What the button marks that is down.
    #[rust]
    pressed: Option<Pressed>,
    #[rust]
    rows: Rows,
    #[rust]
    ruler: Ruler,
    /// The caret shall be in view.
    #[rust]
    reveals: bool,
    #[rust]
    blink: Timer,
    #[rust]
    is_lit: bool,
    #[rust]
    turns: u32,
}

impl Widget for Multiline {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event, scope: &mut Scope) {
        self.scroll_bars.handle_event(cx, event, scope);
        if self.blink.is_event(event).is_some() {
            self.turn_caret(cx);
        }
        let before = self.buffer.marked();
        let action = match event.hits(cx, self.area) {
            Hit::FingerHoverIn(_) => {
                cx.set_cursor(MouseCursor::Text);
                None
            }
            Hit::FingerDown(finger) if finger.is_primary_hit() => {
                cx.set_key_focus(self.area);
                self.press(cx, finger.abs, finger.tap_count, finger.modifiers.shift);
                None
            }
            Hit::FingerMove(finger) => {
                self.drag(cx, finger.abs);
                None
            }
            Hit::FingerUp(_) => {
                self.pressed = None;
                None
            }
            Hit::KeyFocus(_) => {
                self.light_caret(cx);
                None
            }
            Hit::KeyFocusLost(_) => {
                cx.stop_timer(self.blink);
                cx.hide_text_ime();
                self.area.redraw(cx);
                Some(FieldAction::Left)
            }
            Hit::KeyDown(key) => self.take_key(cx, &key),
            Hit::TextInput(typed) if !self.read_only && !typed.input.is_empty() => {
                let kind = if typed.was_paste || typed.replace_last {
                    Kind::Other
                } else {
                    Kind::Type
                };
                self.insert(cx, &typed.input, kind)
            }
            Hit::TextCopy(copied) if !self.buffer.marked_text().is_empty() => {
                *copied.response.borrow_mut() = Some(self.buffer.marked_text().to_owned());
                None
            }
            Hit::TextCut(cut) if !self.buffer.marked_text().is_empty() => {
                *cut.response.borrow_mut() = Some(self.buffer.marked_text().to_owned());
                let caret = self.buffer.marked().caret;
                let change = (!self.read_only).then(|| self.buffer.remove_to(caret, Kind::Other));
                self.changed(cx, change.flatten())
            }
            _ => None,
        };
        if let Some(action) = action {
            cx.widget_action(self.widget_uid(), &scope.path, action);
        }
        if before != self.buffer.marked() {
            self.reveals = true;
            self.light_caret(cx);
        }
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, _scope: &mut Scope, walk: Walk) -> DrawStep {
        let padding = self.layout.padding;
        let width = cx.peek_walk_turtle(walk).size.x - padding.left - padding.right;
        self.break_rows(cx, width);
        let line = self.ruler.line(cx, &self.draw_text);
        let content = padding.top + line.height_of(self.rows.len()) + padding.bottom;
        let walk = match walk.height {
            Size::Fit => Walk {
                height: Size::Fixed(content.clamp(self.lowest, self.highest.max(self.lowest))),
                ..walk
            },
            _ => walk,
        };
        cx.begin_turtle(
            walk,
            Layout {
                padding: Padding::default(),
                ..self.layout
            },
        );
        let place = cx.turtle().rect();
        cx.turtle_mut().set_used(place.size.x, content);
        if std::mem::take(&mut self.reveals) {
            self.reveal_caret(cx, place.size.y);
        }
        self.draw_rows(cx, place);
        self.scroll_bars.draw_scroll_bars(cx);
        cx.end_turtle_with_area(&mut self.area);
        self.scroll_bars.set_area(self.area);
        cx.add_nav_stop(self.area, NavRole::TextInput, Margin::default());
        note_control(cx, self.widget_uid(), self.area);
        DrawStep::done()
    }

    fn text(&self) -> String {
        self.buffer.text().to_owned()
    }

    /// Puts the caret behind the text. Nothing can be undone then.
    fn set_text(&mut self, cx: &mut Cx, text: &str) {
        self.buffer.set_text(text);
        self.ruler.forget_rows();
        self.rows = Rows::default();
        (self.ends_row, self.goal, self.pressed) = (false, None, None);
        self.reveals = true;
        self.area.redraw(cx);
    }
}

impl MultilineRef {
    /// What happened in it.
    pub fn action(&self, actions: &Actions) -> FieldAction {
        actions
            .filter_widget_actions_cast::<FieldAction>(self.widget_uid())
            .find(|action| !matches!(action, FieldAction::None))
            .unwrap_or_default()
    }

    /// Shows this while the field is empty.
    pub fn set_placeholder(&self, text: &str) {
        if let Some(mut field) = self.borrow_mut()
            && field.empty_text != text
        {
            text.clone_into(&mut field.empty_text);
        }
    }

    /// What it shows while it is empty: its name for who reads it.
    #[cfg(feature = "probe")]
    pub(crate) fn placeholder(&self) -> String {
        self.borrow()
            .map_or_else(String::new, |field| field.empty_text.clone())
    }

    /// Where the caret stands, in bytes of the text.
    pub fn caret(&self) -> usize {
        self.borrow().map_or(0, |field| field.buffer.marked().caret)
    }

    /// Puts the caret at this place of the text.
    pub fn set_caret(&self, cx: &mut Cx, index: usize) {
        if let Some(mut field) = self.borrow_mut() {
            field.set_caret(cx, index);
        }
    }

    /// Puts the caret behind the text.
    pub fn caret_to_end(&self, cx: &mut Cx) {
        let end = self.borrow().map_or(0, |field| field.buffer.text().len());
        self.set_caret(cx, end);
    }
}
