//! The page of settings.

pub mod about;
pub mod appearance;
pub mod chats;
pub(crate) mod choices;
pub mod data;
pub(crate) mod elements;
pub mod general;
pub mod hardware;
pub mod kit;
pub mod models;
pub mod network;
pub mod page;
pub mod privacy;
pub mod row;
pub mod shortcuts;

use makepad_widgets::Cx;

/// Registers the designs, those that others stand on first.
pub fn live_design(cx: &mut Cx) {
    kit::live_design(cx);
    row::live_design(cx);
    appearance::live_design(cx);
    general::live_design(cx);
    models::live_design(cx);
    network::live_design(cx);
    hardware::live_design(cx);
    chats::live_design(cx);
    shortcuts::live_design(cx);
    data::live_design(cx);
    privacy::live_design(cx);
    about::live_design(cx);
    page::live_design(cx);
}
