//! The rows of the table: what each measures, against what, and what it shall reach.

mod catalogue;
mod chats;
mod download;
mod estimate;
mod gap;
mod leave;
mod memory;
mod parallel;
mod search;
mod server;
mod speculation;
mod speed;
mod stop;

use std::borrow::Cow;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::figures::{Pair, Summary};
use crate::stage::{Both, Stage};

/// Rounds of a row that does not need more.
const ROUNDS: u32 = 5;

/// A row, which `./x bench NAME` measures alone.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    /// Rounds where nobody says how many.
    pub(crate) rounds: u32,
    pub(crate) measure: Measure,
}

/// What a row is measured with.
#[derive(Clone, Copy)]
pub(crate) enum Measure {
    /// Each model of the benchmark.
    WithModel(fn(&Stage<'_>) -> anyhow::Result<Vec<Series>>),
    /// No model; it is given its rounds.
    Alone(fn(u32) -> anyhow::Result<Vec<Series>>),
}

/// All rows, in the table's order.
pub(crate) const ALL: [Row; 26] = [
    Row::new("decode", speed::decode),
    Row::new("prompt", speed::prompt),
    Row::new("round-trip", speed::round_trip),
    Row::new("parallel-4", parallel::four),
    Row::new("parallel-8", parallel::eight),
    Row::new("server-1", server::one),
    Row::new("server-4", server::four),
    Row::new("server-8", server::eight),
    Row::new("server-32", server::thirty_two),
    Row::new("server-overhead", server::overhead),
    Row {
        rounds: stop::ROUNDS,
        ..Row::new("server-leave", leave::leave)
    },
    Row::new("turn-5", chats::turn_5),
    Row::new("six-chats", chats::six_chats),
    Row::new("restart", chats::restart),
    Row::new("shared-system", chats::shared_system),
    Row::new("gap", gap::gap),
    Row {
        rounds: stop::ROUNDS,
        ..Row::new("stop", stop::stop)
    },
    Row::new("speculation-repeat", speculation::repeat),
    Row::new("speculation-prose", speculation::prose),
    Row::new("memory", memory::memory),
    Row {
        rounds: stop::ROUNDS,
        ..Row::new("estimate", estimate::estimate)
    },
    Row::alone("catalogue", catalogue::catalogue),
    Row::alone("chats", search::chats),
    Row::alone("download-paced", download::paced),
    Row::alone("download", download::unlimited),
    Row::new("messages", memory::messages),
];

impl Row {
    const fn new(name: &'static str, measure: fn(&Stage<'_>) -> anyhow::Result<Vec<Series>>) -> Self {
        Self {
            name,
            rounds: ROUNDS,
            measure: Measure::WithModel(measure),
        }
    }

    const fn alone(name: &'static str, measure: fn(u32) -> anyhow::Result<Vec<Series>>) -> Self {
        Self {
            name,
            rounds: ROUNDS,
            measure: Measure::Alone(measure),
        }
    }
}

/// One line of the table: what it means and what all rounds gave.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Series {
    #[serde(flatten)]
    pub(crate) line: Line,
    pub(crate) pairs: Vec<Pair>,
}

/// What a line of the table means.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Line {
    pub(crate) what: Cow<'static, str>,
    pub(crate) unit: Unit,
    /// What Hearth is held against.
    pub(crate) against: Cow<'static, str>,
    pub(crate) target: Option<Target>,
    pub(crate) summary: Summary,
}

/// Units of figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Unit {
    TokensPerSecond,
    MegabytesPerSecond,
    Milliseconds,
    Mebibytes,
}

/// What a line shall reach.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Target {
    /// Ours through theirs is this or more.
    RatioAtLeast(f64),
    /// Ours through theirs is this or less.
    RatioAtMost(f64),
    /// Ours is this or less.
    AtMost(f64),
}

impl Line {
    /// A line of medians.
    const fn new(what: &'static str, unit: Unit, against: &'static str, target: Option<Target>) -> Self {
        Self {
            what: Cow::Borrowed(what),
            unit,
            against: Cow::Borrowed(against),
            target,
            summary: Summary::Median,
        }
    }

    /// The line with what its rounds gave.
    fn measured(self, rounds: impl IntoIterator<Item = Both<f64>>) -> Series {
        let pairs = rounds.into_iter().map(|both| Pair {
            ours: both.ours,
            theirs: both.theirs,
        });
        Series {
            line: self,
            pairs: pairs.collect(),
        }
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}
