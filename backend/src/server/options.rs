//! What local servers take in every request for an answer, beside the fields of a standard.

use hearth_protocol::answer::{AnswerOptions, Format};
use hearth_protocol::completion::CompletionRequest;
use hearth_protocol::engine::KeepLoaded;
use hearth_protocol::generate::{Dry, Mirostat, MirostatVersion, SamplingParams, Xtc};
use hearth_protocol::llama_cpp::options::LocalOptions;
use serde_json::Value;

use super::refusal::Refusal;

/// llama.cpp's defaults of fields that count only beside others.
pub(super) const XTC_THRESHOLD: f32 = 0.1;
pub(super) const DRY_BASE: f32 = 1.75;
pub(super) const DRY_ALLOWED_LENGTH: u32 = 2;
const DRY_BREAKERS: [&str; 4] = ["\n", ":", "\"", "*"];
pub(super) const MIROSTAT_TAU: f32 = 5.0;
pub(super) const MIROSTAT_ETA: f32 = 0.1;

/// Puts the options into a request.
///
/// # Errors
/// Names the field that cannot be what it is.
pub(super) fn apply(options: LocalOptions, request: &mut CompletionRequest) -> Result<(), Refusal> {
    request.keep = keep(&options)?;
    request.ignore_end = options.ignore_eos.unwrap_or(false);
    request.slot = options.id_slot.and_then(|slot| u32::try_from(slot).ok());
    sampling(&options, &mut request.sampling);
    answer(options, &mut request.answer)
}

fn sampling(options: &LocalOptions, sampling: &mut SamplingParams) {
    let set = |field: &mut f32, value: Option<f32>| *field = value.unwrap_or(*field);
    let count = |value: i64| u32::try_from(value.max(0)).unwrap_or(u32::MAX);
    if let Some(top_k) = options.top_k {
        sampling.top_k = count(top_k);
    }
    set(&mut sampling.min_p, options.min_p);
    set(&mut sampling.typical_p, options.typical_p);
    set(&mut sampling.dynamic_temperature_range, options.dynatemp_range);
    set(
        &mut sampling.dynamic_temperature_exponent,
        options.dynatemp_exponent,
    );
    set(&mut sampling.repeat_penalty, options.repeat_penalty);
    if let Some(sigma) = options.top_n_sigma {
        sampling.top_n_sigma = (sigma > 0.0).then_some(sigma);
    }
    if let Some(last) = options.repeat_last_n {
        sampling.repeat_last_n = if last < 0 { u32::MAX } else { count(last) };
    }
    if let Some(probability) = options.xtc_probability {
        sampling.xtc = (probability > 0.0).then(|| Xtc {
            probability,
            threshold: options.xtc_threshold.unwrap_or(XTC_THRESHOLD),
        });
    }
    if let Some(multiplier) = options.dry_multiplier {
        let breakers = options.dry_sequence_breakers.clone();
        sampling.dry = (multiplier > 0.0).then(|| Dry {
            multiplier,
            base: options.dry_base.unwrap_or(DRY_BASE),
            allowed_length: options.dry_allowed_length.map_or(DRY_ALLOWED_LENGTH, count),
            last_n: options
                .dry_penalty_last_n
                .and_then(|last| u32::try_from(last).ok()),
            sequence_breakers: breakers.unwrap_or_else(|| DRY_BREAKERS.map(str::to_owned).to_vec()),
        });
    }
    if let Some(version) = options.mirostat {
        let mirostat = |version| Mirostat {
            version,
            tau: options.mirostat_tau.unwrap_or(MIROSTAT_TAU),
            eta: options.mirostat_eta.unwrap_or(MIROSTAT_ETA),
        };
        sampling.mirostat = match version {
            0 => None,
            1 => Some(mirostat(MirostatVersion::V1)),
            _ => Some(mirostat(MirostatVersion::V2)),
        };
    }
}

fn answer(options: LocalOptions, answer: &mut AnswerOptions) -> Result<(), Refusal> {
    let grammar = options.grammar.filter(|grammar| !grammar.trim().is_empty());
    let form = match (grammar, options.json_schema) {
        (Some(_), Some(_)) => {
            return Err(Refusal::field(
                "grammar",
                "and json_schema each demand a form; leave one out",
            ));
        }
        (Some(grammar), None) => Some(("grammar", Format::Gbnf(grammar))),
        (None, Some(schema)) => Some(("json_schema", Format::JsonSchema(schema))),
        (None, None) => None,
    };
    if let Some((field, form)) = form {
        if answer.format != Format::Text {
            return Err(Refusal::field(
                field,
                "and response_format each demand a form; leave one out",
            ));
        }
        answer.format = form;
    }
    if options.cache_prompt == Some(false) {
        answer.deterministic = true;
    }
    if let Some(mut arguments) = options.chat_template_kwargs {
        // Templates know it by several names; the engine sets them all.
        if let Some(thinks) = arguments.remove("enable_thinking") {
            let thinks = thinks.as_bool().ok_or_else(|| {
                Refusal::field("chat_template_kwargs.enable_thinking", "must be true or false")
            })?;
            answer.reasoning.enabled = Some(thinks);
        }
        answer.template_arguments.extend(arguments);
    }
    Ok(())
}

