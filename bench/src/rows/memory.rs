//! Memory: of the worker beyond what the model itself needs, and of both processes while messages come and go.

use hearth_protocol::ChatId;
use hearth_protocol::engine::{ContextLength, LoadOptions};

use super::{Line, Series, Target, Unit};
use crate::hearth::Ask;
use crate::machine::resident_bytes;
use crate::stage::{Both, Stage};

/// Tokens of the prompt, so that a whole micro-batch was computed and all buffers were used.
const PROMPT: u32 = 1024;

/// Tokens of the answer.
const WRITTEN: u32 = 64;

/// Words of a message, and tokens of its answer, where many come and go.
const WORDS: usize = 16;
const BRIEF: u32 = 16;

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

/// What the memory of backend and worker grows by from the hundredth message to the three hundredth, in chats of ten.
pub(super) fn messages(stage: &Stage<'_>) -> anyhow::Result<Vec<Series>> {
    const HUNDRED: usize = 100;
    const OF_A_CHAT: usize = 10;
    // Soon full, since memory of the KV cache counts from when it is first written to.
    let hearth = stage.hearth(LoadOptions {
        context_length: ContextLength::Tokens(1024),
        ..LoadOptions::default()
    })?;
    let mut after = Vec::new();
    for hundred in 1..=3 {
        for _ in 0..HUNDRED / OF_A_CHAT {
            let mut chat: Option<ChatId> = None;
            for _ in 0..OF_A_CHAT {
                let ask = Ask::new(stage.words(WORDS), stage.greedy(BRIEF));
                chat = Some(hearth.ask(Ask { chat, ..ask })?.chat);
            }
        }
        let backend = mebibytes(resident_bytes(std::process::id())?);
        let worker = mebibytes(resident_bytes(hearth.model().process)?);
        println!("{hundred}00 messages: backend {backend:.1} MiB, worker {worker:.1} MiB");
        after.push((backend, worker));
    }
    let (Some(first), Some(last)) = (after.first(), after.last()) else {
        return Ok(Vec::new());
    };
    let line = |what, grown| {
        let line = Line::new(what, Unit::Mebibytes, "", Some(Target::AtMost(8.0)));
        line.measured([Both {
            ours: grown,
            theirs: None,
        }])
    };
    Ok(vec![
        line("backend's growth from message 100 to 300", last.0 - first.0),
        line("worker's growth from message 100 to 300", last.1 - first.1),
    ])
}

fn mebibytes(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}
