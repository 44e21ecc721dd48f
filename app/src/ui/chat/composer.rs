//! Where a message is written. Enter sends, Shift Enter breaks the line, Escape stops the answer.

use makepad_widgets::makepad_draw::text::selection::Cursor;
use makepad_widgets::*;

use crate::msg::Msg;
use crate::state::AppState;
use crate::state::composer::{ComposerButton, MeterLevel};
use crate::state::overlay::menu::{MenuOf, Place};
use crate::ui::widget::button::*;
use crate::ui::widget::field::*;
use crate::ui::widget::place::seen;
use crate::ui::widget::progress::*;
use crate::ui::widget::text::*;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;
    use crate::ui::texts::*;
    use crate::ui::fonts::*;
    use crate::ui::icons::*;
    use crate::ui::widget::shape::*;
    use crate::ui::widget::surface::*;
    use crate::ui::widget::text::*;
    use crate::ui::widget::button::*;
    use crate::ui::widget::field::*;
    use crate::ui::widget::progress::*;

    pub Composer = {{Composer}}<View> {
        width: Fill, height: Fit, flow: Down
        show_bg: true
        clip_x: false, clip_y: false
        draw_bg: {
            color: (COLOR_RAISED)
            instance focus: 0.0
            uniform line: (COLOR_LINE)
            uniform line_focus: (COLOR_ACCENT)
            uniform halo: (COLOR_ACCENT_SOFT)
            varying wide: vec2
            fn vertex(self) -> vec4 {
                self.wide = self.rect_size + vec2(8.0, 8.0);
                return self.clip_and_transform_vertex(self.rect_pos - vec2(4.0, 4.0), self.wide);
            }
            fn pixel(self) -> vec4 {
                let point = self.pos * self.wide - vec2(4.0, 4.0);
                let line = mix(self.line, self.line_focus, self.focus);
                let body = Shape::framed(point, self.rect_size, 14.0, self.color, line, self.dpi_factor);
                let band = Shape::band(point, self.rect_size, 14.0, 0.0, 3.0, self.dpi_factor);
                return mix(body, vec4(self.halo.rgb, 1.0), band * self.focus);
            }
        }
        scroll = <ScrollYView> {
            width: Fill, height: 41
            margin: { left: 1, right: 1, top: 1 }
            scroll_bars: { scroll_bar_y: { bar_size: 6.0 } }
            input = <BareField> {
                // ABOVE, BELOW and BESIDE.
                padding: { left: 14, right: 14, top: 14, bottom: 4 }
                empty_text: ""
                draw_text: { text_style: <FONT_MESSAGE> {} }
            }
        }
        // Lays out the text as the field does, which does not tell where its caret is. Never drawn.
        ruler = <TextLine> { visible: false, draw_text: { text_style: <FONT_MESSAGE> {} } }
        <View> {
            width: Fill, height: 40
            padding: { left: 15, right: 9, bottom: 8 }, align: { y: 0.5 }
            clip_x: false, clip_y: false
            <Spacer> {}
            meter = <Meter> {}
            context = <Small> { margin: { left: 8 } }
            send = <PrimaryButton> {
                width: 32, height: 32, padding: 0, spacing: 0
                margin: { left: 12 }
                tip: (TEXT_SEND)
                icon_walk: { width: 18, height: 18 }
                draw_bg: { radius: 10.0, color_disabled: (COLOR_SELECTED) }
                draw_icon: { svg_path: (ICON_SEND) }
            }
            stop = <PrimaryButton> {
                width: 32, height: 32, padding: 0, spacing: 0
                margin: { left: 12 }
                visible: false
                tip: (TEXT_STOP)
                icon_walk: { width: 18, height: 18 }
                draw_bg: {
                    radius: 10.0
                    color: (COLOR_TEXT), color_hover: (COLOR_TEXT_2), color_down: (COLOR_TEXT_2)
                }
                draw_icon: { color: (COLOR_CANVAS), color_hover: (COLOR_CANVAS), svg_path: (ICON_STOP) }
            }
        }
    }
}

/// Least and greatest height of the text, in pixels.
const LOWEST: f64 = 41.0;
const HIGHEST: f64 = 200.0;
/// Between the text and the edges of its field, in pixels.
const ABOVE: f64 = 14.0;
const BELOW: f64 = 4.0;
const BESIDE: f64 = 14.0;

/// The composer.
#[derive(Live, LiveHook, Widget)]
pub struct Composer {
    #[deref]
    view: View,
    /// The caret and the size of the field that the scroll was set for.
    #[rust]
    in_view: (Cursor, DVec2),
    /// How far the text is scrolled, in pixels.
    #[rust]
    scrolled: f64,
    /// Comes when the field may have been drawn and shall get the keyboard.
    #[rust]
    focus: NextFrame,
}

