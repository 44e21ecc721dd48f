//! What can happen to downloads, and what the backend says of them.

use hearth_protocol::download::{DownloadEvent, DownloadRequest};
use hearth_protocol::{DownloadId, Result};

/// Something the person did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum DownloadsMsg {
    /// Downloads a file.
    Start(DownloadRequest),
    /// Pauses one.
    Pause(DownloadId),
    /// Goes on with one that is paused.
    Resume(DownloadId),
    /// Tries one again that failed.
    Retry(DownloadId),
}

/// What the backend answered or told of the downloads.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum DownloadsNews {
    /// One changed, or the list did.
    Event(DownloadEvent),
    /// One was begun, or was not.
    Started {
        /// Of what.
        request: DownloadRequest,
        /// Which it is.
        result: Result<DownloadId>,
    },
}
