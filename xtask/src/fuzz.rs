//! `./x fuzz`: gives readers of what comes from outside millions of damaged inputs, until one breaks them.
//!
//! libFuzzer works by how the code runs: an input that reaches something new is kept and changed further. cargo-fuzz
//! asks a nightly compiler for checks of memory only, which safe code does not need, so it runs with the compiler that
//! builds Hearth.

/// The tests' maker of a whole model.
#[path = "../../testhub/src/tiny_gguf.rs"]
#[allow(
    dead_code,
    unreachable_pub,
    clippy::expect_used,
    reason = "it is made for tests, which use more of it"
)]
mod tiny_gguf;

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};

use anyhow::{Context, bail};

use crate::workspace::Workspace;
use crate::{process, tools};

/// The program, and the version that is installed.
const PROGRAM: &str = "cargo-fuzz";
const VERSION: &str = "0.13.2";

/// Longest input, in bytes: the header of the tests' tiny model fits, and what is longer is slower to try.
const MAX_LENGTH: u32 = 16 << 10;
/// Seconds after which an input counts as one that hangs the reader. They take microseconds, but a busy computer may let
/// the fuzzer wait for half a minute.
const TIMEOUT: u32 = 300;
/// Megabytes of the whole process. The targets count what they allocate far more closely.
const MEMORY: u32 = 512;

/// A reader that is fed.
#[derive(Debug, Clone, Copy, Default, clap::ValueEnum)]
enum Target {
    /// Model files.
    #[default]
    Gguf,
    /// Answers of the hub.
    Hub,
}

impl Target {
    /// Its name in fuzz/fuzz_targets.
    fn name(self) -> &'static str {
        match self {
            Self::Gguf => "gguf",
            Self::Hub => "hub",
        }
    }

    /// The inputs that are kept as tests.
    fn kept(self) -> &'static str {
        match self {
            Self::Gguf => "backend/src/library/gguf/tests/damaged",
            Self::Hub => "backend/src/hub/shapes/tests/answers",
        }
    }
}

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// What is fed, a file in fuzz/fuzz_targets
    #[arg(value_enum, default_value_t)]
    target: Target,
    /// For how long
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    minutes: u64,
}

/// Fuzzes a target for a time, from the inputs that are kept as tests and those of earlier runs.
///
/// # Errors
/// With the place of the input, where one broke the reader.
pub(crate) fn fuzz(workspace: &Workspace, arguments: &Arguments) -> anyhow::Result<()> {
    let program = tools::get(workspace, PROGRAM, VERSION)?;
    let folder = workspace.root.join("fuzz");
    let target = arguments.target.name();
    let corpus = folder.join("corpus").join(target);
    seed(workspace, arguments.target, &corpus)?;
    let mut command = Command::new(program);
    command
        .current_dir(&folder)
        .args(["run", "--fuzz-dir", ".", "--sanitizer", "none", target, "--"])
        .arg(format!("-max_total_time={}", arguments.minutes * 60))
        .arg(format!("-max_len={MAX_LENGTH}"))
        .arg(format!("-timeout={TIMEOUT}"))
        .arg(format!("-rss_limit_mb={MEMORY}"))
        .arg("-print_final_stats=1");
    let line = process::describe(&command);
    println!("$ {line}");
    let (status, summary) = watch(command)?;
    println!("\n{summary}");
    let inputs = std::fs::read_dir(&corpus)?.count();
    println!("fuzz/corpus/{target} holds {inputs} inputs.");
    if !status.success() {
        bail!(
            "the fuzzer ended with {status}; an input that broke {target} is in fuzz/artifacts and belongs to the tests"
        );
    }
    println!("Nothing was found.");
    Ok(())
}

/// Formats the targets, which are no members of the workspace.
pub(crate) fn format(workspace: &Workspace) -> Command {
    workspace.cargo(["fmt", "--manifest-path", "fuzz/Cargo.toml"])
}

/// Looks through the targets, so that they compile when they are wanted.
pub(crate) fn lint(workspace: &Workspace) -> Command {
    workspace.cargo([
        "clippy",
        "--manifest-path",
        "fuzz/Cargo.toml",
        "--",
        "-D",
        "warnings",
    ])
}

/// Puts the inputs that are kept as tests, and for model files a whole one, where the fuzzer begins.
fn seed(workspace: &Workspace, target: Target, corpus: &Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(corpus)?;
    let kept = workspace.root.join(target.kept());
    for entry in std::fs::read_dir(&kept).with_context(|| kept.display().to_string())? {
        let entry = entry?;
        std::fs::copy(entry.path(), corpus.join(entry.file_name()))?;
    }
    if let Target::Gguf = target {
        tiny_gguf::Tiny::default().write(&corpus.join("tiny.gguf"));
    }
    Ok(())
}

/// Passes on what the fuzzer prints, and gives the lines that sum it up.
fn watch(mut command: Command) -> anyhow::Result<(ExitStatus, String)> {
    let mut child = command.stderr(Stdio::piped()).spawn()?;
    let output = child.stderr.take().context("the fuzzer prints nothing")?;
    let mut summary = String::new();
    for line in BufReader::new(output).lines() {
        let line = line?;
        eprintln!("{line}");
        if line.contains("DONE ") || line.starts_with("stat::") {
            summary += &format!("{line}\n");
        }
    }
    Ok((child.wait()?, summary))
}
