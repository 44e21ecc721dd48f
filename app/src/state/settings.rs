//! Settings: shown at once when they change, taken back when they were not stored.

use hearth_protocol::Result;
use hearth_protocol::settings::Settings;

use super::shortcuts::recording::Recording;

/// The settings as shown and as stored.
#[derive(Debug, Default)]
pub(crate) struct SettingsState {
    /// As shown; the defaults until they are read.
    shown: Settings,
    /// As stored; `None` until they are read, when a change would put defaults in the place of the rest.
    stored: Option<Settings>,
    /// The part of the page that is shown.
    pub(super) part: Part,
    /// What is being done to the keys of an action.
    pub(super) recording: Recording,
}

/// A part of the page of settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Part {
    /// The look, the language and where the data lies.
    #[default]
    General,
    /// The keys.
    Shortcuts,
    /// Which Hearth this is.
    About,
}

impl SettingsState {
    /// The settings as shown.
    pub(crate) fn shown(&self) -> &Settings {
        &self.shown
    }

    /// Whether they have been read.
    pub(crate) fn are_read(&self) -> bool {
        self.stored.is_some()
    }

    /// Takes what the backend has stored, or takes back what it refused.
    pub(super) fn take(&mut self, result: Result<Settings>) -> Result<()> {
        let refused = match result {
            Ok(settings) => {
                self.stored = Some(settings);
                Ok(())
            }
            Err(error) => Err(error),
        };
        self.shown = self.stored.clone().unwrap_or_default();
        refused
    }

    /// Shows a change and gives the settings to store; `None` where nothing changes or nothing is read yet.
    pub(super) fn change(&mut self, change: impl FnOnce(&mut Settings)) -> Option<Settings> {
        self.stored.as_ref()?;
        let before = self.shown.clone();
        change(&mut self.shown);
        (self.shown != before).then(|| self.shown.clone())
    }
}
