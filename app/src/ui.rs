//! What is drawn. Widgets show what the state says and turn input into messages; none of them decides.
#![expect(
    unreachable_pub,
    reason = "Makepad's derive macros take and make `pub` items only"
)]

pub mod chat;
pub mod discover;
pub mod downloads;
pub mod elements;
pub mod fonts;
pub mod icons;
pub mod keyboard;
pub mod my_models;
pub mod notice;
pub mod overlay;

pub mod rail;
pub mod server;
pub mod settings;
pub mod shell;
pub(crate) mod sight;
pub mod spacing;
pub mod text_size;
pub mod texts;
pub mod theme;
pub mod tokens;
pub mod usage;
pub mod widget;

use makepad_widgets::Cx;

/// Registers the designs, those that others stand on first.
pub fn live_design(cx: &mut Cx) {
    theme::live_design(cx);
    spacing::live_design(cx);
    text_size::live_design(cx);
    texts::live_design(cx);
    fonts::live_design(cx);
    icons::live_design(cx);
    widget::live_design(cx);
    notice::live_design(cx);
    usage::live_design(cx);
    rail::live_design(cx);
    chat::live_design(cx);
    discover::live_design(cx);
    my_models::live_design(cx);
    server::live_design(cx);
    settings::live_design(cx);
    overlay::live_design(cx);
    downloads::live_design(cx);
    shell::live_design(cx);
}
