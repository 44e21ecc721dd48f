//! What the page of settings wants of the backend.

use std::path::PathBuf;

use hearth_protocol::Secret;

/// Something the backend is asked for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum SettingsEffect {
    /// Tells how the hub is reached.
    ReadHub,
    /// Asks the hub whose token is in use.
    ReadOwner,
    /// Keeps a token.
    KeepToken(Secret),
    /// Forgets the token.
    ForgetToken,
    /// Looks for what computes.
    ListDevices,
    /// Tells what Hearth takes of this computer, from now on.
    WatchUsage,
    /// Tells that no longer.
    LeaveUsage,
    /// Tells what model files take on the disk.
    ReadDiskUse,
    /// Tells what KV states take on the disk.
    ReadKept,
    /// Removes them.
    EmptyKept,
    /// Writes all chats to a file.
    ExportAll(PathBuf),
    /// Moves all data to a folder once the backend ends.
    MoveData(PathBuf),
    /// Deletes all once the backend ends.
    DeleteAll,
}
