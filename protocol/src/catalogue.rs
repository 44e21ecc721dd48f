//! Models that can be had.

pub mod search;

use serde::{Deserialize, Serialize};

use crate::{ByteSize, Error, ModelId, RunEvent, UnixMillis};

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

impl Capability {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Tools,
        Self::Vision,
        Self::Reasoning,
        Self::Embedding,
        Self::Rerank,
        Self::Code,
    ];

    /// The word for it, as it stands in JSON and in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tools => "tools",
            Self::Vision => "vision",
            Self::Reasoning => "reasoning",
            Self::Embedding => "embedding",
            Self::Rerank => "rerank",
            Self::Code => "code",
        }
    }
}

/// A row of the catalogue. `None` is unknown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ModelSummary {
    /// The model.
    pub id: ModelId,
    /// Display name: the person's, else the catalogue's.
    pub name: String,
    /// Who made it.
    pub author: String,
    /// One sentence on what it is.
    pub summary: Option<String>,
    /// Number of parameters.
    pub parameters: Option<u64>,
    /// Parameters that work on each token, where these are not all of them.
    pub active_parameters: Option<u64>,
    /// Tokens of context it was trained for.
    pub context_length: Option<u32>,
    /// What it can do.
    pub capabilities: Vec<Capability>,
    /// Licence as an SPDX id or the hub's word.
    pub licence: Option<String>,
    /// Day of release as `YYYY-MM-DD`.
    pub released_on: Option<String>,
    /// Bytes of the file that is usually taken.
    pub download_size: Option<ByteSize>,
    /// Downloads of the last 30 days.
    pub downloads: Option<u64>,
    /// Likes.
    pub likes: Option<u64>,
    /// When it was last changed on the hub.
    pub updated_at: Option<UnixMillis>,
    /// When the hub told of it last; `None` where it never has.
    pub fetched_at: Option<UnixMillis>,
    /// Whether its licence must be accepted on the hub first.
    pub gated: bool,
    /// Whether Hearth picked it.
    pub featured: bool,
    /// Whether the person likes it.
    pub favourite: bool,
    /// Whether the person hid it.
    pub hidden: bool,
}

/// What the hub has to do with an answer.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum HubPart {
    /// It is not asked: what is here is new enough, or only that is wanted.
    #[default]
    NotAsked,
    /// It is being asked; another answer follows.
    Asking,
    /// This is its answer.
    Answered,
    /// Offline mode keeps it from being asked.
    Offline,
    /// It was asked in vain.
    Failed {
        /// Why, and what to do.
        error: Error,
    },
}

/// Which model to tell everything of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DetailsRequest {
    /// The model, or one of the repositories that hold files of it.
    pub model: ModelId,
    /// Tokens of the context that the files' fit is reckoned for; `None` leaves it to Hearth.
    pub context_length: Option<u32>,
    /// A file whose fit shall be exact, beside the recommended one: its name or its quantisation.
    pub file: Option<String>,
    /// Whether headers of files are read on the hub where that makes their fit exact; it takes a while, and some bytes.
    pub read_headers: bool,
}

impl DetailsRequest {
    /// The model with everything else left to Hearth.
    pub fn of(model: ModelId) -> Self {
        Self {
            model,
            context_length: None,
            file: None,
            read_headers: true,
        }
    }
}

/// News of a model's details. Each takes the place of the one before.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DetailsEvent {
    /// What is known now: first what this computer knows, then what the hub says, then with the fit of files exact.
    Details(Box<ModelDetails>),
    /// Nothing more is to be known.
    Finished,
    /// Nothing is known of it, or its details broke off.
    Failed(Error),
}

impl RunEvent for DetailsEvent {
    fn is_terminal(&self) -> bool {
        matches!(self, Self::Finished | Self::Failed(_))
    }
    fn failed(error: Error) -> Self {
        Self::Failed(error)
    }
}

/// Everything known of a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ModelDetails {
    /// Its row.
    pub model: ModelSummary,
    /// The rest of what the catalogue says of it.
    pub card: ModelCard,
    /// What the person wrote of it.
    pub edits: ModelEdits,
    /// Its files: models from the smallest, then what belongs to them.
    pub files: Vec<CatalogueFile>,
    /// Tokens of the context that the files' fit is reckoned for.
    pub fit_context_length: u32,
    /// When the hub said this; `None` where all of it came with Hearth.
    pub fetched_at: Option<UnixMillis>,
    /// What the hub has to do with it.
    pub hub: HubPart,
    /// Why its files cannot be had yet, and where access is asked for; `None` where they can, or where nobody has tried.
    pub access: Option<Error>,
}

