//! What can be typed to commands of the local server, of API keys and of models in memory.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

#[derive(Debug, Args)]
pub(crate) struct ServeArguments {
    #[command(flatten)]
    pub(crate) options: ServeOptions,
    /// Print the address and the log as lines of JSON
    #[arg(long, conflicts_with = "install")]
    pub(crate) json: bool,
    /// Print what makes the system start `serve` when you sign in, with these options
    #[arg(long)]
    pub(crate) install: bool,
    /// Write it to its place instead of printing it; another one that is there stays
    #[arg(long, requires = "install", conflicts_with = "system")]
    pub(crate) yes: bool,
    /// Print it for another system than this one
    #[arg(long, requires = "install", value_enum)]
    pub(crate) system: Option<System>,
}

/// How to serve, where it differs from the settings.
#[derive(Debug, Default, PartialEq, Eq, Args)]
pub(crate) struct ServeOptions {
    /// TCP port; 0 takes a free one
    #[arg(long, value_name = "N")]
    pub(crate) port: Option<u16>,
    /// Let other computers connect; needs an API key, which `hearth-cli keys make` makes
    #[arg(long)]
    pub(crate) network: bool,
    /// A further name by which it may be called, such as workstation.local; can be given more than once
    #[arg(long = "host", value_name = "NAME")]
    pub(crate) hosts: Vec<String>,
    /// An origin that web pages may call from, such as `https://chat.example.org`; can be given more than once
    #[arg(long = "cors", value_name = "ORIGIN")]
    pub(crate) cors_origins: Vec<String>,
    /// Speak HTTPS with this certificate (PEM)
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    pub(crate) tls_certificate: Option<PathBuf>,
    /// The private key of the certificate (PEM)
    #[arg(long, value_name = "FILE", requires = "tls_certificate")]
    pub(crate) tls_key: Option<PathBuf>,
    /// Ask programs on this computer for an API key too
    #[arg(long)]
    pub(crate) require_key: bool,
    /// Write what is asked and answered to the log
    #[arg(long)]
    pub(crate) log_prompts: bool,
}

/// A system that starts programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum System {
    /// A systemd user unit
    Linux,
    /// A launchd agent
    Macos,
    /// A scheduled task
    Windows,
}

#[derive(Debug, Args)]
pub(crate) struct LogArguments {
    /// Of the lines there are already, show only the last N
    #[arg(long, value_name = "N")]
    pub(crate) lines: Option<usize>,
    /// Print each line as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct KeysArguments {
    #[command(subcommand)]
    pub(crate) command: Option<KeysCommand>,
    /// Print JSON for scripts
    #[arg(long)]
    pub(crate) json: bool,
}

impl KeysArguments {
    /// Whether a script reads what it prints.
    pub(crate) fn is_json(&self) -> bool {
        match &self.command {
            None => self.json,
            Some(KeysCommand::List { json } | KeysCommand::Make { json, .. }) => *json,
            Some(KeysCommand::Revoke { .. }) => false,
        }
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum KeysCommand {
    /// List the keys; none is shown itself
    List {
        /// Print JSON for scripts
        #[arg(long)]
        json: bool,
    },
    /// Make a key and print it, this once
    Make {
        /// What it is for
        name: String,
        /// Print JSON for scripts
        #[arg(long)]
        json: bool,
    },
    /// Take a key back
    Revoke {
        /// Its number in the list
        id: i64,
    },
}

#[derive(Debug, Args)]
pub(crate) struct LoadArguments {
    /// A GGUF file, or the name of a model that `hearth-cli ls` shows
    pub(crate) model: String,
    /// Tokens the context holds
    #[arg(long, visible_alias = "context", value_name = "TOKENS")]
    pub(crate) ctx: Option<u32>,
    /// Layers kept on the graphics card: a number, `all`, or `auto` for as many as fit
    #[arg(long, value_name = "N")]
    pub(crate) gpu_layers: Option<String>,
    /// Threads to compute with
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<u32>,
    /// Requests that are answered at once
    #[arg(long, value_name = "N")]
    pub(crate) parallel: Option<u32>,
    /// Keep it for so many seconds after its last answer; else it stays until it is ejected
    #[arg(long, value_name = "SECONDS")]
    pub(crate) keep: Option<u32>,
    /// Load it even where memory is short
    #[arg(long)]
    pub(crate) force: bool,
    /// Print the events of the load, each as a line of JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct EjectArguments {
    /// The model, by a name that `hearth-cli ps` or `ls` shows, or its file
    #[arg(required_unless_present = "all", conflicts_with = "all")]
    pub(crate) model: Option<String>,
    /// All models
    #[arg(long)]
    pub(crate) all: bool,
}

#[derive(Debug, Args)]
pub(crate) struct BenchArguments {
    /// A GGUF file, or the name of a model that `hearth-cli ls` shows
    pub(crate) model: String,
    /// Tokens of the prompt
    #[arg(long, value_name = "N", default_value_t = 512, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) prompt: u32,
    /// Tokens to generate
    #[arg(long, value_name = "N", default_value_t = 128, value_parser = clap::value_parser!(u32).range(2..))]
    pub(crate) tokens: u32,
    /// How often each is measured
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub(crate) rounds: u32,
    /// Print JSON for scripts
    #[arg(long)]
    pub(crate) json: bool,
}
