//! The speed of one request: writing, reading, and what is lost on the way to the client.

use anyhow::{Context, ensure};
use hearth_protocol::engine::LoadOptions;

use super::{Line, Series, Target, Unit};
use crate::hearth::Ask;
use crate::stage::{Both, Stage};

/// Tokens that llama-bench's `tg128` writes.
const WRITTEN: u32 = 128;

/// Tokens that llama-bench's `pp512` reads.
const READ: u32 = 512;

/// How far the tokens of a prompt may be from what they shall be.
const SLACK: u32 = 10;

/// Words of a prompt that does not count.
const SHORT: usize = 24;

/// Tokens of an answer whose way to the client is measured.
const ROUND_TRIP: u32 = 256;

/// Tokens a second while one answer is written, as the worker measures them, against `tg128`.
pub(super) fn decode(stage: &Stage<'_>) -> anyhow::Result<Vec<Series>> {
    let hearth = stage.hearth(LoadOptions::default())?;
    let threads = hearth.model().threads;
    let rounds = stage.in_turn(
        |_| {
            let heard = hearth.ask(Ask::new(stage.words(SHORT), stage.greedy(WRITTEN)))?;
            Ok(heard.stats.generated_tokens_per_second)
        },
        |_| {
            let bench = stage
                .peers
                .map(|peers| peers.bench(&stage.path, threads, 0, WRITTEN));
            bench.transpose()
        },
    )?;
    let line = Line::new(
        "writing, one request",
        Unit::TokensPerSecond,
        "llama-bench tg128",
        Some(Target::RatioAtLeast(1.0)),
    );
    Ok(vec![line.measured(rounds)])
}

/// Tokens a second while a prompt of 512 tokens is read, as the worker measures them, against `pp512`.
pub(super) fn prompt(stage: &Stage<'_>) -> anyhow::Result<Vec<Series>> {
    let hearth = stage.hearth(LoadOptions::default())?;
    let threads = hearth.model().threads;
    let rounds = stage.in_turn(
        |_| {
            let text = stage.words(hearth.words_for(READ));
            let stats = hearth.ask(Ask::new(text, stage.greedy(1)))?.stats;
            ensure!(
                stats.prompt_tokens.abs_diff(READ) <= SLACK,
                "the prompt has {} tokens and not {READ}",
                stats.prompt_tokens
            );
            Ok(stats.prompt_tokens_per_second)
        },
        |_| {
            let bench = stage
                .peers
                .map(|peers| peers.bench(&stage.path, threads, READ, 0));
            bench.transpose()
        },
    )?;
    let line = Line::new(
        "reading a prompt of 512 tokens",
        Unit::TokensPerSecond,
        "llama-bench pp512",
        Some(Target::RatioAtLeast(0.98)),
    );
    Ok(vec![line.measured(rounds)])
}

/// Tokens a second as the client sees them come, against those that the worker measures of the same answer.
pub(super) fn round_trip(stage: &Stage<'_>) -> anyhow::Result<Vec<Series>> {
    let hearth = stage.hearth(LoadOptions::default())?;
    let mut rounds = Vec::new();
    for _ in 0..stage.rounds {
        let heard = hearth.ask(Ask::new(stage.words(SHORT), stage.greedy(ROUND_TRIP)))?;
        let measured = Some(heard.stats.generated_tokens_per_second);
        rounds.push(Both {
            ours: heard.seen_tokens_per_second().context("the client saw nothing")?,
            theirs: measured,
        });
    }
    let line = Line::new(
        "writing, as the client sees it",
        Unit::TokensPerSecond,
        "the worker's own figure",
        Some(Target::RatioAtLeast(0.99)),
    );
    Ok(vec![line.measured(rounds)])
}
