//! Room around rows, for each density.
//!
//! Designs name a constant, such as `(ROW_SETTING)`; heights that are reckoned with in Rust are asked for by name.

use hearth_protocol::settings::Density;
use makepad_widgets::*;

/// Where the constants stand in the registry of designs.
const MODULE: &str = module_path!();

/// Declares each constant once, as `NAME comfortable compact` in pixels.
macro_rules! spacing {
    ($($name:ident $comfortable:tt $compact:tt)*) => {
        live_design! {
            $(pub $name = $comfortable)*
        }

        /// Name, comfortable and compact value of each.
        const SPACING: &[(LiveId, f64, f64)] = &[$((live_id!($name), $comfortable, $compact),)*];
    };
}

spacing! {
    // A row of a card in the settings.
    ROW_SETTING 52.0 44.0
    // Above and below the words of a row that is as high as they are.
    PAD_SETTING 9.0 6.0
    // A row of the list of chats.
    ROW_LIST 32.0 28.0
    // A row of the table of shortcuts.
    ROW_SHORTCUT 48.0 40.0
    // Between the cards of a page.
    GAP_SECTION 28.0 18.0
}

/// Gives the constants the values of a density.
pub(crate) fn set(cx: &mut Cx, density: Density) {
    for spacing in SPACING {
        super::tokens::set(cx, MODULE, spacing.0, LiveValue::Float64(of(spacing, density)));
    }
}

/// Height of a row of the list of chats, in pixels.
pub(crate) fn list_row(density: Density) -> f64 {
    let rows = SPACING.iter().find(|spacing| spacing.0 == live_id!(ROW_LIST));
    rows.map_or(0.0, |row| of(row, density))
}

fn of((_, comfortable, compact): &(LiveId, f64, f64), density: Density) -> f64 {
    match density {
        Density::Comfortable => *comfortable,
        Density::Compact => *compact,
    }
}
