//! Memory of the worker beyond what the model itself needs.

use hearth_protocol::engine::LoadOptions;

use super::{Line, Series, Target, Unit};
use crate::hearth::Ask;
use crate::machine::resident_bytes;
use crate::stage::{Both, Stage};

/// Tokens of the prompt, so that a whole micro-batch was computed and all buffers were used.
const PROMPT: u32 = 1024;

/// Tokens of the answer.
const WRITTEN: u32 = 64;

/// Resident memory of the worker after an answer, less weights, KV cache and compute buffers as the engine reports
/// them.
pub(super) fn memory(stage: &Stage<'_>) -> anyhow::Result<Vec<Series>> {
    let mut rounds = Vec::new();
    for round in 0..stage.rounds {
        let hearth = stage.hearth(LoadOptions::default())?;
        let text = stage.words(hearth.words_for(PROMPT));
        hearth.ask(Ask::new(text, stage.greedy(WRITTEN)))?;
        let resident = mebibytes(resident_bytes(hearth.model().process)?);
        let estimated = mebibytes(hearth.estimated_bytes()?);
        let ours = resident - estimated;
        println!(
            "round {}: {resident:.1} MiB less {estimated:.1} MiB is {ours:.1} MiB",
            round + 1
        );
        rounds.push(Both { ours, theirs: None });
    }
    let line = Line::new(
        "worker's memory beyond weights, KV cache and compute buffers",
        Unit::Mebibytes,
        "",
        Some(Target::AtMost(40.0)),
    );
    Ok(vec![line.measured(rounds)])
}

fn mebibytes(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}
