//! Compiles the one file of C++, what llama.cpp says only to C++, and lists the files of the curated catalogue.
#![allow(clippy::print_stdout, reason = "a build script speaks to cargo this way")]

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// The curated catalogue, a file for each model.
const CATALOGUE: &str = "../resources/catalogue";

fn main() -> Result<(), Box<dyn Error>> {
    let source = "src/engine/worker/memory_breakdown.cpp";
    println!("cargo:rerun-if-changed={source}");
    cc::Build::new()
        .cpp(true)
        .std("c++17")
        .file(source)
        .compile("hearth_memory_breakdown");
    println!("cargo:rerun-if-changed={CATALOGUE}");
    list_catalogue()
}

/// Writes `catalogue.rs`: an array of the entries' names and texts, by name.
fn list_catalogue() -> Result<(), Box<dyn Error>> {
    let folder = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join(CATALOGUE);
    let entries = fs::read_dir(&folder)?.map(|entry| entry.map(|entry| entry.path()));
    let mut entries: Vec<PathBuf> = entries.collect::<Result<_, _>>()?;
    entries.retain(|path| path.extension().is_some_and(|ending| ending == "toml"));
    entries.sort();
    let items: String = entries
        .iter()
        .filter_map(|path| Some((path.file_stem()?.to_str()?, path.to_str()?)))
        .map(|(name, path)| format!("    ({name:?}, include_str!({path:?})),\n"))
        .collect();
    let list = Path::new(&env::var("OUT_DIR")?).join("catalogue.rs");
    Ok(fs::write(list, format!("[\n{items}]\n"))?)
}
