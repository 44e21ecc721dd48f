//! Toasts: what happened, at the lower right, with an undo where there is one.

use makepad_widgets::*;

use crate::msg::Msg;
use crate::state::toast::{self, Toast, ToastAction, ToastKind};
use crate::state::{AppState, Page};
use crate::text::Texts;
#[cfg(feature = "probe")]
use crate::ui::elements::Element;
use crate::ui::widget::button::*;
use crate::ui::widget::text::*;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;
    use crate::ui::texts::*;
    use crate::ui::icons::*;
    use crate::ui::widget::surface::*;
    use crate::ui::widget::text::*;
    use crate::ui::widget::icon::*;
    use crate::ui::widget::button::*;

    ToastCard = <SmallCard> {
        visible: false
        width: 360, height: Fit
        <Surface> {
            width: Fill, height: Fit, flow: Right
            padding: { left: 16, right: 8, top: 12, bottom: 12 }, spacing: 10
            draw_bg: { color: (COLOR_OVERLAY), line: (COLOR_OVERLAY_LINE) }
            <View> {
                width: 18, height: 20, flow: Overlay, padding: { top: 2 }
                deleted = <View> {
                    width: Fit, height: Fit
                    <Glyph18> { draw_icon: { svg_path: (ICON_TRASH) } }
                }
                done = <View> {
                    width: Fit, height: Fit
                    <Glyph18> { draw_icon: { color: (COLOR_OK), svg_path: (ICON_CHECK_CIRCLE) } }
                }
                failed = <View> {
                    width: Fit, height: Fit
                    <Glyph18> { draw_icon: { color: (COLOR_BAD), svg_path: (ICON_ERROR) } }
                }
            }
            <View> {
                width: Fill, height: Fit, flow: Down
                title = <Strong> { width: Fill }
                body = <TextBlock> { margin: { top: 1 } }
                action = <OverlaySmallButton> { margin: { top: 8 } }
            }
            close = <OverlayIconButton> { tip: (TEXT_CLOSE), draw_icon: { svg_path: (ICON_CLOSE) } }
        }
    }
    pub Toasts = {{Toasts}} {
        width: Fill, height: Fill
        align: { x: 1.0, y: 1.0 }, padding: 20
        flow: Down, spacing: 12
        t0 = <ToastCard> {}
        t1 = <ToastCard> {}
        t2 = <ToastCard> {}
    }
}

/// The cards, one for each toast there can be.
const CARDS: [&[LiveId; 1]; toast::MOST] = [id!(t0), id!(t1), id!(t2)];
/// Distance from the window's lower edge, and the same above the composer, in pixels.
const BOTTOM: f64 = 20.0;
const ABOVE_COMPOSER: f64 = 128.0;

/// The toasts.
#[derive(Live, LiveHook, Widget)]
pub struct Toasts {
    #[deref]
    view: View,
    /// Whether the pointer is over one.
    #[rust]
    held: bool,
}

impl Widget for Toasts {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event, scope: &mut Scope) {
        self.view.handle_event(cx, event, scope);
        let Some(state) = scope.data.get::<AppState>() else {
            return;
        };
        let cards = CARDS.map(|card| self.view.widget(card));
        match event {
            Event::MouseMove(mouse) => {
                let over = |card: &WidgetRef| card.visible() && card.area().rect(cx).contains(mouse.abs);
                let held = cards.iter().any(over);
                if self.held != held {
                    self.held = held;
                    cx.action(Msg::HoldToasts(held));
                }
            }
            Event::Actions(actions) => {
                for (toast, card) in state.toasts.shown().iter().zip(&cards) {
                    if card.push_button(id!(action)).clicked(actions) {
                        cx.action(Msg::TakeToastAction(toast.id));
                    }
                    if card.push_button(id!(close)).clicked(actions) {
                        cx.action(Msg::CloseToast(toast.id));
                    }
                }
            }
            _ => (),
        }
        // A press on a card reaches nothing below it.
        for card in cards.iter().filter(|card| card.visible()) {
            event.hits(cx, card.area());
        }
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, scope: &mut Scope, walk: Walk) -> DrawStep {
        if let Some(state) = scope.data.get::<AppState>() {
            let toasts = state.toasts.shown();
            for (index, card) in CARDS.into_iter().enumerate() {
                let card = self.view.widget(card);
                card.set_visible(cx, index < toasts.len());
                if let Some(toast) = toasts.get(index) {
                    fill(cx, &card, toast, state.texts());
                }
            }
            let bottom = if state.page() == Page::Chat {
                ABOVE_COMPOSER
            } else {
                BOTTOM
            };
            self.view.apply_over(cx, live! { padding: { bottom: (bottom) } });
        }
        self.view.draw_walk(cx, scope, walk)
    }
}

impl ToastsRef {
    /// Where Tab stops: the buttons of each toast.
    pub(crate) fn stops(&self) -> Vec<WidgetRef> {
        let Some(toasts) = self.borrow() else {
            return Vec::new();
        };
        CARDS
            .iter()
            .flat_map(|card| [id!(action), id!(close)].map(|button| toasts.view.widget(*card).widget(button)))
            .collect()
    }
}

#[cfg(feature = "probe")]
impl ToastsRef {
    /// The toasts with their names, as tests see them. The plain names are those of the newest.
    pub(crate) fn elements(&self) -> Vec<Element> {
        let Some(toasts) = self.borrow() else {
            return Vec::new();
        };
        let mut cards = CARDS.iter().rev().map(|card| toasts.view.widget(*card));
        let Some(newest) = cards.find(WidgetRef::visible) else {
            return Vec::new();
        };
        let parts = [
            ("toast.title", id!(title)),
            ("toast.undo", id!(action)),
            ("toast.close", id!(close)),
        ];
        let named = |(name, path): (&str, &[LiveId; 1])| Element {
            name: name.to_owned(),
            widget: newest.widget(path),
            text: None,
            part: None,
        };
        parts.into_iter().map(named).collect()
    }
}

fn fill(cx: &mut Cx, card: &WidgetRef, toast: &Toast, texts: &Texts) {
    card.text_line(id!(title)).set_text(cx, &toast.title);
    card.label(id!(body)).set_text(cx, &toast.text);
    card.widget(id!(deleted))
        .set_visible(cx, toast.kind == ToastKind::Deleted);
    card.widget(id!(done))
        .set_visible(cx, toast.kind == ToastKind::Done);
    card.widget(id!(failed))
        .set_visible(cx, toast.kind == ToastKind::Failed);
    let action = card.push_button(id!(action));
    action.set_visible(cx, toast.action.is_some());
    let label = toast.action.as_ref().map(ToastAction::label);
    let label = label.map_or_else(String::new, |label| texts.say(label, &[]));
    action.set_text(cx, &label);
}
