//! What the state wants of the downloads.

use hearth_protocol::DownloadId;
use hearth_protocol::download::DownloadRequest;

/// Something the backend is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum DownloadsEffect {
    /// Tells all of them, now and after each change.
    Watch,
    /// Begins one.
    Start(DownloadRequest),
    /// Lets one wait.
    Pause(DownloadId),
    /// Goes on with one that waits.
    Resume(DownloadId),
    /// Tries one again that failed.
    Retry(DownloadId),
}
