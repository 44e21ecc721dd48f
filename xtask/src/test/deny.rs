//! Licences, sources and bans of dependencies, by cargo-deny.
//!
//! The database of advisories is a repository elsewhere, so `cargo deny check advisories` is a matter of its own.

use crate::workspace::Workspace;
use crate::{process, tools};

/// The program, and the version that CI installs.
const PROGRAM: &str = "cargo-deny";
const VERSION: &str = "0.20.2";

/// Set by every CI service.
const CI_VARIABLE: &str = "CI";

/// Checks with deny.toml. Compiling cargo-deny takes minutes, so only CI installs it; elsewhere it is used where it
/// is there.
///
/// # Errors
/// Where a dependency does not fit deny.toml.
pub(super) fn check(workspace: &Workspace) -> anyhow::Result<()> {
    let program = if std::env::var_os(CI_VARIABLE).is_some() {
        tools::get(workspace, PROGRAM, VERSION)?
    } else if let Some(program) = tools::find(workspace, PROGRAM) {
        program
    } else {
        println!(
            "SKIPPED: cargo-deny is not installed. CI runs it; cargo install --locked {PROGRAM} gets it."
        );
        return Ok(());
    };
    let mut command = std::process::Command::new(program);
    command
        .current_dir(&workspace.root)
        .args(["check", "bans", "licenses", "sources"]);
    process::run(command)
}
