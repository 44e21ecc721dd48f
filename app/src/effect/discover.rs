//! What the state wants of the catalogue.

use hearth_protocol::ModelId;
use hearth_protocol::catalogue::search::CatalogueQuery;
use hearth_protocol::catalogue::{DetailsRequest, ModelEdits};

use super::Run;

/// Something the backend is asked for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum DiscoverEffect {
    /// Searches models. Takes the place of a search that runs.
    Search {
        /// Its run.
        run: Run,
        /// What for.
        query: Box<CatalogueQuery>,
    },
    /// Tells everything of a model. Takes the place of the same for another one.
    Details {
        /// Its run.
        run: Run,
        /// Of which.
        request: DetailsRequest,
    },
    /// Tells how the hub is reached.
    ReadHub,
    /// Tells what computes here.
    ReadDevices,
    /// Keeps what the person wrote of a model.
    Edit {
        /// Which.
        model: ModelId,
        /// What.
        edits: Box<ModelEdits>,
    },
}
