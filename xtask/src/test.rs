//! `./x test`: everything that CI runs, cheapest first, and how many tests ran.

mod deny;
mod gpu;
mod tally;

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, bail};

use crate::workspace::Workspace;
use crate::{fuzz, models, process, sqlx, templates, tidy};
use tally::Tally;

/// The filter that stands for the tests of graphics cards, which need a build of their own.
const GPU: &str = "gpu";

/// Checks and tests everything; with a filter, only runs the tests of that name.
///
/// # Errors
/// At the first check that fails, and after all tests where one of them failed.
pub(crate) fn test(workspace: &Workspace, filter: Option<&str>) -> anyhow::Result<()> {
    if filter == Some(GPU) {
        return timed("tests with a graphics card", || gpu::test(workspace));
    }
    if filter.is_none() {
        timed("format", || {
            process::run(workspace.cargo(["fmt", "--all", "--check"]))?;
            let mut targets = fuzz::format(workspace);
            targets.arg("--check");
            process::run(targets)
        })?;
        timed("tidy", || tidy::tidy(&workspace.root))?;
        timed("query cache", || sqlx::check(&workspace.root))?;
        timed("dependencies", || deny::check(workspace))?;
        timed("clippy", || {
            process::run(workspace.cargo(["lint"]))?;
            process::run(fuzz::lint(workspace))
        })?;
        timed("documents", || process::run(documents(workspace)))?;
    }
    timed("models", || models::fetch(workspace, models::ALL))?;
    timed("templates", || templates::fetch(workspace))?;
    timed("tests", || tests(workspace, filter))
}

/// Runs a step and says how long it took.
fn timed(name: &str, step: impl FnOnce() -> anyhow::Result<()>) -> anyhow::Result<()> {
    println!("== {name}");
    let start = Instant::now();
    step()?;
    println!("== {name}: {:.1} s", start.elapsed().as_secs_f64());
    Ok(())
}

fn documents(workspace: &Workspace) -> Command {
    let mut command = workspace.cargo([
        "doc",
        "--workspace",
        "--all-features",
        "--no-deps",
        "--document-private-items",
    ]);
    command.env("RUSTDOCFLAGS", "-D warnings");
    command
}

/// Runs all tests to the end, passes on what they print and adds up their results.
fn tests(workspace: &Workspace, filter: Option<&str>) -> anyhow::Result<()> {
    let mut command = workspace.cargo(["test", "--workspace", "--all-features", "--no-fail-fast"]);
    command.args(filter);
    let line = process::describe(&command);
    println!("$ {line}");
    let mut child = command.stdout(Stdio::piped()).spawn()?;
    let output = child.stdout.take().context("the tests have no output")?;
    let mut terminal = std::io::stdout().lock();
    let mut tally = Tally::default();
    for output in BufReader::new(output).lines() {
        let output = output?;
        tally.add_line(&output);
        writeln!(terminal, "{output}")?;
    }
    let status = child.wait()?;
    // Once more at the end, where a person looks first.
    for line in tally.failures() {
        writeln!(terminal, "{line}")?;
    }
    writeln!(terminal, "\nTests that ran: {}", tally.ran())?;
    writeln!(terminal, "{tally}")?;
    if !status.success() {
        bail!("{line} failed: {status}");
    }
    if tally.ran() == 0 {
        bail!("no test ran");
    }
    Ok(())
}
