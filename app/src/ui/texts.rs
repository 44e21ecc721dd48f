//! What designs say: each constant has the words of its key in the person's language.
//!
//! Designs name a constant, such as `text: (TEXT_SETTINGS)`. What only Rust says is asked of `Texts` by `say!`.

use std::sync::Arc;

use makepad_widgets::*;

use crate::text::{Key, Texts};

/// Where the constants stand in the registry of designs.
const MODULE: &str = module_path!();

/// Declares each constant once, as `NAME "key"`, one a line.
macro_rules! texts {
    ($($name:ident $key:literal)*) => {
        live_design! {
            $(pub $name = "")*
        }

        /// Name and key of each.
        const TEXTS: &[(LiveId, Key)] = &[$((live_id!($name), Key($key)),)*];
    };
}

texts! {
    // Words of many places.
    TEXT_CANCEL "action-cancel"
    TEXT_CLOSE "action-close"

    // Pages that are not here yet.
    TEXT_DISCOVER_TITLE "discover-not-yet-title"
    TEXT_DISCOVER_TEXT "discover-not-yet-text"
    TEXT_MODELS_TITLE "models-not-yet-title"
    TEXT_MODELS_TEXT "models-not-yet-text"
    TEXT_DOWNLOADS_TITLE "downloads-not-yet-title"
    TEXT_DOWNLOADS_TEXT "downloads-not-yet-text"

    // The settings.
    TEXT_SETTINGS "settings-title"
    TEXT_GENERAL "settings-general"
    TEXT_SHORTCUTS "settings-shortcuts"
    TEXT_ABOUT "settings-about"
    TEXT_APPEARANCE "settings-appearance"
    TEXT_THEME "settings-theme"
    TEXT_THEME_SYSTEM "settings-theme-system"
    TEXT_THEME_LIGHT "settings-theme-light"
    TEXT_THEME_DARK "settings-theme-dark"
    TEXT_ACCENT "settings-accent"
    TEXT_ACCENT_EMBER "settings-accent-ember"
    TEXT_ACCENT_MOSS "settings-accent-moss"
    TEXT_ACCENT_LAKE "settings-accent-lake"
    TEXT_ACCENT_IRIS "settings-accent-iris"
    TEXT_ACCENT_ROSE "settings-accent-rose"
    TEXT_LANGUAGE "settings-language"
    TEXT_LANGUAGE_HINT "settings-language-hint"
    TEXT_LANGUAGE_SYSTEM "settings-language-system"
    TEXT_SIZE "settings-text-size"
    TEXT_SIZE_HINT "settings-text-size-hint"
    TEXT_SIZE_SMALL "settings-text-size-small"
    TEXT_SIZE_DEFAULT "settings-text-size-default"
    TEXT_SIZE_LARGE "settings-text-size-large"
    TEXT_DENSITY "settings-density"
    TEXT_DENSITY_HINT "settings-density-hint"
    TEXT_DENSITY_COMFORTABLE "settings-density-comfortable"
    TEXT_DENSITY_COMPACT "settings-density-compact"
    TEXT_ZOOM "settings-zoom"
    TEXT_ZOOM_HINT "settings-zoom-hint"
    TEXT_ZOOM_SMALLER "settings-zoom-smaller"
    TEXT_ZOOM_LARGER "settings-zoom-larger"
    TEXT_ZOOM_USUAL "settings-zoom-usual"
    TEXT_DATA "settings-data"
    TEXT_DATA_CHATS "settings-data-chats"
    TEXT_DATA_MODELS "settings-data-models"
    TEXT_VERSION "settings-version"
}

/// Gives the constants the words of a language.
pub(crate) fn set(cx: &mut Cx, words: &Texts) {
    for (name, key) in TEXTS {
        let words = LiveValue::String(Arc::new(words.say(*key, &[])));
        super::tokens::set(cx, MODULE, *name, words);
    }
}
