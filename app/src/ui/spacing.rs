//! Room around rows, for each density.
//!
//! Designs name a constant, such as `(ROW_SETTING)`; heights that are reckoned with in Rust are asked for by name.

use hearth_protocol::settings::Density;
use makepad_widgets::*;

/// Where the constants stand in the registry of designs.
const MODULE: &str = module_path!();

/// Declares each constant once, as `NAME comfortable compact` in pixels.
macro_rules! spacing {
    ($($(#[$doc:meta])* $name:ident $comfortable:literal $compact:literal)*) => {
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
    // A row of the list of chats.
    ROW_LIST 32.0 28.0
    // A row of a menu, and of the palette.
    ROW_MENU 32.0 28.0
    ROW_PALETTE 40.0 34.0
    // Between the cards of a page.
    GAP_SECTION 28.0 18.0
}

/// Gives the constants the values of a density.
pub(crate) fn set(cx: &mut Cx, density: Density) {
    for (name, comfortable, compact) in SPACING {
        let value = match density {
            Density::Comfortable => *comfortable,
            Density::Compact => *compact,
        };
        super::tokens::set(cx, MODULE, *name, LiveValue::Float64(value));
    }
}
