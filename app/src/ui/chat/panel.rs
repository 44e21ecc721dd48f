//! The panel beside the chat: how it is answered.

pub mod elements;
mod fill;
pub mod kit;
pub mod page;
pub mod parts;
mod take;

use makepad_widgets::Cx;

/// Registers the designs, those that others stand on first.
pub fn live_design(cx: &mut Cx) {
    kit::live_design(cx);
    parts::live_design(cx);
    page::live_design(cx);
}
