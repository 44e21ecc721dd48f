//! Where the tree and its build outputs are.

use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::Command;

use anyhow::Context;

/// The folders that the tasks work in.
pub(crate) struct Workspace {
    /// Folder of the root Cargo.toml.
    pub(crate) root: PathBuf,
    /// Cargo's target folder.
    target: PathBuf,
    /// The version of all its packages.
    version: Option<String>,
}

impl Workspace {
    /// Asks cargo, which knows of environment variables and settings that move the target folder.
    ///
    /// # Errors
    /// Where cargo does not run in this folder.
    pub(crate) fn locate() -> anyhow::Result<Self> {
        let output = Command::new(cargo_program())
            .args(["metadata", "--no-deps", "--format-version", "1"])
            .output()
            .context("cargo metadata does not run")?;
        let metadata: serde_json::Value = serde_json::from_slice(&output.stdout)
            .with_context(|| String::from_utf8_lossy(&output.stderr).into_owned())?;
        let folder = |field: &str| {
            let path = metadata[field].as_str().map(PathBuf::from);
            path.with_context(|| format!("cargo metadata names no {field}"))
        };
        Ok(Self {
            root: folder("workspace_root")?,
            target: folder("target_directory")?,
            version: metadata["packages"][0]["version"].as_str().map(str::to_owned),
        })
    }

    /// A call of cargo in the root, with the toolchain that runs this.
    pub(crate) fn cargo<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Command {
        let mut command = Command::new(cargo_program());
        command.current_dir(&self.root).args(arguments);
        command
    }

    /// The version of Hearth.
    ///
    /// # Errors
    /// Where cargo names none.
    pub(crate) fn version(&self) -> anyhow::Result<String> {
        self.version.clone().context("cargo metadata names no version")
    }

    /// The build for packages, and the packages.
    pub(crate) fn package(&self) -> PathBuf {
        self.target.join("package")
    }

    /// The guides as a book.
    pub(crate) fn book(&self) -> PathBuf {
        self.target.join("book")
    }

    /// Models for tests, and the source of the starter model.
    pub(crate) fn models(&self) -> PathBuf {
        self.target.join("models")
    }

    /// Pictures of the window.
    pub(crate) fn shots(&self) -> PathBuf {
        self.target.join("shots")
    }

    /// Where tools are installed that only the tasks use.
    pub(crate) fn tools(&self) -> PathBuf {
        self.target.join("tools")
    }

    /// The source tree of llama.cpp, for what the crate leaves out of it.
    pub(crate) fn llama_cpp(&self) -> PathBuf {
        self.target.join("llama-cpp")
    }

    /// Results of measuring, and the programs that Hearth is held against.
    pub(crate) fn bench(&self) -> PathBuf {
        self.target.join("bench")
    }

    /// The test suite of llama-server, and what it needs.
    pub(crate) fn conformance(&self) -> PathBuf {
        self.target.join("conformance")
    }

    /// The official clients of other servers' interfaces.
    pub(crate) fn clients(&self) -> PathBuf {
        self.target.join("clients")
    }

    /// The build with a backend for graphics cards.
    pub(crate) fn gpu(&self) -> PathBuf {
        self.target.join("gpu")
    }

    /// Executables of the one profile that everything is built with.
    pub(crate) fn executables(&self) -> PathBuf {
        self.executables_of(false)
    }

    /// Executables of the optimised profile, which only measuring asks for, or of the usual one.
    pub(crate) fn executables_of(&self, release: bool) -> PathBuf {
        self.target.join(if release { "release" } else { "debug" })
    }
}

fn cargo_program() -> std::ffi::OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}
