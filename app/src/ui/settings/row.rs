//! Rows of settings that a table describes: a switch, a few buttons or a field behind words, an arrow back to the default,
//! and what is wrong below.

use makepad_widgets::*;

use crate::msg::Msg;
use crate::msg::settings::SettingsMsg;
use crate::state::AppState;
use crate::state::settings::knob::{Card, Knob};
use crate::state::settings::rows::{Control, SettingRow};
use crate::text::Texts;
use crate::ui::widget::button::*;
use crate::ui::widget::field::*;
use crate::ui::widget::stack::*;
use crate::ui::widget::switch::*;
use crate::ui::widget::text::*;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;
    use crate::ui::texts::*;
    use crate::ui::fonts::*;
    use crate::ui::icons::*;
    use crate::ui::spacing::*;
    use crate::ui::widget::surface::*;
    use crate::ui::widget::text::*;
    use crate::ui::widget::button::*;
    use crate::ui::widget::field::*;
    use crate::ui::widget::switch::*;
    use crate::ui::widget::segmented::*;
    use crate::ui::widget::stack::*;
    use crate::ui::settings::kit::*;

    FieldBox = <View> {
        visible: false
        height: Fit
        clip_x: false, clip_y: false
    }
    SettingRow = <View> {
        width: Fill, height: Fit, flow: Down
        clip_x: false, clip_y: false
        line = <LineH> {}
        <WrappedSetting> {
            flip = <Switch> { visible: false }
            choice = <Segmented> {
                visible: false
                c0 = <Segment> {}
                c1 = <Segment> {}
                c2 = <Segment> {}
                c3 = <Segment> {}
            }
            // A field alone cannot be hidden.
            number_box = <FieldBox> { width: 112, number = <Field> {} }
            text_box = <FieldBox> { width: 240, text = <Field> {} }
            unit = <Caption> { visible: false }
        }
        problem = <View> {
            visible: false
            width: Fill, height: Fit, padding: { left: 16, right: 16, bottom: 10 }
            why = <TextBlock> { draw_text: { color: (COLOR_BAD), text_style: <FONT_SMALL> {} } }
        }
    }
    pub SettingRows = <Stack> { row: <SettingRow> {} }
}

/// The buttons of a choice.
const CHOICES: [&[LiveId; 1]; 4] = [id!(c0), id!(c1), id!(c2), id!(c3)];

/// The field of a row, for a number or for a text.
fn field(row: &WidgetRef, wide: bool) -> FieldRef {
    row.field(if wide { id!(text) } else { id!(number) })
}

/// The stacks of rows on the page of settings, and the card that each shows.
#[cfg(feature = "probe")]
const STACKS: [(Card, &[LiveId]); 7] = [
    (Card::Downloads, id!(settings_page.download_rows)),
    (Card::Network, id!(settings_page.network_rows)),
    (Card::Memory, id!(settings_page.memory_rows)),
    (Card::Kept, id!(settings_page.kept_rows)),
    (Card::Loading, id!(settings_page.loading_rows)),
    (Card::Answers, id!(settings_page.answer_rows)),
    (Card::Chats, id!(settings_page.chat_rows)),
];

/// Shows the rows of a card.
pub(super) fn fill(cx: &mut Cx, stack: &StackRef, state: &AppState, card: Card) {
    let shown = state.setting_rows(card);
    let rows = stack.set_rows(cx, shown.len());
    for (index, (setting, row)) in shown.iter().zip(rows).enumerate() {
        row.widget(id!(line)).set_visible(cx, index > 0);
        fill_row(cx, &row, setting, state.texts());
    }
}

