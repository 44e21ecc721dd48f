//! What backend and worker say to each other: one JSON object a line, requests over the worker's standard
//! input, responses over its standard output.
//!
//! A worker loads one model. Then it takes any number of `Generate`s and `Embed`s, answers as many at once as it was loaded
//! with slots, and lets the others wait in the order they came. Each begins with `Begun` and ends with `Finished` or
//! `Failed`; `answer` stands for both kinds here. A `Tell` is answered between two steps of theirs, by `Told` or `Failed`,
//! and with very many tokens by several `ToldSome` before.
//! While it works it says `Alive` about once a second; one that does not is taken for hung. Closing its input ends it.

use std::path::PathBuf;

use hearth_protocol::answer::Logprobs;
use hearth_protocol::completion::Piece;
use hearth_protocol::engine::{Device, LoadOptions, MemoryEstimate};
use hearth_protocol::generate::{StopReason, TurnStats};
use hearth_protocol::prompt::Token;
use hearth_protocol::{ByteSize, Error, Result};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::question::{Question, Told};
use super::{EmbedJob, Job, Work};

/// What the backend asks of a worker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "request", rename_all = "snake_case")]
pub(super) enum Request {
    /// List what can compute.
    Devices,
    /// Say what a load would take, and take nothing.
    Estimate {
        /// The GGUF file.
        path: String,
        /// How it would be loaded.
        options: Box<LoadOptions>,
    },
    /// Bring a model into memory.
    Load {
        /// The GGUF file.
        path: String,
        /// How.
        options: Box<LoadOptions>,
        /// Where KV states are kept; `None` keeps none.
        kv_store: Option<KvStorePlace>,
    },
    /// Answer a chat, or go on with a text.
    Generate {
        /// Names the answer; from 1, and no other in this worker.
        id: u64,
        /// With what it goes on, and how.
        job: Box<Job>,
    },
    /// Embed texts, beside the answers.
    Embed {
        /// Names it as an answer; no answer of this worker has the same.
        id: u64,
        /// The texts, and how to embed them.
        job: Box<EmbedJob>,
    },
    /// Tell something of the model, of its vocabulary or of what was computed.
    Tell {
        /// Names it as an answer; no answer of this worker has the same.
        id: u64,
        /// What.
        question: Box<Question>,
    },
    /// Forget what was computed for a chat, which is deleted.
    Forget {
        /// The chat.
        chat: i64,
    },
    /// End an answer, at once and in the middle of the prompt too.
    Stop {
        /// The answer.
        id: u64,
    },
}

/// A folder for KV states.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct KvStorePlace {
    /// The folder; made if it is missing.
    pub(super) folder: PathBuf,
    /// What its files may take together.
    pub(super) limit: ByteSize,
}

impl Request {
    /// The request for this work.
    pub(super) fn of(id: u64, work: &Work) -> Self {
        match work {
            Work::Answer(job) => Self::generate(id, (**job).clone()),
            Work::Embed(job) => Self::Embed { id, job: job.clone() },
            Work::Tell(question) => Self::Tell {
                id,
                question: question.clone(),
            },
        }
    }

    /// A `Generate` whose numbers survive JSON, which knows no infinity: a token that is forbidden with
    /// negative infinity is pushed down as far as a finite number can.
    pub(super) fn generate(id: u64, mut job: Job) -> Self {
        for (_, bias) in &mut job.sampling.logit_bias {
            *bias = bias.clamp(f32::MIN, f32::MAX);
        }
        Self::Generate {
            id,
            job: Box::new(job),
        }
    }
}

