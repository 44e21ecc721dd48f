//! `hearth-bench`: measures Hearth's engine beside llama.cpp's own programs, in turn, in one run; its catalogue; and
//! its downloads beside aria2c.
//!
//! `./x bench` builds and starts it. It drives Hearth as the window does, through the backend's client, and becomes
//! Hearth's worker itself when it is started with the worker's argument. `docs/performance.md` says what each row
//! means.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "it speaks to its terminal"
)]

mod figures;
mod hearth;
mod machine;
mod peers;
mod report;
mod rows;
mod stage;
mod text;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, ensure};
use clap::Parser;
use hearth_backend::WORKER_ARGUMENT;

use peers::Peers;
use report::{Entry, Report};
use rows::{Measure, Row, Series};
use stage::{MODELS, Model, Stage};

/// Load up to which a machine counts as idle.
const QUIET: f64 = 0.5;

/// Stands in the results where a row needs no model.
const NO_MODEL: &str = "without a model";

/// What `./x bench` hands over.
#[derive(Parser)]
#[command(about = "Measures Hearth's engine beside llama.cpp's own programs.")]
struct Arguments {
    /// Measure only this row
    name: Option<String>,
    /// Rounds of each row, in the place of the row's own number
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: Option<u32>,
    /// Measure only with the models whose names hold this text
    #[arg(long)]
    model: Option<String>,
    /// Folder of the model files
    #[arg(long)]
    models: PathBuf,
    /// Folder of llama-server, llama-bench and llama-batched-bench; without it Hearth is measured alone
    #[arg(long)]
    peers: Option<PathBuf>,
    /// Folder for the results
    #[arg(long)]
    out: PathBuf,
    /// The source that is measured, as it is to stand in the results
    #[arg(long)]
    source: String,
}

fn main() -> ExitCode {
    if std::env::args_os()
        .nth(1)
        .is_some_and(|argument| argument == WORKER_ARGUMENT)
    {
        return hearth_backend::worker_main();
    }
    match run(&Arguments::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Measures and writes the results down after each row; gives whether every row could be measured.
fn run(arguments: &Arguments) -> anyhow::Result<bool> {
    let rows: Vec<_> = rows::ALL
        .iter()
        .filter(|row| arguments.name.as_ref().is_none_or(|name| row.name == name))
        .collect();
    ensure!(
        !rows.is_empty(),
        "there is no such row; the rows are {}",
        rows::ALL.map(|row| row.name).join(", ")
    );
    let models: Vec<&Model> = MODELS
        .iter()
        .filter(|model| {
            arguments
                .model
                .as_ref()
                .is_none_or(|name| model.file.contains(name))
        })
        .collect();
    ensure!(!models.is_empty(), "no model of the benchmark has this name");
    let peers = arguments.peers.as_deref().map(Peers::find).transpose()?;
    std::fs::create_dir_all(&arguments.out)?;
    if let Some(load) = machine::load().filter(|load| *load > QUIET) {
        println!(
            "This machine is busy (load {load:.1}): the figures, and the ratios too, will not mean much."
        );
    }

    // A run of all rows begins a new table; a run of one renews that row in the old one.
    let mut report = match arguments.name {
        Some(_) => Report::read(&arguments.out)?,
        None => Report::default(),
    };
    let mut whole = true;
    let mut take = |row: &Row, with: &str, measured: anyhow::Result<Vec<Series>>| {
        if let Err(error) = &measured {
            eprintln!("{} could not be measured: {error:#}", row.name);
            whole = false;
        }
        report.put(Entry::new(row.name, with, &arguments.source, measured));
        report
            .write(&arguments.out)
            .context("the results could not be written")
    };
    for row in &rows {
        if let Measure::Alone(measure) = row.measure {
            let rounds = arguments.rounds.unwrap_or(row.rounds);
            println!("\n== {}, {rounds} rounds", row.name);
            take(row, NO_MODEL, measure(rounds))?;
        }
    }
    for model in models {
        for row in &rows {
            if let Measure::WithModel(measure) = row.measure {
                let rounds = arguments.rounds.unwrap_or(row.rounds);
                println!("\n== {} with {}, {rounds} rounds", row.name, model.file);
                let stage = Stage::new(model, &arguments.models, peers.as_ref(), &arguments.out, rounds)?;
                take(row, model.file, measure(&stage))?;
            }
        }
    }
    println!("\n{}", report.table());
    println!("The results are in {}", arguments.out.display());
    Ok(whole)
}
