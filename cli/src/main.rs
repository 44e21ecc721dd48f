//! `hearth-cli`: Hearth without a window.
//!
//! Asks the Hearth that runs, where one does; else starts the backend, runs one command through its client, and ends the
//! backend. Only this file names the backend.

mod account;
mod arguments;
mod ask;
mod bench;
mod catalogue;
mod chats;
mod clean;
mod completions;
mod disk;
mod downloads;
mod eject;
mod embed;
mod exit;
mod folders;
mod get;
mod import;
mod inspect;
mod interrupts;
mod keys;
mod list;
mod load;
mod log;
mod pick;
mod program;
mod pull;
mod rename;
mod rm;
mod run;
mod serve;
mod settings;
mod text;
mod time;

use std::io::IsTerminal;
use std::path::Path;
use std::process::ExitCode;

use clap::Parser;
use hearth_backend::{Config, Shutdown, WORKER_ARGUMENT};
use hearth_protocol::{Client, Error};
use tracing_subscriber::EnvFilter;

use arguments::{Arguments, Command};
use exit::{Exit, Failure};
use interrupts::Interrupts;
use serve::Runs;

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
    let home = config.home.clone();
    let command = match arguments.command {
        // These ask nobody.
        Command::Completions { shell } => return completions::completions(shell),
        Command::Serve(arguments) if arguments.install => return serve::install(&arguments),
        command => command,
    };
    let interrupts = Interrupts::listen();
    let asked = Asked::find(config, &command)?;
    let client = asked.client.with_waker(interrupts.waker());
    let exit = carry_out(&client, &interrupts, command, &home, asked.runs);
    // From here on Ctrl-C does not wait for the backend's end.
    drop(interrupts);
    drop(asked.end);
    exit
}

/// Whom a command asks.
struct Asked {
    client: Client,
    runs: Runs,
    /// Ends the backend of this command, or the connection to another, after the command and before the process.
    end: Shutdown,
}

impl Asked {
    /// The Hearth that runs on these data, else a backend of this process.
    fn find(mut config: Config, command: &Command) -> Result<Self, Error> {
        if let Some(asked) = Self::elsewhere(&config, Runs::Elsewhere)? {
            return Ok(asked);
        }
        let (client, end) = match command {
            Command::Serve(_) => match hearth_backend::start_listening(config.clone()) {
                Some(started) => started,
                None => {
                    let begun = Self::elsewhere(&config, Runs::BegunElsewhere)?;
                    return begun.ok_or_else(|| Error::OtherHearth {
                        problem: "it begins or ends just now; try again in a moment".into(),
                    });
                }
            },
            // What they ask of is in the memory of another process, and there is none.
            Command::Load(_) | Command::Eject(_) | Command::Log(_) => {
                return Err(Error::NotFound {
                    what: "running Hearth with the data in".into(),
                    name: config.home.display().to_string(),
                    known: Vec::new(),
                });
            }
            _ => {
                // Whoever pulls one model does not mean all that was ever begun.
                config.hub.only_asked_downloads = true;
                hearth_backend::start(config)
            }
        };
        let runs = Runs::Here;
        Ok(Self { client, runs, end })
    }

    /// The Hearth that runs on these data, where one does.
    fn elsewhere(config: &Config, runs: Runs) -> Result<Option<Self>, Error> {
        let Some((client, end)) = hearth_backend::connect(config)? else {
            return Ok(None);
        };
        if config.hub.offline && !client.hub_status().wait()?.offline {
            return Err(Error::OtherHearth {
                problem:
                    "it is not offline; `hearth-cli settings offline true` takes it there, or end it first"
                        .into(),
            });
        }
        Ok(Some(Self { client, runs, end }))
    }
}

fn carry_out(
    client: &Client,
    interrupts: &Interrupts,
    command: Command,
    home: &Path,
    runs: Runs,
) -> Result<Exit, Failure> {
    match command {
        Command::Run(arguments) => run::run(client, interrupts, arguments, &home.join(HISTORY_FILE)),
        Command::Chats(arguments) => chats::chats(client, arguments),
        Command::Embed(arguments) => embed::embed(client, interrupts, arguments),
        Command::Pull(arguments) => pull::pull(client, interrupts, arguments),
        Command::Downloads(arguments) => downloads::downloads(client, &arguments),
        Command::Ls(output) => list::files(client, output),
        Command::Import(arguments) => import::import(client, interrupts, &arguments),
        Command::Rm(arguments) => rm::rm(client, interrupts, &arguments),
        Command::Rename(arguments) => rename::rename(client, arguments),
        Command::Clean(arguments) => clean::clean(client, interrupts, &arguments),
        Command::Inspect(arguments) => inspect::inspect(client, &arguments),
        Command::Disk(output) => disk::disk(client, output),
        Command::Folders(arguments) => folders::folders(client, arguments),
        Command::Search(arguments) => catalogue::search(client, interrupts, arguments),
        Command::Show(arguments) => catalogue::show(client, interrupts, &arguments),
        Command::Ps(output) => list::loaded(client, output),
        Command::Devices(output) => list::devices(client, output),
        Command::Load(arguments) => load::load(client, interrupts, &arguments),
        Command::Eject(arguments) => eject::eject(client, &arguments),
        Command::Serve(arguments) => serve::serve(client, interrupts, &arguments, runs),
        Command::Log(arguments) => log::log(client, interrupts, &arguments),
        Command::Keys(arguments) => keys::keys(client, arguments),
        Command::Bench(arguments) => bench::bench(client, interrupts, &arguments),
        Command::Login => account::login(client),
        Command::Logout => account::logout(client),
        Command::Settings(arguments) => settings::settings(client, arguments),
        Command::Whoami(output) => account::who_am_i(client, output),
        Command::Completions { shell } => completions::completions(shell),
    }
}
