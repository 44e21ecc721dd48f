//! Where widgets are on screen.

use makepad_widgets::{Area, Cx, Rect};

/// The part of a widget that is seen, in the window; empty where it is not. Makepad's own `clipped_rect`
/// panics for what is no longer drawn.
pub(crate) fn seen(cx: &Cx, area: Area) -> Rect {
    if area.is_valid(cx) {
        area.clipped_rect(cx)
    } else {
        Rect::default()
    }
}
