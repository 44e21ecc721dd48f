//! How soon the worker is idle after Stop in the middle of a long prompt.

use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::ensure;
use hearth_protocol::engine::LoadOptions;

use super::{Line, Series, Target, Unit, milliseconds};
use crate::figures::Summary;
use crate::hearth::{Ask, Hearth};
use crate::machine::processor_time;
use crate::peers::{Message, Request, Server};
use crate::stage::Stage;

/// Rounds where nobody says how many: the figure is the 95th percentile of 20.
pub(super) const ROUNDS: u32 = 20;

/// Tokens of the prompt.
const PROMPT: u32 = 4000;

/// Parts of the time that the prompt takes: it is stopped at the third of them in the first round, the fourth in the
/// second, and so on to the twelfth, and then from the third again.
const PARTS: u32 = 16;
const FIRST_PART: u32 = 3;
const STOPS: u32 = 10;

/// How long a worker that calls itself idle is watched, and how much processor time it may use meanwhile: the system
/// counts in steps of 10 ms, for each of its threads.
const WATCHED: Duration = Duration::from_millis(200);
const BUSY: Duration = Duration::from_millis(50);

/// From Stop to an idle worker. llama-server is stopped as its clients do it, by leaving.
pub(super) fn stop(stage: &Stage<'_>) -> anyhow::Result<Vec<Series>> {
    let hearth = stage.hearth(LoadOptions::default())?;
    let server = stage.server(&[])?;
    let prompt = || stage.words(hearth.words_for(PROMPT));
    let part = hearth.ask(Ask::new(prompt(), stage.greedy(1)))?.first_token()? / PARTS;
    let moment = |round: u32| part * (FIRST_PART + round % STOPS);
    let rounds = stage.in_turn(
        |round| ours(&hearth, Ask::new(prompt(), stage.greedy(1)), moment(round)),
        |round| {
            let theirs = server
                .as_ref()
                .map(|server| theirs(server, prompt(), moment(round)));
            theirs.transpose()
        },
    )?;
    let line = Line {
        summary: Summary::P95,
        ..Line::new(
            "from Stop to an idle worker, prompt of 4,000 tokens",
            Unit::Milliseconds,
            "llama-server",
            Some(Target::AtMost(50.0)),
        )
    };
    Ok(vec![line.measured(rounds)])
}

fn ours(hearth: &Hearth, ask: Ask, moment: Duration) -> anyhow::Result<f64> {
    let turn = hearth.send(ask);
    sleep(moment);
    let took = hearth.stop(turn)?;
    // It is as idle as it says.
    let process = hearth.model().process;
    let before = processor_time(process)?;
    sleep(WATCHED);
    let used = processor_time(process)?.saturating_sub(before);
    ensure!(used <= BUSY, "the idle worker used {used:?} of {WATCHED:?}");
    Ok(milliseconds(took))
}

fn theirs(server: &Server, prompt: String, moment: Duration) -> anyhow::Result<f64> {
    let stream = server.send(Request {
        messages: &[Message::new("user", prompt)],
        tokens: 1,
    })?;
    sleep(moment);
    let stopped_at = Instant::now();
    drop(stream);
    server.wait_until_idle()?;
    Ok(milliseconds(stopped_at.elapsed()))
}
