//! The local server: many clients at once beside llama-server, and what a request costs beside the bare engine.

use std::time::Instant;

use anyhow::Context;
use hearth_protocol::engine::{ContextLength, LoadOptions};

use super::{Line, Series, Target, Unit, milliseconds};
use crate::peers::{Client, Message, Reply, Request};
use crate::stage::{Both, Stage};

/// Words of each prompt.
const PROMPT: usize = 64;

/// Tokens of each answer.
const WRITTEN: u32 = 64;

/// Tokens of context on both sides, shared by all requests.
const CONTEXT: u32 = 8192;

/// Requests of one round of the overhead: one after the other, of one token each.
const SHORT_REQUESTS: u32 = 20;

/// What all clients of one round saw.
#[derive(Debug, Clone, Copy)]
struct Seen {
    /// From sending to the first text, the median, in milliseconds.
    first: f64,
    /// Tokens a second of all together.
    speed: f64,
    /// The time between two pieces of one answer that 99 of 100 do not exceed, in milliseconds.
    gap: f64,
    /// The longest such time: one batch of all new prompts is few gaps, and so in no percentile.
    longest: f64,
}

pub(super) fn one(stage: &Stage<'_>) -> anyhow::Result<Vec<Series>> {
    at_once(
        stage,
        1,
        [
            "server, 1 client: first token",
            "its speed",
            "its p99 gap",
            "its longest gap",
        ],
    )
}

pub(super) fn four(stage: &Stage<'_>) -> anyhow::Result<Vec<Series>> {
    at_once(
        stage,
        4,
        [
            "server, 4 clients: first token",
            "their speed",
            "their p99 gap",
            "their longest gap",
        ],
    )
}

pub(super) fn eight(stage: &Stage<'_>) -> anyhow::Result<Vec<Series>> {
    at_once(
        stage,
        8,
        [
            "server, 8 clients: first token",
            "their speed",
            "their p99 gap",
            "their longest gap",
        ],
    )
}

pub(super) fn thirty_two(stage: &Stage<'_>) -> anyhow::Result<Vec<Series>> {
    at_once(
        stage,
        32,
        [
            "server, 32 clients: first token",
            "their speed",
            "their p99 gap",
            "their longest gap",
        ],
    )
}

/// The same client for both servers. A request that fails fails the row.
fn at_once(stage: &Stage<'_>, clients: u32, whats: [&'static str; 4]) -> anyhow::Result<Vec<Series>> {
    let hearth = stage.hearth(LoadOptions {
        context_length: ContextLength::Tokens(CONTEXT),
        parallel_slots: clients,
        ..LoadOptions::default()
    })?;
    let ours = hearth.serve()?;
    let server = stage.server(&["-np", &clients.to_string(), "-c", &CONTEXT.to_string()])?;
    let prompts = || (0..clients).map(|_| stage.words(PROMPT)).collect::<Vec<_>>();
    let rounds = stage.in_turn(
        |_| ask_all(ours, prompts()),
        |_| match &server {
            Some(server) => ask_all(server.client(), prompts()).map(Some),
            None => Ok(None),
        },
    )?;
    let line = |what, unit, target, of: fn(&Seen) -> f64| {
        let figures = rounds.iter().map(|both| Both {
            ours: of(&both.ours),
            theirs: both.theirs.as_ref().map(of),
        });
        Line::new(what, unit, "llama-server", Some(target)).measured(figures)
    };
    let [first, speed, gap, longest] = whats;
    Ok(vec![
        line(first, Unit::Milliseconds, Target::RatioAtMost(1.0), |seen| {
            seen.first
        }),
        line(speed, Unit::TokensPerSecond, Target::RatioAtLeast(1.0), |seen| {
            seen.speed
        }),
        line(gap, Unit::Milliseconds, Target::RatioAtMost(1.0), |seen| seen.gap),
        line(longest, Unit::Milliseconds, Target::RatioAtMost(1.0), |seen| {
            seen.longest
        }),
    ])
}

fn ask_all(server: Client, prompts: Vec<String>) -> anyhow::Result<Seen> {
    let began = Instant::now();
    let replies = server.ask_all(prompts, WRITTEN)?;
    let ended = replies.iter().map(|reply| reply.ended_at).max();
    let took = ended.context("there were no requests")?.duration_since(began);
    let tokens: u32 = replies.iter().map(|reply| reply.tokens).sum();
    let first = replies
        .iter()
        .map(|reply| Ok(milliseconds(reply.first_token()?)))
        .collect::<anyhow::Result<Vec<_>>>()?;
    let gaps: Vec<f64> = replies.iter().flat_map(gaps).collect();
    Ok(Seen {
        first: percentile(first, 50)?,
        speed: f64::from(tokens) / took.as_secs_f64(),
        longest: percentile(gaps.clone(), 100)?,
        gap: percentile(gaps, 99)?,
    })
}

/// Times between two pieces of an answer, in milliseconds.
fn gaps(reply: &Reply) -> impl Iterator<Item = f64> {
    let pairs = reply.pieces.windows(2);
    pairs.filter_map(|pair| match pair {
        [one, next] => Some(milliseconds(next.duration_since(*one))),
        _ => None,
    })
}

/// The lowest figure that so many of a hundred do not exceed.
fn percentile(mut figures: Vec<f64>, percent: usize) -> anyhow::Result<f64> {
    figures.sort_by(f64::total_cmp);
    let rank = (figures.len() * percent).div_ceil(100).max(1);
    let figure = figures.get(rank - 1).copied();
    figure.context("the answers have no text")
}

/// What a request costs over HTTP, against the same request to the engine itself: one token, so that nearly all of it is
/// what stands around the model.
pub(super) fn overhead(stage: &Stage<'_>) -> anyhow::Result<Vec<Series>> {
    let hearth = stage.hearth(LoadOptions::default())?;
    let server = hearth.serve()?;
    let each = |mut ask: Box<dyn FnMut(String) -> anyhow::Result<()> + '_>| {
        let began = Instant::now();
        for _ in 0..SHORT_REQUESTS {
            ask(stage.words(1))?;
        }
        anyhow::Ok(milliseconds(began.elapsed() / SHORT_REQUESTS))
    };
    let rounds = stage.in_turn(
        |_| {
            each(Box::new(|text| {
                let request = Request {
                    messages: &[Message::new("user", text)],
                    tokens: 1,
                };
                server.ask(request).map(drop)
            }))
        },
        |_| each(Box::new(|text| hearth.complete(text, stage.greedy(1)))).map(Some),
    )?;
    let line = Line::new(
        "server, a request of one token",
        Unit::Milliseconds,
        "the bare engine",
        None,
    );
    Ok(vec![line.measured(rounds)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentile_is_the_nearest_rank() {
        let of = |percent| percentile((1..=200).map(f64::from).collect(), percent).expect("figures");
        assert_eq!((of(50), of(99), of(100)), (100.0, 198.0, 200.0));
        assert_eq!(percentile(vec![7.0], 99).expect("a figure"), 7.0);
        assert!(percentile(Vec::new(), 99).is_err());
    }
}
