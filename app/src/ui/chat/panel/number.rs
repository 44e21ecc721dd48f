//! A number of the panel: its name, its field, its slider, and what is wrong with it.

use makepad_widgets::*;

use crate::msg::Msg;
use crate::msg::panel::PanelMsg;
use crate::state::panel::parameter::{Parameter, Shape};
use crate::state::panel::view::NumberView;
use crate::text::{Texts, say};
use crate::ui::overlay::tooltip::TipAction;
use crate::ui::widget::button::*;
use crate::ui::widget::field::*;
use crate::ui::widget::slider::*;
use crate::ui::widget::text::*;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;
    use crate::ui::fonts::*;
    use crate::ui::icons::*;
    use crate::ui::widget::surface::*;
    use crate::ui::widget::text::*;
    use crate::ui::widget::button::*;
    use crate::ui::widget::field::*;
    use crate::ui::widget::slider::*;
    use crate::ui::chat::panel::kit::*;

    pub NumberRow = {{NumberRow}} {
        width: Fill, height: Fit, flow: Down
        padding: { top: 8 }
        clip_x: false, clip_y: false
        top = <View> {
            width: Fill, height: 24, flow: Right
            align: { y: 0.5 }, spacing: 4
            clip_x: false, clip_y: false
            name = <Small> {}
            reset = <IconButton> {
                width: 24, height: 24
                icon_walk: { width: 12, height: 12 }
                draw_icon: { svg_path: (ICON_RETRY) }
            }
            <Spacer> {}
            field = <Field> {
                width: 56, height: 24
                // BESIDE, at the left until the text is known.
                padding: { left: 8, right: 8, top: 5, bottom: 2 }
                flow: Right
                draw_bg: { border_radius: 6.0 }
                draw_text: { text_style: <FONT_CODE_SMALL> {} }
            }
        }
        // Tells how wide the text of the field is. Never drawn.
        ruler = <TextLine> { visible: false, draw_text: { text_style: <FONT_CODE_SMALL> {} } }
        slider = <ValueSlider> {}
        problem = <PanelProblem> {}
    }
}

/// Width of a field beside no slider, in pixels: it holds any number of 32 bits.
const WIDE: f64 = 104.0;
/// Width of one beside a slider, and what stands beside its text, in pixels.
const NARROW: f64 = 56.0;
const BESIDE: f64 = 8.0;

/// A number of the panel.
#[derive(Live, LiveHook, Widget)]
pub struct NumberRow {
    #[deref]
    view: View,
    /// The number it shows.
    #[rust]
    parameter: Option<Parameter>,
    /// What it does, in the words of the last draw.
    #[rust]
    help: String,
    /// The text that its field was aligned for.
    #[rust]
    aligned: Option<String>,
}

impl Widget for NumberRow {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event, scope: &mut Scope) {
        let Some(parameter) = self.parameter else { return };
        let field = self.view.field(id!(field));
        if let Event::KeyDown(key) = event
            && matches!(key.key_code, KeyCode::ArrowUp | KeyCode::ArrowDown)
            && cx.has_key_focus(field.area())
            && let Some(steps) = steps(key)
        {
            return tell(cx, PanelMsg::Stepped(parameter, steps));
        }
        self.view.handle_event(cx, event, scope);
        self.take_name(cx, event, scope, parameter);
        let Event::Actions(actions) = event else { return };
        match field.action(actions) {
            FieldAction::Changed(text) => tell(cx, PanelMsg::NumberTyped(parameter, text)),
            FieldAction::Entered | FieldAction::Left => tell(cx, PanelMsg::NumberDone(parameter)),
            FieldAction::None => (),
        }
        match self.view.value_slider(id!(slider)).action(actions) {
            ValueSliderAction::Moved(share) => tell(cx, PanelMsg::Slid(parameter, share)),
            ValueSliderAction::Stepped(steps) => tell(cx, PanelMsg::Stepped(parameter, steps)),
            ValueSliderAction::None => (),
        }
        if self.view.push_button(id!(reset)).clicked(actions) {
            tell(cx, PanelMsg::ResetNumber(parameter));
        }
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, scope: &mut Scope, walk: Walk) -> DrawStep {
        self.view.draw_walk(cx, scope, walk)
    }
}

