//! The hub that models come from, and the person's account there.

pub mod link;

use serde::{Deserialize, Serialize};

/// How the hub is reached.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HubStatus {
    /// Its address, such as `https://huggingface.co`.
    pub endpoint: String,
    /// Whether every connection is refused, by the settings, `--offline` or `HF_HUB_OFFLINE`.
    pub offline: bool,
    /// Where the token in use is from; `None` where there is none. The token itself is never told.
    pub token: Option<TokenSource>,
}

/// Where a token is from. Of several, the one named first here is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TokenSource {
    /// The variable `HF_TOKEN`.
    Environment,
    /// The system's keyring, where Hearth put it.
    Keyring,
    /// A file of Hearth's that only its owner may read, on a system without a keyring.
    File,
    /// The file that `hf auth login` writes.
    HuggingFace,
}

/// An account of the hub.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HubAccount {
    /// Its name.
    pub name: String,
    /// The name a person reads, where it has one.
    pub full_name: Option<String>,
}
