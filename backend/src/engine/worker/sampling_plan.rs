//! Which samplers choose a token, in which order. Pure: the order and what is left out are decided here, and
//! `sampler` builds it.

use hearth_protocol::generate::{Dry, MirostatVersion, Sampler, SamplingParams};
use hearth_protocol::{Error, Result};

/// One sampler of the chain.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Step {
    /// Adds to the logits of tokens.
    LogitBias(Vec<(i32, f32)>),
    /// Penalises tokens that stand among the last ones.
    Penalties {
        last_n: i32,
        repeat: f32,
        frequency: f32,
        presence: f32,
    },
    /// Penalises repeated sequences.
    Dry {
        multiplier: f32,
        base: f32,
        allowed_length: i32,
        last_n: i32,
        breakers: Vec<String>,
    },
    TopNSigma(f32),
    TopK(i32),
    TypicalP(f32),
    TopP(f32),
    MinP(f32),
    Xtc {
        probability: f32,
        threshold: f32,
    },
    /// Takes one token for all that begin alike, and ends a gap.
    Infill,
    Temperature {
        temperature: f32,
        range: f32,
        exponent: f32,
    },
    /// Draws by itself.
    Mirostat {
        version: MirostatVersion,
        tau: f32,
        eta: f32,
    },
    /// Draws from what is left.
    Draw,
    /// Takes the likeliest.
    Greedy,
}

/// The chain for these parameters, in the order that they say. `forbidden` are tokens the model's file suppresses;
/// `context_length` bounds how far back the penalties look.
///
/// # Errors
/// `Invalid` where a parameter is in range but llama.cpp cannot compute with it.
pub(super) fn plan(params: &SamplingParams, forbidden: &[i32], context_length: u32) -> Result<Vec<Step>> {
    let context_length = i32::try_from(context_length).unwrap_or(i32::MAX);
    let within_context = |last_n: u32| i32::try_from(last_n).unwrap_or(i32::MAX).min(context_length);
    let mut steps = Vec::new();

    // Of several values for a token llama.cpp may take the first only, so that no other stands beside a prohibition.
    let is_free = |(token, _): &(i32, f32)| !forbidden.contains(token);
    let asked = params.logit_bias.iter().copied().filter(is_free);
    let forbidden = forbidden.iter().map(|token| (*token, f32::NEG_INFINITY));
    let bias: Vec<_> = asked.chain(forbidden).collect();
    if !bias.is_empty() {
        steps.push(Step::LogitBias(bias));
    }
    if !(1.0 / params.repeat_penalty).is_finite() {
        return Err(Error::invalid("repeat_penalty", "must be above 0"));
    }
    let step = |sampler: &Sampler| step(*sampler, params, &within_context, context_length);
    if let Some(mirostat) = params
        .mirostat
        .filter(|_| params.temperature > 0.0 || params.infill)
    {
        let before = [Sampler::Penalties, Sampler::Dry, Sampler::Temperature];
        steps.extend(before.iter().filter_map(step));
        steps.push(Step::Mirostat {
            version: mirostat.version,
            tau: mirostat.tau,
            eta: mirostat.eta,
        });
        return Ok(steps);
    }
    if params.temperature == 0.0 && !params.infill && params.order.is_empty() {
        // What only makes the list shorter leaves the likeliest in it.
        steps.extend([Sampler::Penalties, Sampler::Dry].iter().filter_map(step));
        steps.push(Step::Greedy);
        return Ok(steps);
    }
    let mut order = Sampler::ALL;
    order.sort_by_key(|sampler| params.place(*sampler));
    // A temperature of 0 leaves the likeliest alone to be drawn.
    steps.extend(order.iter().filter_map(step));
    steps.push(Step::Draw);
    Ok(steps)
}

/// A sampler with its numbers; `None` where it changes nothing.
fn step(
    sampler: Sampler,
    params: &SamplingParams,
    within_context: &impl Fn(u32) -> i32,
    context_length: i32,
) -> Option<Step> {
    match sampler {
        Sampler::Penalties => {
            let penalises = params.repeat_penalty != 1.0
                || params.frequency_penalty != 0.0
                || params.presence_penalty != 0.0;
            (penalises && params.repeat_last_n > 0).then(|| Step::Penalties {
                last_n: within_context(params.repeat_last_n),
                repeat: params.repeat_penalty,
                frequency: params.frequency_penalty,
                presence: params.presence_penalty,
            })
        }
        Sampler::Dry => {
            let dry = params.dry.as_ref()?;
            Some(dry_step(dry, dry.last_n.map_or(context_length, within_context)))
        }
        Sampler::TopNSigma => params.top_n_sigma.map(Step::TopNSigma),
        Sampler::TopK => {
            let count = i32::try_from(params.top_k).unwrap_or(i32::MAX);
            (count > 0).then_some(Step::TopK(count))
        }
        Sampler::TypicalP => (params.typical_p < 1.0).then_some(Step::TypicalP(params.typical_p)),
        Sampler::TopP => (params.top_p < 1.0).then_some(Step::TopP(params.top_p)),
        Sampler::MinP => (params.min_p > 0.0).then_some(Step::MinP(params.min_p)),
        Sampler::Xtc => params.xtc.map(|xtc| Step::Xtc {
            probability: xtc.probability,
            threshold: xtc.threshold,
        }),
        Sampler::Infill => params.infill.then_some(Step::Infill),
        Sampler::Temperature => Some(Step::Temperature {
            temperature: params.temperature,
            range: params.dynamic_temperature_range,
            exponent: params.dynamic_temperature_exponent,
        }),
    }
}

fn dry_step(dry: &Dry, last_n: i32) -> Step {
    Step::Dry {
        multiplier: dry.multiplier,
        base: dry.base,
        allowed_length: i32::try_from(dry.allowed_length).unwrap_or(i32::MAX),
        last_n,
        breakers: dry.sequence_breakers.clone(),
    }
}

#[cfg(test)]
mod tests;
