//! What happens in the dialog that sets how a model is loaded, and what the backend says for it.

use hearth_protocol::engine::{Device, EstimateEvent, LoadOptions};
use hearth_protocol::{FileId, Result};

use super::number::NumberMsg;
use crate::effect::Run;
use crate::state::load_dialog::choice::{LoadChoice, LoadSwitch};
use crate::state::load_dialog::number::LoadNumber;
use crate::state::load_dialog::text::LoadText;

/// Something in the dialog.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum LoadMsg {
    /// Opens it for a file; for the one that answers, or that the keys have chosen in the picker, where none is named.
    Open(Option<FileId>),
    /// Something happens to a number; it is set back to what the settings say.
    Number(LoadNumber, NumberMsg),
    /// One of a few is chosen.
    Choose(LoadChoice),
    /// Something is switched on or off.
    Switch(LoadSwitch, bool),
    /// A text is typed.
    Typed(LoadText, String),
    /// Shows the finer options, or hides them.
    ToggleFine,
    /// Whether it is remembered for the model.
    Remember(bool),
    /// All is as the settings say.
    Reset,
    /// Loads the model.
    Load {
        /// Though the memory guard refused it.
        anyway: bool,
    },
    /// Ends the load.
    Cancel,
}

/// What the backend says for it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum LoadNews {
    /// What is remembered of a model.
    Remembered {
        /// Its file.
        file: FileId,
        /// How it is loaded; `None` where nothing is.
        result: Result<Option<LoadOptions>>,
    },
    /// Whether it is remembered now.
    Kept(Result<()>),
    /// What can compute.
    Devices {
        /// Graphics cards and the processor.
        result: Result<Vec<Device>>,
        /// Threads that run side by side.
        threads: Option<u32>,
    },
    /// What a load would take.
    Estimate {
        /// The question's run.
        run: Run,
        /// What is known.
        event: EstimateEvent,
    },
}
