//! Whose work is in a package, under which licences, with their texts.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::Context;
use serde_json::Value;

use super::build::{PROGRAMS, files_in, name_of};
use super::staging::{self, copy, packages};
use crate::workspace::Workspace;

/// The crate with llama.cpp's sources in it.
const LLAMA_CPP: &str = "llama-cpp-sys-2";
/// How the names of files begin that say under what a crate may be used.
const LICENCE_FILES: [&str; 6] = [
    "license",
    "licence",
    "copying",
    "notice",
    "unlicense",
    "copyright",
];

/// Writes all of it into a folder.
///
/// # Errors
/// Where a file cannot be read or written.
pub(super) fn write(
    workspace: &Workspace,
    metadata: &Value,
    with_model: bool,
    folder: &Path,
) -> anyhow::Result<()> {
    let root = &workspace.root;
    for file in ["LICENSE-MIT", "LICENSE-APACHE", "THIRD_PARTY.md"] {
        copy(&root.join(file), &folder.join(file))?;
    }
    copy(
        &root.join("packaging/licences/OFL-1.1.txt"),
        &folder.join("OFL-1.1.txt"),
    )?;
    staging::write(&folder.join("crates.txt"), crates(metadata)?.as_bytes())?;
    staging::write(&folder.join("copyright"), copyright(root, with_model)?.as_bytes())?;
    if cfg!(target_os = "linux") {
        copy(&root.join("CHANGELOG.md"), &folder.join("changelog"))?;
        let mut gzip = Command::new("gzip");
        gzip.args(["-9", "-n", "-f"]).arg(folder.join("changelog"));
        staging::tool(gzip)?;
    }
    Ok(())
}

/// Debian's file of copyrights (machine-readable, version 1.0); others can read it as well.
fn copyright(root: &Path, with_model: bool) -> anyhow::Result<String> {
    let mit = fs::read_to_string(root.join("LICENSE-MIT"))?;
    let indented: String = mit
        .lines()
        .skip_while(|line| !line.starts_with("Permission"))
        .map(|line| match line.is_empty() {
            true => " .\n".to_owned(),
            false => format!(" {line}\n"),
        })
        .collect();
    let mut text = String::from(
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n\
         Upstream-Name: Hearth\n\
         Comment: THIRD_PARTY.md beside this file names whose work is in it, crates.txt each crate with the text of its\n \
         licence, OFL-1.1.txt the licence of the fonts.\n\n\
         Files: *\nCopyright: 2026 Hearth contributors\nLicense: MIT or Apache-2.0\n\n\
         Files: usr/lib/hearth/lib* usr/lib/hearth/backends/*\nCopyright: 2023-2026 The ggml authors\nLicense: MIT\n\n\
         Files: usr/lib/hearth/toolkit/*\nCopyright: IBM Corp., Red Hat, Inc., Google Corporation, Google LLC, LXGW,\n \
         Fonticons, Inc.\nLicense: OFL-1.1\n\n",
    );
    if with_model {
        text.push_str(
            "Files: usr/lib/hearth/starter-models/*\nCopyright: 2024 Hugging Face\nLicense: Apache-2.0\n\n",
        );
    }
    write!(
        text,
        "License: MIT\n{indented}\n\
         License: MIT or Apache-2.0\n Either of the two, as you prefer: MIT above, or Apache-2.0 below.\n\n\
         License: Apache-2.0\n On Debian systems its text is in /usr/share/common-licenses/Apache-2.0; it is also in\n \
         LICENSE-APACHE beside this file.\n\n\
         License: OFL-1.1\n Its text is in OFL-1.1.txt beside this file.\n"
    )?;
    Ok(text)
}

/// Every crate in the programs: name, version, licence and whose it is, then the texts, each once with whom it is of.
fn crates(metadata: &Value) -> anyhow::Result<String> {
    let compiled_in = compiled_in(metadata);
    let mut list = String::from(
        "The crates in Hearth's programs, each with its licence; then the texts that they bring.\n\n",
    );
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in packages(metadata) {
        let text = |field: &str| package[field].as_str().unwrap_or_default();
        // Hearth's own have no source.
        if !compiled_in.contains(text("id")) || package["source"].is_null() {
            continue;
        }
        let name = format!("{} {}", text("name"), text("version"));
        let authors: Vec<_> = package["authors"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        writeln!(list, "{name}: {} ({})", text("license"), authors.join(", "))?;
        let folder = Path::new(text("manifest_path"))
            .parent()
            .context("a crate without a folder")?;
        let mut folders = vec![folder.to_owned()];
        if text("name") == LLAMA_CPP {
            folders.extend([folder.join("llama.cpp"), folder.join("llama.cpp/licenses")]);
        }
        for folder in folders.iter().filter(|folder| folder.is_dir()) {
            for file in files_in(folder)?.iter().filter(|file| is_licence(file)) {
                let words = String::from_utf8_lossy(&fs::read(file)?).replace('\r', "");
                texts
                    .entry(words.trim().to_owned())
                    .or_default()
                    .push(name.clone());
            }
        }
    }
    for (text, mut names) in texts {
        names.dedup();
        writeln!(list, "\n\n==== {} ====\n\n{text}", names.join(", "))?;
    }
    Ok(list)
}

fn is_licence(file: &Path) -> bool {
    let name = name_of(file).to_lowercase();
    file.is_file() && LICENCE_FILES.iter().any(|start| name.starts_with(start))
}

/// The numbers of the packages whose code is in the programs: what they stand on, and what those do, but for what only a
/// test or a build needs.
fn compiled_in(metadata: &Value) -> BTreeSet<&str> {
    let nodes: BTreeMap<&str, &Value> = metadata["resolve"]["nodes"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|node| Some((node["id"].as_str()?, node)))
        .collect();
    let programs = packages(metadata).iter().filter(|package| {
        package["source"].is_null()
            && package["name"]
                .as_str()
                .is_some_and(|name| PROGRAMS.contains(&name))
    });
    let mut open: Vec<&str> = programs.filter_map(|package| package["id"].as_str()).collect();
    let mut found = BTreeSet::new();
    while let Some(id) = open.pop() {
        if !found.insert(id) {
            continue;
        }
        let dependencies = nodes.get(id).and_then(|node| node["deps"].as_array());
        for dependency in dependencies.into_iter().flatten() {
            let kinds = dependency["dep_kinds"].as_array().map_or(&[][..], Vec::as_slice);
            if kinds.iter().any(|kind| kind["kind"].is_null()) {
                open.extend(dependency["pkg"].as_str());
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_what_is_compiled_in_is_named() {
        let package = |name: &str, source: Value| json!({"id": name, "name": name, "source": source});
        let dependency = |name: &str, kind: Value| json!({"pkg": name, "dep_kinds": [{"kind": kind}]});
        let metadata = json!({
            "packages": [package("hearth", Value::Null), package("xtask", Value::Null), package("serde", json!("r"))],
            "resolve": {"nodes": [
                {"id": "hearth", "deps": [
                    dependency("serde", Value::Null), dependency("tempfile", json!("dev")), dependency("cc", json!("build")),
                ]},
                {"id": "serde", "deps": [dependency("serde_core", Value::Null)]},
                {"id": "xtask", "deps": [dependency("toml", Value::Null)]},
            ]},
        });
        let found: Vec<_> = compiled_in(&metadata).into_iter().collect();
        assert_eq!(found, ["hearth", "serde", "serde_core"]);
    }
}
