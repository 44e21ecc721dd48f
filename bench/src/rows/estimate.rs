//! How soon who moves a slider of the load dialog sees what the load would take.

use hearth_protocol::engine::{ContextLength, LoadOptions};

use super::{Line, Series, Target, Unit, milliseconds};
use crate::figures::Summary;
use crate::stage::{Both, Stage};

/// Tokens of the first context that is asked for, and how many more each round asks for.
const FIRST: u32 = 1024;
const STEP: u32 = 256;

/// From a question to its first answer, which a formula gives; each question ends the one before, as in the window.
pub(super) fn estimate(stage: &Stage<'_>) -> anyhow::Result<Vec<Series>> {
    let hearth = stage.hearth(LoadOptions::default())?;
    // The devices are looked for once.
    hearth.estimated_bytes()?;
    let mut rounds = Vec::new();
    for round in 0..stage.rounds {
        let context_length = ContextLength::Tokens(FIRST + round * STEP);
        let ours = milliseconds(hearth.first_estimate(LoadOptions {
            context_length,
            ..LoadOptions::default()
        })?);
        rounds.push(Both { ours, theirs: None });
    }
    let line = Line {
        summary: Summary::P95,
        ..Line::new(
            "from a change of the load options to what they take",
            Unit::Milliseconds,
            "",
            Some(Target::AtMost(50.0)),
        )
    };
    Ok(vec![line.measured(rounds)])
}
