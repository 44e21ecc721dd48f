//! Several requests at once: what all of them get together.

use std::time::Instant;

use anyhow::Context;
use hearth_protocol::engine::{ContextLength, LoadOptions};

use super::{Line, Series, Target, Unit};
use crate::hearth::{Ask, Hearth};
use crate::peers::Server;
use crate::stage::{Stage, split};

/// Words of each prompt.
const PROMPT: u32 = 64;

/// Tokens of each answer.
const WRITTEN: u32 = 128;

/// Tokens of context on both sides, shared by all requests.
const CONTEXT: u32 = 8192;

pub(super) fn four(stage: &Stage<'_>) -> anyhow::Result<Vec<Series>> {
    at_once(
        stage,
        4,
        "4 requests at once, in all",
        "llama-server with 4 slots",
        "the same, bare",
    )
}

pub(super) fn eight(stage: &Stage<'_>) -> anyhow::Result<Vec<Series>> {
    at_once(
        stage,
        8,
        "8 requests at once, in all",
        "llama-server with 8 slots",
        "the same, bare",
    )
}

/// Tokens written a second by all requests together, from the first request to the last answer's end. The second line
/// holds the same figure against llama-batched-bench, which has no requests around its sequences.
fn at_once(
    stage: &Stage<'_>,
    requests: u32,
    what: &'static str,
    against: &'static str,
    bare: &'static str,
) -> anyhow::Result<Vec<Series>> {
    let hearth = stage.hearth(LoadOptions {
        context_length: ContextLength::Tokens(CONTEXT),
        parallel_slots: requests,
        ..LoadOptions::default()
    })?;
    let threads = hearth.model().threads;
    let server = stage.server(&["-np", &requests.to_string(), "-c", &CONTEXT.to_string()])?;
    let prompts = || {
        (0..requests)
            .map(|_| stage.words(PROMPT as usize))
            .collect::<Vec<_>>()
    };
    let rounds = stage.in_turn(
        |_| {
            let speed = ours(&hearth, stage, prompts())?;
            Ok((speed, speed))
        },
        |_| {
            let (Some(server), Some(peers)) = (&server, stage.peers) else {
                return Ok(None);
            };
            let speed = theirs(server, prompts())?;
            let bare = peers.batched_bench(&stage.path, threads, requests, PROMPT, WRITTEN)?;
            Ok(Some((speed, bare)))
        },
    )?;
    let (against_server, against_bare) = split(&rounds);
    let target = Some(Target::RatioAtLeast(1.0));
    Ok(vec![
        Line::new(what, Unit::TokensPerSecond, against, target).measured(against_server),
        Line::new(bare, Unit::TokensPerSecond, "llama-batched-bench", None).measured(against_bare),
    ])
}

fn ours(hearth: &Hearth, stage: &Stage<'_>, prompts: Vec<String>) -> anyhow::Result<f64> {
    let began = Instant::now();
    let asks = prompts
        .into_iter()
        .map(|text| Ask::new(text, stage.greedy(WRITTEN)));
    let turns: Vec<_> = asks.map(|ask| hearth.send(ask)).collect();
    let (mut tokens, mut ended) = (0, began);
    // The events of all wait in their channels; the moment that counts is that of the very last.
    for turn in turns {
        let heard = turn.finish()?;
        heard.check_length()?;
        tokens += heard.stats.generated_tokens;
        ended = ended.max(heard.ended_at);
    }
    Ok(f64::from(tokens) / ended.duration_since(began).as_secs_f64())
}

fn theirs(server: &Server, prompts: Vec<String>) -> anyhow::Result<f64> {
    let began = Instant::now();
    let replies = server.client().ask_all(prompts, WRITTEN)?;
    let tokens: u32 = replies.iter().map(|reply| reply.tokens).sum();
    let ended = replies.iter().map(|reply| reply.ended_at).max();
    let took = ended.context("there were no requests")?.duration_since(began);
    Ok(f64::from(tokens) / took.as_secs_f64())
}
