//! What the dialog that sets how a model is loaded wants of the backend.

use hearth_protocol::FileId;
use hearth_protocol::engine::LoadOptions;

use super::Run;

/// Something for the dialog.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum LoadEffect {
    /// Tells what is remembered of how a model is loaded.
    ReadRemembered(FileId),
    /// Remembers how a model is loaded; `None` forgets it.
    Remember {
        /// The model's file.
        file: FileId,
        /// How.
        options: Option<Box<LoadOptions>>,
    },
    /// Tells what can compute.
    ListDevices,
    /// Reckons a load. Takes the place of a question that runs.
    Estimate {
        /// The question's run.
        run: Run,
        /// The model's file.
        file: FileId,
        /// How it would be loaded.
        options: Box<LoadOptions>,
    },
}
