//! Programs that only the tasks use: those of the search path, else those that were installed for the tasks.

use std::path::PathBuf;

use crate::process;
use crate::workspace::Workspace;

/// Where a program is; `None` where it is not installed.
pub(crate) fn find(workspace: &Workspace, program: &str) -> Option<PathBuf> {
    if process::is_installed(program) {
        return Some(PathBuf::from(program));
    }
    let installed = place(workspace, program);
    installed.exists().then_some(installed)
}

/// Where a program is, once it is installed. Compiling it takes minutes, and less of them when it is not optimised: it runs
/// for seconds.
///
/// # Errors
/// Where cargo cannot install it.
pub(crate) fn get(workspace: &Workspace, program: &str, version: &str) -> anyhow::Result<PathBuf> {
    if let Some(found) = find(workspace, program) {
        return Ok(found);
    }
    let mut install = workspace.cargo([
        "install",
        "--quiet",
        "--locked",
        "--debug",
        program,
        "--version",
        version,
    ]);
    install.arg("--root").arg(workspace.tools());
    process::run(install)?;
    Ok(place(workspace, program))
}

fn place(workspace: &Workspace, program: &str) -> PathBuf {
    let file = workspace.tools().join("bin").join(program);
    file.with_extension(std::env::consts::EXE_EXTENSION)
}
