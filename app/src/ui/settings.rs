//! The page of settings.

pub mod about;
pub mod general;
pub mod kit;
pub mod page;
pub mod shortcuts;

use makepad_widgets::Cx;

/// Registers the designs, those that others stand on first.
pub fn live_design(cx: &mut Cx) {
    kit::live_design(cx);
    general::live_design(cx);
    shortcuts::live_design(cx);
    about::live_design(cx);
    page::live_design(cx);
}
