//! `./x docs`: the guides as a book. That links lead somewhere is a rule of `tidy`.

use std::process::Command;

use crate::workspace::Workspace;
use crate::{process, tidy, tools};

/// The program, and its version.
const PROGRAM: &str = "mdbook";
const VERSION: &str = "0.5.4";

/// Checks the links, makes the book and says where it is.
///
/// # Errors
/// Where a link leads nowhere, and where mdBook cannot be installed or fails.
pub(crate) fn docs(workspace: &Workspace) -> anyhow::Result<()> {
    tidy::tidy(&workspace.root)?;
    let mut build = Command::new(tools::get(workspace, PROGRAM, VERSION)?);
    build.current_dir(&workspace.root).args(["build", "docs"]);
    build.arg("--dest-dir").arg(workspace.book());
    process::run(build)?;
    println!("The book is in {}", workspace.book().display());
    Ok(())
}
