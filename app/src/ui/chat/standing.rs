//! Where the view of a conversation stands: told once the person has scrolled, and found again later.

use std::collections::HashMap;

use hearth_protocol::chat::ScrollPlace;
use makepad_widgets::*;

use super::rows::Row;
use crate::state::conversation::Conversation as Chat;

/// Where the view stands.
#[derive(Debug, Default)]
pub(super) struct Standing {
    /// A place that is to be shown when the list is drawn next.
    wanted: Option<ScrollPlace>,
    /// Heights of the rows that have been drawn, in pixels: those above the view are not drawn any more.
    heights: HashMap<Row, f64>,
    /// Comes after the list was drawn where it was scrolled to, at the second time.
    frame: NextFrame,
    drawn: bool,
}

impl Standing {
    /// Forgets another conversation.
    pub(super) fn forget(&mut self) {
        self.heights.clear();
    }

    /// Shows this place when the list is drawn next.
    pub(super) fn want(&mut self, place: ScrollPlace) {
        self.wanted = Some(place);
    }

    /// The row that the list is to begin from and where its top is, in pixels, where a place is to be shown and is here.
    pub(super) fn wanted(&mut self, rows: &[Row], chat: &Chat) -> Option<(usize, f64)> {
        let place = self.wanted.take()?;
        let message = chat.index_of(place.message)?;
        let row = rows.iter().position(|row| row.message() == Some(message))?;
        Some((row, -place.offset.max(0.0)))
    }

    /// Notes that the list is scrolled: where to is known after it has been drawn.
    pub(super) fn note_scroll(&mut self, cx: &mut Cx) {
        self.drawn = false;
        self.frame = cx.new_next_frame();
    }

    /// Whether the list has been drawn where it was scrolled to.
    pub(super) fn is_over(&mut self, cx: &mut Cx, event: &Event) -> bool {
        if self.frame.is_event(event).is_none() {
            return false;
        }
        if !self.drawn {
            self.drawn = true;
            self.frame = cx.new_next_frame();
            return false;
        }
        true
    }

    /// The message at the top of the view, and how much of it lies above.
    pub(super) fn place(
        &mut self,
        cx: &Cx,
        view: Rect,
        drawn: &[(Row, WidgetRef)],
        chat: &Chat,
    ) -> Option<ScrollPlace> {
        let places: Vec<_> = drawn
            .iter()
            .map(|(row, item)| (*row, item.area().rect(cx)))
            .filter(|(_, place)| place.size.y > 0.0)
            .collect();
        self.heights
            .extend(places.iter().map(|(row, place)| (*row, place.size.y)));
        let below_top = |place: &Rect| place.pos.y + place.size.y > view.pos.y;
        let (row, place, index) = places
            .iter()
            .filter(|(_, place)| below_top(place))
            .filter_map(|(row, place)| Some((row, place, row.message()?)))
            .min_by(|one, other| one.1.pos.y.total_cmp(&other.1.pos.y))?;
        let message = chat.entries.get(index)?.id?;
        let above: f64 = super::rows::rows(chat)
            .iter()
            .take_while(|above| *above != row)
            .filter(|above| above.message() == Some(index))
            .filter_map(|above| self.heights.get(above))
            .sum();
        let offset = (above + view.pos.y - place.pos.y).max(0.0);
        Some(ScrollPlace { message, offset })
    }
}
