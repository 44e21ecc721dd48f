//! The page of model files.

pub mod details;
pub mod elements;
pub mod facts;
pub mod kit;
pub mod list;
pub mod page;
pub mod rows;
pub mod source;

use makepad_widgets::Cx;

/// Registers the designs, those that others stand on first.
pub fn live_design(cx: &mut Cx) {
    source::live_design(cx);
    kit::live_design(cx);
    rows::live_design(cx);
    list::live_design(cx);
    facts::live_design(cx);
    details::live_design(cx);
    page::live_design(cx);
}
