//! What the state wants of downloads.

use hearth_protocol::DownloadId;
use hearth_protocol::download::{DownloadRequest, QueuePlace};

/// Something the backend is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum DownloadsEffect {
    /// Tells all, now and after each change.
    Watch,
    /// Starts one.
    Start(DownloadRequest),
    /// Pauses one.
    Pause(DownloadId),
    /// Goes on with one.
    Resume(DownloadId),
    /// Tries one again.
    Retry(DownloadId),
    /// Ends one, and deletes what is not whole.
    Cancel(DownloadId),
    /// Gives one another place.
    Move(DownloadId, QueuePlace),
    /// Reads what is free on the disk.
    ReadRoom,
}
