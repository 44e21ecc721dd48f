//! llama.cpp's own programs: llama-bench, llama-batched-bench and llama-server.

mod client;
pub(crate) mod http;
mod server;

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};
use serde_json::Value;

pub(crate) use client::{Client, Message, Reply, Request};
pub(crate) use server::Server;

/// Where the programs are.
pub(crate) struct Peers {
    server: PathBuf,
    bench: PathBuf,
    batched_bench: PathBuf,
}

impl Peers {
    /// # Errors
    /// Where one of them is not in the folder.
    pub(crate) fn find(folder: &Path) -> anyhow::Result<Self> {
        let program = |name: &str| {
            let path = folder.join(name).with_extension(std::env::consts::EXE_EXTENSION);
            ensure!(path.is_file(), "{} is not there", path.display());
            Ok(path)
        };
        Ok(Self {
            server: program("llama-server")?,
            bench: program("llama-bench")?,
            batched_bench: program("llama-batched-bench")?,
        })
    }

    /// Starts llama-server with this model and waits until it answers.
    ///
    /// # Errors
    /// Where it does not.
    pub(crate) fn serve(&self, model: &Path, log: &Path, arguments: &[&str]) -> anyhow::Result<Server> {
        Server::start(&self.server, model, log, arguments)
    }

    /// Tokens a second of reading `prompt` tokens or of writing `written` ones, one of which is 0: llama-bench's
    /// `ppN` and `tgN`, which have no sampling, no text and no request around them.
    ///
    /// # Errors
    /// Where llama-bench fails or says something else.
    pub(crate) fn bench(&self, model: &Path, threads: u32, prompt: u32, written: u32) -> anyhow::Result<f64> {
        let mut command = Command::new(&self.bench);
        command.arg("-m").arg(model).args(["-r", "1", "-o", "json"]);
        command.args(["-p", &prompt.to_string(), "-n", &written.to_string()]);
        command.args(["-t", &threads.to_string()]);
        let tests: Vec<Value> =
            serde_json::from_str(&output(command)?).context("llama-bench wrote no JSON")?;
        let speed = tests.first().and_then(|test| test["avg_ts"].as_f64());
        speed.context("llama-bench gave no speed")
    }

    /// Tokens a second of reading and writing together with so many sequences at once, each with its own prompt:
    /// llama-batched-bench, which has no sampling, no text and no request around them.
    ///
    /// # Errors
    /// Where llama-batched-bench fails or says something else.
    pub(crate) fn batched_bench(
        &self,
        model: &Path,
        threads: u32,
        sequences: u32,
        prompt: u32,
        written: u32,
    ) -> anyhow::Result<f64> {
        let mut command = Command::new(&self.batched_bench);
        command
            .arg("-m")
            .arg(model)
            .args(["--output-format", "jsonl", "-c", "8192"]);
        command.args(["-npp", &prompt.to_string(), "-ntg", &written.to_string()]);
        command.args(["-npl", &sequences.to_string(), "-t", &threads.to_string()]);
        let output = output(command)?;
        let lines = output
            .lines()
            .filter_map(|line| serde_json::from_str::<Value>(line).ok());
        // All that was written through all the time it took, so that the time of reading counts as in the others.
        let speed = lines
            .filter_map(|line| Some(line["pl"].as_f64()? * line["tg"].as_f64()? / line["t"].as_f64()?))
            .next();
        speed.context("llama-batched-bench gave no speed")
    }
}

/// Runs a program and gives what it wrote on standard output.
fn output(mut command: Command) -> anyhow::Result<String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command
        .output()
        .with_context(|| format!("{name} does not start"))?;
    ensure!(
        output.status.success(),
        "{name} failed: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(String::from_utf8(output.stdout)?)
}
