//! Builds llama-server, llama-bench and llama-batched-bench of the llama.cpp that Hearth is built with.

use std::path::PathBuf;
use std::process::Command;

use anyhow::ensure;

use crate::workspace::Workspace;
use crate::{llama_cpp, process};

/// What is measured.
const PROGRAMS: [&str; 3] = ["llama-server", "llama-bench", "llama-batched-bench"];

/// A build for this processor, as `.cargo/config.toml` asks for Hearth's, and nothing that is not measured.
const OPTIONS: [&str; 8] = [
    "-DCMAKE_BUILD_TYPE=Release",
    "-DGGML_NATIVE=ON",
    "-DBUILD_SHARED_LIBS=OFF",
    "-DLLAMA_BUILD_TESTS=OFF",
    "-DLLAMA_BUILD_EXAMPLES=OFF",
    // The pages of its web interface would be fetched while it is built.
    "-DLLAMA_USE_PREBUILT_UI=OFF",
    "-DLLAMA_OPENSSL=OFF",
    "-DLLAMA_BUILD_NUMBER=11434",
];

/// GCC 12 drops what llama.cpp writes for AMX tiles, as it does in Hearth's own build (`.cargo/config.toml`).
const FLAGS: [&str; 2] = [
    "-DCMAKE_C_FLAGS=-fno-tree-dse -fno-dse",
    "-DCMAKE_CXX_FLAGS=-fno-tree-dse -fno-dse",
];

/// Builds the programs, which takes ten minutes the first time, and gives the folder they are in.
///
/// # Errors
/// Where the source does not come, CMake is missing or the build fails.
pub(super) fn build(workspace: &Workspace) -> anyhow::Result<PathBuf> {
    let folder = workspace.bench().join("peers").join(llama_cpp::BUILD);
    let programs = folder.join("bin");
    let is_there = |name: &&str| {
        let program = programs.join(name);
        program.with_extension(std::env::consts::EXE_EXTENSION).is_file()
    };
    if PROGRAMS.iter().all(is_there) {
        return Ok(programs);
    }
    ensure!(process::is_installed("cmake"), "cmake is not installed");
    let source = llama_cpp::fetch(workspace)?;
    let mut configure = Command::new("cmake");
    configure
        .arg("-S")
        .arg(&source)
        .arg("-B")
        .arg(&folder)
        .args(OPTIONS);
    if cfg!(all(target_arch = "x86_64", target_os = "linux")) {
        configure.args(FLAGS);
    }
    process::run(configure)?;
    let mut build = Command::new("cmake");
    // Without a number, make would start every compilation at once.
    let jobs = std::thread::available_parallelism()?.to_string();
    build
        .arg("--build")
        .arg(&folder)
        .args(["--config", "Release", "--parallel", &jobs]);
    build.arg("--target").args(PROGRAMS);
    process::run(build)?;
    Ok(programs)
}
