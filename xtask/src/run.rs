//! `./x run`: from a fresh clone to a window that chats.

mod display;

use std::process::{Command, ExitCode};

use anyhow::Context;

use crate::models::{self, STARTER};
use crate::process;
use crate::workspace::Workspace;

/// Gets the starter model, builds and starts Hearth: the window, or the terminal chat where there is no display.
///
/// # Errors
/// Where the model does not come, the build fails or the program does not start.
pub(crate) fn run(workspace: &Workspace, arguments: &[String]) -> anyhow::Result<ExitCode> {
    models::fetch(workspace, &[STARTER])?;
    let (program, arguments) = if display::is_there() {
        ("hearth", arguments.to_vec())
    } else {
        println!("There is no display here, so Hearth opens in the terminal.");
        ("hearth-cli", vec!["run".to_owned(), STARTER.name().to_owned()])
    };
    // The whole workspace is selected, whichever program is built, so that both share every dependency.
    process::run(workspace.cargo(["build", "--workspace", "--bin", program]))?;
    let status = Command::new(workspace.executables().join(program))
        .args(arguments)
        .status()
        .with_context(|| format!("{program} does not start"))?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
}
