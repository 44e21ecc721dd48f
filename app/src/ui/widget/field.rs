//! The text field: the stock one with our looks, a caret that comes to rest, and the keys it lacks.

use makepad_widgets::makepad_draw::text::selection::Cursor;
use makepad_widgets::*;

use super::place::note_control;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;
    use crate::ui::fonts::*;
    use crate::ui::widget::shape::*;

    pub BareField = {{Field}}<TextInput> {
        width: Fill, height: Fit
        padding: 0, margin: 0
        clip_x: false, clip_y: false
        label_align: { x: 0.0, y: 0.0 }
        draw_bg: {
            fn pixel(self) -> vec4 {
                return vec4(0.0, 0.0, 0.0, 0.0);
            }
        }
        draw_text: {
            color: (COLOR_TEXT)
            text_style: <FONT_BODY> {}
            uniform color_placeholder: (COLOR_TEXT_3)
            fn get_color(self) -> vec4 {
                return mix(self.color, self.color_placeholder, self.empty);
            }
        }
        draw_cursor: {
            uniform caret: (COLOR_ACCENT)
            fn pixel(self) -> vec4 {
                return vec4(self.caret.rgb, 1.0) * (1.0 - self.blink) * self.focus;
            }
        }
        draw_selection: {
            uniform tint: (COLOR_ACCENT)
            fn pixel(self) -> vec4 {
                return vec4(self.tint.rgb * 0.28, 0.28) * self.focus;
            }
        }
        // Without fades: a blink is one redraw of the window, not ten.
        animator: {
            blink = { off = { from: { all: Snap } }, on = { from: { all: Snap } } }
            focus = { off = { from: { all: Snap } }, on = { from: { all: Snap } } }
            // One that is not drawn yet sees no frames, and would show its placeholder as a text.
            empty = { off = { from: { all: Snap } }, on = { from: { all: Snap } } }
        }
    }

    pub Field = <BareField> {
        height: 32
        padding: { left: 11, right: 11, top: 8, bottom: 4 }
        draw_bg: {
            border_radius: 8.0
            uniform fill: (COLOR_RAISED)
            uniform line: (COLOR_LINE)
            uniform line_hover: (COLOR_LINE_STRONG)
            uniform line_focus: (COLOR_ACCENT)
            uniform halo: (COLOR_ACCENT_SOFT)
            varying wide: vec2
            fn vertex(self) -> vec4 {
                self.wide = self.rect_size + vec2(8.0, 8.0);
                return self.clip_and_transform_vertex(self.rect_pos - vec2(4.0, 4.0), self.wide);
            }
            fn pixel(self) -> vec4 {
                let point = self.pos * self.wide - vec2(4.0, 4.0);
                let line = mix(mix(self.line, self.line_hover, self.hover), self.line_focus, self.focus);
                let radius = self.border_radius;
                let body = Shape::framed(point, self.rect_size, radius, self.fill, line, self.dpi_factor);
                let halo = Shape::rounded(
                    point + vec2(3.0, 3.0),
                    self.rect_size + vec2(6.0, 6.0),
                    radius + 3.0,
                    self.dpi_factor
                ) * self.focus;
                return body + vec4(self.halo.rgb * halo, halo) * (1.0 - body.a);
            }
        }
    }
}

/// Turns of the caret after which it stays visible until the next key: 10 seconds at half a second each.
/// Each turn draws the whole window.
pub(super) const BLINKS: u32 = 20;

/// What a field tells.
#[derive(Clone, Debug, DefaultNone)]
pub enum FieldAction {
    /// Nothing.
    None,
    /// The person changed the text.
    Changed(String),
    /// Enter.
    Entered,
    /// The keyboard went elsewhere.
    Left,
}

/// A text field.
#[derive(Live, LiveHook, Widget)]
pub struct Field {
    #[deref]
    input: TextInput,
    #[rust]
    blinks: u32,
    /// The width its lines were broken to.
    #[rust]
    broken_to: f64,
}

impl Widget for Field {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event, scope: &mut Scope) {
        match event {
            // The stock field uses timers for its caret only.
            Event::Timer(_) if self.caret_rests(cx) => return,
            Event::KeyDown(key) if cx.has_key_focus(self.input.area()) => {
                self.blinks = 0;
                if self.move_caret(cx, key) {
                    return;
                }
                // The stock field knows the Enter of the main block only.
                if key.key_code == KeyCode::NumpadEnter && !key.modifiers.shift && is_plain(&key.modifiers) {
                    cx.widget_action(self.widget_uid(), &scope.path, FieldAction::Entered);
                    return;
                }
            }
            // The stock field would put nothing on the clipboard, in the place of what is there.
            Event::TextCopy(_) | Event::TextCut(_) if self.input.selected_text().is_empty() => return,
            Event::KeyFocus(_) | Event::MouseDown(_) | Event::TextInput(_) => self.blinks = 0,
            // A change of theme resets the colour of the placeholder.
            Event::LiveEdit => {
                let empty = self.input.text().is_empty();
                self.input
                    .animator_cut(cx, if empty { id!(empty.on) } else { id!(empty.off) });
            }
            _ => (),
        }
        let was_visible = self.caret_is_visible(cx);
        let told = cx.capture_actions(|cx| self.input.handle_event(cx, event, scope));
        if was_visible != self.caret_is_visible(cx) {
            self.blinks += 1;
        }
        let uid = self.widget_uid();
        for action in told {
            let Some(action) = action.as_widget_action() else {
                continue;
            };
            let action = match action.cast() {
                TextInputAction::Changed(text) => FieldAction::Changed(text),
                TextInputAction::Returned(_, modifiers) if is_plain(&modifiers) => FieldAction::Entered,
                TextInputAction::KeyFocusLost => FieldAction::Left,
                _ => continue,
            };
            cx.widget_action(uid, &scope.path, action);
        }
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, scope: &mut Scope, walk: Walk) -> DrawStep {
        let width = cx.peek_walk_turtle(walk).size.x;
        if self.broken_to != width {
            self.broken_to = width;
            // The stock field keeps its lines when its width changes, but not when this is set.
            self.input.set_is_read_only(cx, self.input.is_read_only());
        }
        let step = self.input.draw_walk(cx, scope, walk);
        note_control(cx, self.widget_uid(), self.input.area());
        step
    }

    fn text(&self) -> String {
        self.input.text()
    }

    /// Puts the caret behind the text. Where it stood may be within a character of the new text.
    fn set_text(&mut self, cx: &mut Cx, text: &str) {
        self.input.set_text(cx, text);
        self.caret_to_end(cx);
    }
}

