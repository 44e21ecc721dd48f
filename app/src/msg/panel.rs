//! What happens in the panel beside the chat, and what the backend says of presets and settings.

use hearth_protocol::answer::ContextPolicy;
use hearth_protocol::chat::TurnOptions;
use hearth_protocol::chat::preset::Preset;
use hearth_protocol::generate::MirostatVersion;
use hearth_protocol::settings::chat_panel::PanelSection;
use hearth_protocol::{ChatId, FileId, Result};

use super::number::NumberMsg;
use crate::state::panel::Prompt;
use crate::state::panel::forms::FormKind;
use crate::state::panel::parameter::Parameter;

/// Something in the panel. Settings are those of the open chat.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum PanelMsg {
    /// Shows the panel, or hides it.
    Toggle,
    /// Hides it where it lies over the chat.
    Close {
        /// Whether something in it has the keyboard.
        has_keys: bool,
    },
    /// Whether the window has no room for it beside the chat.
    SetNarrow(bool),
    /// Shows what is in a section, or its title only.
    ToggleSection(PanelSection),

    /// The instructions.
    PromptChanged(String),
    /// Something happens to a number; it is set back to what it is without the chat.
    Number(Parameter, NumberMsg),
    /// How tokens are chosen is as without the chat.
    ResetSampling,
    /// Switches Mirostat.
    SetMirostat(Option<MirostatVersion>),

    /// The stop string that is being typed.
    StopTyped(String),
    /// Takes it.
    AddStop,
    /// Takes a stop string away, by its place.
    RemoveStop(usize),
    /// What happens when the chat outgrows the context.
    SetContextPolicy(ContextPolicy),

    /// Chooses the form of the answer.
    SetForm(FormKind),
    /// Its text.
    FormTyped(String),
    /// Whether the model shall think.
    SetThinking(Option<bool>),
    /// How much.
    SetEffort(Option<&'static str>),
    /// Values for the template.
    ArgumentsTyped(String),

    /// Takes over a preset.
    ChoosePreset(String),
    /// Begins to save the settings as a preset.
    BeginSave,
    /// Begins to give the chosen preset another name.
    BeginRename,
    /// The name that is being typed.
    NameTyped(String),
    /// Takes the name.
    TakeName,
    /// Gives the name up.
    CloseName,
    /// Deletes the chosen preset; a toast offers to undo it.
    DeletePreset,
    /// Asks where the chosen preset is to be written.
    AskExport,
    /// Asks which file a preset is to be read from.
    AskImport,

    /// Remembers the settings for all chats with the model.
    MakeDefault,
    /// Forgets them.
    ForgetDefault,
    /// The chat sets nothing by itself.
    ResetAll,
}

/// What the backend answered.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum PanelNews {
    /// All presets.
    Presets(Result<Vec<Preset>>),
    /// A preset was saved, or was not.
    Saved(Result<Preset>),
    /// A preset was renamed, or was not.
    Renamed(Result<Preset>),
    /// A preset was deleted, or was not.
    Deleted {
        /// Which.
        preset: Box<Preset>,
        /// Whether it is gone.
        result: Result<()>,
    },
    /// A preset was written to a file, or was not.
    Exported(Result<()>),
    /// A preset was read from a file, or was not.
    Imported(Result<Preset>),
    /// What is remembered of a model.
    Defaults {
        /// Which.
        file: FileId,
        /// All of it.
        result: Result<TurnOptions>,
    },
    /// It was stored, or was not.
    DefaultsKept {
        /// Of which model.
        file: FileId,
        /// What.
        options: Box<TurnOptions>,
        /// Whether it is stored.
        result: Result<()>,
    },
    /// How many tokens the instructions are; `None` where no model could say it.
    Counted {
        /// Which.
        prompt: Prompt,
        /// How many.
        result: Result<Option<u32>>,
    },
    /// The settings of a chat are kept, or are not.
    Kept {
        /// Which.
        chat: ChatId,
        /// Whether they are.
        result: Result<()>,
    },
}
