//! `samplers`: which samplers choose a token, and in which order.

use hearth_protocol::generate::{Sampler, SamplingParams};
use hearth_protocol::llama_cpp::options::Samplers;

use crate::server::refusal::Refusal;

/// The field.
const FIELD: &str = "samplers";

/// llama.cpp's names and letters of the samplers (`common/sampling.cpp`), in its order.
const NAMES: [(Sampler, &str, char); 10] = [
    (Sampler::Penalties, "penalties", 'e'),
    (Sampler::Dry, "dry", 'd'),
    (Sampler::TopNSigma, "top_n_sigma", 's'),
    (Sampler::TopK, "top_k", 'k'),
    (Sampler::TypicalP, "typ_p", 'y'),
    (Sampler::TopP, "top_p", 'p'),
    (Sampler::MinP, "min_p", 'm'),
    (Sampler::Xtc, "xtc", 'x'),
    (Sampler::Infill, "infill", 'i'),
    (Sampler::Temperature, "temperature", 't'),
];

/// The names of the samplers in the order in which they are asked; infill only where it is.
pub(in crate::server) fn names(sampling: &SamplingParams) -> Vec<&'static str> {
    let mut names = NAMES;
    names.sort_by_key(|(sampler, ..)| sampling.place(*sampler));
    let is_asked = |sampler: &Sampler| sampling.infill || *sampler != Sampler::Infill;
    let names = names.into_iter().filter(|(sampler, ..)| is_asked(sampler));
    names.map(|(_, name, _)| name).collect()
}

/// Takes the order of a list, and switches off what is not in it.
///
/// # Errors
/// Where one is unknown or named twice.
pub(super) fn choose(samplers: &Samplers, sampling: &mut SamplingParams) -> Result<(), Refusal> {
    let listed = listed(samplers)?;
    for (place, sampler) in listed.iter().enumerate() {
        if listed.iter().take(place).any(|before| before == sampler) {
            return Err(Refusal::field(FIELD, "names a sampler twice"));
        }
    }
    for sampler in Sampler::ALL {
        if !listed.contains(&sampler) {
            switch_off(sampler, sampling);
        }
    }
    sampling.infill = listed.contains(&Sampler::Infill);
    let usual = Sampler::ALL.iter().filter(|sampler| listed.contains(sampler));
    sampling.order = match usual.eq(&listed) {
        true => Vec::new(),
        false => listed,
    };
    if sampling.infill && sampling.place(Sampler::TopK) > sampling.place(Sampler::Infill) {
        let reason = "must name top_k before infill, which holds each token that is left against each";
        return Err(Refusal::unsupported(FIELD, reason));
    }
    Ok(())
}

fn switch_off(sampler: Sampler, sampling: &mut SamplingParams) {
    match sampler {
        Sampler::Penalties => {
            sampling.repeat_penalty = 1.0;
            sampling.presence_penalty = 0.0;
            sampling.frequency_penalty = 0.0;
        }
        Sampler::Dry => sampling.dry = None,
        Sampler::TopNSigma => sampling.top_n_sigma = None,
        Sampler::TopK => sampling.top_k = 0,
        Sampler::TypicalP => sampling.typical_p = 1.0,
        Sampler::TopP => sampling.top_p = 1.0,
        Sampler::MinP => sampling.min_p = 0.0,
        Sampler::Xtc => sampling.xtc = None,
        Sampler::Infill => sampling.infill = false,
        // 0 stays what it is everywhere: the likeliest token.
        Sampler::Temperature if sampling.temperature > 0.0 => {
            sampling.temperature = 1.0;
            sampling.dynamic_temperature_range = 0.0;
        }
        Sampler::Temperature => (),
    }
}

/// The samplers of a list.
fn listed(samplers: &Samplers) -> Result<Vec<Sampler>, Refusal> {
    let find = |named: &dyn std::fmt::Display, is_it: &dyn Fn(&str, char) -> bool| {
        let known = NAMES.iter().find(|(_, name, letter)| is_it(name, *letter));
        let unknown = || Refusal::field(FIELD, format!("names {named}, which is no sampler that is here"));
        known.map(|(sampler, ..)| *sampler).ok_or_else(unknown)
    };
    match samplers {
        Samplers::Names(names) => names
            .iter()
            .map(|name| {
                let known = match name.as_str() {
                    "typical_p" => "typ_p",
                    "temp" => "temperature",
                    name => name,
                };
                find(name, &|name, _| name == known)
            })
            .collect(),
        Samplers::Letters(letters) => letters
            .chars()
            .map(|letter| find(&letter, &|_, known| known == letter))
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
            (json!("et"), Ok(warm.clone())),
            (
                json!(["temp", "penalties"]),
                Ok(SamplingParams {
                    order: vec![Sampler::Temperature, Sampler::Penalties],
                    ..warm
                }),
            ),
            (json!(["infill", "top_k"]), Err(Some(FIELD.to_owned()))),
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
        assert!(everything.order.is_empty());
    }

    #[test]
    fn the_order_that_counts_is_told() {
        let told = |samplers: Value| names(&chosen(samplers).expect("samplers")).join(" ");
        let usual = "penalties dry top_n_sigma top_k typ_p top_p min_p xtc temperature";
        assert_eq!(told(json!(["top_k", "temperature"])), usual);
        let moved = "temperature top_p top_k penalties dry top_n_sigma typ_p min_p xtc";
        assert_eq!(told(json!("tpk")), moved);
    }
}
