//! The model of the suite: stories260K, a llama of 260,000 parameters.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};

use crate::models::{python, sha256};
use crate::process;

const FILE: &str = "stories260K.gguf";
const SHA256: &str = "270cba1bd5109f42d03350f60406024560464db173c0e387d91f0426d3bd256d";

/// Where the suite itself gets it. No package of a registry holds it.
const ADDRESS: &str = "https://huggingface.co/ggml-org/models/resolve/main/tinyllamas/stories260K.gguf";

/// Saves what is at an address.
const GET: &str = "import sys, urllib.request; urllib.request.urlretrieve(sys.argv[1], sys.argv[2])";

/// The place of the model: the file that was named, else one that is fetched once.
///
/// # Errors
/// Where it cannot be had, or is another file.
pub(super) fn get(folder: &Path, named: Option<&Path>) -> anyhow::Result<PathBuf> {
    let place = folder.join(FILE);
    if let Some(named) = named {
        fs::copy(named, &place).with_context(|| format!("{} cannot be copied", named.display()))?;
    } else if !place.exists() {
        println!("Getting {FILE} (1 MB)");
        let partial = folder.join("model.partial");
        let mut download = Command::new(python()?);
        download.args(["-c", GET, ADDRESS]).arg(&partial);
        process::run(download).context("name the file with --model where it is here already")?;
        fs::rename(&partial, &place)?;
    }
    ensure!(
        sha256(&place)? == SHA256,
        "{} is another file: its sha256 differs",
        place.display()
    );
    Ok(place)
}
