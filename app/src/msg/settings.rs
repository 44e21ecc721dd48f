//! What the person does on the page of settings, or with the keys that do the same.

use hearth_protocol::settings::{Accent, Density, Language, TextSize, Theme};

use crate::state::settings::Part;
use crate::state::shortcuts::Action;
use crate::state::shortcuts::chord::Chord;

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
    /// The next keys are to be an action's; once more gives that up.
    RecordKeys(Action),
    /// Gives it up.
    EndRecording,
    /// Keys that were pressed; `None` takes the action's keys away.
    TakeKeys(Option<Chord>),
    /// Gives an action its usual keys again.
    ResetKeys(Action),
    /// Gives all actions their usual keys again.
    ResetAllKeys,
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
