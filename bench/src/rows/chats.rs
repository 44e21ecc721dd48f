//! The time to the first token in chats that go on: what the caches save.

use anyhow::Context;
use hearth_protocol::ChatId;
use hearth_protocol::engine::LoadOptions;

use super::{Line, Series, Target, Unit, milliseconds};
use crate::figures::Summary;
use crate::hearth::{Ask, Hearth};
use crate::peers::{Message, Request, Server};
use crate::stage::{Both, Stage};

/// Tokens of a long chat.
const LONG: u32 = 4000;

/// Turns that stand in a long chat before the one that is measured.
const TURNS: u32 = 4;

/// Tokens of the answers in a long chat.
const ANSWER: u32 = 32;

/// Tokens of an answer of which only the first counts.
const BRIEF: u32 = 8;

/// Words of the message whose answer is measured.
const MESSAGE: usize = 32;

/// Chats that are gone round; llama-server has four slots.
const CHATS: usize = 6;

/// Tokens of a system prompt that chats share.
const SYSTEM: u32 = 1500;

/// A chat on both sides.
struct Pair {
    ours: ChatId,
    theirs: Vec<Message>,
}

/// Turn 5 of a chat of 4,000 tokens; each round asks another fifth question.
pub(super) fn turn_5(stage: &Stage<'_>) -> anyhow::Result<Vec<Series>> {
    let hearth = stage.hearth(LoadOptions::default())?;
    let server = stage.server(&[])?;
    let chat = long_chat(stage, &hearth, server.as_ref(), TURNS)?;
    let rounds = stage.in_turn(
        |_| {
            let heard = hearth.ask(Ask {
                chat: Some(chat.ours),
                ..Ask::new(stage.words(MESSAGE), stage.greedy(BRIEF))
            })?;
            hearth.take_back(heard.message)?;
            Ok(milliseconds(heard.first_token()?))
        },
        |_| {
            let Some(server) = &server else { return Ok(None) };
            let mut messages = chat.theirs.clone();
            messages.push(Message::new("user", stage.words(MESSAGE)));
            let reply = server.ask(Request {
                messages: &messages,
                tokens: BRIEF,
            })?;
            Ok(Some(milliseconds(reply.first_token()?)))
        },
    )?;
    let line = Line::new(
        "first token, turn 5 of a chat of 4,000 tokens",
        Unit::Milliseconds,
        "llama-server with its cache",
        Some(Target::RatioAtMost(1.0)),
    );
    Ok(vec![line.measured(rounds)])
}

/// The next turn of six long chats, one after the other; a round's figure is the median of the six.
pub(super) fn six_chats(stage: &Stage<'_>) -> anyhow::Result<Vec<Series>> {
    let hearth = stage.hearth(LoadOptions::default())?;
    let server = stage.server(&[])?;
    let chats = (0..CHATS).map(|_| long_chat(stage, &hearth, server.as_ref(), 1));
    let mut chats = chats.collect::<anyhow::Result<Vec<_>>>()?;
    let ours: Vec<_> = chats.iter().map(|chat| chat.ours).collect();
    let rounds = stage.in_turn(
        |_| {
            let mut times = Vec::new();
            for chat in &ours {
                let heard = hearth.ask(Ask {
                    chat: Some(*chat),
                    ..Ask::new(stage.words(MESSAGE), stage.greedy(BRIEF))
                })?;
                times.push(milliseconds(heard.first_token()?));
            }
            median(times)
        },
        |_| {
            let Some(server) = &server else { return Ok(None) };
            let mut times = Vec::new();
            for chat in &mut chats {
                let text = stage.words(MESSAGE);
                times.push(milliseconds(go_on(server, &mut chat.theirs, text, BRIEF)?));
            }
            median(times).map(Some)
        },
    )?;
    let line = Line::new(
        "first token, going round among six such chats",
        Unit::Milliseconds,
        "llama-server as it is by default",
        Some(Target::RatioAtMost(0.5)),
    );
    Ok(vec![line.measured(rounds)])
}

