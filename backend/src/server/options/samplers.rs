//! `samplers`: which samplers choose a token. Their order is the engine's, so that a list says which ones are left out.

use hearth_protocol::generate::SamplingParams;
use hearth_protocol::llama_cpp::options::Samplers;

use crate::server::refusal::Refusal;

/// The field.
const FIELD: &str = "samplers";

/// llama.cpp's names and letters of the samplers (`common/sampling.cpp`), in the order in which the engine asks them.
pub(in crate::server) const ORDER: [(&str, char); 10] = [
    (PENALTIES, 'e'),
    (DRY, 'd'),
    (TOP_N_SIGMA, 's'),
    (TOP_K, 'k'),
    (TYPICAL_P, 'y'),
    (TOP_P, 'p'),
    (MIN_P, 'm'),
    (XTC, 'x'),
    (INFILL, 'i'),
    (TEMPERATURE, 't'),
];
const PENALTIES: &str = "penalties";
const DRY: &str = "dry";
const TOP_N_SIGMA: &str = "top_n_sigma";
const TOP_K: &str = "top_k";
const TYPICAL_P: &str = "typ_p";
const TOP_P: &str = "top_p";
const MIN_P: &str = "min_p";
const XTC: &str = "xtc";
pub(in crate::server) const INFILL: &str = "infill";
const TEMPERATURE: &str = "temperature";

/// Switches off what is not in the list.
///
/// # Errors
/// Where one is unknown, or they stand in another order than the engine's.
pub(super) fn choose(samplers: &Samplers, sampling: &mut SamplingParams) -> Result<(), Refusal> {
    let places = places(samplers)?;
    if !places.is_sorted_by(|one, next| one < next) {
        let names: Vec<_> = ORDER.iter().map(|(name, _)| *name).collect();
        let reason = format!(
            "can be left out but not moved; their order is {}",
            names.join(", ")
        );
        return Err(Refusal::unsupported(FIELD, &reason));
    }
    let is_off = |name: &str| !places.iter().any(|place| ORDER[*place].0 == name);
    if is_off(PENALTIES) {
        sampling.repeat_penalty = 1.0;
        sampling.presence_penalty = 0.0;
        sampling.frequency_penalty = 0.0;
    }
    if is_off(DRY) {
        sampling.dry = None;
    }
    if is_off(TOP_N_SIGMA) {
        sampling.top_n_sigma = None;
    }
    if is_off(TOP_K) {
        sampling.top_k = 0;
    }
    if is_off(TYPICAL_P) {
        sampling.typical_p = 1.0;
    }
    if is_off(TOP_P) {
        sampling.top_p = 1.0;
    }
    if is_off(MIN_P) {
        sampling.min_p = 0.0;
    }
    if is_off(XTC) {
        sampling.xtc = None;
    }
    sampling.infill = !is_off(INFILL);
    // 0 stays what it is everywhere: the likeliest token.
    if is_off(TEMPERATURE) && sampling.temperature > 0.0 {
        sampling.temperature = 1.0;
        sampling.dynamic_temperature_range = 0.0;
    }
    Ok(())
}

/// Where the samplers stand in the engine's order.
fn places(samplers: &Samplers) -> Result<Vec<usize>, Refusal> {
    let unknown = |name: &dyn std::fmt::Display| {
        Refusal::field(FIELD, format!("names {name}, which is no sampler that is here"))
    };
    match samplers {
        Samplers::Names(names) => names
            .iter()
            .map(|name| {
                let known = match name.as_str() {
                    "typical_p" => TYPICAL_P,
                    "temp" => TEMPERATURE,
                    name => name,
                };
                let place = ORDER.iter().position(|(name, _)| *name == known);
                place.ok_or_else(|| unknown(name))
            })
            .collect(),
        Samplers::Letters(letters) => letters
            .chars()
            .map(|letter| {
                let place = ORDER.iter().position(|(_, known)| *known == letter);
                place.ok_or_else(|| unknown(&letter))
            })
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use hearth_protocol::generate::Xtc;
    use serde_json::{Value, json};

    use super::*;

    fn chosen(samplers: Value) -> Result<SamplingParams, Option<String>> {
        let mut sampling = SamplingParams {
            temperature: 0.3,
            typical_p: 0.9,
            repeat_penalty: 1.2,
            xtc: Some(Xtc {
                probability: 0.5,
                threshold: 0.1,
            }),
            ..SamplingParams::default()
        };
        let samplers = serde_json::from_value(samplers).expect("samplers");
        let chosen = choose(&samplers, &mut sampling);
        chosen.map(|()| sampling).map_err(|refusal| refusal.param)
    }

    #[test]
    fn a_list_says_which_samplers_are_left_out() {
        let off = SamplingParams {
            temperature: 1.0,
            top_k: 0,
            top_p: 1.0,
            min_p: 0.0,
            ..SamplingParams::default()
        };
        let editors = SamplingParams {
            top_k: 40,
            top_p: 0.95,
            infill: true,
            ..off.clone()
        };
        let warm = SamplingParams {
            temperature: 0.3,
            repeat_penalty: 1.2,
            ..off.clone()
        };
        let cases = [
            (json!([]), Ok(off)),
            (json!(["top_k", "top_p", "infill"]), Ok(editors.clone())),
            (json!("kpi"), Ok(editors)),
            (json!(["penalties", "temp"]), Ok(warm.clone())),
            (json!("et"), Ok(warm)),
            (json!(["top_p", "top_k"]), Err(Some(FIELD.to_owned()))),
            (json!(["top_k", "top_k"]), Err(Some(FIELD.to_owned()))),
            (json!(["nothing"]), Err(Some(FIELD.to_owned()))),
            (json!("z"), Err(Some(FIELD.to_owned()))),
        ];
        for (samplers, expected) in cases {
            assert_eq!(chosen(samplers.clone()), expected, "{samplers}");
        }
    }

    #[test]
    fn llama_servers_own_order_changes_nothing() {
        let all = json!([
            "penalties",
            "dry",
            "top_n_sigma",
            "top_k",
            "typ_p",
            "top_p",
            "min_p",
            "xtc",
            "temperature"
        ]);
        let everything = chosen(all).expect("its order");
        assert_eq!(
            (
                everything.temperature,
                everything.typical_p,
                everything.repeat_penalty
            ),
            (0.3, 0.9, 1.2)
        );
        assert!(everything.xtc.is_some() && !everything.infill);
    }
}