impl NumberRow {
    /// What the number does is told where the pointer rests on its name; a double click sets it back.
    fn take_name(&self, cx: &mut Cx, event: &Event, scope: &mut Scope, parameter: Parameter) {
        let uid = self.widget_uid();
        match event.hits(cx, self.view.widget(id!(name)).area()) {
            Hit::FingerHoverIn(finger) => {
                let (place, text) = (finger.rect, self.help.clone());
                cx.widget_action(uid, &scope.path, TipAction::Show { place, text });
            }
            Hit::FingerHoverOut(_) => cx.widget_action(uid, &scope.path, TipAction::Hide),
            Hit::FingerUp(finger) if finger.is_over && finger.tap_count > 1 => {
                tell(cx, PanelMsg::ResetNumber(parameter));
            }
            _ => (),
        }
    }

    fn fill(&mut self, cx: &mut Cx, number: &NumberView, texts: &Texts) {
        let shape = number.parameter.shape();
        let (label, empty) = (texts.say(shape.label, &[]), empty(shape, texts));
        let field = self.view.field(id!(field));
        if self.parameter != Some(number.parameter) {
            self.parameter = Some(number.parameter);
            if number.share.is_none() {
                field.apply_over(cx, live! { width: (WIDE) });
            }
        }
        self.help = texts.say(shape.help, &[]);
        self.view.text_line(id!(name)).set_text(cx, &label);
        field.set_placeholder(cx, &empty);
        set_field(cx, &field, &number.text);
        self.align(cx, number, &empty);
        let slider = self.view.value_slider(id!(slider));
        slider.set_visible(cx, number.share.is_some());
        slider.set(number.share.unwrap_or_default(), &label);
        let reset = self.view.push_button(id!(reset));
        reset.set_visible(cx, number.usual.is_some());
        reset.set_tip(&match &number.usual {
            Some(usual) => say!(texts, "panel-back-to", usual = usual.as_str()),
            None => String::new(),
        });
        let problem = self.view.widget(id!(problem));
        problem.set_visible(cx, number.problem.is_some());
        problem
            .label(id!(why))
            .set_text(cx, number.problem.as_deref().unwrap_or_default());
    }
}

impl NumberRow {
    /// Moves the text to the right edge of its field. The stock field can do that, but draws the caret as if it had not.
    fn align(&mut self, cx: &mut Cx, number: &NumberView, empty: &str) {
        let shown = match number.text.as_str() {
            "" => empty,
            text => text,
        };
        if self.aligned.as_deref() == Some(shown) {
            return;
        }
        let ruler = self.view.text_line(id!(ruler));
        ruler.set_text(cx, shown);
        let width = if number.share.is_some() { NARROW } else { WIDE };
        let left = (width - BESIDE - ruler.width_of_text(cx)).floor().max(BESIDE);
        let field = self.view.field(id!(field));
        field.apply_over(cx, live! { padding: { left: (left) } });
        self.aligned = Some(shown.to_owned());
    }
}

impl NumberRowRef {
    /// Shows a number.
    pub(crate) fn fill(&self, cx: &mut Cx, number: &NumberView, texts: &Texts) {
        if let Some(mut row) = self.borrow_mut() {
            row.fill(cx, number, texts);
        }
    }

    /// The number it shows.
    pub(crate) fn parameter(&self) -> Option<Parameter> {
        self.borrow().and_then(|row| row.parameter)
    }
}

/// What stands in its field while that is empty.
fn empty(shape: Shape, texts: &Texts) -> String {
    shape.empty.map_or_else(String::new, |key| texts.say(key, &[]))
}

/// Hands a message of the panel on.
pub(super) fn tell(cx: &mut Cx, message: PanelMsg) {
    cx.action(Msg::Panel(message));
}

/// Shows a text in a field, whose caret stays where it is while the text does.
pub(super) fn set_field(cx: &mut Cx, field: &FieldRef, text: &str) {
    if field.text() != text {
        field.set_text(cx, text);
    }
}
