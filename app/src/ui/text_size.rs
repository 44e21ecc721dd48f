//! Sizes of messages and of the code in them, for each size that can be chosen.
//!
//! Designs name a constant, such as `(SIZE_MESSAGE)`; `fonts` makes styles of them.

use hearth_protocol::settings::TextSize;
use makepad_widgets::*;

/// Where the constants stand in the registry of designs.
const MODULE: &str = module_path!();

/// Declares each size once, as `NAME small default large`.
macro_rules! sizes {
    ($($name:ident $small:tt $default:tt $large:tt)*) => {
        live_design! {
            $(pub $name = $default)*
        }

        /// Name and values of each, the smallest first.
        const SIZES: &[(LiveId, [f64; 3])] = &[$((live_id!($name), [$small, $default, $large]),)*];
    };
}

sizes! {
    // Type, in points: three quarters of a pixel each.
    SIZE_MESSAGE 9.75 10.5 12.0
    SIZE_RAISED 6.75 7.5 8.25
    SIZE_FORMULA 11.25 12.0 13.5
    SIZE_FORMULA_RAISED 7.5 8.25 9.0
    SIZE_MESSAGE_CODE 8.25 9.0 10.5
    SIZE_BLOCK_CODE 9.0 9.75 11.25
    SIZE_CELL 9.0 9.75 11.25
    SIZE_CELL_HEAD 8.25 9.0 10.5
    SIZE_CELL_CODE 7.5 8.25 9.75

    // Lines, in pixels from one to the next.
    LINE_MESSAGE 20.0 22.0 25.0
    LINE_FORMULA 26.0 28.0 32.0
    LINE_BLOCK_CODE 18.0 20.0 23.0
    LINE_CELL 18.0 20.0 23.0
    // What belongs to a line and is drawn by hand, against the usual size.
    TEXT_SCALE 0.92 1.0 1.14
}

/// Gives the constants the values of a size.
pub(crate) fn set(cx: &mut Cx, size: TextSize) {
    for (name, [small, default, large]) in SIZES {
        let value = match size {
            TextSize::Small => *small,
            TextSize::Default => *default,
            TextSize::Large => *large,
        };
        super::tokens::set(cx, MODULE, *name, LiveValue::Float64(value));
    }
}
