//! The task runner behind `./x`: one file per command, each usable as `cargo xtask COMMAND` too.
//!
//! It runs other programs and looks at files. Nothing of Hearth itself is in here.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a task runner speaks to its terminal"
)]

mod bench;
mod clients;
mod conformance;
mod docs;
mod fuzz;
mod hub;
mod llama_cpp;
mod models;
mod package;
mod process;
mod run;
mod shot;
mod sqlx;
mod templates;
mod test;
mod tidy;
mod tools;
mod vulkan;
mod workspace;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use workspace::Workspace;

#[derive(Parser)]
#[command(name = "x", bin_name = "./x", about = "Builds, runs and tests Hearth.")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Get the starter model, build, and open the window; without a display, the terminal chat
    Run {
        /// Arguments for Hearth itself
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Run everything that CI runs
    Test {
        /// Run only the tests whose names hold this text, and no other check. `gpu` stands for those with a graphics
        /// card, or Mesa's software driver in its place, which need a build of their own
        filter: Option<String>,
    },
    /// Get the models and chat templates that the tests use
    Models,
    /// Start the hub of the tests, to use the window against it
    Hub {
        /// Arguments for the hub itself
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Take pictures of every page of the window, in both themes
    Shot,
    /// Check the rules of the tree that no compiler knows
    Tidy,
    /// Make the cache of query types anew, after a change of a query or the schema
    Sqlx,
    /// Format all code
    Fmt,
    /// Measure the engine beside llama.cpp's own programs, and downloads beside aria2c
    Bench(bench::Arguments),
    /// Run llama-server's own test suite against the local server
    Conformance(conformance::Arguments),
    /// Ask the local server through the official clients of OpenAI and Anthropic
    Clients,
    /// Give damaged files and answers to the readers of what comes from outside, until one breaks them or the time is over
    Fuzz(fuzz::Arguments),
    /// Make what is installed elsewhere: .deb, AppImage and tarball, .app and .dmg, or an installer of Windows
    Package(package::Arguments),
    /// Make the guides in docs/ a book, and check their links
    Docs,
    /// Draw the icon's sizes anew, after a change of its drawing
    Icons,
}

fn main() -> ExitCode {
    match start(Arguments::parse().command) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn start(command: Command) -> anyhow::Result<ExitCode> {
    let workspace = Workspace::locate()?;
    match command {
        Command::Run { arguments } => return run::run(&workspace, &arguments),
        Command::Hub { arguments } => hub::hub(&workspace, &arguments)?,
        Command::Test { filter } => test::test(&workspace, filter.as_deref())?,
        Command::Models => {
            models::fetch(&workspace, models::ALL)?;
            templates::fetch(&workspace)?;
        }
        Command::Shot => shot::shot(&workspace)?,
        Command::Tidy => tidy::tidy(&workspace.root)?,
        Command::Sqlx => sqlx::prepare(&workspace)?,
        Command::Fmt => {
            process::run(workspace.cargo(["fmt", "--all"]))?;
            process::run(fuzz::format(&workspace))?;
        }
        Command::Clients => clients::clients(&workspace)?,
        Command::Fuzz(arguments) => fuzz::fuzz(&workspace, &arguments)?,
        Command::Conformance(arguments) => conformance::conformance(&workspace, &arguments)?,
        Command::Bench(arguments) => return bench::bench(&workspace, &arguments),
        Command::Package(arguments) => package::package(&workspace, &arguments)?,
        Command::Docs => docs::docs(&workspace)?,
        Command::Icons => package::icons::draw(&workspace)?,
    }
    Ok(ExitCode::SUCCESS)
}
