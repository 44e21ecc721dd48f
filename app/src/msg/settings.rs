//! What the person does on the page of settings, or with the keys that do the same.

use hearth_protocol::settings::{Accent, Density, Language, TextSize, Theme};

use crate::state::settings::Part;

/// Something that changes a setting, or what is shown of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SettingsMsg {
    /// Shows a part of the settings.
    ShowPart(Part),
    /// The colours.
    Theme(Theme),
    /// The one colour.
    Accent(Accent),
    /// Size of messages and code.
    TextSize(TextSize),
    /// Room around rows.
    Density(Density),
    /// The language; `None` takes the system's.
    Language(Option<Language>),
    /// Size of everything.
    Zoom(ZoomStep),
}

/// A change of size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ZoomStep {
    /// A step larger.
    Larger,
    /// A step smaller.
    Smaller,
    /// The usual size.
    Usual,
}
