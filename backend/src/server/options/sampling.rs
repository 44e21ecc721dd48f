//! How tokens are chosen, from the fields of local servers.

use hearth_protocol::generate::{Dry, Mirostat, MirostatVersion, SamplingParams, Xtc};
use hearth_protocol::llama_cpp::options::LocalOptions;

use super::samplers;
use crate::server::refusal::Refusal;

/// llama.cpp's defaults of fields that count only beside others.
pub(in crate::server) const XTC_THRESHOLD: f32 = 0.1;
pub(in crate::server) const DRY_BASE: f32 = 1.75;
pub(in crate::server) const DRY_ALLOWED_LENGTH: u32 = 2;
const DRY_BREAKERS: [&str; 4] = ["\n", ":", "\"", "*"];
pub(in crate::server) const MIROSTAT_TAU: f32 = 5.0;
pub(in crate::server) const MIROSTAT_ETA: f32 = 0.1;

/// Puts the options into the settings' way of choosing. What belongs to a sampler counts where the request or the
/// settings switch that one on, and nowhere else.
///
/// # Errors
/// Names the field that cannot be what it is. Ranges are the engine's to check.
pub(super) fn apply(options: &LocalOptions, sampling: &mut SamplingParams) -> Result<(), Refusal> {
    let set = |field: &mut f32, value: Option<f32>| *field = value.unwrap_or(*field);
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
    sampling.xtc = xtc(options, sampling.xtc);
    sampling.dry = dry(options, sampling.dry.take());
    sampling.mirostat = mirostat(options, sampling.mirostat)?;
    match &options.samplers {
        Some(samplers) => samplers::choose(samplers, sampling),
        None => Ok(()),
    }
}

fn xtc(options: &LocalOptions, settings: Option<Xtc>) -> Option<Xtc> {
    let before = settings.unwrap_or(Xtc {
        probability: 0.0,
        threshold: XTC_THRESHOLD,
    });
    let xtc = Xtc {
        probability: options.xtc_probability.unwrap_or(before.probability),
        threshold: options.xtc_threshold.unwrap_or(before.threshold),
    };
    (xtc.probability > 0.0).then_some(xtc)
}

fn dry(options: &LocalOptions, settings: Option<Dry>) -> Option<Dry> {
    let before = settings.unwrap_or_else(|| Dry {
        multiplier: 0.0,
        base: DRY_BASE,
        allowed_length: DRY_ALLOWED_LENGTH,
        last_n: None,
        sequence_breakers: DRY_BREAKERS.map(str::to_owned).to_vec(),
    });
    let breakers = options.dry_sequence_breakers.clone();
    let dry = Dry {
        multiplier: options.dry_multiplier.unwrap_or(before.multiplier),
        base: options.dry_base.unwrap_or(before.base),
        allowed_length: options.dry_allowed_length.map_or(before.allowed_length, count),
        last_n: match options.dry_penalty_last_n {
            None => before.last_n,
            Some(last) => u32::try_from(last).ok(),
        },
        sequence_breakers: breakers.unwrap_or(before.sequence_breakers),
    };
    (dry.multiplier > 0.0).then_some(dry)
}

fn mirostat(options: &LocalOptions, settings: Option<Mirostat>) -> Result<Option<Mirostat>, Refusal> {
    let version = match options.mirostat {
        None => settings.map(|mirostat| mirostat.version),
        Some(0) => None,
        Some(1) => Some(MirostatVersion::V1),
        Some(2) => Some(MirostatVersion::V2),
        Some(version) => {
            let problem = format!("is {version} and must be 0, 1 or 2");
            return Err(Refusal::field("mirostat", problem));
        }
    };
    let of_settings = |number: fn(&Mirostat) -> f32, default| settings.as_ref().map_or(default, number);
    Ok(version.map(|version| Mirostat {
        version,
        tau: options
            .mirostat_tau
            .unwrap_or_else(|| of_settings(|mirostat| mirostat.tau, MIROSTAT_TAU)),
        eta: options
            .mirostat_eta
            .unwrap_or_else(|| of_settings(|mirostat| mirostat.eta, MIROSTAT_ETA)),
    }))
}

/// A count, less than 0 being none.
fn count(value: i64) -> u32 {
    u32::try_from(value.max(0)).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn applied(settings: &SamplingParams, fields: Value) -> SamplingParams {
        let mut sampling = settings.clone();
        let options = serde_json::from_value(fields).expect("options");
        apply(&options, &mut sampling).expect("applied");
        sampling
    }

    #[test]
    fn options_that_switch_a_sampler_off_do() {
        let on = applied(
            &SamplingParams::default(),
            json!({"top_n_sigma": 1.0, "xtc_probability": 0.5, "dry_multiplier": 0.8, "mirostat": 2}),
        );
        assert!(on.top_n_sigma.is_some() && on.xtc.is_some() && on.dry.is_some() && on.mirostat.is_some());
        let off = json!({
            "top_k": -1, "top_n_sigma": -1.0, "xtc_probability": 0.0, "dry_multiplier": 0.0, "mirostat": 0,
            "repeat_last_n": -1,
        });
        let expected = SamplingParams {
            top_k: 0,
            repeat_last_n: u32::MAX,
            ..SamplingParams::default()
        };
        assert_eq!(applied(&on, off), expected);
    }

    /// What belongs to a sampler was dropped where only the settings had switched that one on.
    #[test]
    fn what_belongs_to_a_sampler_counts_where_that_one_is_on() {
        let parts = json!({
            "xtc_threshold": 0.2, "dry_base": 2.0, "dry_allowed_length": 5, "dry_penalty_last_n": 9,
            "dry_sequence_breakers": ["x"], "mirostat_tau": 3.0, "mirostat_eta": 0.3,
        });
        let off = SamplingParams::default();
        assert_eq!(applied(&off, parts.clone()), off);
        let on = applied(
            &off,
            json!({"xtc_probability": 0.5, "dry_multiplier": 0.8, "mirostat": 1}),
        );
        let expected = SamplingParams {
            xtc: Some(Xtc {
                probability: 0.5,
                threshold: 0.2,
            }),
            dry: Some(Dry {
                multiplier: 0.8,
                base: 2.0,
                allowed_length: 5,
                last_n: Some(9),
                sequence_breakers: vec!["x".into()],
            }),
            mirostat: Some(Mirostat {
                version: MirostatVersion::V1,
                tau: 3.0,
                eta: 0.3,
            }),
            ..off
        };
        assert_eq!(applied(&on, parts), expected);
    }

    #[test]
    fn there_are_two_versions_of_mirostat() {
        let options = serde_json::from_value(json!({"mirostat": 3})).expect("options");
        let refused = apply(&options, &mut SamplingParams::default()).expect_err("no version");
        assert_eq!(refused.param.as_deref(), Some("mirostat"));
    }
}
