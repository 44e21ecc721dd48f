//! What cargo-packager makes: .deb and AppImage, .app and .dmg, the installer of Windows.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context;
use serde_json::{Value, json};

use super::build::{PROGRAMS, files_in, name_of};
use super::formats::Format;
use super::staging::Stage;
use super::{Places, deb, icons};
use crate::workspace::Workspace;
use crate::{process, tools};

/// The program, and its version.
const PROGRAM: &str = "cargo-packager";
const VERSION: &str = "0.11.8";

/// What is the same for every package, in words of cargo-packager.
const CONFIGURATION: &str = "packaging/packager.toml";

/// Where its entitlements of macOS lie.
const ENTITLEMENTS: &str = "packaging/macos/entitlements.plist";

/// Makes packages of a kind. An AppImage is left out, with a word, where its tools cannot be had.
///
/// # Errors
/// Where cargo-packager cannot be installed, or fails.
pub(super) fn make(
    workspace: &Workspace,
    places: &Places,
    stage: &Stage,
    format: Format,
) -> anyhow::Result<Vec<PathBuf>> {
    let Some(name) = format.name() else {
        return Ok(Vec::new());
    };
    let program = tools::get(workspace, PROGRAM, VERSION)?;
    let mut configuration = configuration(workspace, places, stage)?;
    if format == Format::Deb {
        configuration["deb"]["depends"] = json!(deb::depends(stage)?);
    }
    let file = places.target.join(format!("packager-{name}.json"));
    fs::write(&file, serde_json::to_vec_pretty(&configuration)?)?;
    let before = files_in(&places.packages)?;
    let mut pack = Command::new(program);
    pack.current_dir(&workspace.root)
        .args(["--formats", name, "--config"])
        .arg(&file);
    match process::run(pack) {
        Err(error) if format == Format::Appimage => {
            println!("LEFT OUT: the AppImage, whose tools cargo-packager gets from GitHub: {error:#}");
            return Ok(Vec::new());
        }
        ended => ended?,
    }
    // The folder is this command's own; what is new or has a new date is what was made.
    let made: Vec<_> = files_in(&places.packages)?
        .into_iter()
        .filter(|path| is_of(path, format) && (!before.contains(path) || is_newer(path, &file)))
        .collect();
    anyhow::ensure!(!made.is_empty(), "{PROGRAM} made no {name}");
    if format == Format::Deb {
        for package in &made {
            deb::finish(workspace, package)?;
        }
    }
    Ok(made)
}

fn is_of(path: &Path, format: Format) -> bool {
    let name = name_of(path);
    match format {
        Format::Deb => name.ends_with(".deb"),
        Format::Appimage => name.ends_with(".AppImage"),
        Format::App => name.ends_with(".app"),
        Format::Dmg => name.ends_with(".dmg"),
        Format::Nsis => name.ends_with("-setup.exe"),
        Format::Tar => false,
    }
}

fn is_newer(path: &Path, than: &Path) -> bool {
    let date = |path: &Path| path.metadata().and_then(|data| data.modified()).ok();
    date(path) >= date(than)
}

/// The whole of it: what the file in the tree says, and what this build adds.
fn configuration(workspace: &Workspace, places: &Places, stage: &Stage) -> anyhow::Result<Value> {
    let text = fs::read_to_string(workspace.root.join(CONFIGURATION)).context(CONFIGURATION)?;
    let mut all: Value = toml::from_str(&text).context(CONFIGURATION)?;
    let system = std::env::consts::OS;
    all["version"] = json!(places.version);
    all["out-dir"] = json!(places.packages);
    all["binaries-dir"] = json!(stage.programs());
    all["binaries"] = PROGRAMS
        .iter()
        .enumerate()
        .map(|(place, program)| json!({"path": program, "main": place == 0}))
        .collect();
    all["license-file"] = json!(workspace.root.join("LICENSE-MIT"));
    all["resources"] = resources(stage)?;
    all["icons"] = icons_for(workspace, system);
    if system == "macos" {
        all["macos"]["entitlements"] = json!(workspace.root.join(ENTITLEMENTS));
        // Without one the bundle is not signed, and macOS asks before it opens it.
        if let Ok(identity) = std::env::var("APPLE_SIGNING_IDENTITY") {
            all["macos"]["signing-identity"] = json!(identity);
        }
    }
    if system == "windows" {
        if let Ok(command) = std::env::var("WINDOWS_SIGN_COMMAND") {
            all["windows"]["sign-command"] = json!(command);
        }
        all["nsis"]["installer-icon"] = json!(icons::ico(workspace));
    }
    if system == "linux" {
        let shared = shared(stage)?;
        all["deb"]["files"] = json!(shared);
        all["appimage"] = json!({"files": shared});
    }
    Ok(all)
}