fn fill_row(cx: &mut Cx, row: &WidgetRef, setting: &SettingRow, texts: &Texts) {
    let (label, help) = (texts.say(setting.label, &[]), texts.say(setting.help, &[]));
    row.label(id!(label)).set_text(cx, &label);
    row.label(id!(help)).set_text(cx, &help);
    row.widget(id!(reset)).set_visible(cx, setting.changed);
    row.widget(id!(problem))
        .set_visible(cx, !setting.problem.is_empty());
    row.label(id!(why)).set_text(cx, &setting.problem);

    let flip = row.switch(id!(flip));
    flip.set_visible(cx, matches!(setting.control, Control::Switch(_)));
    flip.set_label(&label);
    row.widget(id!(choice))
        .set_visible(cx, matches!(setting.control, Control::Choice { .. }));
    for wide in [false, true] {
        let is_it = matches!(setting.control, Control::Field { wide: it, .. } if it == wide);
        let place = if wide { id!(text_box) } else { id!(number_box) };
        row.widget(place).set_visible(cx, is_it);
    }
    let unit = row.text_line(id!(unit));
    unit.set_visible(
        cx,
        matches!(setting.control, Control::Field { unit: Some(_), .. }),
    );
    match &setting.control {
        Control::Switch(on) => flip.set_on(cx, *on),
        Control::Choice { words, chosen } => {
            for (at, button) in CHOICES.into_iter().enumerate() {
                let button = row.push_button(button);
                button.set_visible(cx, at < words.len());
                if let Some(words) = words.get(at) {
                    button.set_text(cx, &texts.say(*words, &[]));
                    button.set_on(cx, *chosen == Some(at));
                }
            }
        }
        Control::Field {
            text,
            empty,
            unit: counted,
            wide,
        } => {
            let field = field(row, *wide);
            field.set_placeholder(cx, &texts.say(*empty, &[]));
            if field.text() != *text {
                field.set_text(cx, text);
            }
            if let Some(counted) = counted {
                unit.set_text(cx, &texts.say(*counted, &[]));
            }
        }
    }
}

/// Turns what is done in the rows of a card into messages.
pub(super) fn take(cx: &mut Cx, actions: &Actions, stack: &StackRef, card: Card) {
    for (knob, row) in card.knobs().iter().zip(stack.rows()) {
        if let Some(on) = row.switch(id!(flip)).wanted(actions) {
            tell(cx, SettingsMsg::Flip(*knob, on));
        }
        for (at, button) in CHOICES.into_iter().enumerate() {
            if row.push_button(button).clicked(actions) {
                tell(cx, SettingsMsg::Choose(*knob, at));
            }
        }
        for wide in [false, true] {
            match field(&row, wide).action(actions) {
                FieldAction::Changed(text) => tell(cx, SettingsMsg::Typed(*knob, text)),
                FieldAction::Entered | FieldAction::Left => tell(cx, SettingsMsg::Commit(*knob)),
                FieldAction::None => (),
            }
        }
        take_reset(cx, actions, &row, *knob);
    }
}

/// The arrow that brings the default back, of a row that stands alone.
pub(super) fn take_reset(cx: &mut Cx, actions: &Actions, row: &WidgetRef, knob: Knob) {
    if row.push_button(id!(reset)).clicked(actions) {
        tell(cx, SettingsMsg::Reset(knob));
    }
}

/// Hands a message of the settings on.
pub(super) fn tell(cx: &mut Cx, message: SettingsMsg) {
    cx.action(Msg::Settings(message));
}

/// Where Tab stops in the rows.
pub(crate) fn stops(stack: &WidgetRef) -> Vec<WidgetRef> {
    let of_row = |row: WidgetRef| {
        let parts: [&[LiveId]; 8] = [
            id!(reset),
            id!(flip),
            id!(c0),
            id!(c1),
            id!(c2),
            id!(c3),
            id!(number),
            id!(text),
        ];
        parts.map(|part| row.widget(part))
    };
    stack.as_stack().rows().into_iter().flat_map(of_row).collect()
}

/// The rows with their names, such as `settings.offline.flip`.
#[cfg(feature = "probe")]
pub(crate) fn elements(ui: &WidgetRef) -> Vec<crate::ui::elements::Element> {
    let mut all = Vec::new();
    for (card, stack) in STACKS {
        for (knob, row) in card.knobs().iter().zip(ui.stack(stack).rows()) {
            for part in [
                "label", "reset", "flip", "c0", "c1", "c2", "c3", "number", "text", "why",
            ] {
                all.push(crate::ui::elements::Element {
                    name: format!("settings.{}.{part}", knob.name()),
                    widget: row.widget(&[LiveId::from_str(part)]),
                    text: None,
                    part: None,
                });
            }
        }
    }
    all
}
