//! What guessing ahead from the text itself gains where texts repeat, and costs where they do not.

use hearth_protocol::engine::LoadOptions;
use hearth_protocol::generate::SamplingParams;

use super::{Line, Series, Target, Unit};
use crate::hearth::{Ask, Hearth};
use crate::stage::Stage;
use crate::text::{PROSE, letters_to_copy};

/// Tokens of an answer: about as many as the last letter has.
const WRITTEN: u32 = 160;

/// A letter is to be copied with one name changed.
pub(super) fn repeat(stage: &Stage<'_>) -> anyhow::Result<Vec<Series>> {
    let line = Line::new(
        "repeating a text with one change, guessing ahead",
        Unit::TokensPerSecond,
        "the same without guessing",
        Some(Target::RatioAtLeast(1.3)),
    );
    on_and_off(stage, line, &letters_to_copy(), |_| stage.greedy(WRITTEN))
}

/// A story is to be told. It is drawn with some chance, since the likeliest text of so small a model soon repeats
/// itself.
pub(super) fn prose(stage: &Stage<'_>) -> anyhow::Result<Vec<Series>> {
    let line = Line::new(
        "free prose, guessing ahead",
        Unit::TokensPerSecond,
        "the same without guessing",
        Some(Target::RatioAtLeast(0.98)),
    );
    on_and_off(stage, line, PROSE, |round| SamplingParams {
        seed: Some(round),
        logit_bias: stage.greedy(WRITTEN).logit_bias,
        max_tokens: Some(WRITTEN),
        ..SamplingParams::default()
    })
}

/// Tokens a second with speculation and without, as the worker measures them.
fn on_and_off(
    stage: &Stage<'_>,
    line: Line,
    text: &str,
    sampling: impl Fn(u32) -> SamplingParams,
) -> anyhow::Result<Vec<Series>> {
    let load = |ngram_speculation| {
        stage.hearth(LoadOptions {
            ngram_speculation,
            ..LoadOptions::default()
        })
    };
    let (on, off) = (load(true)?, load(false)?);
    let ask = |hearth: &Hearth, round| {
        let heard = hearth.ask(Ask::new(text.to_owned(), sampling(round)))?;
        let (guessed, right) = heard.stats.guessed_tokens;
        if guessed > 0 {
            println!("{right} of {guessed} guessed tokens were right");
        }
        anyhow::Ok(heard.stats.generated_tokens_per_second)
    };
    let rounds = stage.in_turn(|round| ask(&on, round), |round| ask(&off, round).map(Some))?;
    Ok(vec![line.measured(rounds)])
}
