//! Running other programs, with their failure as an error that names them.

use std::ffi::OsStr;
use std::process::Command;

use anyhow::{Context, bail};

/// Runs a program to its end and shows what is run.
///
/// # Errors
/// Where it does not start or ends with a failure.
pub(crate) fn run(mut command: Command) -> anyhow::Result<()> {
    let line = describe(&command);
    println!("$ {line}");
    let status = command
        .status()
        .with_context(|| format!("{line} does not start"))?;
    if !status.success() {
        bail!("{line} failed: {status}");
    }
    Ok(())
}

/// The command as it would be typed, without the folder of its program.
pub(crate) fn describe(command: &Command) -> String {
    let program = std::path::Path::new(command.get_program());
    let program = program.file_name().unwrap_or(program.as_os_str());
    let words: Vec<_> = std::iter::once(program)
        .chain(command.get_args())
        .map(OsStr::to_string_lossy)
        .collect();
    words.join(" ")
}

/// Whether a program is on the search path.
pub(crate) fn is_installed(program: &str) -> bool {
    let Some(path) = std::env::var_os("PATH") else {
        return false;
    };
    std::env::split_paths(&path).any(|folder| {
        let file = folder.join(program);
        file.is_file() || file.with_extension(std::env::consts::EXE_EXTENSION).is_file()
    })
}
