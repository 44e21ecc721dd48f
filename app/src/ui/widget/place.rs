//! Where widgets are on screen.

use makepad_widgets::{Area, Cx, Rect, WidgetUid};

/// The part of a widget that is seen, in the window; empty where it is not. Makepad's own `clipped_rect`
/// panics for what is no longer drawn.
pub(crate) fn seen(cx: &Cx, area: Area) -> Rect {
    if area.is_valid(cx) {
        area.clipped_rect(cx)
    } else {
        Rect::default()
    }
}

/// Notes that a control was drawn, for a test that finds those without a name.
#[cfg(feature = "probe")]
pub(crate) fn note_control(cx: &mut Cx, control: WidgetUid, area: Area) {
    if !cx.has_global::<Controls>() {
        cx.set_global(Controls::default());
    }
    cx.get_global::<Controls>().0.insert(control, area);
}

/// Without tests nobody asks.
#[cfg(not(feature = "probe"))]
pub(crate) fn note_control(_cx: &mut Cx, _control: WidgetUid, _area: Area) {}

/// The controls that are in sight now.
#[cfg(feature = "probe")]
pub(crate) fn drawn_controls(cx: &mut Cx) -> Vec<Area> {
    if !cx.has_global::<Controls>() {
        return Vec::new();
    }
    let noted: Vec<_> = cx.get_global::<Controls>().0.values().copied().collect();
    let is_seen = |area: &Area| {
        let size = seen(cx, *area).size;
        size.x > 0.0 && size.y > 0.0
    };
    noted.into_iter().filter(is_seen).collect()
}

/// Every control that was ever drawn, and where it was last.
#[cfg(feature = "probe")]
#[derive(Default)]
struct Controls(std::collections::HashMap<WidgetUid, Area>);
