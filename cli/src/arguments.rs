//! What can be typed. Turned into the protocol's terms in the file of each command.

use clap::{Args, Parser, Subcommand};

const EXIT_CODES: &str = "\
Exit codes: 0 done, 1 failed, 2 wrong usage, 3 not found, 4 the engine or the model failed, 130 stopped by Ctrl-C.
HEARTH_HOME moves all data to another folder. HEARTH_LOG=info writes a log to standard error.
HF_ENDPOINT, HF_TOKEN, HF_HOME, HF_HUB_CACHE, HF_HUB_OFFLINE and the usual proxy variables are heeded.";

/// Local language models in the terminal.
#[derive(Debug, Parser)]
#[command(name = "hearth-cli", version, after_help = EXIT_CODES)]
pub(crate) struct Arguments {
    /// Open no connection to other computers, whatever the settings say
    #[arg(long, global = true)]
    pub(crate) offline: bool,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Ask a model, or chat with it
    ///
    /// Without PROMPT, a terminal opens a chat; anything else on standard input is read as the prompt.
    /// Both are kept in the list of chats. Ctrl-C stops the answer, twice leaves.
    #[command(after_help = EXIT_CODES)]
    Run(RunArguments),
    /// Download a model file from the hub
    ///
    /// A download that broke off goes on where it stood. Ctrl-C pauses it. Files go to the Hugging Face cache, where
    /// other programs find them too, unless the settings say otherwise.
    #[command(after_help = EXIT_CODES)]
    Pull(PullArguments),
    /// List the model files
    #[command(after_help = EXIT_CODES)]
    Ls(OutputArguments),
    /// List the models in memory
    #[command(after_help = EXIT_CODES)]
    Ps(OutputArguments),
}

#[derive(Debug, Args)]
pub(crate) struct OutputArguments {
    /// Print JSON for scripts
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct PullArguments {
    /// The model, and which file of it: by name or by quantisation; without one, the file that suits most machines
    #[arg(value_name = "OWNER/NAME[:FILE]")]
    pub(crate) model: String,
    /// Branch, tag or commit
    #[arg(long, value_name = "NAME")]
    pub(crate) revision: Option<String>,
    /// Print the events of the download, each as a line of JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct RunArguments {
    /// A GGUF file, or the name of a model that `hearth-cli ls` shows
    pub(crate) model: String,
    /// What to ask; `-` reads it from standard input
    pub(crate) prompt: Option<String>,
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
