//! Models that can be had.

use serde::{Deserialize, Serialize};

use crate::{ByteSize, ModelId, UnixMillis};

/// What to search for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CatalogueQuery {
    /// Words, `author/model`, or a link.
    pub text: String,
    /// Only models that can do all of these.
    pub capabilities: Vec<Capability>,
    /// Only models of which a file fits this machine.
    pub fits_only: bool,
    /// The order.
    pub sort: CatalogueSort,
    /// Page from 0.
    pub page: u32,
}

/// The order of results.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum CatalogueSort {
    /// Best match of the words.
    #[default]
    BestMatch,
    /// Most downloads first.
    Downloads,
    /// Most likes first.
    Likes,
    /// Trending first.
    Trending,
    /// Newest change first.
    Updated,
    /// Newest first.
    Created,
}

/// What a model can do beyond text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Capability {
    /// Calls tools.
    Tools,
    /// Sees images.
    Vision,
    /// Thinks before it answers.
    Reasoning,
    /// Turns text into vectors.
    Embedding,
    /// Orders documents by a question.
    Rerank,
    /// Writes code.
    Code,
}

/// A page of results.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CataloguePage {
    /// The models.
    pub models: Vec<ModelSummary>,
    /// Whether there is another page.
    pub more: bool,
    /// When the answer was fetched, if it is an old one from the disk.
    pub cached_at: Option<UnixMillis>,
}

/// A card of the catalogue.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ModelSummary {
    /// The model.
    pub id: ModelId,
    /// Display name.
    pub name: String,
    /// One sentence on what it is good for.
    pub summary: Option<String>,
    /// Number of parameters.
    pub parameters: Option<u64>,
    /// What it can do.
    pub capabilities: Vec<Capability>,
    /// Licence as an SPDX id or the hub's word.
    pub licence: Option<String>,
    /// Downloads of the last 30 days.
    pub downloads: Option<u64>,
    /// Likes.
    pub likes: Option<u64>,
    /// Whether its licence must be accepted on the hub first.
    pub gated: bool,
    /// Whether Hearth picked it.
    pub featured: bool,
}

/// Everything known of a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ModelDetails {
    /// Its card.
    pub model: ModelSummary,
    /// Its files.
    pub files: Vec<CatalogueFile>,
    /// When this was fetched.
    pub fetched_at: UnixMillis,
}

/// A file that can be downloaded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CatalogueFile {
    /// Its name in the repository.
    pub name: String,
    /// Its size, shards added up.
    pub size: ByteSize,
    /// Its sha256 in hexadecimal; `None` where the hub has none.
    pub sha256: Option<String>,
    /// Quantisation; `None` where unknown.
    pub quantisation: Option<String>,
    /// How it fits this machine.
    pub fit: Fit,
    /// Whether it is the one to take on this machine.
    pub recommended: bool,
}

/// How a model fits this machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fit {
    /// All of it on the GPU.
    Gpu,
    /// Some layers on the GPU.
    Partly,
    /// On the CPU only.
    Cpu,
    /// Not at all.
    TooLarge,
    /// It cannot be known.
    Unknown,
}
