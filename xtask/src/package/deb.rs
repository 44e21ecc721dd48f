//! What a .deb has beside what cargo-packager writes: what it depends on, a word at its removal, and a better compression.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};

use super::build::files_in;
use super::staging::{self, Stage, copy};
use crate::workspace::Workspace;

/// What is opened while the program runs, which no linker tells: Makepad draws through EGL and OpenGL ES, for which Mesa has
/// the drivers where a maker brings none, and the hub's certificates are checked by those of the system.
const OPENED: [&str; 4] = ["ca-certificates", "libegl1", "libgl1-mesa-dri", "libgles2"];

/// What other names a dependency goes by in newer releases, where the time of C became 64 bits wide.
const RENAMED: [(&str, &str); 1] = [("libasound2", "libasound2t64")];

/// What makes it better and is not needed: a browser and the file manager for links, a keyring for the token.
const RECOMMENDS: &str = "xdg-utils, gnome-keyring | kwalletmanager | keepassxc";

/// The packages without which the programs do not start, by the symbols they use.
///
/// # Errors
/// Where dpkg-shlibdeps is missing or does not know a library.
pub(super) fn depends(stage: &Stage) -> anyhow::Result<Vec<String>> {
    // It wants to stand in a source package.
    let work = stage.root.with_file_name("shlibdeps");
    staging::write(
        &work.join("debian/control"),
        b"Source: hearth\n\nPackage: hearth\nArchitecture: any\n",
    )?;
    let mut ask = Command::new("dpkg-shlibdeps");
    ask.current_dir(&work)
        .args(["-O", "--ignore-missing-info"])
        .arg(format!("-l{}", stage.libraries().display()));
    for object in objects(stage)? {
        ask.arg(object);
    }
    let output = ask
        .output()
        .context("dpkg-shlibdeps is missing; ./x package installs it with dpkg-dev")?;
    if !output.status.success() {
        bail!("dpkg-shlibdeps: {}", String::from_utf8_lossy(&output.stderr));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let Some(list) = text.lines().find_map(|line| line.strip_prefix("shlibs:Depends=")) else {
        bail!("dpkg-shlibdeps named nothing: {text}");
    };
    Ok(with_others(list))
}

/// The list with what no linker tells, and with other names where a package has one.
fn with_others(list: &str) -> Vec<String> {
    let mut all: Vec<String> = list
        .split(',')
        .map(str::trim)
        // Vulkan's loader is wanted by the backend for graphics cards alone, which is passed over where it is missing.
        .filter(|package| !package.is_empty() && !package.starts_with("libvulkan1"))
        .map(|package| {
            let name = package.split(' ').next().unwrap_or(package);
            match RENAMED.iter().find(|(old, _)| *old == name) {
                Some((_, new)) => format!("{package} | {new}"),
                None => package.to_owned(),
            }
        })
        .collect();
    all.extend(OPENED.map(str::to_owned));
    all.sort();
    all.dedup();
    all
}

/// Programs and libraries.
fn objects(stage: &Stage) -> anyhow::Result<Vec<PathBuf>> {
    let mut objects = files_in(&stage.programs())?;
    for folder in [stage.libraries(), stage.libraries().join("backends")] {
        objects.extend(files_in(&folder)?.into_iter().filter(|path| path.is_file()));
    }
    Ok(objects)
}

/// Opens the package and makes it anew.
///
/// # Errors
/// Where dpkg-deb fails.
pub(super) fn finish(workspace: &Workspace, package: &Path) -> anyhow::Result<()> {
    let work = package.with_extension("open");
    if work.exists() {
        fs::remove_dir_all(&work)?;
    }
    let mut open = Command::new("dpkg-deb");
    open.arg("--raw-extract").arg(package).arg(&work);
    staging::tool(open)?;
    let control = work.join("DEBIAN/control");
    let text = fs::read_to_string(&control)?;
    fs::write(&control, with_recommends(&text))?;
    copy(
        &workspace.root.join("packaging/linux/postrm"),
        &work.join("DEBIAN/postrm"),
    )?;
    let mut modes = Command::new("chmod");
    modes.args(["-R", "u=rwX,go=rX"]).arg(&work);
    staging::tool(modes)?;
    // Libraries are no programs.
    for folder in ["usr/lib/hearth", "usr/lib/hearth/backends"] {
        for file in files_in(&work.join(folder))?.iter().filter(|path| path.is_file()) {
            let mut mode = Command::new("chmod");
            mode.arg("644").arg(file);
            staging::tool(mode)?;
        }
    }
    let mut close = Command::new("dpkg-deb");
    close
        .args(["--root-owner-group", "-Zxz", "--build"])
        .arg(&work)
        .arg(package);
    staging::tool(close)?;
    Ok(fs::remove_dir_all(&work)?)
}

/// The control file with what is better to have.
fn with_recommends(control: &str) -> String {
    let mut lines: Vec<&str> = control.lines().collect();
    let after = lines
        .iter()
        .position(|line| line.starts_with("Depends:"))
        .map_or(0, |place| place + 1);
    let recommends = format!("Recommends: {RECOMMENDS}");
    lines.insert(after, &recommends);
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dependencies_have_what_no_linker_tells() {
        let list = "libc6 (>= 2.34), libasound2 (>= 1.0.16), libvulkan1 (>= 1.3), libx11-6";
        assert_eq!(
            with_others(list),
            [
                "ca-certificates",
                "libasound2 (>= 1.0.16) | libasound2t64",
                "libc6 (>= 2.34)",
                "libegl1",
                "libgl1-mesa-dri",
                "libgles2",
                "libx11-6"
            ]
        );
    }

    #[test]
    fn the_control_file_says_what_is_better_to_have() {
        let control = with_recommends("Package: hearth\nDepends: libc6\nDescription: a\n b\n");
        let lines: Vec<_> = control.lines().collect();
        assert!(lines[2].starts_with("Recommends: xdg-utils"), "{control}");
        assert_eq!(lines[4], " b");
    }
}
