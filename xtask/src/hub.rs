//! `./x hub`: the hub of the tests, started by hand, so that the window can be used against it.

use crate::process;
use crate::workspace::Workspace;

/// Builds and starts the hub, and waits until it ends.
///
/// # Errors
/// Where the build fails or the hub does not start.
pub(crate) fn hub(workspace: &Workspace, arguments: &[String]) -> anyhow::Result<()> {
    let mut command = workspace.cargo(["run", "--quiet", "--bin", "hearth-testhub", "--"]);
    command.args(arguments);
    process::run(command)
}
