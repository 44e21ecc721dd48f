//! `generation_settings`: how an answer was made, in llama.cpp's words (`task_params::to_json` in
//! `tools/server/server-task.cpp`). What Hearth has not is told as switched off, or left out.

use hearth_protocol::answer::Format;
use hearth_protocol::completion::CompletionRequest;
use hearth_protocol::generate::{MirostatVersion, SamplingParams};
use serde_json::{Map, Value, json};

use super::whole::Asked;
use crate::server::options::samplers;
use crate::server::options::sampling::{
    DRY_ALLOWED_LENGTH, DRY_BASE, MIROSTAT_ETA, MIROSTAT_TAU, XTC_THRESHOLD,
};

/// The seed that stands for a fresh one (`LLAMA_DEFAULT_SEED`).
pub(super) const FRESH_SEED: u32 = u32::MAX;

/// What stands for the whole context, and for what is off or without a limit.
const ALL: i64 = -1;
const OFF: f32 = -1.0;

/// How an answer is made.
pub(super) fn of(request: &CompletionRequest, asked: &Asked) -> Value {
    let mut settings = sampling(&request.sampling);
    let grammar = match &request.answer.format {
        Format::Gbnf(grammar) => grammar.as_str(),
        _ => "",
    };
    let more = json!({
        "ignore_eos": request.ignore_end,
        "grammar": grammar,
        "stream": asked.stream,
        "n_probs": asked.n_probs,
        "timings_per_token": asked.timings_per_token,
        "post_sampling_probs": false,
    });
    if let Value::Object(more) = more {
        settings.extend(more);
    }
    Value::Object(settings)
}

/// How tokens are chosen.
pub(in crate::server::llama_cpp) fn sampling(sampling: &SamplingParams) -> Map<String, Value> {
    let (xtc, dry, mirostat) = (sampling.xtc, sampling.dry.as_ref(), sampling.mirostat);
    let last = |last: u32| if last == u32::MAX { ALL } else { i64::from(last) };
    let most = sampling.max_tokens.map_or(ALL, i64::from);
    let samplers = samplers::names(sampling);
    // JSON knows no infinity; llama.cpp writes null.
    let bias = |(token, bias): &(i32, f32)| json!({"bias": bias.is_finite().then_some(bias), "token": token});
    let settings = json!({
        "seed": sampling.seed.unwrap_or(FRESH_SEED),
        "temperature": sampling.temperature,
        "dynatemp_range": sampling.dynamic_temperature_range,
        "dynatemp_exponent": sampling.dynamic_temperature_exponent,
        "top_k": sampling.top_k,
        "top_p": sampling.top_p,
        "min_p": sampling.min_p,
        "top_n_sigma": sampling.top_n_sigma.unwrap_or(OFF),
        "xtc_probability": xtc.map_or(0.0, |xtc| xtc.probability),
        "xtc_threshold": xtc.map_or(XTC_THRESHOLD, |xtc| xtc.threshold),
        "typical_p": sampling.typical_p,
        "repeat_last_n": last(sampling.repeat_last_n),
        "repeat_penalty": sampling.repeat_penalty,
        "presence_penalty": sampling.presence_penalty,
        "frequency_penalty": sampling.frequency_penalty,
        "dry_multiplier": dry.map_or(0.0, |dry| dry.multiplier),
        "dry_base": dry.map_or(DRY_BASE, |dry| dry.base),
        "dry_allowed_length": dry.map_or(DRY_ALLOWED_LENGTH, |dry| dry.allowed_length),
        "dry_penalty_last_n": dry.and_then(|dry| dry.last_n).map_or(ALL, i64::from),
        "dry_sequence_breakers": dry.map_or(&[][..], |dry| &dry.sequence_breakers),
        "mirostat": match mirostat.map(|mirostat| mirostat.version) {
            None => 0,
            Some(MirostatVersion::V1) => 1,
            Some(MirostatVersion::V2) => 2,
        },
        "mirostat_tau": mirostat.map_or(MIROSTAT_TAU, |mirostat| mirostat.tau),
        "mirostat_eta": mirostat.map_or(MIROSTAT_ETA, |mirostat| mirostat.eta),
        "adaptive_target": OFF,
        "adaptive_decay": 0.0,
        "stop": sampling.stop,
        "max_tokens": most,
        "n_predict": most,
        "n_keep": 0,
        "n_discard": 0,
        "min_keep": 0,
        "logit_bias": sampling.logit_bias.iter().map(bias).collect::<Vec<_>>(),
        "samplers": samplers,
    });
    match settings {
        Value::Object(settings) => settings,
        _ => Map::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_is_off_looks_as_if_it_were_on() {
        let settings = sampling(&SamplingParams {
            logit_bias: vec![(3, f32::NEG_INFINITY), (4, 1.5)],
            repeat_last_n: u32::MAX,
            ..SamplingParams::default()
        });
        assert_eq!(
            settings["logit_bias"],
            json!([{"bias": null, "token": 3}, {"bias": 1.5, "token": 4}])
        );
        assert_eq!(
            (
                &settings["repeat_last_n"],
                &settings["n_predict"],
                &settings["seed"]
            ),
            (&json!(-1), &json!(-1), &json!(4_294_967_295_u32))
        );
        for field in ["mirostat", "xtc_probability", "dry_multiplier"] {
            assert_eq!(settings[field].as_f64(), Some(0.0), "{field}");
        }
    }
}
