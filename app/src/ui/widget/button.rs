//! The push button and its kinds: primary, secondary, quiet, icon, rail. The stock button takes neither Enter nor Space,
//! and takes the keyboard with a click.

mod outer;

use makepad_widgets::*;

use super::place::note_control;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;
    use crate::ui::fonts::*;
    use crate::ui::widget::shape::*;

    PushButtonBase = {{PushButton}} {}
    pub SecondaryButton = <PushButtonBase> {
        width: Fit, height: 32
        padding: { left: 13, right: 13 }, spacing: 7
        align: { x: 0.5, y: 0.5 }, flow: Right
        clip_x: false, clip_y: false
        icon_walk: { width: 16, height: 16 }
        draw_end: { color: (COLOR_TEXT_3) }
        end_walk: { width: 14, height: 14 }
        label_walk: { width: Fit, height: Fit }
        draw_bg: {
            instance hover: 0.0
            instance down: 0.0
            instance focus: 0.0
            instance disabled: 0.0
            instance on: 0.0
            uniform color: (COLOR_RAISED)
            uniform color_hover: (COLOR_HOVER)
            uniform color_down: (COLOR_PRESSED)
            uniform color_on: (COLOR_SELECTED)
            uniform color_disabled: (COLOR_HOVER)
            uniform line: (COLOR_LINE)
            uniform line_hover: (COLOR_LINE_STRONG)
            uniform line_on: (COLOR_NONE)
            instance radius: 8.0
            uniform ring: (COLOR_ACCENT)
            varying wide: vec2
            // The focus ring lies outside the button: 4 pixels more on each side.
            fn vertex(self) -> vec4 {
                self.wide = self.rect_size + vec2(8.0, 8.0);
                return self.clip_and_transform_vertex(self.rect_pos - vec2(4.0, 4.0), self.wide);
            }
            fn pixel(self) -> vec4 {
                let point = self.pos * self.wide - vec2(4.0, 4.0);
                let hover = self.hover * (1.0 - self.on);
                let rest = mix(self.color, self.color_on, self.on);
                let pressed = mix(mix(rest, self.color_hover, hover), self.color_down, self.down);
                let fill = mix(pressed, self.color_disabled, self.disabled);
                let edge = mix(mix(self.line, self.line_on, self.on), self.line_hover, hover);
                let line = mix(edge, #x00000000, self.disabled);
                let body = Shape::framed(point, self.rect_size, self.radius, fill, line, self.dpi_factor);
                let band = Shape::band(point, self.rect_size, self.radius, 2.0, 4.0, self.dpi_factor);
                return mix(body, vec4(self.ring.rgb, 1.0), band * self.focus);
            }
        }
        draw_text: {
            instance hover: 0.0
            instance down: 0.0
            instance disabled: 0.0
            instance on: 0.0
            color: (COLOR_TEXT)
            uniform color_hover: (COLOR_TEXT)
            uniform color_on: (COLOR_TEXT)
            uniform color_disabled: (COLOR_TEXT_DISABLED)
            text_style: <FONT_LABEL> {}
            fn get_color(self) -> vec4 {
                let active = max(self.hover, self.down) * (1.0 - self.on);
                return mix(
                    mix(mix(self.color, self.color_on, self.on), self.color_hover, active),
                    self.color_disabled,
                    self.disabled
                );
            }
        }
        draw_icon: {
            instance hover: 0.0
            instance down: 0.0
            instance disabled: 0.0
            instance on: 0.0
            color: (COLOR_TEXT)
            uniform color_hover: (COLOR_TEXT)
            uniform color_on: (COLOR_TEXT)
            uniform color_disabled: (COLOR_TEXT_DISABLED)
            fn get_color(self) -> vec4 {
                let active = max(self.hover, self.down) * (1.0 - self.on);
                return mix(
                    mix(mix(self.color, self.color_on, self.on), self.color_hover, active),
                    self.color_disabled,
                    self.disabled
                );
            }
        }
        animator: {
            hover = {
                default: off
                off = {
                    from: { all: Forward { duration: 0.09 } }
                    apply: { draw_bg: { hover: 0.0, down: 0.0 }, draw_text: { hover: 0.0, down: 0.0 }, draw_icon: { hover: 0.0, down: 0.0 } }
                }
                on = {
                    from: { all: Forward { duration: 0.09 } }
                    apply: { draw_bg: { hover: 1.0, down: 0.0 }, draw_text: { hover: 1.0, down: 0.0 }, draw_icon: { hover: 1.0, down: 0.0 } }
                }
                down = {
                    from: { all: Forward { duration: 0.05 } }
                    apply: { draw_bg: { hover: 1.0, down: 1.0 }, draw_text: { hover: 1.0, down: 1.0 }, draw_icon: { hover: 1.0, down: 1.0 } }
                }
            }
            focus = {
                default: off
                off = { from: { all: Snap }, apply: { draw_bg: { focus: 0.0 } } }
                on = { from: { all: Snap }, apply: { draw_bg: { focus: 1.0 } } }
            }
            disabled = {
                default: off
                off = {
                    from: { all: Snap }
                    apply: { draw_bg: { disabled: 0.0 }, draw_text: { disabled: 0.0 }, draw_icon: { disabled: 0.0 } }
                }
                on = {
                    from: { all: Snap }
                    apply: { draw_bg: { disabled: 1.0 }, draw_text: { disabled: 1.0 }, draw_icon: { disabled: 1.0 } }
                }
            }
            on = {
                default: off
                off = {
                    from: { all: Snap }
                    apply: { draw_bg: { on: 0.0 }, draw_text: { on: 0.0 }, draw_icon: { on: 0.0 } }
                }
                on = {
                    from: { all: Snap }
                    apply: { draw_bg: { on: 1.0 }, draw_text: { on: 1.0 }, draw_icon: { on: 1.0 } }
                }
            }
        }
    }
    pub PrimaryButton = <SecondaryButton> {
        draw_bg: {
            color: (COLOR_ACCENT), color_hover: (COLOR_ACCENT_HOVER), color_down: (COLOR_ACCENT_PRESSED)
            line: (COLOR_NONE), line_hover: (COLOR_NONE)
        }
        draw_text: { color: (COLOR_ON_ACCENT), color_hover: (COLOR_ON_ACCENT) }
        draw_icon: { color: (COLOR_ON_ACCENT), color_hover: (COLOR_ON_ACCENT) }
    }
    pub QuietButton = <SecondaryButton> {
        draw_bg: {
            color: (COLOR_NONE), color_disabled: (COLOR_NONE)
            line: (COLOR_NONE), line_hover: (COLOR_NONE)
        }
        draw_text: { color: (COLOR_TEXT_2) }
        draw_icon: { color: (COLOR_TEXT_2) }
    }
    pub SmallButton = <SecondaryButton> {
        height: 28, padding: { left: 11, right: 11 }, spacing: 6, icon_walk: { width: 14, height: 14 }
        draw_bg: { radius: 7.0 }
        draw_text: { text_style: <FONT_SMALL_BOLD> {} }
    }
    // What it does cannot be undone.
    pub BadButton = <SmallButton> { draw_text: { color: (COLOR_BAD), color_hover: (COLOR_BAD) } }
    pub SmallQuietButton = <QuietButton> {
        height: 28, padding: { left: 11, right: 11 }, spacing: 6, icon_walk: { width: 14, height: 14 }
        draw_bg: { radius: 7.0 }
        draw_text: { text_style: <FONT_SMALL_BOLD> {} }
    }
    pub IconButton = <QuietButton> {
        width: 28, height: 28, padding: 0, spacing: 0
        draw_bg: { radius: 7.0 }
        draw_icon: { color: (COLOR_TEXT_3) }
    }
    pub LargeIconButton = <IconButton> {
        width: 32, height: 32
        icon_walk: { width: 18, height: 18 }
        draw_bg: { radius: 8.0 }
    }
    pub RailButton = <IconButton> {
        width: 40, height: 40
        icon_walk: { width: 20, height: 20 }
        draw_bg: { radius: 10.0 }
        draw_icon: { color_on: (COLOR_ACCENT_TEXT) }
    }

    // The same inside overlays.
    pub OverlayButton = <SecondaryButton> {
        draw_bg: {
            color: (COLOR_OVERLAY), color_hover: (COLOR_OVERLAY_HOVER), color_down: (COLOR_OVERLAY_PRESSED)
            line: (COLOR_OVERLAY_LINE)
        }
    }
    pub OverlaySmallButton = <SmallButton> {
        draw_bg: {
            color: (COLOR_OVERLAY), color_hover: (COLOR_OVERLAY_HOVER), color_down: (COLOR_OVERLAY_PRESSED)
            line: (COLOR_OVERLAY_LINE)
        }
    }
    pub OverlayIconButton = <IconButton> {
        draw_bg: { color_hover: (COLOR_OVERLAY_HOVER), color_down: (COLOR_OVERLAY_PRESSED) }
    }
}

