//! The page of the local server.

pub mod connection;
pub mod elements;
pub mod examples;
pub mod keys;
pub mod kit;
pub mod log;
pub mod log_view;
pub mod models;
pub mod page;

use makepad_widgets::Cx;

/// Registers the designs, those that others stand on first.
pub fn live_design(cx: &mut Cx) {
    kit::live_design(cx);
    connection::live_design(cx);
    keys::live_design(cx);
    examples::live_design(cx);
    models::live_design(cx);
    log_view::live_design(cx);
    log::live_design(cx);
    page::live_design(cx);
}
