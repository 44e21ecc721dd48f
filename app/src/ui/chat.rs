//! The chat page and its parts.

pub mod actions;
pub mod bubble;
pub mod code_block;
pub mod composer;
pub mod conversation;
pub mod editor;
pub mod files;
pub mod frame;
pub mod greeting;
pub mod header;
pub mod ink;
pub mod list;
pub mod load_card;
pub mod message;
pub mod page;
pub mod panel;
pub mod paragraph;
pub mod picture;
pub mod queue;
pub mod sideways;
pub mod table;

pub(crate) mod painter;

mod highlight;
mod lines;
pub(crate) mod rows;
mod standing;
mod tall;

use makepad_widgets::Cx;

/// Registers the designs, those that others stand on first.
pub fn live_design(cx: &mut Cx) {
    ink::live_design(cx);
    sideways::live_design(cx);
    frame::live_design(cx);
    bubble::live_design(cx);
    paragraph::live_design(cx);
    table::live_design(cx);
    picture::live_design(cx);
    code_block::live_design(cx);
    actions::live_design(cx);
    editor::live_design(cx);
    files::live_design(cx);
    message::live_design(cx);
    conversation::live_design(cx);
    list::rows::live_design(cx);
    list::live_design(cx);
    header::live_design(cx);
    greeting::live_design(cx);
    load_card::live_design(cx);
    queue::live_design(cx);
    composer::live_design(cx);
    panel::live_design(cx);
    page::live_design(cx);
}
