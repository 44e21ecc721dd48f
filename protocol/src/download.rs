//! Downloads of model files.

use serde::{Deserialize, Serialize};

use crate::{ByteSize, DownloadId, Error, FileId, ModelId, RunEvent};

/// A file to download.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DownloadRequest {
    /// The model.
    pub model: ModelId,
    /// The file's name in its repository; for shards any one of them, which stands for all. `None` takes the file
    /// that suits most machines.
    pub file: Option<String>,
    /// Revision; `None` takes `main`.
    pub revision: Option<String>,
}

/// A download and where it stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Download {
    /// The download.
    pub id: DownloadId,
    /// What is downloaded. A model that the hub calls by another name now has that name, from when the hub has said so.
    pub request: DownloadRequest,
    /// Where it stands.
    pub state: DownloadState,
    /// Bytes on the disk. Never falls.
    pub done: ByteSize,
    /// Bytes in all, shards added up; `None` until the hub has said.
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
        /// Bytes per second, smoothed over the last seconds; 0 while nothing comes.
        bytes_per_second: f64,
        /// Seconds until it is done at this speed; `None` where that cannot be told.
        seconds_left: Option<u64>,
        /// What is in the way at the moment, in words; it is tried again by itself.
        trouble: Option<String>,
    },
    /// It waits, and what is on the disk is kept.
    Paused {
        /// Why; `None` where the person paused it. After [`Error::DiskFull`] and [`Error::Offline`] it goes on by
        /// itself once it can.
        reason: Option<Error>,
    },
    /// All bytes are there, and what was not compared with the sha256 as it came is.
    Verifying,
    /// It failed for a reason that time does not mend; what is on the disk is kept, unless it is wrong.
    Failed {
        /// Why.
        error: Error,
    },
    /// It is in the library.
    Done {
        /// Whether the bytes are those the hub promised; `false` where it promised none.
        verified: bool,
        /// The file that can be loaded. `None` where it is no model of its own, and where the library shows another
        /// revision of it.
        #[serde(default)]
        file: Option<FileId>,
    },
}

/// Where a download goes in the queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum QueuePlace {
    /// Before all others.
    First,
    /// Before this one.
    Before(DownloadId),
    /// Behind all others.
    Last,
}

/// News of the downloads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DownloadEvent {
    /// A download changed. Of one that runs at most one comes in 100 ms.
    Changed(Download),
    /// A download was removed.
    Removed(DownloadId),
    /// The order is this now.
    Order(Vec<DownloadId>),
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