/// How long the model stays.
pub(super) fn keep(options: &LocalOptions) -> Result<KeepLoaded, Refusal> {
    if let Some(seconds) = options.ttl {
        return Ok(KeepLoaded::Seconds(seconds));
    }
    let Some(keep) = &options.keep_alive else {
        return Ok(KeepLoaded::Default);
    };
    let seconds = match keep {
        Value::Number(seconds) => seconds.as_f64(),
        Value::String(text) => duration(text),
        _ => None,
    };
    match seconds {
        None => Err(Refusal::field(
            "keep_alive",
            "must be seconds, or a time such as 5m",
        )),
        Some(seconds) if seconds < 0.0 => Ok(KeepLoaded::Always),
        Some(seconds) => Ok(KeepLoaded::Seconds(seconds as u32)),
    }
}

/// Seconds in a text such as `90`, `5m` or `1h30m`.
fn duration(text: &str) -> Option<f64> {
    let text = text.trim();
    if let Ok(seconds) = text.parse() {
        return Some(seconds);
    }
    let (sign, mut rest) = match text.strip_prefix('-') {
        Some(rest) => (-1.0, rest),
        None => (1.0, text),
    };
    let mut seconds = 0.0;
    while !rest.is_empty() {
        let digits = rest.find(|letter: char| !letter.is_ascii_digit() && letter != '.')?;
        let (number, behind) = rest.split_at(digits);
        let end = behind
            .find(|letter: char| letter.is_ascii_digit())
            .unwrap_or(behind.len());
        let (unit, behind) = behind.split_at(end);
        let scale = match unit {
            "ms" => 0.001,
            "s" => 1.0,
            "m" => 60.0,
            "h" => 3600.0,
            _ => return None,
        };
        seconds += number.parse::<f64>().ok()? * scale;
        rest = behind;
    }
    Some(sign * seconds)
}

#[cfg(test)]
mod tests {
    use hearth_protocol::prompt::Prompt;
    use serde_json::json;

    use super::*;

    fn applied(json: Value) -> Result<CompletionRequest, Refusal> {
        let options: LocalOptions = serde_json::from_value(json).expect("options");
        let mut request = CompletionRequest::new(None, Prompt::Text(Vec::new()));
        apply(options, &mut request).map(|()| request)
    }

    #[test]
    fn options_that_switch_a_sampler_off_do() {
        let request = applied(json!({
            "top_k": -1, "top_n_sigma": -1.0, "xtc_probability": 0.0, "dry_multiplier": 0.0, "mirostat": 0,
            "repeat_last_n": -1, "id_slot": -1, "grammar": "",
        }))
        .expect("applied");
        let expected = SamplingParams {
            top_k: 0,
            repeat_last_n: u32::MAX,
            ..SamplingParams::default()
        };
        assert_eq!(request.sampling, expected);
        assert_eq!((request.slot, &request.answer), (None, &AnswerOptions::default()));
    }

    #[test]
    fn a_model_stays_as_long_as_is_said() {
        let cases = [
            (json!({}), Some(KeepLoaded::Default)),
            (json!({"ttl": 60}), Some(KeepLoaded::Seconds(60))),
            (json!({"keep_alive": "1h30m"}), Some(KeepLoaded::Seconds(5400))),
            (json!({"keep_alive": "-1m"}), Some(KeepLoaded::Always)),
            (json!({"keep_alive": -1}), Some(KeepLoaded::Always)),
            (json!({"keep_alive": 0}), Some(KeepLoaded::Seconds(0))),
            (json!({"keep_alive": "soon"}), None),
            (json!({"keep_alive": {}}), None),
        ];
        for (json, keep) in cases {
            let applied = applied(json.clone());
            assert_eq!(applied.map(|request| request.keep).ok(), keep, "{json}");
        }
    }

    #[test]
    fn two_forms_of_one_text_are_refused() {
        let refused = applied(json!({"grammar": "root ::= \"a\"", "json_schema": {}})).expect_err("two");
        assert_eq!(refused.param.as_deref(), Some("grammar"));
    }
}