/// The next turn of a long chat after the program was ended and started again, against the same chat read cold.
pub(super) fn restart(stage: &Stage<'_>) -> anyhow::Result<Vec<Series>> {
    let mut hearth = stage.hearth(LoadOptions::default())?;
    let mut rounds = Vec::new();
    for round in 0..stage.rounds {
        let text = stage.words(hearth.words_for(LONG));
        let cold = hearth.ask(Ask::new(text, stage.greedy(BRIEF)))?;
        hearth.restart()?;
        let warm = hearth.ask(Ask {
            chat: Some(cold.chat),
            ..Ask::new(stage.words(MESSAGE), stage.greedy(BRIEF))
        })?;
        rounds.push(own(
            round,
            milliseconds(warm.first_token()?),
            milliseconds(cold.first_token()?),
        ));
    }
    let line = Line::new(
        "first token after a restart, chat of 4,000 tokens",
        Unit::Milliseconds,
        "the same prompt, cold",
        Some(Target::RatioAtMost(0.1)),
    );
    Ok(vec![line.measured(rounds)])
}

/// The first turn of a chat whose system prompt another chat has had, against that other's.
pub(super) fn shared_system(stage: &Stage<'_>) -> anyhow::Result<Vec<Series>> {
    let hearth = stage.hearth(LoadOptions::default())?;
    let mut rounds = Vec::new();
    for round in 0..stage.rounds {
        let system = stage.words(hearth.words_for(SYSTEM));
        let first_token = || {
            let heard = hearth.ask(Ask {
                system: Some(system.clone()),
                ..Ask::new(stage.words(MESSAGE), stage.greedy(BRIEF))
            })?;
            anyhow::Ok(milliseconds(heard.first_token()?))
        };
        let cold = first_token()?;
        let shared = first_token()?;
        rounds.push(own(round, shared, cold));
    }
    let line = Line::new(
        "first token of a new chat, system prompt of 1,500 tokens known",
        Unit::Milliseconds,
        "the same prompt, cold",
        Some(Target::RatioAtMost(0.15)),
    );
    Ok(vec![line.measured(rounds)])
}

/// A round in which Hearth is held against itself.
fn own(round: u32, ours: f64, cold: f64) -> Both<f64> {
    println!("round {}: {ours:.1} ms, cold {cold:.1} ms", round + 1);
    Both {
        ours,
        theirs: Some(cold),
    }
}

fn median(times: Vec<f64>) -> anyhow::Result<f64> {
    let spread = Summary::Median.of(times).context("there are no chats")?;
    Ok(spread.figure)
}

/// The same long chat of so many turns on both sides.
fn long_chat(
    stage: &Stage<'_>,
    hearth: &Hearth,
    server: Option<&Server>,
    turns: u32,
) -> anyhow::Result<Pair> {
    let mut ours = None;
    let mut theirs = Vec::new();
    for _ in 0..turns {
        let text = stage.words(hearth.words_for(LONG / turns - ANSWER));
        let heard = hearth.ask(Ask {
            chat: ours,
            ..Ask::new(text.clone(), stage.greedy(ANSWER))
        })?;
        ours = Some(heard.chat);
        if let Some(server) = server {
            go_on(server, &mut theirs, text, ANSWER)?;
        }
    }
    Ok(Pair {
        ours: ours.context("a chat has at least one turn")?,
        theirs,
    })
}

/// Goes on with a chat of llama-server's, and gives the time to the first token.
fn go_on(
    server: &Server,
    messages: &mut Vec<Message>,
    text: String,
    tokens: u32,
) -> anyhow::Result<std::time::Duration> {
    messages.push(Message::new("user", text));
    let reply = server.ask(Request { messages, tokens })?;
    let first_token = reply.first_token()?;
    messages.push(Message::new("assistant", reply.text));
    Ok(first_token)
}
