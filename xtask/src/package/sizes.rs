//! How large what was made is, what takes the most of it, and the checksums.

use std::fs;
use std::path::{Path, PathBuf};

use super::build::{files_in, name_of};
use super::staging::Stage;
use crate::models;

/// The file of checksums, as `sha256sum --check` reads it.
const CHECKSUMS: &str = "SHA256SUMS";

/// How many bytes a megabyte has in what is printed, as in the sizes of models.
const MEGABYTE: f64 = 1e6;

/// Prints what an installed Hearth takes on the disk, the largest first, then the packages.
///
/// # Errors
/// Where a file cannot be looked at.
pub(super) fn print(stage: &Stage, made: &[PathBuf]) -> anyhow::Result<()> {
    let mut parts = Vec::new();
    for folder in files_in(&stage.root)? {
        for path in files_in(&folder)? {
            let place = format!("{}/{}", name_of(&folder), name_of(&path));
            parts.push((size(&path)?, place));
        }
    }
    parts.sort_by(|one, other| other.cmp(one));
    let whole: u64 = parts.iter().map(|(bytes, _)| bytes).sum();
    println!("\nInstalled it takes {}:", megabytes(whole));
    for (bytes, place) in &parts {
        println!("  {:>9}  {place}", megabytes(*bytes));
    }
    println!("Packages:");
    for package in made {
        println!("  {:>9}  {}", megabytes(size(package)?), package.display());
    }
    Ok(())
}

/// Writes the checksums of the packages beside them.
///
/// # Errors
/// Where a file cannot be read or written.
pub(super) fn write_checksums(folder: &Path, made: &[PathBuf]) -> anyhow::Result<()> {
    let mut lines = String::new();
    // Of a bundle of macOS, which is a folder, the disk image has it.
    for package in made.iter().filter(|path| path.is_file()) {
        lines += &format!("{}  {}\n", models::sha256(package)?, name_of(package));
    }
    Ok(fs::write(folder.join(CHECKSUMS), lines)?)
}

fn size(path: &Path) -> anyhow::Result<u64> {
    if path.is_dir() {
        let sizes = files_in(path)?;
        return sizes.iter().map(|path| size(path)).sum();
    }
    Ok(path.metadata()?.len())
}

fn megabytes(bytes: u64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "a size to read")]
    let bytes = bytes as f64;
    format!("{:.1} MB", bytes / MEGABYTE)
}
