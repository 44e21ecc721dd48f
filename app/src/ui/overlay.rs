//! What lies over the pages.

pub mod picker;
pub mod question;
pub mod toasts;
pub mod tooltip;

use makepad_widgets::Cx;

/// Registers the designs.
pub fn live_design(cx: &mut Cx) {
    picker::live_design(cx);
    question::live_design(cx);
    toasts::live_design(cx);
    tooltip::live_design(cx);
}
