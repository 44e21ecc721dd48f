//! What can be asked of presets.

use std::path::PathBuf;

use crate::chat::TurnOptions;
use crate::chat::preset::Preset;
use crate::command::PresetCommand;
use crate::{Answer, Client, Command};

/// Named sets of options for chats.
impl Client {
    /// All presets, those of the person first.
    pub fn list_presets(&self) -> Answer<Vec<Preset>> {
        self.ask(|reply| Command::Preset(PresetCommand::List { reply }))
    }

    /// Saves a set under a name.
    pub fn save_preset(&self, name: String, options: TurnOptions) -> Answer<Preset> {
        let options = Box::new(options);
        self.ask(|reply| Command::Preset(PresetCommand::Save { name, options, reply }))
    }

    /// Gives one of the person's another name.
    pub fn rename_preset(&self, name: String, to: String) -> Answer<Preset> {
        self.ask(|reply| Command::Preset(PresetCommand::Rename { name, to, reply }))
    }

    /// Deletes one of the person's.
    pub fn delete_preset(&self, name: String) -> Answer<()> {
        self.ask(|reply| Command::Preset(PresetCommand::Delete { name, reply }))
    }

    /// Writes one to a file.
    pub fn export_preset(&self, name: String, path: PathBuf) -> Answer<()> {
        self.ask(|reply| Command::Preset(PresetCommand::Export { name, path, reply }))
    }

    /// Reads one from a file.
    pub fn import_preset(&self, path: PathBuf) -> Answer<Preset> {
        self.ask(|reply| Command::Preset(PresetCommand::Import { path, reply }))
    }
}
