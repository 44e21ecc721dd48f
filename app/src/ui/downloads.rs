//! The panel of downloads, which slides over any page beside the rail.

pub mod panel;
mod probe;
pub mod rows;

use makepad_widgets::Cx;

/// Registers the designs.
pub fn live_design(cx: &mut Cx) {
    rows::live_design(cx);
    panel::live_design(cx);
}