impl Field {
    fn caret_is_visible(&self, cx: &Cx) -> bool {
        self.input.animator_in_state(cx, id!(blink.off))
    }

    fn caret_rests(&self, cx: &Cx) -> bool {
        self.blinks >= BLINKS && self.caret_is_visible(cx)
    }

    fn caret_to_end(&mut self, cx: &mut Cx) {
        let index = self.input.text().len();
        let end = Cursor {
            index,
            prefer_next_row: false,
        };
        self.input.set_cursor(cx, end, false);
    }

    /// Home, End and steps by words, which the stock field does not know.
    fn move_caret(&mut self, cx: &mut Cx, key: &KeyEvent) -> bool {
        let text = self.input.text();
        let at = self.input.cursor().index;
        let by_word = key.modifiers.is_primary() || key.modifiers.alt;
        let index = match key.key_code {
            KeyCode::Home if by_word => 0,
            KeyCode::End if by_word => text.len(),
            KeyCode::Home => line_start(&text, at),
            KeyCode::End => line_end(&text, at),
            KeyCode::ArrowLeft if by_word => word_before(&text, at),
            KeyCode::ArrowRight if by_word => word_after(&text, at),
            _ => return false,
        };
        self.input.set_cursor(
            cx,
            Cursor {
                index,
                prefer_next_row: false,
            },
            key.modifiers.shift,
        );
        self.input.reset_blink_timer(cx);
        true
    }
}

impl FieldRef {
    /// What happened in it.
    pub fn action(&self, actions: &Actions) -> FieldAction {
        actions
            .filter_widget_actions_cast::<FieldAction>(self.widget_uid())
            .find(|action| !matches!(action, FieldAction::None))
            .unwrap_or_default()
    }

    /// Shows a text; the caret stays where it is while the text does.
    pub fn show(&self, cx: &mut Cx, text: &str) {
        if self.text() != text {
            self.set_text(cx, text);
        }
    }

    /// Marks the whole text, so that typing replaces it.
    pub fn select_all(&self, cx: &mut Cx) {
        if let Some(mut field) = self.borrow_mut() {
            field.input.select_all(cx);
        }
    }

    /// Shows this while the field is empty.
    pub fn set_placeholder(&self, cx: &mut Cx, text: &str) {
        if let Some(mut field) = self.borrow_mut()
            && field.input.empty_text() != text
        {
            field.input.set_empty_text(cx, text.to_owned());
        }
    }

    /// What it shows while it is empty: its name for who reads it.
    #[cfg(feature = "probe")]
    pub(crate) fn placeholder(&self) -> String {
        self.borrow()
            .map_or_else(String::new, |field| field.input.empty_text().to_owned())
    }

    /// Puts the caret behind the text.
    pub fn caret_to_end(&self, cx: &mut Cx) {
        if let Some(mut field) = self.borrow_mut() {
            field.caret_to_end(cx);
        }
    }

    /// Where the caret stands in the text.
    pub fn caret(&self) -> Cursor {
        self.borrow()
            .map_or_else(Cursor::default, |field| field.input.cursor())
    }
}

fn is_plain(modifiers: &KeyModifiers) -> bool {
    !(modifiers.control || modifiers.alt || modifiers.logo)
}

fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |newline| newline + 1)
}

fn line_end(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |newline| at + newline)
}

pub(super) fn word_before(text: &str, at: usize) -> usize {
    let head = text[..at].trim_end();
    head.rfind(char::is_whitespace).map_or(0, |space| {
        space + head[space..].chars().next().map_or(0, char::len_utf8)
    })
}

pub(super) fn word_after(text: &str, at: usize) -> usize {
    let tail = &text[at..];
    let word = tail.len() - tail.trim_start().len();
    tail[word..]
        .find(char::is_whitespace)
        .map_or(text.len(), |space| at + word + space)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_by_words_and_lines_land_on_borders() {
        let text = "ein größeres\nWort  hier";
        let newline = "ein größeres".len();
        type Step = fn(&str, usize) -> usize;
        let cases: [(Step, usize, usize); 8] = [
            (word_before, text.len(), text.len() - "hier".len()),
            (word_before, "ein ".len(), 0),
            (word_before, 0, 0),
            (word_after, 0, "ein".len()),
            (word_after, "ein".len(), newline),
            (word_after, text.len(), text.len()),
            (line_start, newline + 3, newline + 1),
            (line_end, 2, newline),
        ];
        for (step, from, to) in cases {
            assert_eq!(step(text, from), to);
        }
    }
}
