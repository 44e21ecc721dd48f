//! A number that can be set: its name, its field, its slider, and what is wrong with it.

use makepad_widgets::*;

use crate::msg::number::NumberMsg;
use crate::state::number::{Number, NumberView};
use crate::text::{Texts, say};
#[cfg(feature = "probe")]
use crate::ui::elements::Element;
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

    // What is wrong with the field above.
    pub Problem = <View> {
        visible: false
        width: Fill, height: Fit, padding: { top: 6 }
        why = <Label> {
            width: Fill, height: Fit, padding: 0
            draw_text: { color: (COLOR_BAD), text_style: <FONT_SMALL> {} }
        }
    }
    NumberField = <Field> {
        width: 56, height: 24
        // BESIDE, at the left until the text is known.
        padding: { left: 8, right: 8, top: 5, bottom: 2 }
        flow: Right
        draw_bg: { border_radius: 6.0 }
        draw_text: { text_style: <FONT_CODE_SMALL> {} }
    }
    NumberReset = <IconButton> {
        width: 24, height: 24
        icon_walk: { width: 12, height: 12 }
        draw_icon: { svg_path: (ICON_RETRY) }
    }
    // Tells how wide the text of the field is. Never drawn.
    NumberRuler = <TextLine> { visible: false, draw_text: { text_style: <FONT_CODE_SMALL> {} } }

    NumberRowBase = {{NumberRow}} {
        width: Fill, height: Fit, flow: Down
        clip_x: false, clip_y: false
    }
    // Its slider below its name.
    pub NumberRow = <NumberRowBase> {
        padding: { top: 8 }
        top = <View> {
            width: Fill, height: 24, flow: Right
            align: { y: 0.5 }, spacing: 4
            clip_x: false, clip_y: false
            name = <Small> {}
            reset = <NumberReset> {}
            <Spacer> {}
            field = <NumberField> {}
        }
        ruler = <NumberRuler> {}
        slider = <ValueSlider> {}
        problem = <Problem> {}
    }
    // Its slider between its name, with what it does below, and its field.
    pub WideNumberRow = <NumberRowBase> {
        wide: true
        <View> {
            width: Fill, height: 48, flow: Right
            align: { y: 0.5 }, spacing: 16
            clip_x: false, clip_y: false
            <View> {
                width: 176, height: Fit, flow: Down
                name = <TextLine> { width: Fill, line: 18.0 }
                help = <Caption> { width: Fill, line: 18.0 }
            }
            <View> { width: Fill, height: Fit, clip_x: false, clip_y: false, slider = <ValueSlider> {} }
            reset = <NumberReset> {}
            field = <NumberField> { width: 84, height: 28, padding: { top: 7 } }
        }
        ruler = <NumberRuler> {}
        problem = <Problem> {}
    }
}

/// Width of a field below which no slider is, in pixels: it holds any number of 32 bits.
const LONG: f64 = 104.0;
/// Width of one above a slider, of one beside a slider, and what stands beside its text, in pixels.
const SHORT: f64 = 56.0;
const WIDE: f64 = 84.0;
const BESIDE: f64 = 8.0;

/// A number that can be set.
#[derive(Live, LiveHook, Widget)]
pub struct NumberRow {
    #[deref]
    view: View,
    /// Whether all of it stands in one line.
    #[live]
    wide: bool,
    /// The number it shows.
    #[rust]
    number: Option<Number>,
    /// What it does, in the words of the last draw.
    #[rust]
    help: String,
    /// The text that its field was aligned for.
    #[rust]
    aligned: Option<String>,
}

impl Widget for NumberRow {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event, scope: &mut Scope) {
        let Some(number) = self.number else { return };
        let field = self.view.field(id!(field));
        if let Event::KeyDown(key) = event
            && matches!(key.key_code, KeyCode::ArrowUp | KeyCode::ArrowDown)
            && cx.has_key_focus(field.area())
            && let Some(steps) = steps(key)
        {
            return cx.action(number.message(NumberMsg::Stepped(steps)));
        }
        self.view.handle_event(cx, event, scope);
        self.take_name(cx, event, scope, number);
        let Event::Actions(actions) = event else { return };
        let happens = match field.action(actions) {
            FieldAction::Changed(text) => Some(NumberMsg::Typed(text)),
            FieldAction::Entered | FieldAction::Left => Some(NumberMsg::Done),
            FieldAction::None => None,
        };
        let slid = match self.view.value_slider(id!(slider)).action(actions) {
            ValueSliderAction::Moved(share) => Some(NumberMsg::Slid(share)),
            ValueSliderAction::Stepped(steps) => Some(NumberMsg::Stepped(steps)),
            ValueSliderAction::None => None,
        };
        let reset = self.view.push_button(id!(reset)).clicked(actions);
        let reset = reset.then_some(NumberMsg::Reset);
        for happens in [happens, slid, reset].into_iter().flatten() {
            cx.action(number.message(happens));
        }
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, scope: &mut Scope, walk: Walk) -> DrawStep {
        self.view.draw_walk(cx, scope, walk)
    }
}

impl NumberRow {
    /// What the number does is told where the pointer rests on its name; a double click sets it back.
    fn take_name(&self, cx: &mut Cx, event: &Event, scope: &mut Scope, number: Number) {
        let uid = self.widget_uid();
        match event.hits(cx, self.view.widget(id!(name)).area()) {
            Hit::FingerHoverIn(finger) if !self.wide => {
                let (place, text) = (finger.rect, self.help.clone());
                cx.widget_action(uid, &scope.path, TipAction::Show { place, text });
            }
            Hit::FingerHoverOut(_) => cx.widget_action(uid, &scope.path, TipAction::Hide),
            Hit::FingerUp(finger) if finger.is_over && finger.tap_count > 1 => {
                cx.action(number.message(NumberMsg::Reset));
            }
            _ => (),
        }
    }

    fn fill(&mut self, cx: &mut Cx, number: &NumberView, texts: &Texts) {
        let label = texts.say(number.shape.label, &[]);
        let empty = number
            .shape
            .empty
            .map_or_else(String::new, |key| texts.say(key, &[]));
        let field = self.view.field(id!(field));
        if self.number != Some(number.number) {
            self.number = Some(number.number);
            if number.share.is_none() && !self.wide {
                field.apply_over(cx, live! { width: (LONG) });
            }
        }
        self.help.clone_from(&number.help);
        self.view.text_line(id!(name)).set_text(cx, &label);
        self.view.text_line(id!(help)).set_text(cx, &number.help);
        field.set_placeholder(cx, &empty);
        field.show(cx, &number.text);
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
        let width = match (self.wide, number.share) {
            (true, _) => WIDE,
            (false, Some(_)) => SHORT,
            (false, None) => LONG,
        };
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

    /// What in it is a control, in the order of Tab.
    pub(crate) fn stops(&self) -> [WidgetRef; 3] {
        [id!(reset), id!(field), id!(slider)].map(|control: &[LiveId; 1]| self.widget(control))
    }

    /// All of it with its names.
    #[cfg(feature = "probe")]
    pub(crate) fn elements(&self) -> Vec<Element> {
        let Some(number) = self.borrow().and_then(|row| row.number) else {
            return Vec::new();
        };
        let named = |part: &str, widget: WidgetRef| Element {
            name: format!("{}.{part}", number.name()),
            widget,
            text: None,
            part: None,
        };
        let mut all = vec![named("problem", self.widget(id!(problem.why)))];
        for part in ["name", "field", "slider", "reset"] {
            all.push(named(part, self.widget(&[LiveId::from_str(part)])));
        }
        all
    }
}
