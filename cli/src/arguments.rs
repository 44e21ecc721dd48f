//! What can be typed. Turned into the protocol's terms in the file of each command.

mod chats;
mod library;
mod run;
mod server;

use clap::{Args, Parser, Subcommand, ValueEnum};

pub(crate) use chats::{ChatsArguments, ChatsCommand};
pub(crate) use library::{
    CleanArguments, DownloadsArguments, DownloadsCommand, FoldersArguments, FoldersCommand, ImportArguments,
    InspectArguments, RenameArguments, RmArguments,
};
pub(crate) use run::{EmbedArguments, PoolingKind, RunArguments};
pub(crate) use server::{
    BenchArguments, EjectArguments, KeysArguments, KeysCommand, LoadArguments, LogArguments, ServeArguments,
    ServeOptions, System,
};

const EXIT_CODES: &str = "\
Exit codes: 0 done, 1 failed, 2 wrong usage, 3 not found, 4 the engine or the model failed, 130 stopped by Ctrl-C.
With --json, a command that fails prints {\"event\": \"failed\"} with the reason as its last line.
Where a Hearth runs, in a window or by `hearth-cli serve`, a command asks that one; else it does the work itself.
HEARTH_HOME names the folder of all data, and with it says which Hearth. HEARTH_LOG=info writes a log to standard
error.
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
    /// List chats, or search, export and import them
    ///
    /// Without a command, lists them: pinned ones first, then the newest.
    #[command(after_help = EXIT_CODES)]
    Chats(ChatsArguments),
    /// Turn texts into vectors
    ///
    /// Each TEXT becomes one; without any, each line of standard input does. A vector is a line of numbers.
    #[command(after_help = EXIT_CODES)]
    Embed(EmbedArguments),
    /// Download a model file from the hub
    ///
    /// A download that broke off goes on where it stood. Ctrl-C pauses it. Other downloads that were begun wait until they
    /// are asked for, or a Hearth runs. Files go to the Hugging Face cache, where other programs find them too,
    /// unless the settings say otherwise.
    #[command(after_help = EXIT_CODES)]
    Pull(PullArguments),
    /// List the downloads, or pause, go on with or end one
    ///
    /// Those that broke off or were paused wait here; `hearth-cli pull` goes on with one, and so does a Hearth that runs.
    #[command(after_help = EXIT_CODES)]
    Downloads(DownloadsArguments),
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
    /// List what can compute here: the processor, with the kind that llama.cpp's code is for, and graphics cards
    #[command(after_help = EXIT_CODES)]
    Devices(OutputArguments),
    /// List the models in memory
    #[command(after_help = EXIT_CODES)]
    Ps(OutputArguments),
    /// Bring a model into the memory of the Hearth that runs
    #[command(after_help = EXIT_CODES)]
    Load(LoadArguments),
    /// Take a model out of the memory of the Hearth that runs
    ///
    /// An answer that it writes ends.
    #[command(after_help = EXIT_CODES)]
    Eject(EjectArguments),
    /// Serve models to other programs, until Ctrl-C
    ///
    /// They find what they know from OpenAI, Anthropic and llama.cpp. Options go before the settings and are not kept.
    /// Where a Hearth runs already, it is that one which serves.
    #[command(after_help = EXIT_CODES)]
    Serve(ServeArguments),
    /// Show the log of the local server, and what comes, until Ctrl-C
    #[command(after_help = EXIT_CODES)]
    Log(LogArguments),
    /// List, make or revoke the API keys of the local server
    ///
    /// Without a command, lists them.
    #[command(after_help = EXIT_CODES)]
    Keys(KeysArguments),
    /// Measure how fast a model reads and writes on this machine
    #[command(after_help = EXIT_CODES)]
    Bench(BenchArguments),
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
    /// Without KEY, lists all. A Hearth that runs heeds a change at once.
    #[command(visible_alias = "config", after_help = EXIT_CODES)]
    Settings(SettingsArguments),
    /// Say whose token is in use at the hub
    #[command(after_help = EXIT_CODES)]
    Whoami(OutputArguments),
    /// Print what a shell needs to complete commands and options
    #[command(after_help = EXIT_CODES)]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

impl Command {
    /// Whether a script reads what it prints.
    pub(crate) fn is_json(&self) -> bool {
        match self {
            Self::Run(arguments) => arguments.json,
            Self::Chats(arguments) => arguments.json,
            Self::Embed(arguments) => arguments.json,
            Self::Pull(arguments) => arguments.json,
            Self::Import(arguments) => arguments.json,
            Self::Inspect(arguments) => arguments.json,
            Self::Folders(arguments) => arguments.json,
            Self::Search(arguments) => arguments.json,
            Self::Show(arguments) => arguments.json,
            Self::Settings(arguments) => arguments.json,
            Self::Load(arguments) => arguments.json,
            Self::Serve(arguments) => arguments.json,
            Self::Log(arguments) => arguments.json,
            Self::Keys(arguments) => arguments.is_json(),
            Self::Downloads(arguments) => arguments.is_json(),
            Self::Bench(arguments) => arguments.json,
            Self::Ls(output)
            | Self::Disk(output)
            | Self::Devices(output)
            | Self::Ps(output)
            | Self::Whoami(output) => output.json,
            Self::Rm(_)
            | Self::Rename(_)
            | Self::Clean(_)
            | Self::Eject(_)
            | Self::Completions { .. }
            | Self::Login
            | Self::Logout => false,
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
