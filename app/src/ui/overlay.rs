//! What lies over the pages.

pub mod clean_up;
pub mod confirm;
pub mod first_steps;
pub mod import_model;
pub mod link;
pub mod load_dialog;
pub mod menu;
pub mod palette;
pub mod path_form;
pub mod picker;
pub mod scrim;
pub mod text_view;
pub mod toasts;
pub mod tooltip;

use makepad_widgets::Cx;

/// Registers the designs.
pub fn live_design(cx: &mut Cx) {
    scrim::live_design(cx);
    confirm::live_design(cx);
    clean_up::live_design(cx);
    import_model::live_design(cx);
    first_steps::live_design(cx);
    link::live_design(cx);
    load_dialog::kit::live_design(cx);
    load_dialog::live_design(cx);
    menu::live_design(cx);
    palette::live_design(cx);
    path_form::live_design(cx);
    picker::live_design(cx);
    text_view::live_design(cx);
    toasts::live_design(cx);
    tooltip::live_design(cx);
}
