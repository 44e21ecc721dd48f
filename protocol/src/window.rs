//! The window, for other processes of the same person: one that is started a second time asks the first to show itself.

use serde::{Deserialize, Serialize};

use crate::{Error, RunEvent};

/// What a window hears from other processes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WindowEvent {
    /// Come to the front.
    Show,
    /// No more news.
    Closed(Error),
}

impl RunEvent for WindowEvent {
    fn is_terminal(&self) -> bool {
        matches!(self, Self::Closed(_))
    }
    fn failed(error: Error) -> Self {
        Self::Closed(error)
    }
}
