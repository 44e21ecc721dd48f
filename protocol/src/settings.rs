//! What a person can set. Each field has a default, so that an old file always opens.

use serde::{Deserialize, Serialize};

use crate::engine::LoadOptions;
use crate::generate::SamplingParams;
use crate::{FileId, Result};

/// All settings.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Colours of the window.
    pub theme: Theme,
    /// Whether every outbound connection is refused.
    pub offline: bool,
    /// The model that answers where none is named and none is loaded; `None` takes the one that answered last, else
    /// the first of the library.
    pub default_model: Option<FileId>,
    /// How models are loaded.
    pub load: LoadOptions,
    /// How tokens are chosen.
    pub sampling: SamplingParams,
}

/// Colours of the window.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Theme {
    /// Dark.
    #[default]
    Dark,
    /// Light.
    Light,
}

impl Settings {
    /// Checks every field.
    ///
    /// # Errors
    /// [`crate::Error::Invalid`] names the first field that is out of range.
    pub fn validate(&self) -> Result<()> {
        self.load.validate()?;
        self.sampling.validate()
    }
}
