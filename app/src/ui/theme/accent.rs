//! The accents beside the first: the tokens that each gives other colours. Each has the luminance of the first one's, so
//! that everything is as readable with it.

use hearth_protocol::settings::Accent;
use makepad_widgets::*;

/// Name, dark and light value of a token; values as 0xRRGGBBAA.
type Token = (LiveId, u32, u32);

/// The tokens of an accent that differ from those of the table.
pub(super) fn tokens(accent: Accent) -> &'static [Token] {
    match accent {
        Accent::Ember => &[],
        Accent::Moss => &MOSS,
        Accent::Lake => &LAKE,
        Accent::Iris => &IRIS,
        Accent::Rose => &ROSE,
    }
}

const MOSS: [Token; 7] = [
    (live_id!(COLOR_ACCENT), 0x77B26AFF, 0x418033FF),
    (live_id!(COLOR_ACCENT_HOVER), 0x89BE7DFF, 0x39722BFF),
    (live_id!(COLOR_ACCENT_PRESSED), 0x679F5BFF, 0x306324FF),
    (live_id!(COLOR_ON_ACCENT), 0x0F180DFF, 0xFFFFFFFF),
    (live_id!(COLOR_ACCENT_TEXT), 0x8EC183FF, 0x366C29FF),
    (live_id!(COLOR_ACCENT_SOFT), 0x212B1FFF, 0xE6F0E4FF),
    (live_id!(COLOR_ACCENT_LINE), 0x364A2CFF, 0xB4D7ACFF),
];

const LAKE: [Token; 7] = [
    (live_id!(COLOR_ACCENT), 0x5DA9E7FF, 0x1977B7FF),
    (live_id!(COLOR_ACCENT_HOVER), 0x73B7EFFF, 0x136AA4FF),
    (live_id!(COLOR_ACCENT_PRESSED), 0x4E98D3FF, 0x0C5C90FF),
    (live_id!(COLOR_ON_ACCENT), 0x0C1720FF, 0xFFFFFFFF),
    (live_id!(COLOR_ACCENT_TEXT), 0x7ABAEFFF, 0x12649CFF),
    (live_id!(COLOR_ACCENT_SOFT), 0x1E2A34FF, 0xE3EFFAFF),
    (live_id!(COLOR_ACCENT_LINE), 0x284763FF, 0xABD3F3FF),
];

const IRIS: [Token; 7] = [
    (live_id!(COLOR_ACCENT), 0xB394EAFF, 0x8360B9FF),
    (live_id!(COLOR_ACCENT_HOVER), 0xBFA3F1FF, 0x7555A7FF),
    (live_id!(COLOR_ACCENT_PRESSED), 0xA183D5FF, 0x664992FF),
    (live_id!(COLOR_ON_ACCENT), 0x181320FF, 0xFFFFFFFF),
    (live_id!(COLOR_ACCENT_TEXT), 0xC1A7F1FF, 0x6F519EFF),
    (live_id!(COLOR_ACCENT_SOFT), 0x2B2635FF, 0xF0EBFAFF),
    (live_id!(COLOR_ACCENT_LINE), 0x4B3E66FF, 0xD5C7F2FF),
];

const ROSE: [Token; 7] = [
    (live_id!(COLOR_ACCENT), 0xED839DFF, 0xBA4D6CFF),
    (live_id!(COLOR_ACCENT_HOVER), 0xF594ABFF, 0xA74360FF),
    (live_id!(COLOR_ACCENT_PRESSED), 0xD8728CFF, 0x923953FF),
    (live_id!(COLOR_ON_ACCENT), 0x211115FF, 0xFFFFFFFF),
    (live_id!(COLOR_ACCENT_TEXT), 0xF599AFFF, 0x9E3F5BFF),
    (live_id!(COLOR_ACCENT_SOFT), 0x362427FF, 0xFCE9ECFF),
    (live_id!(COLOR_ACCENT_LINE), 0x623843FF, 0xF3C1CCFF),
];
