//! What the window asks of the conversation.

use hearth_protocol::chat::ScrollPlace;
use makepad_widgets::*;

use super::*;

/// What takes the keyboard in messages besides the buttons below them.
const OTHERS: [&[LiveId; 1]; 5] = [id!(wrap), id!(retry), id!(input), id!(save), id!(answer)];
/// Frames after which a field that edits is given up for the keyboard, where it is out of view.
const FOCUS_TRIES: u32 = 8;

impl ConversationRef {
    /// Shows the end and keeps to it.
    pub(crate) fn show_newest(&self, cx: &mut Cx) {
        if let Some(mut conversation) = self.borrow_mut() {
            conversation.follow = true;
            conversation.standing.note_scroll(cx);
            conversation.view.redraw(cx);
        }
    }

    /// Shows the conversation from this place on.
    pub(crate) fn show_place(&self, cx: &mut Cx, place: ScrollPlace) {
        if let Some(mut conversation) = self.borrow_mut() {
            conversation.standing.want(place);
            conversation.view.redraw(cx);
        }
    }

    /// Gives the field that edits a message the keyboard.
    pub(crate) fn focus_edit(&self, cx: &mut Cx) {
        if let Some(mut conversation) = self.borrow_mut() {
            conversation.focus_tries = FOCUS_TRIES;
            conversation.focus_now = cx.new_next_frame();
        }
    }

    /// Where Tab stops, from above: the buttons of the messages in view.
    pub(crate) fn stops(&self, cx: &Cx) -> Vec<WidgetRef> {
        let Some(conversation) = self.borrow() else {
            return Vec::new();
        };
        let buttons = actions::BUTTONS.iter().map(|(_, path)| *path).chain(OTHERS);
        let buttons: Vec<_> = buttons.collect();
        let in_row = |(_, item): &(Row, WidgetRef)| {
            let widgets = buttons.iter().map(|button| item.widget(*button));
            widgets.filter(|widget| !widget.is_empty()).collect::<Vec<_>>()
        };
        let mut stops: Vec<_> = conversation.drawn.iter().flat_map(in_row).collect();
        stops.sort_by(|one, other| {
            let top = |stop: &WidgetRef| seen(cx, stop.area()).pos.y;
            top(one).total_cmp(&top(other))
        });
        stops
    }
}
