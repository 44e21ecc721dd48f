//! The page that finds models.

pub mod cards;
pub mod details;
pub mod elements;
pub mod files;
pub mod kit;
pub mod page;

use makepad_widgets::Cx;

/// Registers the designs, those that others stand on first.
pub fn live_design(cx: &mut Cx) {
    kit::live_design(cx);
    cards::live_design(cx);
    files::live_design(cx);
    details::live_design(cx);
    page::live_design(cx);
}
