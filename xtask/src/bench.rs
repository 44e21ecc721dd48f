//! `./x bench`: Hearth measured beside llama.cpp's own programs and aria2c. The measuring itself is in `bench/`.

mod peers;
mod ui;

use std::process::{Command, ExitCode};

use anyhow::{Context, ensure};

use crate::workspace::Workspace;
use crate::{models, process};

/// What is measured.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Measure only this row of docs/performance.md; `ui` measures the window
    name: Option<String>,
    /// Of the window, measure only this
    #[arg(requires = "name")]
    measure: Option<String>,
    /// Rounds of each row [default: 5, and 20 of stop]
    #[arg(long)]
    rounds: Option<u32>,
    /// Measure only with the models whose names hold this text
    #[arg(long)]
    model: Option<String>,
    /// Measure an optimised build, for which llama.cpp is compiled once more
    #[arg(long)]
    release: bool,
    /// Measure without llama.cpp's programs, and build none of them
    #[arg(long)]
    alone: bool,
}

/// Builds what is measured, measures, and says where the results are.
///
/// # Errors
/// Where models do not come or Hearth's build fails. Peers that cannot be built are told and left out.
pub(crate) fn bench(workspace: &Workspace, arguments: &Arguments) -> anyhow::Result<ExitCode> {
    if arguments.name.as_deref() == Some("ui") {
        ui::measure(workspace, arguments.measure.as_deref())?;
        return Ok(ExitCode::SUCCESS);
    }
    models::fetch(workspace, models::ALL)?;
    let peers = if arguments.alone {
        None
    } else {
        peers::build(workspace)
            .inspect_err(|error| println!("llama.cpp's programs are not measured: {error:#}"))
            .ok()
    };
    let mut build = workspace.cargo(["build", "--workspace", "--all-features"]);
    build.args(["--bin", "hearth-bench", "--bin", "hearth-testhub"]);
    if arguments.release {
        build.arg("--release");
    }
    process::run(build)?;

    let mut measure = Command::new(workspace.executables_of(arguments.release).join("hearth-bench"));
    measure.arg("--models").arg(workspace.models());
    measure.arg("--out").arg(workspace.bench());
    measure.args(["--source", &source(workspace, arguments.release)?]);
    if let Some(peers) = peers {
        measure.arg("--peers").arg(peers);
    }
    if let Some(rounds) = arguments.rounds {
        measure.args(["--rounds", &rounds.to_string()]);
    }
    if let Some(model) = &arguments.model {
        measure.args(["--model", model]);
    }
    measure.args(&arguments.name);
    let status = measure.status().context("hearth-bench does not start")?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
}

/// The commit that is built, whether the tree has changes beside it, and how it is built.
fn source(workspace: &Workspace, release: bool) -> anyhow::Result<String> {
    let output = Command::new("git")
        .current_dir(&workspace.root)
        .args(["describe", "--always", "--dirty"])
        .output()
        .context("git does not run")?;
    ensure!(
        output.status.success(),
        "git knows no commit: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    let commit = String::from_utf8(output.stdout)?;
    let profile = if release { "release" } else { "dev" };
    Ok(format!("Hearth {} ({profile})", commit.trim()))
}
