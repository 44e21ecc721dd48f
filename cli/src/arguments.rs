//! What can be typed. Turned into the protocol's terms in the file of each command.

mod library;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

pub(crate) use library::{
    CleanArguments, FoldersArguments, FoldersCommand, ImportArguments, InspectArguments, RenameArguments,
    RmArguments,
};

const EXIT_CODES: &str = "\
Exit codes: 0 done, 1 failed, 2 wrong usage, 3 not found, 4 the engine or the model failed, 130 stopped by Ctrl-C.
With --json, a command that fails prints {\"event\": \"failed\"} with the reason as its last line.
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
    /// Turn texts into vectors
    ///
    /// Each TEXT becomes one; without any, each line of standard input does. A vector is a line of numbers.
    #[command(after_help = EXIT_CODES)]
    Embed(EmbedArguments),
    /// Download a model file from the hub
    ///
    /// A download that broke off goes on where it stood. Ctrl-C pauses it. Other downloads that were begun wait until they
    /// are asked for, or Hearth's window is open. Files go to the Hugging Face cache, where other programs find them too,
    /// unless the settings say otherwise.
    #[command(after_help = EXIT_CODES)]
    Pull(PullArguments),
    /// List the model files, those of other programs too
    #[command(after_help = EXIT_CODES)]
    Ls(OutputArguments),
    /// Take a model file into Hearth's own folder
    ///
    /// Copies it unless another way is named. Of a model in several files any one stands for all. A file that the library
    /// has already, under whatever name, is not taken again; a copy of it is another file. Ctrl-C removes what was written.
    #[command(after_help = EXIT_CODES)]
    Import(ImportArguments),
    /// Delete a model from the disk
    ///
    /// All files of it go, and of a link only the link. A model that is not Hearth's own is deleted only after a yes to
    /// the name of whose it is.
    #[command(after_help = EXIT_CODES)]
    Rm(RmArguments),
    /// Give a model another display name
    ///
    /// On the disk nothing changes. It is found by that name and by those it had.
    #[command(after_help = EXIT_CODES)]
    Rename(RenameArguments),
    /// Find what is of no use any more, and remove it
    ///
    /// Beginnings of downloads and imports that nobody goes on with, bytes in caches that no name leads to, links that
    /// lead nowhere. What a download of the list needs, or another program may be writing, is none of it.
    #[command(after_help = EXIT_CODES)]
    Clean(CleanArguments),
    /// Show what a model file says of itself: metadata, chat template, tensors
    #[command(after_help = EXIT_CODES)]
    Inspect(InspectArguments),
    /// Show what model files take on the disk
    #[command(after_help = EXIT_CODES)]
    Disk(OutputArguments),
    /// List, add or remove folders of yours that belong to the library
    ///
    /// Without a command, lists them. Models in them are used where they are; nothing is copied.
    #[command(after_help = EXIT_CODES)]
    Folders(FoldersArguments),
    /// Search the models that can be had: those this computer knows, and those of the hub
    ///
    /// Without words, lists all of them, Hearth's picks first. Answers of the hub are kept for when it is not there.
    #[command(after_help = EXIT_CODES)]
    Search(SearchArguments),
    /// Show what is known of a model, and which of its files fits this machine
    ///
    /// A model of the hub is asked for there, with the headers of its files, so that the fit is exact before a download.
    #[command(after_help = EXIT_CODES)]
    Show(ShowArguments),
    /// List the models in memory
    #[command(after_help = EXIT_CODES)]
    Ps(OutputArguments),
    /// Sign in at the hub with a token, for models that are gated or private
    ///
    /// Reads the token from the terminal unseen, or from standard input. It is kept in the system's keyring, or in a
    /// file that only you may read where there is none.
    #[command(after_help = EXIT_CODES)]
    Login,
    /// Forget the token of `login`
    #[command(after_help = EXIT_CODES)]
    Logout,
    /// Show the settings, or change one
    ///
    /// Without KEY, lists all. The next command heeds a change; a window that is open heeds its own settings page alone.
    #[command(after_help = EXIT_CODES)]
    Settings(SettingsArguments),
    /// Say whose token is in use at the hub
    #[command(after_help = EXIT_CODES)]
    Whoami(OutputArguments),
}

