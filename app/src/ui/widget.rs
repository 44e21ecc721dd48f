//! The kit: what every page is built from. Widgets here know nothing of chats or models.

pub(crate) mod breaks;
pub mod button;
pub mod chip;
pub mod field;
pub mod glyph;
pub mod icon;
pub mod marked;
pub mod multiline;
pub mod number;
pub mod one_line;
pub mod parts_bar;
pub(crate) mod place;
pub mod plot;
pub mod progress;
pub(crate) mod reused;
pub(crate) mod reveal;
pub mod row;
pub mod segmented;
pub mod select;
pub mod shape;
pub mod slider;
pub mod stack;
pub mod surface;
pub mod switch;
pub mod tag;
pub mod text;
pub mod text_area;

use makepad_widgets::Cx;

/// Registers the designs, those that others stand on first.
pub fn live_design(cx: &mut Cx) {
    shape::live_design(cx);
    surface::live_design(cx);
    text::live_design(cx);
    icon::live_design(cx);
    glyph::live_design(cx);
    marked::live_design(cx);
    button::live_design(cx);
    chip::live_design(cx);
    field::live_design(cx);
    multiline::live_design(cx);
    one_line::live_design(cx);
    plot::live_design(cx);
    progress::live_design(cx);
    row::live_design(cx);
    segmented::live_design(cx);
    select::live_design(cx);
    slider::live_design(cx);
    number::live_design(cx);
    parts_bar::live_design(cx);
    stack::live_design(cx);
    switch::live_design(cx);
    tag::live_design(cx);
    text_area::live_design(cx);
}
