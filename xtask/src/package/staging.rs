//! One folder with all that belongs to an installed Hearth: `bin`, `lib` and, on Linux, `share`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};
use serde_json::Value;

use super::build::{Built, PROGRAMS, name_of};
use super::{Places, icons, notices};
use crate::models::STARTER_FOLDER;
use crate::process;
use crate::workspace::Workspace;

/// How the crates are called that bring the toolkit's fonts and icons.
const TOOLKIT_CRATES: &str = "makepad-";
/// Where the programs look for them (`hearth_backend::Config::toolkit`).
const TOOLKIT: &str = "toolkit";
/// Where they look for llama.cpp's code (`engine/worker/backends.rs` of the backend).
const BACKENDS: &str = "backends";
/// What a desktop reads, from `packaging/linux` to below `share`.
const DESKTOP: [(&str, &str); 3] = [
    ("hearth.desktop", "applications/hearth.desktop"),
    ("hearth.xml", "mime/packages/hearth.xml"),
    (
        "hearth.metainfo.xml",
        "metainfo/org.hearth_app.Hearth.metainfo.xml",
    ),
];

/// The folder.
pub(super) struct Stage {
    /// Its path.
    pub(super) root: PathBuf,
}

impl Stage {
    /// Fills it anew.
    ///
    /// # Errors
    /// Where a file cannot be read or written.
    pub(super) fn make(
        workspace: &Workspace,
        places: &Places,
        built: &Built,
        model: Option<&Path>,
    ) -> anyhow::Result<Self> {
        let stage = Self {
            root: places.target.join("stage"),
        };
        if stage.root.exists() {
            fs::remove_dir_all(&stage.root)?;
        }
        for program in PROGRAMS {
            let program = format!("{program}{}", std::env::consts::EXE_SUFFIX);
            copy(&built.programs.join(&program), &stage.programs().join(&program))?;
        }
        for (library, name) in &built.libraries {
            copy(library, &stage.libraries().join(name))?;
        }
        for backend in &built.backends {
            copy(backend, &stage.libraries().join(BACKENDS).join(name_of(backend)))?;
        }
        let metadata = metadata(workspace)?;
        stage.bring_toolkit(&metadata)?;
        if let Some(model) = model {
            let folder = stage.libraries().join(STARTER_FOLDER);
            copy(model, &folder.join(name_of(model)))?;
        }
        notices::write(workspace, &metadata, model.is_some(), &stage.documents())?;
        if cfg!(target_os = "linux") {
            stage.bring_desktop(workspace)?;
        }
        Ok(stage)
    }

    /// The folder of the programs.
    pub(super) fn programs(&self) -> PathBuf {
        self.root.join("bin")
    }

    /// The folder of all that they read.
    pub(super) fn libraries(&self) -> PathBuf {
        self.root.join("lib")
    }

    /// The folder of what a Linux system reads.
    pub(super) fn shared(&self) -> PathBuf {
        self.root.join("share")
    }

    /// The folder of licences and notices.
    fn documents(&self) -> PathBuf {
        match cfg!(target_os = "linux") {
            true => self.shared().join("doc/hearth"),
            false => self.libraries().join("licences"),
        }
    }

    fn bring_toolkit(&self, metadata: &Value) -> anyhow::Result<()> {
        for package in packages(metadata) {
            let name = package["name"].as_str().unwrap_or_default();
            let manifest = Path::new(package["manifest_path"].as_str().unwrap_or_default());
            let resources = manifest.with_file_name("resources");
            if name.starts_with(TOOLKIT_CRATES) && resources.is_dir() {
                let folder = self.libraries().join(TOOLKIT).join(name.replace('-', "_"));
                copy_folder(&resources, &folder.join("resources"))?;
            }
        }
        Ok(())
    }

    fn bring_desktop(&self, workspace: &Workspace) -> anyhow::Result<()> {
        let packaging = workspace.root.join("packaging/linux");
        for (file, place) in DESKTOP {
            copy(&packaging.join(file), &self.shared().join(place))?;
        }
        let hicolor = self.shared().join("icons/hicolor");
        copy(
            &workspace.root.join(icons::DRAWING),
            &hicolor.join("scalable/apps/hearth.svg"),
        )?;
        for size in icons::SIZES {
            copy(
                &icons::picture(workspace, size),
                &hicolor.join(format!("{size}x{size}/apps/hearth.png")),
            )?;
        }
        for (shell, place) in [
            ("bash", "bash-completion/completions/hearth-cli"),
            ("zsh", "zsh/vendor-completions/_hearth-cli"),
            ("fish", "fish/vendor_completions.d/hearth-cli.fish"),
        ] {
            let words = self.completions(shell)?;
            write(&self.shared().join(place), &words)?;
        }
        Ok(())
    }

    /// What a shell needs to complete `hearth-cli`, as the program itself says it.
    fn completions(&self, shell: &str) -> anyhow::Result<Vec<u8>> {
        let output = Command::new(self.programs().join("hearth-cli"))
            .args(["completions", shell])
            // It lies in no package yet.
            .env("LD_LIBRARY_PATH", self.libraries())
            .output()
            .context("hearth-cli does not start")?;
        if !output.status.success() || output.stdout.is_empty() {
            bail!(
                "hearth-cli has no completions for {shell}: {}",
                String::from_utf8_lossy(&output.stderr)
            );
        }
        Ok(output.stdout)
    }
}

/// What cargo knows of all crates that Hearth stands on here.
fn metadata(workspace: &Workspace) -> anyhow::Result<Value> {
    let mut ask = workspace.cargo(["metadata", "--locked", "--format-version", "1"]);
    ask.args(["--filter-platform", &host()?]);
    let output = ask.output().context("cargo metadata does not run")?;
    serde_json::from_slice(&output.stdout)
        .with_context(|| String::from_utf8_lossy(&output.stderr).into_owned())
}

/// The kind of machine that the compiler builds for.
fn host() -> anyhow::Result<String> {
    let output = Command::new("rustc")
        .arg("-vV")
        .output()
        .context("rustc does not run")?;
    let text = String::from_utf8_lossy(&output.stdout);
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned)
        .context("rustc does not say what it builds for")
}

/// The packages of cargo's answer.
pub(super) fn packages(metadata: &Value) -> &[Value] {
    metadata["packages"].as_array().map_or(&[], Vec::as_slice)
}

/// Writes a file into a folder that may not be there yet.
pub(super) fn write(path: &Path, contents: &[u8]) -> anyhow::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, contents).with_context(|| format!("{} cannot be written", path.display()))
}

/// Copies a file, or what a link leads to, into a folder that may not be there yet.
pub(super) fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::copy(from, to).with_context(|| format!("{} does not come to {}", from.display(), to.display()))?;
    Ok(())
}

/// Copies a folder with all in it.
pub(super) fn copy_folder(from: &Path, to: &Path) -> anyhow::Result<()> {
    for path in super::build::files_in(from)? {
        let target = to.join(name_of(&path));
        match path.is_dir() {
            true => copy_folder(&path, &target)?,
            false => copy(&path, &target)?,
        }
    }
    Ok(())
}

/// Runs a system's tool, with its name where it is missing.
pub(super) fn tool(command: Command) -> anyhow::Result<()> {
    let name = command.get_program().to_string_lossy().into_owned();
    anyhow::ensure!(
        Path::new(&name).is_absolute() || process::is_installed(&name),
        "{name} is missing; ./x package installs it"
    );
    process::run(command)
}