/// All that programs read: on Linux below `/usr/lib/hearth`, in a bundle below `Resources`, on Windows beside them.
fn resources(stage: &Stage) -> anyhow::Result<Value> {
    let mut resources = Vec::new();
    for path in files_in(&stage.libraries())? {
        resources.push(json!({"src": path, "target": name_of(&path)}));
    }
    Ok(resources.into())
}

fn icons_for(workspace: &Workspace, system: &str) -> Value {
    let pictures = icons::SIZES.map(|size| icons::picture(workspace, size));
    match system {
        "windows" => json!([icons::ico(workspace)]),
        // The sizes of a bundle, which has no other.
        "macos" => pictures
            .iter()
            .zip(icons::SIZES)
            .filter(|(_, size)| size.is_power_of_two() && *size != 64)
            .map(|(path, _)| json!(path))
            .collect(),
        _ => json!(pictures),
    }
}

/// What Linux reads, each file and its place. The pictures of the icon cargo-packager puts there itself.
fn shared(stage: &Stage) -> anyhow::Result<BTreeMap<PathBuf, PathBuf>> {
    let mut files = BTreeMap::new();
    let mut open = vec![stage.shared()];
    while let Some(folder) = open.pop() {
        for path in files_in(&folder)? {
            if path.is_dir() {
                open.push(path);
            } else if !(path.starts_with(stage.shared().join("icons")) && name_of(&path).ends_with(".png")) {
                let place = Path::new("/usr/share").join(path.strip_prefix(stage.shared())?);
                files.insert(path, place);
            }
        }
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The keys of cargo-packager's configuration that are used here, with those below them (`config/mod.rs` of its crate,
    /// version 0.11.8). It refuses any other.
    const KEYS: &[(&str, &[&str])] = &[
        ("product-name", &[]),
        ("identifier", &[]),
        ("publisher", &[]),
        ("authors", &[]),
        ("copyright", &[]),
        ("category", &[]),
        ("description", &[]),
        ("long-description", &[]),
        ("version", &[]),
        ("out-dir", &[]),
        ("binaries-dir", &[]),
        ("binaries", &[]),
        ("license-file", &[]),
        ("resources", &[]),
        ("icons", &[]),
        (
            "file-associations",
            &["extensions", "mime-type", "name", "description", "role"],
        ),
        ("deep-link-protocols", &["schemes", "name", "role"]),
        ("linux", &["generate-desktop-entry"]),
        ("deb", &["section", "priority", "files", "depends"]),
        ("appimage", &["files"]),
        (
            "macos",
            &["minimum-system-version", "entitlements", "signing-identity"],
        ),
        ("dmg", &["window-size"]),
        (
            "windows",
            &["digest-algorithm", "allow-downgrades", "sign-command"],
        ),
        (
            "nsis",
            &["install-mode", "languages", "compression", "installer-icon"],
        ),
    ];

    fn base() -> Value {
        let workspace = Workspace::locate().expect("a workspace");
        let text = fs::read_to_string(workspace.root.join(CONFIGURATION)).expect("the file");
        toml::from_str(&text).expect("TOML")
    }

    #[test]
    fn cargo_packager_knows_every_key() {
        for (key, value) in base().as_object().expect("a table") {
            let known = KEYS.iter().find(|(name, _)| name == key);
            let (_, below) = known.unwrap_or_else(|| panic!("{key} is not known"));
            let tables = match value {
                Value::Array(tables) => tables.clone(),
                value => vec![value.clone()],
            };
            for key in tables
                .iter()
                .filter_map(Value::as_object)
                .flat_map(|table| table.keys())
            {
                assert!(below.contains(&key.as_str()), "{key} is not known");
            }
        }
    }

    #[test]
    fn each_system_gets_what_it_needs() {
        let workspace = Workspace::locate().expect("a workspace");
        let base = base();
        assert_eq!(base["file-associations"][0]["extensions"], json!(["gguf"]));
        assert_eq!(base["deep-link-protocols"][0]["schemes"], json!(["hearth"]));
        // macOS and Windows know the program by it; it may hold letters, digits, points and hyphens.
        let identifier = base["identifier"].as_str().expect("one");
        assert!(
            identifier
                .chars()
                .all(|char| char.is_ascii_alphanumeric() || ".-".contains(char)),
            "{identifier}"
        );
        assert_eq!(base["nsis"]["installMode"], Value::Null);
        assert_eq!(base["nsis"]["install-mode"], "currentUser");
        for system in ["linux", "macos", "windows"] {
            let icons = icons_for(&workspace, system);
            let icons = icons.as_array().expect("a list");
            assert!(!icons.is_empty());
            for icon in icons {
                assert!(Path::new(icon.as_str().expect("a path")).is_file(), "{icon}");
            }
        }
        for file in [ENTITLEMENTS, "LICENSE-MIT"] {
            assert!(workspace.root.join(file).is_file(), "{file}");
        }
    }
}
