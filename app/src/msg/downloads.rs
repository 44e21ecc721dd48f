//! What can happen to downloads: what the person does, on whatever page, and what the backend says of them.

use std::path::PathBuf;

use hearth_protocol::download::{DownloadEvent, DownloadRequest};
use hearth_protocol::library::DiskUse;
use hearth_protocol::{ByteSize, DownloadId, Error, Result};

/// Something the person did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum DownloadsMsg {
    /// Opens the panel, or closes it.
    Toggle,
    /// Closes it.
    Close,
    /// Downloads a file.
    Start(DownloadRequest),
    /// Pauses one.
    Pause(DownloadId),
    /// Goes on with one that is paused.
    Resume(DownloadId),
    /// Tries one again that failed.
    Retry(DownloadId),
    /// Takes one away: at once where nothing of it would be lost, else after a question.
    Remove(DownloadId),
    /// The answer to that question: it ends, and what came is deleted.
    Cancel(DownloadId),
    /// Gives one another turn.
    Move(DownloadId, Turn),
    /// Does what fits one best that has the keyboard: pauses it, goes on with it, or lets it answer in a chat.
    Act(DownloadId),
    /// Pauses all that run or wait.
    PauseAll,
    /// Goes on with all that are paused.
    ResumeAll,
    /// Takes those that are done from the list. Their files stay.
    ClearDone,
    /// Begins a chat with the model that came.
    UseInChat(DownloadId),
    /// Shows the file in the system's file manager.
    ShowInFolder(DownloadId),
    /// How many bytes a second all together may take; `None` takes all there is.
    SetSpeedLimit(Option<ByteSize>),
    /// How many run at once.
    SetAtOnce(u32),
    /// Asks for the list again, after its news have ended.
    Watch,
    /// A file was not shown in the file manager, for this reason.
    NotShown(PathBuf, String),
}

/// Which turn a download is to get.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Turn {
    /// Before all others.
    First,
    /// One earlier.
    Earlier,
    /// One later.
    Later,
    /// After all others.
    Last,
}

/// What the backend answered or told.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum DownloadsNews {
    /// Something of the list changed.
    Event(DownloadEvent),
    /// A download began, or did not.
    Started {
        /// What was asked for.
        request: DownloadRequest,
        /// Its id.
        result: Result<DownloadId>,
    },
    /// A change of one was refused.
    Refused(Error),
    /// What model files take on the disk, and what is free.
    Room(Result<DiskUse>),
}
