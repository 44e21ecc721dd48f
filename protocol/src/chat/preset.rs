//! Named sets of options for chats.

use serde::{Deserialize, Serialize};

use crate::chat::TurnOptions;

/// A named set of options.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Preset {
    /// Its name, one line; no two have the same, however it is written.
    pub name: String,
    /// Whether it came with Hearth. Such a one can be neither changed nor deleted.
    pub shipped: bool,
    /// What it sets; what it leaves out stays as it is.
    pub options: TurnOptions,
}