/// What a button tells.
#[derive(Clone, Debug, DefaultNone)]
pub enum PushButtonAction {
    /// Nothing.
    None,
    /// It was pressed, by pointer or key.
    Clicked,
    /// The pointer came over it; its place in the window.
    HoverIn(Rect),
    /// The pointer left.
    HoverOut,
}

/// A button with an icon, a text, or both.
#[derive(Live, LiveHook, Widget)]
pub struct PushButton {
    #[animator]
    animator: Animator,
    #[redraw]
    #[live]
    draw_bg: DrawQuad,
    #[live]
    draw_text: DrawText,
    /// The text while the button is on, for kinds with `strong_on`.
    #[live]
    draw_text_on: DrawText,
    #[live]
    strong_on: bool,
    #[live]
    draw_icon: DrawIcon,
    /// The icon while the button is on, where it is another one.
    #[live]
    icon_on: ArcStringMut,
    #[live]
    icon_walk: Walk,
    /// An icon behind the text, as that of what opens.
    #[live]
    draw_end: DrawIcon,
    #[live]
    end_walk: Walk,
    #[live]
    label_walk: Walk,
    #[walk]
    walk: Walk,
    #[layout]
    layout: Layout,
    #[live(true)]
    #[visible]
    visible: bool,
    #[live]
    text: ArcStringMut,
    /// Shown after a moment of hovering; the name of a button that has no text.
    #[live]
    tip: String,
}