/// What the catalogue says of a model beyond its row. Everything may be missing.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ModelCard {
    /// What it is good for, a phrase each.
    pub good_for: Vec<String>,
    /// The author's page.
    pub author_url: Option<String>,
    /// The licence's text.
    pub licence_url: Option<String>,
    /// Architecture as GGUF names it, such as `llama`.
    pub architecture: Option<String>,
    /// Languages as codes.
    pub languages: Vec<String>,
    /// How many languages its maker counts, where they are not listed.
    pub language_count: Option<u32>,
    /// Numbers in each vector, of a model that embeds.
    pub embedding_length: Option<u32>,
    /// How to sample, as its maker or a gallery advises.
    pub sampling: Option<AdvisedSampling>,
    /// How to sample while it thinks, where that differs.
    pub sampling_thinking: Option<AdvisedSampling>,
    /// Name of the chat template to take where the file has none, such as `chatml`.
    pub prompt_template: Option<String>,
    /// Text that ends an answer where the file does not say it.
    pub reverse_prompt: Option<String>,
    /// Repositories on the hub that hold files of it, the preferred one first.
    pub repositories: Vec<ModelId>,
    /// Models on the hub that it was made from.
    pub base_models: Vec<ModelId>,
}

/// Sampling settings that are advised. `None` leaves a setting as it is.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AdvisedSampling {
    /// Temperature.
    pub temperature: Option<f32>,
    /// Keep the k likeliest tokens; 0 keeps all.
    pub top_k: Option<u32>,
    /// Keep the smallest set of tokens that reaches this probability.
    pub top_p: Option<f32>,
    /// Keep tokens at least this probable relative to the likeliest.
    pub min_p: Option<f32>,
    /// Penalty of repeated tokens; 1 is none.
    pub repeat_penalty: Option<f32>,
    /// Penalty of tokens that have come before; 0 is none.
    pub presence_penalty: Option<f32>,
    /// Who advises it.
    pub source: Option<String>,
}

/// What a person wrote of a model. It outlives every change of the catalogue.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ModelEdits {
    /// The person's own name for it.
    pub display_name: Option<String>,
    /// Notes; empty where there are none.
    pub notes: String,
    /// Tags, each once.
    pub tags: Vec<String>,
    /// Whether it is a favourite.
    pub favourite: bool,
    /// Whether it is left out of lists.
    pub hidden: bool,
}

/// A file that can be downloaded; several parts of one model are one file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CatalogueFile {
    /// The repository that holds it.
    pub repository: ModelId,
    /// Commit that size and sha256 are of; `None` where unknown.
    pub revision: Option<String>,
    /// Its name in the repository; of several parts the first one's.
    pub name: String,
    /// What it is for.
    pub role: FileRole,
    /// Its size, parts added up; `None` where unknown.
    pub size: Option<ByteSize>,
    /// Its sha256 in hexadecimal; `None` where unknown and for several parts.
    pub sha256: Option<String>,
    /// Its parts in order; empty where it is one file.
    pub parts: Vec<FilePart>,
    /// Numbers, from 1, of parts that are not there.
    pub missing_parts: Vec<u32>,
    /// Quantisation; `None` where unknown.
    pub quantisation: Option<String>,
    /// Name of the projector that belongs to it.
    pub projector: Option<String>,
    /// Name of the small model that guesses ahead for it.
    pub draft: Option<String>,
    /// How it fits this machine.
    pub fit: Fit,
    /// The numbers behind the fit; `None` where they are unknown.
    pub estimate: Option<FitEstimate>,
    /// Why it is the one to take on this machine; `None` for all others.
    pub recommended: Option<String>,
    /// What is wrong with it on the hub, as its beginning tells; `None` where nothing is known to be.
    pub problem: Option<String>,
}

/// One of the files that a model is split into.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FilePart {
    /// Its name in the repository.
    pub name: String,
    /// Its size; `None` where unknown.
    pub size: Option<ByteSize>,
    /// Its sha256 in hexadecimal; `None` where unknown.
    pub sha256: Option<String>,
}

/// What a file is for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileRole {
    /// It is a model.
    #[default]
    Model,
    /// It turns images into what a model reads.
    Projector,
    /// It guesses ahead for a model.
    Draft,
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

impl Fit {
    /// In words, such as `fits on the GPU`.
    pub fn words(self) -> &'static str {
        match self {
            Self::Gpu => "fits on the GPU",
            Self::Partly => "partly on the GPU",
            Self::Cpu => "fits, CPU only",
            Self::TooLarge => "too large",
            Self::Unknown => "unknown",
        }
    }
}

/// What a file would take, and what this machine has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct FitEstimate {
    /// Bytes of the weights.
    pub weights: ByteSize,
    /// Bytes of the KV cache and of the buffers for computing.
    pub context: ByteSize,
    /// Whether the bytes of the context are a rule of thumb, since nobody has read the file's header yet.
    pub is_rough: bool,
    /// Bytes that models may take on all graphics cards together; 0 without one.
    pub gpu_room: ByteSize,
    /// Bytes that models may take of the main memory.
    pub memory_room: ByteSize,
}

impl FitEstimate {
    /// Bytes of weights and context together.
    pub fn total(&self) -> ByteSize {
        ByteSize(self.weights.0.saturating_add(self.context.0))
    }
}
