//! Searching the models that can be had: the question, and the pages that answer it.

use serde::{Deserialize, Serialize};

use super::{Capability, HubPart, ModelSummary};
use crate::{Error, RunEvent, UnixMillis};

/// What to search for. Every condition that is given must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CatalogueQuery {
    /// Words, the beginnings of words, `author/model`, or a link to a model. Empty finds all models.
    pub text: String,
    /// Only models that can do all of these.
    pub capabilities: Vec<Capability>,
    /// Only models with one of these licences; empty takes all.
    pub licences: Vec<String>,
    /// Only models that know this language, as a code such as `de`.
    pub language: Option<String>,
    /// Only models with so many parameters at least.
    pub min_parameters: Option<u64>,
    /// Only models with so many parameters at most.
    pub max_parameters: Option<u64>,
    /// Only models whose licence must be accepted on the hub first, or only the others.
    pub gated: Option<bool>,
    /// Only models of which a file fits this machine.
    pub fits_only: bool,
    /// Only the person's favourites.
    pub favourites_only: bool,
    /// Whether models that the person hid are found too.
    pub with_hidden: bool,
    /// The order.
    pub sort: CatalogueSort,
    /// Page from 0.
    pub page: u32,
    /// Whether and when the hub is asked too.
    pub ask_hub: AskHub,
}

/// Whether and when the hub is asked beside what this computer knows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AskHub {
    /// At once.
    #[default]
    AtOnce,
    /// Once nothing more was typed for a moment: whoever types drops the events of the text before.
    AfterPause,
    /// Not at all.
    Never,
}

/// The order of results. Models of which the figure is unknown come last.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CatalogueSort {
    /// Best match of the words; without words, Hearth's own picks first.
    #[default]
    BestMatch,
    /// By name.
    Name,
    /// Most parameters first.
    Parameters,
    /// The person's favourites first.
    Favourites,
    /// Most downloads first.
    Downloads,
    /// Most likes first.
    Likes,
    /// Trending first, as the hub said last.
    Trending,
    /// Newest change on the hub first.
    Updated,
    /// Newest release first.
    Created,
}

/// News of a search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SearchEvent {
    /// The page that was asked for: first what this computer knows, at once; then, where the hub is asked, the same page
    /// with its answer, which takes the place of the first.
    Page(CataloguePage),
    /// No other page comes.
    Finished,
    /// There is no page.
    Failed(Error),
}

impl RunEvent for SearchEvent {
    fn is_terminal(&self) -> bool {
        matches!(self, Self::Finished | Self::Failed(_))
    }
    fn failed(error: Error) -> Self {
        Self::Failed(error)
    }
}

/// A page of results.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct CataloguePage {
    /// The models. Where the hub has few that fulfil all conditions, fewer than a page holds.
    pub models: Vec<ModelSummary>,
    /// Whether there is another page.
    pub more: bool,
    /// What the hub has to do with it.
    pub hub: HubPart,
    /// When the hub answered, where its answer comes from the disk; of several answers the oldest.
    pub cached_at: Option<UnixMillis>,
    /// Why the very model that the text names is not among them: it is not there, has another name, or needs access.
    pub named: Option<Error>,
}
