//! How likely tokens were, before any sampler changed that.

use hearth_protocol::answer::{Logprobs, TokenChance};
use llama_cpp_2::token::LlamaToken;

use super::super::model::Model;
use super::candidates::{likeliest, maximum};

/// What stands for a token of no probability, as in OpenAI's API: JSON has no infinity.
const IMPOSSIBLE: f32 = -9999.0;

/// The log-probability of the chosen token, and of the `count` likeliest, by the logits of one row.
pub(in super::super) fn logprobs(model: &Model, logits: &[f32], chosen: LlamaToken, count: u32) -> Logprobs {
    let (logprob, top) = chances(logits, chosen.0, count as usize);
    let chance = |token, logprob| TokenChance {
        token,
        bytes: model.vocabulary().token_to_piece(LlamaToken(token), true, None),
        logprob,
    };
    Logprobs {
        chosen: chance(chosen.0, logprob),
        top: top
            .into_iter()
            .map(|(token, logprob)| chance(token, logprob))
            .collect(),
    }
}

/// The same without texts.
pub(super) fn chances(logits: &[f32], chosen: i32, count: usize) -> (f32, Vec<(i32, f32)>) {
    let highest = maximum(logits);
    let above = |logit: f32| f64::from(logit) - f64::from(highest);
    let sum: f64 = logits
        .iter()
        .filter(|logit| !logit.is_nan())
        .map(|logit| above(*logit).exp())
        .sum();
    let logprob = |logit: f32| match (above(logit) - sum.ln()) as f32 {
        logprob if logprob.is_nan() => IMPOSSIBLE,
        logprob => logprob.clamp(IMPOSSIBLE, 0.0),
    };
    let of = |token: i32| usize::try_from(token).ok().and_then(|token| logits.get(token));
    let chosen = of(chosen).map_or(IMPOSSIBLE, |logit| logprob(*logit));
    let top = likeliest(logits, count);
    (
        chosen,
        top.into_iter()
            .map(|(token, logit)| (token, logprob(logit)))
            .collect(),
    )
}
