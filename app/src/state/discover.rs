//! Finding models: what is searched for, the list that was found, the model that is shown, and who waits for a download
//! to chat with it. What changes it is `update::discover`.

pub(crate) mod card;
pub(crate) mod details;
pub(crate) mod file_row;
pub(crate) mod filters;
mod fit;
pub(crate) mod found;
pub(crate) mod list;
pub(crate) mod menus;
pub(crate) mod shown;

use hearth_protocol::catalogue::Fit;
use hearth_protocol::engine::Device;
use hearth_protocol::hub::HubStatus;
use hearth_protocol::{DownloadId, ModelId};
use std::collections::HashMap;

use filters::Filters;
use list::List;
use shown::{FileName, Shown};

/// The page that finds models.
#[derive(Debug, Default)]
pub(crate) struct Discover {
    /// What is searched for.
    pub(crate) filters: Filters,
    /// What was found.
    pub(crate) list: List,
    /// The model whose details are shown.
    pub(crate) shown: Option<Shown>,
    /// How the hub is reached; `None` until it is known.
    pub(super) hub: Option<HubStatus>,
    /// What computes here; `None` until it is known.
    pub(super) devices: Option<Vec<Device>>,
    /// How the recommended file of a model fits, where its details told.
    pub(super) fits: HashMap<ModelId, Fit>,
    /// Downloads that a chat is to be begun with.
    pub(super) waiting: Vec<Waiting>,
}

/// A download that a chat is to be begun with once it is done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Waiting {
    /// The file.
    pub(super) file: FileName,
    /// Its download, once that has begun.
    pub(super) download: Option<DownloadId>,
}

impl Discover {
    /// The address of the hub in use.
    pub(super) fn endpoint(&self) -> &str {
        self.hub
            .as_ref()
            .map_or("https://huggingface.co", |hub| hub.endpoint.as_str())
    }

    /// Whether a chat is to be begun with this file once it is here.
    pub(super) fn waits_for(&self, file: &FileName) -> bool {
        self.waiting.iter().any(|waiting| waiting.file == *file)
    }
}
