//! Programs beside the window: what a process costs, and the command line on the same data.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};

/// Time a process has spent on a processor so far, all threads together (`/proc/PID/task/TID/schedstat`, its first
/// field, in nanoseconds). The ticks of `/proc/PID/stat` miss bursts that are shorter than one.
pub(crate) fn cpu_time(process: u32) -> Result<Duration> {
    let mut total = Duration::ZERO;
    for task in fs::read_dir(format!("/proc/{process}/task"))? {
        let stat = fs::read_to_string(task?.path().join("schedstat"))?;
        let spent = stat.split_whitespace().next().context("schedstat is empty")?;
        total += Duration::from_nanos(spent.parse()?);
    }
    Ok(total)
}

/// Runs `hearth-cli` on a data folder; gives what it printed.
pub(crate) fn command_line(home: &Path, arguments: &[&str]) -> Result<String> {
    let program = PathBuf::from(env!("CARGO_BIN_EXE_hearth")).with_file_name("hearth-cli");
    let output = Command::new(program)
        .args(arguments)
        .env("HEARTH_HOME", home)
        .output()
        .context("hearth-cli does not start; it is built with the window")?;
    let errors = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "hearth-cli {arguments:?}: {errors}");
    Ok(String::from_utf8(output.stdout)?)
}
