//! What can happen to the page that finds models, and what the backend says of them.

use hearth_protocol::catalogue::search::{CatalogueSort, SearchEvent};
use hearth_protocol::catalogue::{Capability, DetailsEvent, ModelSummary};
use hearth_protocol::engine::Device;
use hearth_protocol::hub::HubStatus;
use hearth_protocol::{FileId, ModelId, Result};

use crate::effect::Run;
use crate::state::discover::filters::SizeRange;
use crate::state::discover::shown::FileName;

/// Something the person did on the page that finds models.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum DiscoverMsg {
    /// Gives the field the keyboard.
    FocusField,
    /// The text in the field.
    TextChanged(String),
    /// Enter in the field.
    TextEntered,
    /// Whether only models are shown that fit this machine: the other way round from now on.
    ToggleFits,
    /// The same of models that can do this.
    ToggleCapability(Capability),
    /// Only models of this size.
    SetSize(SizeRange),
    /// The order.
    SetSort(CatalogueSort),
    /// All models again, in the field and the filters.
    ClearFilters,
    /// Asks again.
    Retry,
    /// The end of the list is near.
    MoreWanted,

    /// Shows everything of a model.
    Choose(ModelId),
    /// Shows the list again, where the model lies over it.
    Back,
    /// Reckons for a context at this share of the slider, from 0.0 to 1.0.
    SlideContext(f64),
    /// Reckons for a context so many steps longer.
    StepContext(f64),
    /// Tells how this file's memory is reckoned.
    LookAt(FileName),
    /// Likes the model, or no longer.
    ToggleFavourite,
    /// Opens the model's page on the hub.
    OpenPage,
    /// Asks whether to open the page on which the model's licence is accepted.
    AskLicencePage,

    /// Downloads a file where it is not here yet, and begins a chat with it.
    DownloadAndChat(FileName),
    /// Begins a chat with a file that is here.
    Chat(FileId),
}

/// What the backend answered or told of models that can be had.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum DiscoverNews {
    /// Of a search.
    Search {
        /// Which.
        run: Run,
        /// What.
        event: SearchEvent,
    },
    /// Of a model's details.
    Details {
        /// Which.
        run: Run,
        /// What.
        event: DetailsEvent,
    },
    /// How the hub is reached.
    Hub(Result<HubStatus>),
    /// What computes here.
    Devices(Result<Vec<Device>>),
    /// What the person wrote of a model is kept, or is not.
    Edited(Result<ModelSummary>),
}
