//! What can be typed to commands that ask a model.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

#[derive(Debug, Args)]
pub(crate) struct RunArguments {
    /// A GGUF file, the name of a model that `hearth-cli ls` shows, OWNER/NAME, OWNER/NAME:FILE or a link of the hub
    pub(crate) model: String,
    /// Download a model of the hub that is not here, without asking
    #[arg(long)]
    pub(crate) download: bool,
    /// What to ask; `-` reads it from standard input
    pub(crate) prompt: Option<String>,
    /// A picture to show with PROMPT: PNG, JPEG, WebP or GIF; can be given more than once
    #[arg(long, value_name = "FILE")]
    pub(crate) image: Vec<PathBuf>,
    /// Instructions that stand before the chat
    #[arg(long, value_name = "TEXT")]
    pub(crate) system: Option<String>,
    /// Temperature; 0 takes the likeliest token each time
    #[arg(long, value_name = "0..5")]
    pub(crate) temp: Option<f32>,
    /// Keep the k likeliest tokens; 0 keeps all
    #[arg(long, value_name = "K")]
    pub(crate) top_k: Option<u32>,
    /// Keep the smallest set of tokens that reaches this probability
    #[arg(long, value_name = "0..1")]
    pub(crate) top_p: Option<f32>,
    /// Keep tokens at least this probable relative to the likeliest
    #[arg(long, value_name = "0..1")]
    pub(crate) min_p: Option<f32>,
    /// Penalise repeated tokens; 1 is off
    #[arg(long, value_name = "0..10")]
    pub(crate) repeat_penalty: Option<f32>,
    /// Seed of the draw
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u32>,
    /// Most tokens to generate for an answer
    #[arg(long, value_name = "N")]
    pub(crate) max_tokens: Option<u32>,
    /// A text that ends the answer; can be given more than once
    #[arg(long, value_name = "TEXT")]
    pub(crate) stop: Vec<String>,
    /// Tokens the context holds
    #[arg(long, value_name = "TOKENS")]
    pub(crate) ctx: Option<u32>,
    /// Threads to compute with
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<u32>,
    /// Print speed and token counts after the answer; a terminal gets them anyway
    #[arg(long)]
    pub(crate) stats: bool,
    /// Print the events of the answer, each as a line of JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct EmbedArguments {
    /// A GGUF file, or the name of a model that `hearth-cli ls` shows
    pub(crate) model: String,
    /// The texts
    #[arg(value_name = "TEXT")]
    pub(crate) texts: Vec<String>,
    /// How the vectors of a text's tokens become one; else as the model's file says, and the mean where it says nothing
    #[arg(long, value_name = "KIND")]
    pub(crate) pooling: Option<PoolingKind>,
    /// Leave the vectors as long as they are; else each has length 1
    #[arg(long)]
    pub(crate) no_normalise: bool,
    /// Keep only the first N numbers of each vector, for models that were trained for it
    #[arg(long, value_name = "N")]
    pub(crate) dimensions: Option<u32>,
    /// Leave out the end of texts that are longer than the model reads; else they are refused
    #[arg(long)]
    pub(crate) truncate: bool,
    /// Print each vector as a line of JSON, with its tokens counted
    #[arg(long)]
    pub(crate) json: bool,
}

/// How the vectors of a text's tokens become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PoolingKind {
    /// Their mean
    Mean,
    /// The first
    Cls,
    /// The last
    Last,
}
