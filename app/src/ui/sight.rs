//! What is in sight, and what others need not hear.

use makepad_widgets::{Event, Scope};

use crate::state::{AppState, Page};

/// Whether an event is for what is in sight alone. A page out of sight has hundreds of widgets, which would all look at each
/// movement and each key; it hears that the keyboard leaves it, and then what was typed, that a button is let go and moves
/// back, that the look changes.
pub(crate) fn is_for_sight(event: &Event) -> bool {
    matches!(
        event,
        Event::Signal
            | Event::Draw(_)
            | Event::MouseMove(_)
            | Event::MouseDown(_)
            | Event::Scroll(_)
            | Event::KeyDown(_)
            | Event::KeyUp(_)
            | Event::TextInput(_)
    )
}

/// Whether an event passes over a page, since that is out of sight.
pub(crate) fn passes_over(page: Page, event: &Event, scope: &mut Scope) -> bool {
    let state = scope.data.get::<AppState>();
    is_for_sight(event) && state.is_some_and(|state| state.page() != page)
}
