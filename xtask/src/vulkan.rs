//! Headers of Vulkan that llama.cpp compiles with. Those of Debian 12 are too old; those of Debian 13 are unpacked beside
//! the build, and nothing of the system is changed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{bail, ensure};

use crate::process;

/// A name that llama.cpp uses and old headers lack.
const NEEDED: &str = "VkLayerSettingEXT";
/// The header that has it.
const HEADER: &str = "include/vulkan/vulkan_core.h";
/// The release whose headers are too old, and the one whose are not.
const OLD: &str = "bookworm";
const NEW: &str = "trixie";
/// What is taken from the new release.
const PACKAGES: [&str; 2] = ["libvulkan-dev", "spirv-headers"];
/// What the packages of the new release are signed with.
const KEYS: &str = "/usr/share/keyrings/debian-archive-keyring.gpg";

/// A folder for `VULKAN_SDK`; `None` where the environment or the system has what is needed.
///
/// # Errors
/// Where there are no such headers and none can be had.
pub(crate) fn find(folder: &Path) -> anyhow::Result<Option<PathBuf>> {
    if std::env::var_os("VULKAN_SDK").is_some() || is_new(Path::new("/usr")) {
        return Ok(None);
    }
    let unpacked = folder.join("headers");
    let sdk = unpacked.join("usr");
    if !is_new(&sdk) {
        unpack(&folder.join("apt"), &unpacked)?;
        ensure!(is_new(&sdk), "the headers that came are too old as well");
    }
    Ok(Some(sdk))
}

fn is_new(prefix: &Path) -> bool {
    fs::read_to_string(prefix.join(HEADER)).is_ok_and(|header| header.contains(NEEDED))
}

/// Downloads the packages with a list of sources and a state of its own, and unpacks them.
fn unpack(work: &Path, unpacked: &Path) -> anyhow::Result<()> {
    let Some(source) = source() else {
        bail!(
            "the headers of Vulkan are too old for llama.cpp; install newer ones and name their folder with VULKAN_SDK"
        );
    };
    for part in ["lists/partial", "cache/archives/partial", "packages"] {
        fs::create_dir_all(work.join(part))?;
    }
    let list = work.join("sources.list");
    fs::write(&list, format!("deb [signed-by={KEYS}] {source} {NEW} main\n"))?;
    let apt = |arguments: &[&str]| {
        let mut command = Command::new("apt-get");
        let options = [
            ("Dir::Etc::SourceList", list.clone()),
            ("Dir::Etc::SourceParts", work.join("none")),
            ("Dir::State::Lists", work.join("lists")),
            ("Dir::Cache", work.join("cache")),
        ];
        for (option, path) in options {
            command.arg("-o").arg(format!("{option}={}", path.display()));
        }
        command
            .args(["-q", "-o", "APT::Sandbox::User="])
            .args(arguments)
            .current_dir(work.join("packages"));
        command
    };
    process::run(apt(&["update"]))?;
    let mut download = vec!["download"];
    download.extend(PACKAGES);
    process::run(apt(&download))?;
    for entry in fs::read_dir(work.join("packages"))? {
        let mut command = Command::new("dpkg");
        command.arg("-x").arg(entry?.path()).arg(unpacked);
        process::run(command)?;
    }
    Ok(())
}

/// Where the system gets the packages of the old release from; `None` on other systems.
fn source() -> Option<String> {
    let mut files = vec![PathBuf::from("/etc/apt/sources.list")];
    let parts = fs::read_dir("/etc/apt/sources.list.d")
        .into_iter()
        .flatten()
        .flatten();
    files.extend(parts.map(|entry| entry.path()));
    files
        .iter()
        .filter_map(|file| fs::read_to_string(file).ok())
        .find_map(|text| source_in(&text))
}

/// The address of the old release in a list of sources, in either of apt's two forms.
fn source_in(text: &str) -> Option<String> {
    let is_old = |word: &str| word == OLD;
    let line_form = text.lines().find_map(|line| {
        let words: Vec<_> = line
            .split_whitespace()
            .filter(|word| !word.contains(['[', ']', '=']))
            .collect();
        match words[..] {
            ["deb", address, suite, ..] if is_old(suite) => Some(address.to_owned()),
            _ => None,
        }
    });
    line_form.or_else(|| {
        text.split("\n\n").find_map(|stanza| {
            let field = |name: &str| stanza.lines().find_map(|line| line.strip_prefix(name));
            let suites = field("Suites:")?;
            let address = field("URIs:")?.split_whitespace().next()?;
            suites.split_whitespace().any(is_old).then(|| address.to_owned())
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_source_of_the_old_release_is_found_in_both_forms() {
        let line = "# a note\ndeb [arch=amd64 signed-by=x.gpg] http://mirror/debian bookworm main\n";
        assert_eq!(source_in(line).as_deref(), Some("http://mirror/debian"));
        let stanzas = "Types: deb\nURIs: http://other/security\nSuites: bookworm-security\n\n\
                       Types: deb\nURIs: http://mirror/debian\nSuites: bookworm bookworm-updates\n";
        assert_eq!(source_in(stanzas).as_deref(), Some("http://mirror/debian"));
        assert_eq!(source_in("deb http://mirror/ubuntu noble main\n"), None);
        assert_eq!(source_in("Types: deb\nSuites: trixie\nURIs: http://m\n"), None);
    }
}
