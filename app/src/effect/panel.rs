//! What the panel beside the chat wants of the backend.

use std::path::PathBuf;

use hearth_protocol::chat::TurnOptions;
use hearth_protocol::chat::preset::Preset;
use hearth_protocol::{ChatId, FileId};

use crate::state::panel::Prompt;

/// Something the backend is asked for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum PanelEffect {
    /// Lists the presets.
    ListPresets,
    /// Saves a preset.
    Save {
        /// Its name.
        name: String,
        /// What it sets.
        options: Box<TurnOptions>,
    },
    /// Gives a preset another name.
    Rename {
        /// Its name.
        name: String,
        /// The new one.
        to: String,
    },
    /// Deletes a preset, which comes back with the answer.
    Delete(Box<Preset>),
    /// Writes a preset to a file.
    Export {
        /// Its name.
        name: String,
        /// The file.
        path: PathBuf,
    },
    /// Reads a preset from a file.
    Import(PathBuf),
    /// Tells what is remembered of how a model answers.
    ReadDefaults(FileId),
    /// Remembers how a model answers.
    KeepDefaults {
        /// Which.
        file: FileId,
        /// All of it; comes back with the answer.
        options: Box<TurnOptions>,
    },
    /// Counts the tokens of instructions.
    Count(Prompt),
    /// Keeps the settings of a chat.
    Keep {
        /// Which.
        chat: ChatId,
        /// All of them.
        options: Box<TurnOptions>,
    },
}
