//! Colours: one table of tokens with a value for each theme.
//!
//! Designs name a token, such as `(COLOR_CANVAS)`; no colour is written anywhere else.

mod accent;

use hearth_protocol::settings::Accent;
use makepad_widgets::*;

use crate::state::appearance::Shade;

/// Where the tokens stand in the registry of designs.
const MODULE: &str = module_path!();

/// Declares each token once, as `NAME dark light` in hexadecimal digits: for the designs, which start in the
/// dark theme, and for [`set`].
macro_rules! tokens {
    ($($name:ident $dark:ident $light:ident)*) => {
        live_design! {
            $(pub $name = #$dark)*
        }

        /// Name, dark and light value of each token; values as 0xRRGGBBAA.
        const TOKENS: &[(LiveId, u32, u32)] = &[
            $((live_id!($name), rgba(stringify!($dark)), rgba(stringify!($light))),)*
        ];
    };
}

tokens! {
    // Surfaces.
    COLOR_RAIL x131110 xEDE8E0
    COLOR_SIDEBAR x181614 xF4F0EA
    COLOR_CANVAS x1D1A18 xFCFAF7
    COLOR_RAISED x25211E xFFFFFF
    COLOR_OVERLAY x292521 xFFFFFF
    COLOR_INSET x171513 xF6F2EC
    COLOR_HOVER x2A2622 xEFEAE3
    COLOR_SELECTED x322D28 xE7E0D6
    COLOR_PRESSED x3A342E xDED6CA
    COLOR_TAG x322D28 xEFEAE3
    COLOR_BUBBLE x25211E xF1ECE4
    COLOR_SEGMENT_ON x322D28 xFFFFFF
    COLOR_NONE x00000000 x00000000

    // Lines.
    COLOR_LINE_SUBTLE x2F2A26 xEAE4DB
    COLOR_LINE x3A352F xDCD4C8
    COLOR_LINE_STRONG x564E46 xB7AB9C
    COLOR_LINE_CONTROL x7A7065 x8F8477
    COLOR_BUBBLE_LINE x2F2A26 xF1ECE4
    COLOR_SEGMENT_LINE x322D28 xDCD4C8

    // Inside overlays, which are lighter in the dark theme.
    COLOR_OVERLAY_LINE x463F38 xDCD4C8
    COLOR_OVERLAY_LINE_SUBTLE x3A352F xEAE4DB
    COLOR_OVERLAY_HOVER x332E29 xEFEAE3
    COLOR_OVERLAY_PRESSED x453E37 xDED6CA
    COLOR_OVERLAY_TAG x38322C xEFEAE3

    // Text.
    COLOR_TEXT xF1ECE5 x241F1A
    COLOR_TEXT_2 xBFB6AB x5C534A
    COLOR_TEXT_3 x998F83 x71675C
    COLOR_TEXT_DISABLED x675F56 xAEA498

    // The accent.
    COLOR_ACCENT xEB8B4E xBC5219
    COLOR_ACCENT_HOVER xF29C65 xA94814
    COLOR_ACCENT_PRESSED xD67A40 x943D10
    COLOR_ON_ACCENT x21120A xFFFFFF
    COLOR_ACCENT_TEXT xF2A16C xA04413
    COLOR_ACCENT_SOFT x35251B xFAEBDF
    COLOR_ACCENT_LINE x5E3D27 xEBC7AC

    // The accents that can be chosen, as they are on their own samples.
    COLOR_EMBER xEB8B4E xBC5219
    COLOR_MOSS x77B26A x418033
    COLOR_LAKE x5DA9E7 x1977B7
    COLOR_IRIS xB394EA x8360B9
    COLOR_ROSE xED839D xBA4D6C

    // Status.
    COLOR_OK x88BD91 x2B7043
    COLOR_OK_SOFT x202B22 xE5F1E7
    COLOR_WARN xDDB765 x7D5A0C
    COLOR_WARN_SOFT x302919 xF9EFD6
    COLOR_BAD xEC8377 xAE362A
    COLOR_BAD_SOFT x38231F xFAE8E5
    COLOR_INFO x9FB4C6 x3D5F7C
    COLOR_INFO_SOFT x222930 xE6EDF3
    COLOR_BAD_FILL xC2493C xB3382C
    COLOR_BAD_FILL_HOVER xB23F33 x9F2E23
    COLOR_ON_BAD xFFFFFF xFFFFFF

    // Shares of the disk.
    COLOR_DATA_1 xEB8B4E xBC5219
    COLOR_DATA_2 xB9734A xD9915F
    COLOR_DATA_3 x8C8175 x9A8F82
    COLOR_DATA_4 x5A6B78 x7F93A3

    // Progress.
    COLOR_TRACK x3A342E xDDD5CA
    COLOR_TRACK_FILL x8C8175 x7B7065
    COLOR_SWITCH_KNOB xBFB6AB xFFFFFF
    COLOR_KNOB xF1ECE5 xFFFFFF
    COLOR_KNOB_LINE xF1ECE5 x8F8477

    // Code.
    COLOR_CODE_KEYWORD xF2A16C xA04413
    COLOR_CODE_STRING xA9C48F x3F6B2E
    COLOR_CODE_NUMBER xDDB765 x7D5A0C
    COLOR_CODE_NAME x9FB4C6 x3D5F7C
    COLOR_CODE_COMMENT x998F83 x71675C

    // What lies under a dialog.
    COLOR_SCRIM x0A08079E x342A2057

    // Shadows of overlays.
    COLOR_SHADOW x00000073 x46362633
    COLOR_SHADOW_SMALL x00000059 x46362624
}

/// Gives the tokens these colours, before the window opens or before its designs are applied anew.
pub(crate) fn set(cx: &mut Cx, shade: Shade, accent: Accent) {
    for (name, ..) in TOKENS {
        super::tokens::set(cx, MODULE, *name, LiveValue::Color(value(*name, shade, accent)));
    }
}

/// The colour of a token; nothing to be seen for a name that is none.
fn value(name: LiveId, shade: Shade, accent: Accent) -> u32 {
    let accents = accent::tokens(accent).iter();
    let mut known = accents.chain(TOKENS).filter(|token| token.0 == name);
    known.next().map_or(0, |(_, dark, light)| match shade {
        Shade::Dark => *dark,
        Shade::Light => *light,
    })
}

/// Reads `xRRGGBB` or `xRRGGBBAA`.
const fn rgba(token: &str) -> u32 {
    let digits = token.as_bytes();
    let mut value = 0;
    let mut index = 1;
    while index < digits.len() {
        let digit = match digits[index] {
            digit @ b'0'..=b'9' => digit - b'0',
            digit @ b'A'..=b'F' => digit - b'A' + 10,
            _ => unreachable!(),
        };
        value = value << 4 | digit as u32;
        index += 1;
    }
    if digits.len() == 7 {
        value << 8 | 0xFF
    } else {
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ACCENTS: [Accent; 5] = [
        Accent::Ember,
        Accent::Moss,
        Accent::Lake,
        Accent::Iris,
        Accent::Rose,
    ];

    /// A token over its background, and the contrast that a person needs to read or see it.
    #[test]
    fn text_is_readable_in_both_themes_and_every_accent() {
        let cases = [
            (live_id!(COLOR_TEXT), live_id!(COLOR_CANVAS), 7.0),
            (live_id!(COLOR_TEXT), live_id!(COLOR_SELECTED), 7.0),
            (live_id!(COLOR_TEXT_2), live_id!(COLOR_SIDEBAR), 4.5),
            (live_id!(COLOR_TEXT_2), live_id!(COLOR_TAG), 4.5),
            (live_id!(COLOR_TEXT_3), live_id!(COLOR_CANVAS), 4.5),
            (live_id!(COLOR_TEXT_3), live_id!(COLOR_RAISED), 4.5),
            (live_id!(COLOR_TEXT_3), live_id!(COLOR_OVERLAY), 4.5),
            (live_id!(COLOR_ON_ACCENT), live_id!(COLOR_ACCENT), 4.5),
            (live_id!(COLOR_ON_ACCENT), live_id!(COLOR_ACCENT_PRESSED), 4.5),
            (live_id!(COLOR_ACCENT_TEXT), live_id!(COLOR_SELECTED), 4.5),
            (live_id!(COLOR_BAD), live_id!(COLOR_BAD_SOFT), 4.5),
            (live_id!(COLOR_WARN), live_id!(COLOR_WARN_SOFT), 4.5),
            (live_id!(COLOR_ON_BAD), live_id!(COLOR_BAD_FILL), 4.5),
            (live_id!(COLOR_ACCENT_TEXT), live_id!(COLOR_SIDEBAR), 4.5),
            (live_id!(COLOR_BAD), live_id!(COLOR_OVERLAY_HOVER), 4.5),
            (live_id!(COLOR_CODE_COMMENT), live_id!(COLOR_INSET), 4.5),
            (live_id!(COLOR_CODE_KEYWORD), live_id!(COLOR_INSET), 4.5),
            (live_id!(COLOR_CODE_STRING), live_id!(COLOR_INSET), 4.5),
            (live_id!(COLOR_CODE_NUMBER), live_id!(COLOR_INSET), 4.5),
            (live_id!(COLOR_CODE_NAME), live_id!(COLOR_INSET), 4.5),
            (live_id!(COLOR_TEXT_2), live_id!(COLOR_INSET), 4.5),
            (live_id!(COLOR_ACCENT_TEXT), live_id!(COLOR_CANVAS), 4.5),
            (live_id!(COLOR_ACCENT_TEXT), live_id!(COLOR_ACCENT_SOFT), 4.5),
            (live_id!(COLOR_ON_ACCENT), live_id!(COLOR_ACCENT_HOVER), 4.5),
            (live_id!(COLOR_TEXT_2), live_id!(COLOR_ACCENT_SOFT), 4.5),
            (live_id!(COLOR_ACCENT), live_id!(COLOR_CANVAS), 3.0),
            (live_id!(COLOR_ACCENT), live_id!(COLOR_RAISED), 3.0),
            (live_id!(COLOR_ACCENT), live_id!(COLOR_OVERLAY), 3.0),
            (live_id!(COLOR_EMBER), live_id!(COLOR_SEGMENT_ON), 3.0),
            (live_id!(COLOR_MOSS), live_id!(COLOR_SEGMENT_ON), 3.0),
            (live_id!(COLOR_LAKE), live_id!(COLOR_SEGMENT_ON), 3.0),
            (live_id!(COLOR_IRIS), live_id!(COLOR_SEGMENT_ON), 3.0),
            (live_id!(COLOR_ROSE), live_id!(COLOR_SEGMENT_ON), 3.0),
            (live_id!(COLOR_TRACK_FILL), live_id!(COLOR_TRACK), 3.0),
        ];
        for (front, back, least) in cases {
            for (shade, accent) in looks() {
                let ratio = contrast(value(front, shade, accent), value(back, shade, accent));
                assert!(
                    ratio >= least,
                    "{front} on {back} in {shade:?} {accent:?}: {ratio:.1}"
                );
            }
        }
    }

    #[test]
    fn a_sample_has_the_colour_that_it_stands_for() {
        let samples = [
            live_id!(COLOR_EMBER),
            live_id!(COLOR_MOSS),
            live_id!(COLOR_LAKE),
            live_id!(COLOR_IRIS),
            live_id!(COLOR_ROSE),
        ];
        for (accent, sample) in ACCENTS.into_iter().zip(samples) {
            for shade in [Shade::Dark, Shade::Light] {
                let color = value(live_id!(COLOR_ACCENT), shade, accent);
                assert_eq!(value(sample, shade, Accent::Ember), color, "{accent:?} {shade:?}");
            }
        }
    }

    fn looks() -> impl Iterator<Item = (Shade, Accent)> {
        let shades = [Shade::Dark, Shade::Light];
        shades
            .into_iter()
            .flat_map(|shade| ACCENTS.map(|accent| (shade, accent)))
    }

    /// Contrast ratio of WCAG 2.
    fn contrast(one: u32, other: u32) -> f64 {
        let (one, other) = (luminance(one), luminance(other));
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    fn luminance(rgba: u32) -> f64 {
        let channel = |shift: u32| {
            let value = f64::from(rgba >> shift & 0xFF) / 255.0;
            if value <= 0.03928 {
                value / 12.92
            } else {
                ((value + 0.055) / 1.055).powf(2.4)
            }
        };
        0.2126 * channel(24) + 0.7152 * channel(16) + 0.0722 * channel(8)
    }
}
