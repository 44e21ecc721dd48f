//! A message whose text is being changed in place.

use makepad_widgets::*;

use crate::msg::Msg;
use crate::state::conversation::{Conversation, Entry};
use crate::ui::widget::button::*;
use crate::ui::widget::field::FieldAction;
use crate::ui::widget::multiline::*;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;
    use crate::ui::texts::*;
    use crate::ui::fonts::*;
    use crate::ui::widget::text::*;
    use crate::ui::widget::button::*;
    use crate::ui::widget::text_area::*;

    pub EditRow = <View> {
        width: Fill, height: Fit, flow: Down
        padding: { top: 4 }, spacing: 8
        clip_x: false, clip_y: false
        <TextArea> {
            height: Fit
            draw_bg: { radius: 14.0 }
            input = {
                height: Fit
                padding: { left: 14, right: 14, top: 12, bottom: 12 }
                highest: 480, breaks: false
                draw_text: { text_style: <FONT_MESSAGE> {} }
            }
        }
        <View> {
            width: Fill, height: 28, flow: Right
            spacing: 8, align: { x: 1.0, y: 0.5 }
            clip_x: false, clip_y: false
            <Caption> { text: (TEXT_EDIT_HINT) }
            save = <SmallButton> { text: (TEXT_SAVE) }
            answer = <SmallButton> { text: (TEXT_SAVE_ANSWER) }
        }
    }
}

/// Puts the text that is typed into the row.
pub(super) fn fill(cx: &mut Cx, item: &WidgetRef, chat: &Conversation, entry: &Entry) {
    let Some(editing) = &chat.editing else { return };
    let input = item.multiline(id!(input));
    if input.text() != editing.text {
        input.set_text(cx, &editing.text);
    }
    item.widget(id!(answer)).set_visible(cx, entry.from_person);
}

/// Turns what is done in the row into messages.
pub(super) fn take(cx: &mut Cx, actions: &Actions, item: &WidgetRef, entry: &Entry) {
    let answers = entry.from_person;
    match item.multiline(id!(input)).action(actions) {
        FieldAction::Changed(text) => cx.action(Msg::EditChanged(text)),
        FieldAction::Entered => cx.action(Msg::CommitEdit { answer: answers }),
        FieldAction::Left | FieldAction::None => (),
    }
    if item.push_button(id!(save)).clicked(actions) {
        cx.action(Msg::CommitEdit { answer: false });
    }
    if item.push_button(id!(answer)).clicked(actions) {
        cx.action(Msg::CommitEdit { answer: true });
    }
}
