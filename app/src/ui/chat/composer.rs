//! Where a message is written. Enter sends, Shift Enter breaks the line, Escape stops the answer, and Up in the empty
//! composer brings back what was said before.

use makepad_widgets::*;

use super::files;
use crate::msg::Msg;
use crate::msg::composer::ComposerMsg;
use crate::state::AppState;
use crate::state::composer::{ComposerButton, MeterLevel};
use crate::state::overlay::menu::{MenuOf, Place};
use crate::ui::widget::button::*;
use crate::ui::widget::field::FieldAction;
use crate::ui::widget::multiline::*;
use crate::ui::widget::place::seen;
use crate::ui::widget::progress::*;
use crate::ui::widget::stack::*;
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
    use crate::ui::widget::multiline::*;
    use crate::ui::widget::progress::*;
    use crate::ui::chat::files::*;

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
        files = <DraftFiles> {
            visible: false
            // Each chip has a space below it, for the next line of them.
            margin: { left: 14, right: 14, top: 12, bottom: -6 }
        }
        input = <Multiline> {
            margin: { left: 1, right: 1, top: 1 }
            padding: { left: 14, right: 14, top: 14, bottom: 4 }
            lowest: 41, highest: 200
            draw_text: { text_style: <FONT_MESSAGE> {} }
        }
        <View> {
            width: Fill, height: 40
            padding: { left: 9, right: 9, bottom: 8 }, align: { y: 0.5 }
            clip_x: false, clip_y: false
            attach = <IconButton> {
                width: 32, height: 32
                icon_walk: { width: 18, height: 18 }
                tip: (TEXT_ATTACH), draw_bg: { radius: 8.0 }
                draw_icon: { svg_path: (ICON_ATTACH) }
            }
            <Spacer> {}
            tokens = <Caption> { margin: { right: 16 } }
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

/// The composer.
#[derive(Live, LiveHook, Widget)]
pub struct Composer {
    #[deref]
    view: View,
    /// Comes when the field may have been drawn and shall get the keyboard.
    #[rust]
    focus: NextFrame,
}

impl Widget for Composer {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event, scope: &mut Scope) {
        let focused = self.has_focus(cx);
        if let Event::KeyDown(key) = event
            && focused
            && let Some(newer) = self.recalls(key, scope)
        {
            cx.action(Msg::Composer(ComposerMsg::Recall { newer }));
            return;
        }
        self.view.handle_event(cx, event, scope);
        if self.focus.is_event(event).is_some() {
            self.try_focus(cx);
        }
        if focused != self.has_focus(cx) {
            self.view.redraw(cx);
        }
        match event {
            Event::MouseDown(mouse) if !mouse.button.is_primary() => self.open_menu(cx, mouse.abs),
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
        if self.view.push_button(id!(attach)).clicked(actions) {
            cx.action(Msg::Composer(ComposerMsg::AskFile));
        }
        for (index, chip) in self.view.stack(id!(files)).rows().iter().enumerate() {
            if chip.push_button(id!(remove)).clicked(actions) {
                cx.action(Msg::Composer(ComposerMsg::RemoveFile(index)));
            }
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
        input.set_placeholder(&state.texts().say(composer.placeholder, &[]));
        files::fill(cx, state.texts(), &self.view.widget(id!(files)), &composer.files);
        self.view.text_line(id!(tokens)).set_text(cx, &composer.tokens);
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

    /// Whether an arrow goes through what was said before, and whether to what is newer: in the empty composer, and behind
    /// the text that it brought there. Within a text it moves the caret. A text that an input method is making is none of
    /// either.
    fn recalls(&self, key: &KeyEvent, scope: &mut Scope) -> Option<bool> {
        let KeyModifiers {
            shift,
            control,
            alt,
            logo,
        } = key.modifiers;
        let newer = match key.key_code {
            KeyCode::ArrowUp => false,
            KeyCode::ArrowDown => true,
            _ => return None,
        };
        let input = self.input();
        let text = input.text();
        let state = scope.data.get::<AppState>()?;
        let is_recalled = state.composer().is_recalled && input.caret() == text.len();
        let is_bare = !(shift || control || alt || logo);
        (is_bare && (text.is_empty() || is_recalled)).then_some(newer)
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

    fn input(&self) -> MultilineRef {
        self.view.multiline(id!(input))
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
