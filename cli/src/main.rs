//! `hearth-cli`: Hearth without a window.
//!
//! Starts the backend, runs one command through its client, ends the backend. Only this file names the backend.

mod account;
mod arguments;
mod ask;
mod catalogue;
mod clean;
mod disk;
mod embed;
mod exit;
mod folders;
mod get;
mod import;
mod inspect;
mod interrupts;
mod list;
mod pick;
mod program;
mod pull;
mod rename;
mod rm;
mod run;
mod settings;
mod text;

use std::io::IsTerminal;
use std::process::ExitCode;

use clap::Parser;
use hearth_backend::{Config, WORKER_ARGUMENT};
use tracing_subscriber::EnvFilter;

use arguments::{Arguments, Command};
use exit::{Exit, Failure};
use interrupts::Interrupts;

/// Says what is logged to standard error, as `tracing` filters do: `HEARTH_LOG=debug`; else `RUST_LOG` does.
const LOG_VARIABLE: &str = "HEARTH_LOG";

/// What is logged without them: what has gone wrong and nobody was answered.
const DEFAULT_LOG: &str = "error";

/// The terminal chat's input history, in Hearth's data folder.
const HISTORY_FILE: &str = "cli-history.txt";

fn main() -> ExitCode {
    if std::env::args_os()
        .nth(1)
        .is_some_and(|argument| argument == WORKER_ARGUMENT)
    {
        return hearth_backend::worker_main();
    }
    let arguments = Arguments::parse();
    let filter = EnvFilter::try_from_env(LOG_VARIABLE)
        .or_else(|_| EnvFilter::try_from_default_env())
        .unwrap_or_else(|_| EnvFilter::new(DEFAULT_LOG));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .init();
    let as_json = arguments.command.is_json();
    let exit = execute(arguments).unwrap_or_else(|failure| failure.report(as_json));
    exit.into()
}

fn execute(arguments: Arguments) -> Result<Exit, Failure> {
    let mut config = Config::from_environment()?;
    config.hub.offline |= arguments.offline;
    // Whoever pulls one model does not mean all that was ever begun.
    config.hub.only_asked_downloads = true;
    let history = config.home.join(HISTORY_FILE);
    let interrupts = Interrupts::listen();
    // Ends the backend when it is dropped, after the command and before the process.
    let (client, _shutdown) = hearth_backend::start(config);
    let client = client.with_waker(interrupts.waker());
    let exit = match arguments.command {
        Command::Run(arguments) => run::run(&client, &interrupts, arguments, &history),
        Command::Embed(arguments) => embed::embed(&client, &interrupts, arguments),
        Command::Pull(arguments) => pull::pull(&client, &interrupts, arguments),
        Command::Ls(output) => list::files(&client, output),
        Command::Import(arguments) => import::import(&client, &interrupts, &arguments),
        Command::Rm(arguments) => rm::rm(&client, &interrupts, &arguments),
        Command::Rename(arguments) => rename::rename(&client, arguments),
        Command::Clean(arguments) => clean::clean(&client, &interrupts, &arguments),
        Command::Inspect(arguments) => inspect::inspect(&client, &arguments),
        Command::Disk(output) => disk::disk(&client, output),
        Command::Folders(arguments) => folders::folders(&client, arguments),
        Command::Search(arguments) => catalogue::search(&client, &interrupts, arguments),
        Command::Show(arguments) => catalogue::show(&client, &interrupts, &arguments),
        Command::Ps(output) => list::loaded(&client, output),
        Command::Login => account::login(&client),
        Command::Logout => account::logout(&client),
        Command::Settings(arguments) => settings::settings(&client, arguments),
        Command::Whoami(output) => account::who_am_i(&client, output),
    };
    // From here on Ctrl-C does not wait for the backend's end.
    drop(interrupts);
    exit
}