impl Command {
    /// Whether a script reads what it prints.
    pub(crate) fn is_json(&self) -> bool {
        match self {
            Self::Run(arguments) => arguments.json,
            Self::Embed(arguments) => arguments.json,
            Self::Pull(arguments) => arguments.json,
            Self::Import(arguments) => arguments.json,
            Self::Inspect(arguments) => arguments.json,
            Self::Folders(arguments) => arguments.json,
            Self::Search(arguments) => arguments.json,
            Self::Show(arguments) => arguments.json,
            Self::Settings(arguments) => arguments.json,
            Self::Ls(output) | Self::Disk(output) | Self::Ps(output) | Self::Whoami(output) => output.json,
            Self::Rm(_) | Self::Rename(_) | Self::Clean(_) | Self::Login | Self::Logout => false,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct OutputArguments {
    /// Print JSON for scripts
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct SettingsArguments {
    /// Which, such as `offline` or `load.threads`
    pub(crate) key: Option<String>,
    /// What it shall be: a text, a number, `true`, `false`, `null` for none, or any JSON
    #[arg(conflicts_with = "reset")]
    pub(crate) value: Option<String>,
    /// Take the default again
    #[arg(long, requires = "key")]
    pub(crate) reset: bool,
    /// Print JSON for scripts
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct SearchArguments {
    /// Words or their beginnings, `author/model`, or a link to a model
    pub(crate) words: Vec<String>,
    /// Only models that can do this; can be given more than once
    #[arg(long = "can", value_name = "WHAT", value_enum)]
    pub(crate) capabilities: Vec<CanDo>,
    /// Only models with this licence, such as MIT; can be given more than once
    #[arg(long = "licence", value_name = "NAME")]
    pub(crate) licences: Vec<String>,
    /// Only models that know this language, such as de
    #[arg(long, value_name = "CODE")]
    pub(crate) language: Option<String>,
    /// Only models with this many billions of parameters at least
    #[arg(long, value_name = "BILLIONS", value_parser = billions)]
    pub(crate) min_params: Option<u64>,
    /// Only models with this many billions of parameters at most
    #[arg(long, value_name = "BILLIONS", value_parser = billions)]
    pub(crate) max_params: Option<u64>,
    /// Only models whose licence must be accepted on the hub first, or only the others
    #[arg(long, value_enum)]
    pub(crate) gated: Option<YesNo>,
    /// Only models of which a file fits this machine
    #[arg(long)]
    pub(crate) fits: bool,
    /// Only your favourites
    #[arg(long)]
    pub(crate) favourites: bool,
    /// The order
    #[arg(long, value_enum, default_value_t)]
    pub(crate) sort: Order,
    /// Only what this computer knows; the hub is not asked
    #[arg(long)]
    pub(crate) local: bool,
    /// Which page, from 1
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) page: u32,
    /// Print JSON for scripts
    #[arg(long)]
    pub(crate) json: bool,
}

/// What a model can do.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum CanDo {
    Tools,
    Vision,
    Reasoning,
    Embedding,
    Rerank,
    Code,
}

/// One or the other.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum YesNo {
    Yes,
    No,
}

/// The order of a search.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
pub(crate) enum Order {
    /// Best match first
    #[default]
    Match,
    /// By name
    Name,
    /// Most parameters first
    Params,
    /// Most downloads first
    Downloads,
    /// Most likes first
    Likes,
    /// Trending on the hub first
    Trending,
    /// Newest change on the hub first
    Updated,
    /// Newest release first
    #[value(alias = "newest")]
    Created,
    /// Favourites first
    Favourites,
}

#[derive(Debug, Args)]
pub(crate) struct ShowArguments {
    /// The model as `author/name`, whoever's on the hub, a link to it, or words that find it; a file after a colon, by its name or its
    /// quantisation, gets an exact fit beside the recommended one
    #[arg(value_name = "MODEL[:FILE]")]
    pub(crate) model: String,
    /// Tokens of the context that its files are held against
    #[arg(long, value_name = "TOKENS")]
    pub(crate) ctx: Option<u32>,
    /// Print JSON for scripts
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct PullArguments {
    /// The model, and which file of it: by name or by quantisation; without one, the file that suits most machines. Or a
    /// link to a page of it
    #[arg(value_name = "OWNER/NAME[:FILE]")]
    pub(crate) model: String,
    /// Branch, tag or commit
    #[arg(long, value_name = "NAME")]
    pub(crate) revision: Option<String>,
    /// Print the events of the download, each as a line of JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Billions as typed, such as `0.6`, as a number.
fn billions(text: &str) -> Result<u64, String> {
    let billions: f64 = text.parse().map_err(|_| "must be a number".to_owned())?;
    if (0.0..=1e6).contains(&billions) {
        Ok((billions * 1e9).round() as u64)
    } else {
        Err("must be 0 or more".into())
    }
}

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
