//! What a running chat feels of another client's long prompt, and what that client feels.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow};
use hearth_protocol::engine::LoadOptions;

use super::{Line, Series, Target, Unit, milliseconds};
use crate::hearth::{Ask, Hearth};
use crate::peers::{Message, Request, Server};
use crate::stage::{Stage, split};

/// Tokens of the newcomer's prompt.
const PROMPT: u32 = 1500;

/// Tokens of the running answer: more than are written while the newcomer's prompt is read.
const RUNNING: u32 = 1500;

/// Pieces of the running answer before the newcomer comes.
const BEFORE: usize = 16;

/// Tokens of the newcomer's answer, of which only the first counts.
const BRIEF: u32 = 8;

/// Words of the running chat's prompt.
const SHORT: usize = 24;

/// The longest gap between two tokens of the running answer from when the newcomer's prompt is sent until its first
/// token, and the time to that first token.
pub(super) fn gap(stage: &Stage<'_>) -> anyhow::Result<Vec<Series>> {
    let hearth = stage.hearth(LoadOptions::default())?;
    let server = stage.server(&[])?;
    let prompt = || stage.words(hearth.words_for(PROMPT));
    let rounds = stage.in_turn(
        |_| ours(&hearth, stage, prompt()),
        |_| {
            let theirs = server.as_ref().map(|server| theirs(server, stage, prompt()));
            theirs.transpose()
        },
    )?;
    let (gaps, first_tokens) = split(&rounds);
    Ok(vec![
        Line::new(
            "longest gap in an answer while another's prompt of 1,500 tokens is read",
            Unit::Milliseconds,
            "llama-server",
            Some(Target::RatioAtMost(0.06)),
        )
        .measured(gaps),
        Line::new(
            "first token of that other",
            Unit::Milliseconds,
            "llama-server",
            Some(Target::RatioAtMost(1.3)),
        )
        .measured(first_tokens),
    ])
}

fn ours(hearth: &Hearth, stage: &Stage<'_>, prompt: String) -> anyhow::Result<(f64, f64)> {
    let mut running = hearth.send(Ask::new(stage.words(SHORT), stage.greedy(RUNNING)));
    running.wait_for_pieces(BEFORE)?;
    let newcomer = Ask::new(prompt, stage.greedy(BRIEF));
    beside(
        |enough| running.listen_until(enough),
        || {
            let heard = hearth.ask(newcomer)?;
            Ok((heard.sent_at, heard.first_token()?))
        },
    )
}

fn theirs(server: &Server, stage: &Stage<'_>, prompt: String) -> anyhow::Result<(f64, f64)> {
    let request = |text, tokens| ([Message::new("user", text)], tokens);
    let (messages, tokens) = request(stage.words(SHORT), RUNNING);
    let mut running = server.send(Request {
        messages: &messages,
        tokens,
    })?;
    running.wait_for_pieces(BEFORE)?;
    let figures = beside(
        |enough| running.listen_until(enough),
        || {
            let (messages, tokens) = request(prompt, BRIEF);
            let reply = server.ask(Request {
                messages: &messages,
                tokens,
            })?;
            Ok((reply.sent_at, reply.first_token()?))
        },
    )?;
    // The next round shall not meet the rest of this one.
    server.wait_until_idle()?;
    Ok(figures)
}

/// Listens to the running answer on a thread of its own while the newcomer is answered; gives the longest gap and the
/// newcomer's time to the first token, in milliseconds.
fn beside(
    listen: impl FnOnce(&AtomicBool) -> anyhow::Result<Vec<Instant>> + Send,
    come: impl FnOnce() -> anyhow::Result<(Instant, Duration)>,
) -> anyhow::Result<(f64, f64)> {
    let enough = AtomicBool::new(false);
    let (pieces, came) = std::thread::scope(|scope| {
        let listener = scope.spawn(|| listen(&enough));
        let came = come();
        enough.store(true, Ordering::Release);
        let pieces = listener.join().map_err(|_| anyhow!("the listener panicked"));
        (pieces.flatten(), came)
    });
    let (sent_at, first_token) = came?;
    let gap = longest_gap(&pieces?, sent_at, sent_at + first_token);
    let gap = gap.context("the running answer ended before the newcomer came")?;
    Ok((milliseconds(gap), milliseconds(first_token)))
}

/// The longest time between two pieces, of which one or both came between the two moments.
fn longest_gap(pieces: &[Instant], from: Instant, to: Instant) -> Option<Duration> {
    pieces
        .windows(2)
        .filter(|pair| pair[1] >= from && pair[0] <= to)
        .map(|pair| pair[1].duration_since(pair[0]))
        .max()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gap_counts_that_reaches_into_the_time_between_the_moments() {
        let start = Instant::now();
        let at = |milliseconds| start + Duration::from_millis(milliseconds);
        let pieces = [0, 500, 510, 530, 900, 905, 2000].map(at);
        let longest = |from, to| longest_gap(&pieces, at(from), at(to));
        assert_eq!(longest(505, 600), Some(Duration::from_millis(370)));
        assert_eq!(longest(502, 520), Some(Duration::from_millis(20)));
        assert_eq!(longest(1000, 1001), Some(Duration::from_millis(1095)));
        assert_eq!(longest(2001, 3000), None);
    }
}
