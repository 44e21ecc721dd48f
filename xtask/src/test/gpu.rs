//! The tests of layers on a graphics card, with Mesa's software driver where the machine has none.
//!
//! They need llama.cpp built with its Vulkan backend as a library, as in the packages. That takes a quarter of an hour the
//! first time, in a target folder of its own, and so is no part of the other tests.

use std::path::Path;

use anyhow::ensure;

use crate::workspace::Workspace;
use crate::{process, vulkan};

/// What the packages are built with.
const FEATURES: &str = "llama-cpp-2/vulkan,llama-cpp-2/dynamic-backends";

/// Where drivers of Vulkan say that they are there.
const DRIVERS: [&str; 3] = [
    "/usr/share/vulkan/icd.d",
    "/usr/local/share/vulkan/icd.d",
    "/etc/vulkan/icd.d",
];

/// Builds the backend with Vulkan and runs the tests that are marked for it.
///
/// # Errors
/// Where something to build with is missing, and where the build or a test fails.
pub(crate) fn test(workspace: &Workspace) -> anyhow::Result<()> {
    ensure!(cfg!(target_os = "linux"), "these tests run on Linux");
    ensure!(
        process::is_installed("glslc"),
        "glslc is missing, which compiles shaders; ./x test gpu installs it"
    );
    ensure!(
        DRIVERS.iter().any(|folder| has_files(Path::new(folder))),
        "there is no driver for Vulkan; ./x test gpu installs Mesa's"
    );
    let mut command = workspace.cargo([
        "test",
        "--package",
        "hearth-backend",
        "--features",
        FEATURES,
        "--test",
        "it",
        "--",
        "--ignored",
        "gpu::",
    ]);
    command
        .env("CARGO_TARGET_DIR", workspace.gpu())
        // Not for this machine's processor alone, which llama.cpp refuses for backends that are libraries.
        .env("RUSTFLAGS", "-C debuginfo=0")
        .env(
            "CMAKE_PROJECT_INCLUDE",
            workspace.root.join("xtask/src/test/one_cpu.cmake"),
        )
        // Without it ggml passes over drivers that compute on the processor.
        .env("GGML_VK_VISIBLE_DEVICES", "0");
    if let Some(sdk) = vulkan::find(&workspace.gpu())? {
        command.env("VULKAN_SDK", sdk);
    }
    process::run(command)
}

fn has_files(folder: &Path) -> bool {
    folder.read_dir().is_ok_and(|mut files| files.next().is_some())
}
