//! What the person does on the page of settings, or with the keys that do the same, and what the backend answers.

use std::path::PathBuf;

use hearth_protocol::engine::{Device, UsageEvent};
use hearth_protocol::hub::{HubAccount, HubStatus};
use hearth_protocol::library::{DiskUse, Source};
use hearth_protocol::settings::{Accent, Density, Language, TextSize, Theme};
use hearth_protocol::{ByteSize, FileId, Result, Secret};

use crate::state::settings::Part;
use crate::state::settings::knob::Knob;
use crate::state::shortcuts::Action;
use crate::state::shortcuts::chord::Chord;

/// Something that changes a setting, or what is shown of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SettingsMsg {
    /// Shows a part of the settings.
    ShowPart(Part),
    /// Shows the settings, and this part of them.
    OpenPart(Part),
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

    /// Switches a setting on or off.
    Flip(Knob, bool),
    /// Chooses one of a few, by its place among them.
    Choose(Knob, usize),
    /// The text in the field of a setting.
    Typed(Knob, String),
    /// Takes the text in the field.
    Commit(Knob),
    /// Gives a setting its default.
    Reset(Knob),

    /// The model that answers where none is named; `None` takes the one that answered last.
    DefaultModel(Option<FileId>),

    /// Asks for a folder with models.
    AskFolder,
    /// Looks for models there no longer; no file is touched.
    RemoveFolder(PathBuf),
    /// Whether the models of another program are used.
    UseSource(Source, bool),

    /// The token that is being typed.
    TokenTyped(Secret),
    /// Keeps it, once the hub has said whose it is.
    KeepToken,
    /// Forgets the token that is kept.
    ForgetToken,

    /// Looks for what computes.
    LookForDevices,
    /// Whether models may use a graphics card.
    UseDevice(String, bool),
    /// Removes the KV states of all chats from the disk.
    EmptyKept,

    /// Opens the data folder in the system's own program for files.
    OpenData,
    /// Asks where all chats are to be written.
    AskExportAll,
    /// Asks for the folder that all data are to be moved to.
    AskMoveData,
    /// Asks whether all is to be deleted.
    AskDeleteAll,
    /// Deletes all, and ends.
    DeleteAll,
    /// Shows what Hearth stands on, and under which licences.
    ShowLicences,
}

/// What the backend answered to the page of settings, or told it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum SettingsNews {
    /// How the hub is reached.
    Hub(Result<HubStatus>),
    /// Whose token is in use.
    Owner(Result<HubAccount>),
    /// A token was kept, or was not.
    TokenKept(Result<HubAccount>),
    /// The token was forgotten, or was not.
    TokenForgotten(Result<()>),
    /// What computes.
    Devices(Result<Vec<Device>>),
    /// What Hearth takes of this computer.
    Usage(UsageEvent),
    /// What model files take on the disk.
    DiskUse(Result<DiskUse>),
    /// What the KV states of chats take on the disk.
    Kept(Result<ByteSize>),
    /// They were removed, or were not.
    Emptied(Result<ByteSize>),
    /// All chats were written, or were not.
    AllExported(Result<u32>),
    /// All will be moved, or will not.
    DataMoves(Result<()>),
    /// All will be deleted, or will not.
    AllDeleted(Result<()>),
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
