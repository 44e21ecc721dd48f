//! The archive for a person without root, with the scripts that install it and take it away.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use super::Places;
use super::build::name_of;
use super::staging::{self, Stage, copy, copy_folder};
use crate::workspace::Workspace;

/// The scripts, from `packaging/linux`.
const SCRIPTS: [&str; 2] = ["install.sh", "uninstall.sh"];

/// Makes it; where it is then.
///
/// # Errors
/// Where tar or xz is missing, or a file cannot be written.
pub(super) fn make(workspace: &Workspace, places: &Places, stage: &Stage) -> anyhow::Result<PathBuf> {
    let machine = std::env::consts::ARCH;
    let name = format!("hearth-{}-linux-{machine}", places.version);
    let work = places.target.join("tarball");
    let root = work.join(&name);
    if work.exists() {
        fs::remove_dir_all(&work)?;
    }
    for folder in [stage.programs(), stage.shared()] {
        copy_folder(&folder, &root.join(name_of(&folder)))?;
    }
    // Where the programs look for it, as below /usr.
    copy_folder(&stage.libraries(), &root.join("lib/hearth"))?;
    for script in SCRIPTS {
        copy(
            &workspace.root.join("packaging/linux").join(script),
            &root.join(script),
        )?;
    }
    staging::write(&root.join("machine"), format!("{machine}\n").as_bytes())?;
    let archive = places.packages.join(format!("{name}.tar.xz"));
    let mut tar = Command::new("tar");
    tar.arg("--create")
        .arg("--file")
        .arg(&archive)
        .args(["--xz", "--sort=name", "--owner=0", "--group=0", "--numeric-owner"])
        .arg("--directory")
        .arg(&work)
        .arg(&name)
        .env("XZ_OPT", "-T0");
    staging::tool(tar)?;
    fs::remove_dir_all(&work)?;
    Ok(archive)
}
