//! The programs and libraries of a package.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};

use super::Places;
use crate::workspace::Workspace;
use crate::{process, tools, vulkan};

/// The profile of the root Cargo.toml that packages are built with.
const PROFILE: &str = "installed";

/// The programs of a package.
pub(super) const PROGRAMS: [&str; 2] = ["hearth", "hearth-cli"];

/// llama.cpp with its code for each kind of processor as a library, of which it takes one at its start.
const VARIANTS: &str = "llama-cpp-2/dynamic-backends";
/// The same for graphics cards. On macOS Metal is there without it.
const VULKAN: &str = "llama-cpp-2/vulkan";

/// From a program to the libraries that came with it, and from one of them to the others.
#[cfg(target_os = "macos")]
const SEARCH: [&str; 2] = ["@executable_path/../Resources", "@loader_path"];
#[cfg(not(target_os = "macos"))]
const SEARCH: [&str; 2] = ["$ORIGIN/../lib/hearth", "$ORIGIN"];

/// What the build made.
pub(super) struct Built {
    /// The folder of the programs.
    pub(super) programs: PathBuf,
    /// llama.cpp's libraries that the programs are linked with, under the names they look for.
    pub(super) libraries: Vec<(PathBuf, String)>,
    /// Its libraries for kinds of processors and graphics cards.
    pub(super) backends: Vec<PathBuf>,
}

impl Built {
    /// Builds.
    ///
    /// # Errors
    /// Where something to build with is missing, and where the build fails.
    pub(super) fn new(workspace: &Workspace, places: &Places, with_gpu: bool) -> anyhow::Result<Self> {
        let with_vulkan = with_gpu && !cfg!(target_os = "macos");
        let mut features = vec![VARIANTS];
        if with_vulkan {
            ensure!(
                process::is_installed("glslc"),
                "glslc is missing, which compiles shaders; install it, or leave graphics cards out by --without-gpu"
            );
            features.push(VULKAN);
        }
        let mut build = workspace.cargo(["build", "--locked", "--profile", PROFILE]);
        build.args(["--package", "hearth-backend", "--features", &features.join(",")]);
        for program in PROGRAMS {
            build.args(["--package", program, "--bin", program]);
        }
        let search = SEARCH.map(|folder| format!("-Clink-arg=-Wl,-rpath,{folder}"));
        build
            .env("CARGO_TARGET_DIR", &places.target)
            // In place of those of the tree's configuration, which are for this machine's processor alone. Without its own
            // flag llama.cpp takes nothing from this machine either.
            .env(
                "RUSTFLAGS",
                match cfg!(windows) {
                    true => String::new(),
                    false => search.join(" "),
                },
            )
            .env("CMAKE_INSTALL_RPATH", SEARCH[1])
            // With a date of its own llama.cpp takes this for a build of another machine and leaves instructions out that
            // each variant is made for.
            .env_remove("SOURCE_DATE_EPOCH");
        if tools::find(workspace, "ccache").is_some() {
            build
                .env("CMAKE_C_COMPILER_LAUNCHER", "ccache")
                .env("CMAKE_CXX_COMPILER_LAUNCHER", "ccache");
        }
        if with_vulkan && let Some(sdk) = vulkan::find(&workspace.gpu())? {
            build.env("VULKAN_SDK", sdk);
        }
        process::run(build)?;
        Self::found(&places.target.join(PROFILE))
    }

    /// What an earlier build left in the folder of its profile.
    fn found(programs: &Path) -> anyhow::Result<Self> {
        let output = newest_llama_cpp(&programs.join("build"))?;
        let mut libraries = Vec::new();
        for folder in ["lib", "lib64", "bin"] {
            libraries.extend(linked(&output.join(folder))?);
        }
        // What is built and not installed, as llama.cpp's library of common parts may be.
        for library in linked(&output.join("build/common"))? {
            if !libraries.iter().any(|(_, name)| *name == library.1) {
                libraries.push(library);
            }
        }
        ensure!(!libraries.is_empty(), "{} holds no library", output.display());
        let backends: Vec<_> = files_in(&output.join("backends"))?
            .into_iter()
            .filter(|path| is_library(&name_of(path)))
            .collect();
        let has_cpu = backends.iter().any(|path| name_of(path).contains("ggml-cpu"));
        ensure!(
            has_cpu,
            "{} holds no code for a processor",
            output.join("backends").display()
        );
        Ok(Self {
            programs: programs.to_owned(),
            libraries,
            backends,
        })
    }
}