impl Widget for Composer {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event, scope: &mut Scope) {
        let focused = self.has_focus(cx);
        self.view.handle_event(cx, event, scope);
        if self.focus.is_event(event).is_some() {
            self.try_focus(cx);
        }
        if focused != self.has_focus(cx) {
            self.view.redraw(cx);
        }
        self.grow(cx);
        match event {
            Event::MouseDown(mouse) if !mouse.button.is_primary() => self.open_menu(cx, mouse.abs),
            Event::KeyDown(key)
                if key.key_code == KeyCode::ArrowUp && focused && self.input().text().is_empty() =>
            {
                cx.action(Msg::EditLast);
            }
            _ => (),
        }
        let Event::Actions(actions) = event else { return };
        match self.input().action(actions) {
            FieldAction::Changed(text) => cx.action(Msg::DraftChanged(text)),
            FieldAction::Entered => cx.action(Msg::Send),
            FieldAction::Left | FieldAction::None => (),
        }
        if self.view.push_button(id!(send)).clicked(actions) {
            cx.action(Msg::Send);
        }
        if self.view.push_button(id!(stop)).clicked(actions) {
            cx.action(Msg::Stop);
        }
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, scope: &mut Scope, walk: Walk) -> DrawStep {
        if let Some(state) = scope.data.get::<AppState>() {
            self.fill(cx, state);
        }
        let focus = f32::from(u8::from(self.has_focus(cx)));
        self.view
            .draw_bg
            .draw_vars
            .set_var_instance(cx, id!(focus), &[focus]);
        self.view.draw_walk(cx, scope, walk)
    }
}

impl Composer {
    fn fill(&mut self, cx: &mut Cx, state: &AppState) {
        let composer = state.composer();
        let input = self.input();
        if input.text() != composer.draft {
            input.set_text(cx, composer.draft);
        }
        input.set_placeholder(cx, &state.texts().say(composer.placeholder, &[]));
        let (send, stop) = (self.view.push_button(id!(send)), self.view.push_button(id!(stop)));
        match composer.button {
            ComposerButton::Send { enabled } => send.set_disabled(cx, !enabled),
            ComposerButton::Stop { enabled } => stop.set_disabled(cx, !enabled),
        }
        let sends = matches!(composer.button, ComposerButton::Send { .. });
        send.set_visible(cx, sends);
        stop.set_visible(cx, !sends);
        let (meter, label) = (
            self.view.progress_bar(id!(meter)),
            self.view.text_line(id!(context)),
        );
        meter.set_visible(cx, composer.meter.is_some());
        label.set_visible(cx, composer.meter.is_some());
        if let Some(now) = composer.meter {
            let level = match now.level() {
                MeterLevel::Roomy => Level::Normal,
                MeterLevel::NearlyFull => Level::Warn,
                MeterLevel::Full => Level::Bad,
            };
            meter.set(now.share(), level);
            label.set_text(cx, &now.label());
        }
    }

    /// Opens the menu of the button that sends.
    fn open_menu(&self, cx: &mut Cx, pointer: DVec2) {
        if seen(cx, self.view.widget(id!(send)).area()).contains(pointer) {
            let at = Place {
                x: pointer.x,
                y: pointer.y,
            };
            cx.action(Msg::OpenMenu {
                of: MenuOf::Draft,
                at,
            });
        }
    }

    /// Makes room for the text and keeps its caret in view. Places are known here, not while drawing.
    fn grow(&mut self, cx: &mut Cx) {
        let input = self.input();
        let now = (input.caret(), input.area().rect(cx).size);
        let (caret, field) = now;
        if field.y <= 0.0 || now == self.in_view {
            return;
        }
        self.in_view = now;
        let height = field.y.clamp(LOWEST, HIGHEST);
        let scroll = self.view.view(id!(scroll));
        scroll.apply_over(cx, live! { height: (height) });
        if let Some((top, bottom)) = self.line_of(cx, &input.text(), caret, field.x - 2.0 * BESIDE) {
            let last = (field.y - height).max(0.0);
            self.scrolled = self.scrolled.max(bottom - height).min(top).clamp(0.0, last);
            scroll.set_scroll_pos(cx, dvec2(0.0, self.scrolled));
        }
        self.view.redraw(cx);
    }

    /// From the top of the field to that of the caret's line and to its bottom, with what stands above and below the
    /// text, in pixels.
    fn line_of(&self, cx: &mut Cx, text: &str, caret: Cursor, width: f64) -> Option<(f64, f64)> {
        let lines = self.view.text_line(id!(ruler)).lay_out(cx, width, text)?;
        let line = lines.rows.get(lines.cursor_to_position(caret).row_index)?;
        let base = ABOVE + f64::from(line.origin_in_lpxs.y);
        let (above, below) = (
            f64::from(line.ascender_in_lpxs),
            f64::from(line.descender_in_lpxs),
        );
        Some((base - above - ABOVE, base - below + BELOW))
    }

    /// A field that is not drawn yet takes no keyboard: asks again with the next frame.
    fn try_focus(&mut self, cx: &mut Cx) {
        let input = self.input();
        if input.area().is_valid(cx) {
            input.set_key_focus(cx);
            input.caret_to_end(cx);
        } else {
            self.focus = cx.new_next_frame();
        }
    }

    fn input(&self) -> FieldRef {
        self.view.field(id!(input))
    }

    fn has_focus(&self, cx: &Cx) -> bool {
        cx.has_key_focus(self.input().area())
    }
}

impl ComposerRef {
    /// Gives the field the keyboard, with the caret behind its text.
    pub(crate) fn focus(&self, cx: &mut Cx) {
        if let Some(mut composer) = self.borrow_mut() {
            composer.focus = cx.new_next_frame();
        }
    }
}
