//! What the page of model files wants of the backend.

use std::path::PathBuf;

use hearth_protocol::FileId;
use hearth_protocol::library::{DeleteRequest, FileNotes, ImportRequest, Source};
use hearth_protocol::prompt::PromptMessage;

use super::Run;

/// Something the backend is asked for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum MyModelsEffect {
    /// Tells the files, now and after each change.
    Watch,
    /// Reads what is remembered of each file.
    ReadRecords,
    /// Reckons what the files take on the disk.
    ReadDiskUse,
    /// Gives a file another name; `None` its own again.
    Rename {
        /// Which.
        file: FileId,
        /// The name, not blank.
        name: Option<String>,
    },
    /// Replaces what the person wrote of a file.
    WriteNotes {
        /// Which.
        file: FileId,
        /// All of it.
        notes: FileNotes,
    },
    /// Reads what a file says of itself.
    Inspect(FileId),
    /// Has a model write messages as its template does. It is loaded where it is not in memory.
    Preview {
        /// Names the answer.
        run: Run,
        /// The model.
        file: FileId,
        /// The messages.
        messages: Vec<PromptMessage>,
    },
    /// Takes a file into the library.
    Import {
        /// Names the run.
        run: Run,
        /// Which and how.
        request: ImportRequest,
    },
    /// Ends an import.
    CancelImport(Run),
    /// Takes the model of a file out of memory.
    Eject(FileId),
    /// Deletes a file.
    Delete(DeleteRequest),
    /// Looks for files that are of no use any more.
    ListLeftovers,
    /// Removes some of them.
    Clean {
        /// Which.
        paths: Vec<PathBuf>,
        /// The other programs whose they are, whose names the person has read.
        confirmed: Vec<Source>,
    },
}