/// The output folder of llama.cpp's newest build that has its backends as libraries.
fn newest_llama_cpp(builds: &Path) -> anyhow::Result<PathBuf> {
    let outputs = files_in(builds)?
        .into_iter()
        .filter(|path| name_of(path).starts_with("llama-cpp-sys-2-"))
        .map(|path| path.join("out"))
        .filter(|output| output.join("backends").is_dir());
    let age = |output: &PathBuf| {
        output
            .join("backends")
            .metadata()
            .and_then(|data| data.modified())
            .ok()
    };
    let Some(newest) = outputs.max_by_key(age) else {
        bail!("{} holds no build of llama.cpp", builds.display());
    };
    Ok(newest)
}

/// The libraries of a folder, each once, under the name that programs look for. It is the one with the number of the
/// interface alone (`libllama.so.0`, `libllama.0.dylib`), where there is one.
fn linked(folder: &Path) -> anyhow::Result<Vec<(PathBuf, String)>> {
    let all: Vec<_> = match folder.is_dir() {
        true => files_in(folder)?
            .into_iter()
            .filter(|path| is_library(&name_of(path)))
            .collect(),
        false => Vec::new(),
    };
    let names: Vec<String> = all.iter().map(|path| name_of(path)).collect();
    let mut libraries = Vec::new();
    for (path, name) in all.iter().zip(&names) {
        let (stem, numbers) = version_of(name);
        let looked_for = match numbers {
            0 => !names.iter().any(|other| version_of(other) == (stem.clone(), 1)),
            1 => true,
            _ => false,
        };
        if looked_for {
            libraries.push((path.clone(), name.clone()));
        }
    }
    libraries.sort();
    Ok(libraries)
}

/// A library's name without its numbers, and how many it has: `libllama.so.0.1` has two.
fn version_of(name: &str) -> (String, usize) {
    let is_number = |part: &str| !part.is_empty() && part.chars().all(|char| char.is_ascii_digit());
    let (numbers, words): (Vec<&str>, Vec<&str>) = name.split('.').partition(|part| is_number(part));
    (words.join("."), numbers.len())
}

fn is_library(name: &str) -> bool {
    let name = version_of(name).0;
    [".so", ".dylib", ".dll"]
        .iter()
        .any(|ending| name.ends_with(ending))
}

/// The paths in a folder, in order.
pub(super) fn files_in(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| format!("{} cannot be read", folder.display()))?;
    let mut paths = entries
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<Vec<_>, _>>()?;
    paths.sort();
    Ok(paths)
}

/// The last part of a path, for people and for names of packages.
pub(super) fn name_of(path: &Path) -> String {
    path.file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_librarys_names_the_one_is_taken_that_programs_look_for() {
        let folder = std::env::temp_dir().join(format!("hearth-package-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("made");
        for name in [
            "libggml.so",
            "libggml.so.0",
            "libggml.so.0.9.4",
            "libllama-common.so",
            "libllama.0.dylib",
            "libllama.dylib",
            "ggml.dll",
            "libllama.a",
            "ggml.cmake",
        ] {
            fs::write(folder.join(name), "").expect("written");
        }
        let found: Vec<_> = linked(&folder)
            .expect("read")
            .into_iter()
            .map(|it| it.1)
            .collect();
        fs::remove_dir_all(&folder).expect("removed");
        assert_eq!(
            found,
            [
                "ggml.dll",
                "libggml.so.0",
                "libllama-common.so",
                "libllama.0.dylib"
            ]
        );
    }
}
