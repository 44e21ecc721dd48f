//! The panel as a whole: its head, its parts below each other, and what is scrolled into view.

use makepad_widgets::*;

use super::elements;
use super::fill::fill;
use super::take::take;
use crate::state::AppState;
use crate::ui::sight::is_for_sight;
use crate::ui::widget::field::*;
use crate::ui::widget::reveal::reveal_on_page;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;
    use crate::ui::texts::*;
    use crate::ui::icons::*;
    use crate::ui::widget::surface::*;
    use crate::ui::widget::text::*;
    use crate::ui::widget::button::*;
    use crate::ui::chat::panel::kit::*;
    use crate::ui::chat::panel::parts::*;

    pub ChatPanel = {{ChatPanel}}<Flat> {
        width: 300, height: Fill, flow: Right
        visible: false
        draw_bg: { color: (COLOR_SIDEBAR) }
        <LineV> {}
        <View> {
            width: Fill, height: Fill, flow: Down
            <View> {
                width: Fill, height: 51, flow: Right
                padding: { left: 16, right: 12 }, align: { y: 0.5 }
                clip_x: false, clip_y: false
                <Heading> { width: Fill, text: (TEXT_PANEL) }
                more = <LargeIconButton> { tip: (TEXT_MORE), draw_icon: { svg_path: (ICON_MORE) } }
            }
            <LineH> {}
            scroll = <ScrollYView> {
                width: Fill, height: Fill, flow: Down
                scroll_bars: { scroll_bar_y: { bar_size: 6.0 } }
                content = <View> {
                    width: Fill, height: Fit, flow: Down
                    padding: { left: 16, right: 16, top: 16, bottom: 24 }
                    clip_x: false, clip_y: false
                    <PresetPart> {}
                    <PromptPart> {}
                    sampling_head = <FoldHead> { margin: { top: 16 }, fold = { title = { text: (TEXT_SAMPLING) } } }
                    sampling_body = <FoldBody> { sampling = <Numbers> {} }
                    fine_head = <FoldHead> { fold = { title = { text: (TEXT_FINE_SAMPLING) } } }
                    fine_body = <FinePart> {}
                    length_head = <FoldHead> { fold = { title = { text: (TEXT_LENGTH) } } }
                    length_body = <LengthPart> {}
                    form_head = <FoldHead> { fold = { title = { text: (TEXT_FORM) } } }
                    form_body = <FormPart> {}
                    thinking_head = <FoldHead> { fold = { title = { text: (TEXT_THINKING) } } }
                    thinking_body = <ThinkingPart> {}
                    template_head = <FoldHead> { fold = { title = { text: (TEXT_TEMPLATE) } } }
                    template_body = <TemplatePart> {}
                    <LineH> { margin: { top: 16, bottom: 12 } }
                    default_note = <PanelNote> {}
                    make_default = <SecondaryButton> { width: Fill, margin: { top: 8 } }
                }
            }
        }
    }
}

/// The panel.
#[derive(Live, LiveHook, Widget)]
pub struct ChatPanel {
    #[deref]
    view: View,
    /// Comes when the field of the name may have been drawn and shall get the keyboard.
    #[rust]
    focus: NextFrame,
}

impl Widget for ChatPanel {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event, scope: &mut Scope) {
        // A change of theme is told to what is hidden, too: its fields would show their placeholders as texts.
        if !self.view.visible() && is_for_sight(event) {
            return;
        }
        if self.focus.is_event(event).is_some() && self.view.visible() {
            self.try_focus(cx);
        }
        self.view.handle_event(cx, event, scope);
        match event {
            Event::KeyFocus(_) => self.reveal_focused(cx),
            Event::Actions(actions) => {
                if let Some(state) = scope.data.get::<AppState>() {
                    take(cx, actions, &self.view, state);
                }
            }
            _ => (),
        }
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, scope: &mut Scope, walk: Walk) -> DrawStep {
        if let Some(state) = scope.data.get::<AppState>() {
            fill(cx, &self.view, state);
        }
        self.view.draw_walk(cx, scope, walk)
    }
}

impl ChatPanel {
    /// Scrolls the least so that what has the keyboard is in view.
    fn reveal_focused(&self, cx: &mut Cx) {
        let mut stops = elements::stops_in(&self.view).into_iter();
        let Some(stop) = stops.find(|stop| cx.has_key_focus(stop.area())) else {
            return;
        };
        let place = elements::whole_of(&self.view, &stop).area().rect(cx);
        let (scroll, content) = (self.view.view(id!(scroll)), self.view.widget(id!(content)));
        reveal_on_page(cx, &scroll, &content, place);
    }

    /// A field that is not drawn yet takes no keyboard: asks again with the next frame.
    fn try_focus(&mut self, cx: &mut Cx) {
        let name = self.view.field(id!(preset_name));
        if name.area().is_valid(cx) {
            name.set_key_focus(cx);
            name.select_all(cx);
        } else {
            self.focus = cx.new_next_frame();
        }
    }
}

impl ChatPanelRef {
    /// Gives the field that names a preset the keyboard, with its text selected.
    pub(crate) fn focus_name(&self, cx: &mut Cx) {
        if let Some(mut panel) = self.borrow_mut() {
            panel.focus = cx.new_next_frame();
        }
    }

    /// Whether something in it has the keyboard.
    pub(crate) fn has_keys(&self, cx: &Cx) -> bool {
        self.borrow()
            .is_some_and(|panel| elements::has_keys(cx, &panel.view))
    }

    /// Whether a widget is drawn in the panel, be it scrolled out of view.
    pub(crate) fn holds(&self, cx: &Cx, widget: &WidgetRef) -> bool {
        let Some(panel) = self.borrow().filter(|panel| panel.view.visible()) else {
            return false;
        };
        let (area, whole) = (widget.area(), panel.view.area());
        if !area.is_valid(cx) || !whole.is_valid(cx) {
            return false;
        }
        let (place, whole) = (area.rect(cx), whole.rect(cx));
        place.size.x > 0.0 && place.pos.x >= whole.pos.x && elements::is_stop(&panel.view, widget)
    }
}
