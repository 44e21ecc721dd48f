//! `./x package --test`: the packages as a person meets them, in a fresh Debian without compiler, cargo or network.
//!
//! The steps are shell scripts in `packaging/proof`, since all of them are calls of other programs.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail, ensure};

use super::Places;
use super::build::{files_in, name_of};
use super::staging;
use crate::process;
use crate::workspace::Workspace;

/// What needs no package: scripts, the desktop's files, the workflow.
const CHECK: &str = "packaging/check.sh";

/// The whole of the rest.
const SCRIPT: &str = "packaging/proof/prove.sh";

/// Tests the packages that are there.
///
/// # Errors
/// Where there are none, something to test with is missing, or a step does not end as it should.
pub(super) fn prove(workspace: &Workspace, places: &Places) -> anyhow::Result<()> {
    ensure!(cfg!(target_os = "linux"), "packages are tested on Linux");
    process::run(Command::new(workspace.root.join(CHECK)))?;
    let deb = package(&places.packages, &places.version, ".deb")?;
    let tarball = package(&places.packages, &places.version, ".tar.xz")?;
    let (mirror, suite) = mirror()?;
    // Mounts and processes of its own, which go when it ends.
    let mut prove = Command::new("unshare");
    prove
        .args(["--mount", "--pid", "--fork", "--kill-child"])
        .arg(workspace.root.join(SCRIPT))
        .args([&deb, &tarball, &places.target.join("proof")])
        .args([mirror, suite]);
    staging::tool(prove)
}

/// The package of this version and kind.
fn package(folder: &Path, version: &str, ending: &str) -> anyhow::Result<PathBuf> {
    let packages = files_in(folder).context("there is no package yet; ./x package makes it")?;
    packages
        .into_iter()
        .find(|path| {
            let name = name_of(path);
            name.ends_with(ending) && name.contains(version)
        })
        .with_context(|| format!("{} holds no {ending} of {version}", folder.display()))
}

/// Where this Debian gets its packages, and its name.
fn mirror() -> anyhow::Result<(String, String)> {
    let mut ask = Command::new("apt-get");
    ask.args(["indextargets", "--format", "$(SITE) $(RELEASE) $(COMPONENT)"]);
    ask.arg("Created-By: Packages");
    let output = ask
        .output()
        .context("apt-get is missing: packages are tested on Debian")?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let release = std::fs::read_to_string("/etc/os-release")?;
    let Some(suite) = release
        .lines()
        .find_map(|line| line.strip_prefix("VERSION_CODENAME="))
    else {
        bail!("/etc/os-release names no release");
    };
    let found = text.lines().find_map(|line| site_of(line, suite));
    let site = found.with_context(|| format!("apt names no place for {suite}: {text}"))?;
    Ok((site, suite.to_owned()))
}

/// The address in a line such as `http://mirror/debian bookworm main`, where it is that of the release itself.
fn site_of(line: &str, suite: &str) -> Option<String> {
    match line.split_whitespace().collect::<Vec<_>>()[..] {
        [site, release, "main"] if release == suite => Some(site.to_owned()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_release_itself_is_taken() {
        let at = |line: &str| site_of(line, "bookworm");
        assert_eq!(
            at("http://m/debian bookworm main").as_deref(),
            Some("http://m/debian")
        );
        assert_eq!(at("http://m/debian bookworm-updates main"), None);
        assert_eq!(at("http://m/debian bookworm contrib"), None);
        assert_eq!(at(""), None);
    }
}
