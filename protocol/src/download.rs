//! Downloads of model files.

use serde::{Deserialize, Serialize};

use crate::{ByteSize, DownloadId, Error, ModelId, RunEvent};

/// A file to download.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DownloadRequest {
    /// The model.
    pub model: ModelId,
    /// The file's name in its repository; for shards the first one.
    pub file: String,
    /// Revision; `None` takes `main`.
    pub revision: Option<String>,
}

/// A download and where it stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Download {
    /// The download.
    pub id: DownloadId,
    /// What is downloaded.
    pub request: DownloadRequest,
    /// Where it stands.
    pub state: DownloadState,
    /// Bytes on the disk.
    pub done: ByteSize,
    /// Bytes in all; `None` until the hub has said.
    pub total: Option<ByteSize>,
}

/// Where a download stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum DownloadState {
    /// It waits for its turn.
    Queued,
    /// Bytes come.
    Running {
        /// Bytes per second over the last seconds.
        bytes_per_second: f64,
    },
    /// The person paused it, or the disk is full.
    Paused,
    /// The whole file is compared with its sha256.
    Verifying,
    /// It failed; what is on the disk is kept.
    Failed {
        /// Why.
        error: Error,
    },
    /// It is in the library.
    Done,
}

/// News of the downloads.
#[derive(Debug, Clone, PartialEq)]
pub enum DownloadEvent {
    /// A download changed.
    Changed(Download),
    /// A download was removed.
    Removed(DownloadId),
    /// No more news.
    Closed(Error),
}

impl RunEvent for DownloadEvent {
    fn is_terminal(&self) -> bool {
        matches!(self, Self::Closed(_))
    }
    fn failed(error: Error) -> Self {
        Self::Closed(error)
    }
}
