//! What Hearth takes of this computer, now and from second to second.

use serde::{Deserialize, Serialize};

use crate::{ByteSize, Error, RunEvent};

/// What Hearth and its workers take of this computer now. `None` is unknown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Usage {
    /// Share of all processors together, 0.0 to 100.0; `None` the first time, since it is measured between two times.
    pub cpu_percent: Option<f32>,
    /// Main memory that the processes hold, mapped model files among it.
    pub memory: ByteSize,
    /// Main memory that can be had now without swapping; in a container, what that still has.
    pub memory_free: Option<ByteSize>,
    /// Main memory there is; in a container, what that may take.
    pub memory_total: Option<ByteSize>,
}

/// News of what Hearth takes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UsageEvent {
    /// What it takes now, about once a second.
    Usage(Usage),
    /// No more news.
    Closed(Error),
}

impl RunEvent for UsageEvent {
    fn is_terminal(&self) -> bool {
        matches!(self, Self::Closed(_))
    }
    fn failed(error: Error) -> Self {
        Self::Closed(error)
    }
}
