//! Settings: shown at once when they change, taken back when they were not stored.

pub(crate) mod account;
mod default_model;
pub(crate) mod folders;
pub(crate) mod hardware;
pub(crate) mod knob;
pub(crate) mod rows;

use hearth_protocol::Result;
use hearth_protocol::library::DiskUse;
use hearth_protocol::settings::Settings;

use super::shortcuts::recording::Recording;
use crate::text::{Key, key};
use account::Account;
use hardware::Hardware;
use rows::Typing;

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
    /// What is typed into fields, and what was refused.
    pub(super) typing: Typing,
    /// The account at the hub.
    pub(super) account: Account,
    /// This computer.
    pub(super) hardware: Hardware,
    /// What model files take on the disk; `None` until it is known.
    pub(super) disk_use: Option<DiskUse>,
}

/// A part of the page of settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Part {
    /// The look, the language, the first steps.
    #[default]
    General,
    /// Folders with models, and downloads.
    Models,
    /// The account at the hub, and how it is reached.
    Network,
    /// What computes, and how models are loaded.
    Hardware,
    /// How chats are answered.
    Chats,
    /// The keys.
    Shortcuts,
    /// Where the data lies, and what can be done with all of it.
    Data,
    /// What leaves this computer.
    Privacy,
    /// Which Hearth this is.
    About,
}

impl Part {
    /// All of them with their titles, in the order of the page.
    pub(crate) const ALL: [(Self, Key); 9] = [
        (Self::General, key!("settings-general")),
        (Self::Models, key!("settings-models")),
        (Self::Network, key!("settings-network-part")),
        (Self::Hardware, key!("settings-hardware")),
        (Self::Chats, key!("list-title")),
        (Self::Shortcuts, key!("settings-shortcuts")),
        (Self::Data, key!("settings-data")),
        (Self::Privacy, key!("settings-privacy")),
        (Self::About, key!("settings-about")),
    ];
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