impl Widget for PushButton {
    fn set_disabled(&mut self, cx: &mut Cx, disabled: bool) {
        if self.disabled(cx) != disabled {
            self.animator_toggle(cx, disabled, Animate::No, id!(disabled.on), id!(disabled.off));
        }
    }

    fn disabled(&self, cx: &Cx) -> bool {
        self.animator_in_state(cx, id!(disabled.on))
    }

    fn handle_event(&mut self, cx: &mut Cx, event: &Event, scope: &mut Scope) {
        let uid = self.widget_uid();
        if self.animator_handle_event(cx, event).must_redraw() {
            self.draw_bg.redraw(cx);
        }
        if !self.visible {
            // What is not shown is not told that the pointer has left.
            if let Event::MouseMove(_) = event
                && !self.animator_in_state(cx, id!(hover.off))
            {
                self.animator_cut(cx, id!(hover.off));
            }
            return;
        }
        let hit = event.hits(cx, self.draw_bg.area());
        // Most events are for others, and asking the animator takes longer than all else.
        if let Hit::Nothing = hit {
            return;
        }
        let enabled = !self.disabled(cx);
        match hit {
            Hit::KeyFocus(_) => self.animator_play(cx, id!(focus.on)),
            Hit::KeyFocusLost(_) => self.animator_play(cx, id!(focus.off)),
            Hit::KeyDown(key) if enabled && is_press(key.key_code) => {
                cx.widget_action(uid, &scope.path, PushButtonAction::Clicked);
            }
            // The keyboard stays where it is: who clicks types on in the composer.
            Hit::FingerDown(finger) if enabled && finger.is_primary_hit() => {
                self.animator_play(cx, id!(hover.down));
            }
            Hit::FingerHoverIn(finger) => {
                cx.set_cursor(if enabled {
                    MouseCursor::Hand
                } else {
                    MouseCursor::Default
                });
                if enabled {
                    self.animator_play(cx, id!(hover.on));
                }
                if !self.tip.is_empty() {
                    cx.widget_action(uid, &scope.path, PushButtonAction::HoverIn(finger.rect));
                }
            }
            Hit::FingerHoverOut(_) => {
                self.animator_play(cx, id!(hover.off));
                cx.widget_action(uid, &scope.path, PushButtonAction::HoverOut);
            }
            Hit::FingerUp(finger) if finger.is_primary_hit() => {
                let over = enabled && finger.is_over && finger.has_hovers();
                self.animator_play(cx, if over { id!(hover.on) } else { id!(hover.off) });
                if enabled && finger.is_over {
                    cx.widget_action(uid, &scope.path, PushButtonAction::Clicked);
                }
            }
            _ => (),
        }
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, _scope: &mut Scope, walk: Walk) -> DrawStep {
        self.draw_bg.begin(cx, walk, self.layout);
        if !self.icon_on.as_ref().is_empty() && self.animator_in_state(cx, id!(on.on)) {
            std::mem::swap(&mut self.draw_icon.svg_path, &mut self.icon_on);
            self.draw_icon.draw_walk(cx, self.icon_walk);
            std::mem::swap(&mut self.draw_icon.svg_path, &mut self.icon_on);
        } else if !self.draw_icon.svg_path.as_ref().is_empty() {
            self.draw_icon.draw_walk(cx, self.icon_walk);
        }
        if !self.text.as_ref().is_empty() {
            let strong = self.strong_on && self.animator_in_state(cx, id!(on.on));
            let style = if strong {
                &mut self.draw_text_on
            } else {
                &mut self.draw_text
            };
            style.draw_walk(cx, self.label_walk, Align::default(), self.text.as_ref());
        }
        if !self.draw_end.svg_path.as_ref().is_empty() {
            self.draw_end.draw_walk(cx, self.end_walk);
        }
        self.draw_bg.end(cx);
        note_control(cx, self.widget_uid(), self.draw_bg.area());
        DrawStep::done()
    }

    /// The text, or what stands for it.
    fn text(&self) -> String {
        if self.text.as_ref().is_empty() {
            self.tip.clone()
        } else {
            self.text.as_ref().to_owned()
        }
    }

    /// Does not ask for a redraw: texts are set while the window is drawn.
    fn set_text(&mut self, _cx: &mut Cx, text: &str) {
        if self.text.as_ref() != text {
            self.text.as_mut_empty().push_str(text);
        }
    }
}

impl PushButton {
    /// It belongs to something else from now on, which neither the pointer nor the keyboard is at.
    pub(super) fn leave(&mut self, cx: &mut Cx) {
        self.animator_cut(cx, id!(hover.off));
        self.animator_cut(cx, id!(focus.off));
    }
}

/// Whether a key presses what has the keyboard.
pub(crate) fn is_press(key: KeyCode) -> bool {
    matches!(key, KeyCode::ReturnKey | KeyCode::NumpadEnter | KeyCode::Space)
}