/// What a worker says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "response", rename_all = "snake_case")]
pub(super) enum Response {
    /// What can compute.
    Devices {
        /// The devices, in llama.cpp's order.
        devices: Vec<Device>,
    },
    /// What a load would take. Where it could not be made, `LoadFailed` says why.
    Estimated {
        /// Device by device.
        estimate: MemoryEstimate,
    },
    /// Share of the model that is loaded, 0.0 to 1.0, never falling.
    LoadProgress {
        /// The share.
        share: f32,
    },
    /// The model is in memory.
    Loaded(LoadedInfo),
    /// The model is not in memory; the worker ends.
    LoadFailed {
        /// Why; its log is added by the backend, which has it.
        error: Error,
    },
    /// The answer has its turn: from here on it is computed.
    Begun {
        /// The answer.
        id: u64,
        /// Messages of the chat that did not fit the context and were left out.
        left_out: u32,
    },
    /// Said about once a second while an answer is made and its making advances, by a thread of its own.
    Alive,
    /// The prompt is being read.
    PromptProgress {
        /// The answer.
        id: u64,
        /// Tokens read so far, cached ones included.
        processed: u32,
        /// Of these, tokens that stood in the cache when it began.
        #[serde(default)]
        cached: u32,
        /// Tokens of the prompt.
        total: u32,
    },
    /// More of the answer.
    Piece {
        /// The answer.
        id: u64,
        /// What came.
        piece: Piece,
    },
    /// How likely the tokens were that came since the last time, where that was asked for.
    Logprobs {
        /// The answer.
        id: u64,
        /// One per token.
        tokens: Vec<Logprobs>,
    },
    /// The next of the texts is embedded, in their order.
    Vector {
        /// The request it belongs to.
        id: u64,
        /// Tokens of the text.
        tokens: u32,
        /// Its vector; all numbers are finite.
        vector: Vec<f32>,
    },
    /// Some of the tokens that it was asked for, in their order; `Told` has the rest.
    ToldSome {
        /// The question.
        id: u64,
        /// Tokens.
        tokens: Vec<Token>,
    },
    /// What it was asked for; nothing of it follows.
    Told {
        /// The question.
        id: u64,
        /// What is told.
        told: Told,
    },
    /// The answer has ended, or the last of the texts is embedded.
    Finished {
        /// The answer.
        id: u64,
        /// Why.
        stop: StopReason,
        /// What it cost.
        stats: TurnStats,
    },
    /// The answer could not be made; the worker goes on.
    Failed {
        /// The answer.
        id: u64,
        /// Why.
        error: Error,
    },
}

impl Response {
    /// The answer it is about.
    pub(super) fn answer(&self) -> Option<u64> {
        match self {
            Self::Begun { id, .. }
            | Self::PromptProgress { id, .. }
            | Self::Piece { id, .. }
            | Self::Logprobs { id, .. }
            | Self::Vector { id, .. }
            | Self::ToldSome { id, .. }
            | Self::Told { id, .. }
            | Self::Finished { id, .. }
            | Self::Failed { id, .. } => Some(*id),
            Self::Devices { .. }
            | Self::Estimated { .. }
            | Self::LoadProgress { .. }
            | Self::Loaded(_)
            | Self::LoadFailed { .. }
            | Self::Alive => None,
        }
    }
}

/// What a worker knows of the model it has loaded.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct LoadedInfo {
    /// Tokens the context holds.
    pub(super) context_length: u32,
    /// Whether the file brings a chat template.
    pub(super) has_chat_template: bool,
    /// Layers on the GPU and layers in all.
    pub(super) gpu_layers: (u32, u32),
    /// Requests that it answers at once.
    #[serde(default)]
    pub(super) slots: u32,
    /// Threads it computes with.
    pub(super) threads: u32,
    /// What a person should know of how it was loaded, in whole sentences.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) notices: Vec<String>,
}

/// A message as one line, its line break included.
///
/// # Errors
/// `Internal` where a value has no JSON form.
pub(super) fn encode(message: &impl Serialize) -> Result<String> {
    let mut line = serde_json::to_string(message).map_err(Error::internal)?;
    line.push('\n');
    Ok(line)
}

/// The message in a line.
///
/// # Errors
/// Where the line is no such message.
pub(super) fn decode<T: DeserializeOwned>(line: &str) -> serde_json::Result<T> {
    serde_json::from_str(line)
}

#[cfg(test)]
mod tests;
