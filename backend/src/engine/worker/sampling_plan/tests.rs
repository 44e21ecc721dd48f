//! The chain's order and what is left out of it.

use hearth_protocol::generate::{Mirostat, Xtc};

use super::*;

const CONTEXT: u32 = 1000;

/// The chain's samplers by name, without their numbers.
fn names(params: &SamplingParams, forbidden: &[i32]) -> Vec<&'static str> {
    let steps = plan(params, forbidden, CONTEXT).expect("a plan");
    steps
        .iter()
        .map(|step| match step {
            Step::LogitBias(_) => "logit bias",
            Step::Penalties { .. } => "penalties",
            Step::Dry { .. } => "dry",
            Step::TopNSigma(_) => "top-n-sigma",
            Step::TopK(_) => "top-k",
            Step::TypicalP(_) => "typical-p",
            Step::TopP(_) => "top-p",
            Step::MinP(_) => "min-p",
            Step::Xtc { .. } => "xtc",
            Step::Temperature { .. } => "temperature",
            Step::Infill => "infill",
            Step::Mirostat { .. } => "mirostat",
            Step::Draw => "draw",
            Step::Greedy => "greedy",
        })
        .collect()
}

fn everything() -> SamplingParams {
    SamplingParams {
        typical_p: 0.9,
        top_n_sigma: Some(1.0),
        xtc: Some(Xtc {
            probability: 0.5,
            threshold: 0.1,
        }),
        dry: Some(Dry {
            multiplier: 0.8,
            base: 1.75,
            allowed_length: 2,
            last_n: None,
            sequence_breakers: vec!["\n".into()],
        }),
        repeat_penalty: 1.1,
        logit_bias: vec![(1, -1.0)],
        ..SamplingParams::default()
    }
}

#[test]
fn the_order_is_llama_servers() {
    let params = SamplingParams {
        infill: true,
        ..everything()
    };
    assert_eq!(
        names(&params, &[]),
        [
            "logit bias",
            "penalties",
            "dry",
            "top-n-sigma",
            "top-k",
            "typical-p",
            "top-p",
            "min-p",
            "xtc",
            "infill",
            "temperature",
            "draw",
        ]
    );
}

#[test]
fn the_defaults_leave_out_what_changes_nothing() {
    let names = names(&SamplingParams::default(), &[]);
    assert_eq!(names, ["top-k", "top-p", "min-p", "temperature", "draw"]);
}

#[test]
fn at_temperature_0_the_likeliest_is_taken_after_bias_and_penalties() {
    let params = SamplingParams {
        temperature: 0.0,
        ..everything()
    };
    assert_eq!(names(&params, &[]), ["logit bias", "penalties", "dry", "greedy"]);
    assert_eq!(names(&SamplingParams::greedy(), &[]), ["greedy"]);
}

#[test]
fn mirostat_takes_the_place_of_every_truncation() {
    let params = SamplingParams {
        mirostat: Some(Mirostat {
            version: MirostatVersion::V2,
            tau: 5.0,
            eta: 0.1,
        }),
        ..everything()
    };
    let expected = ["logit bias", "penalties", "dry", "temperature", "mirostat"];
    assert_eq!(names(&params, &[]), expected);
}

#[test]
fn tokens_that_the_file_suppresses_are_forbidden() {
    let steps = plan(&SamplingParams::greedy(), &[7], CONTEXT).expect("a plan");
    assert_eq!(steps[0], Step::LogitBias(vec![(7, f32::NEG_INFINITY)]));
    // Whatever else is asked for of them.
    let wanted = SamplingParams {
        logit_bias: vec![(7, 100.0), (8, 1.0)],
        ..SamplingParams::greedy()
    };
    let steps = plan(&wanted, &[7], CONTEXT).expect("a plan");
    assert_eq!(steps[0], Step::LogitBias(vec![(8, 1.0), (7, f32::NEG_INFINITY)]));
}

#[test]
fn looking_back_ends_at_the_context() {
    let mut params = everything();
    params.repeat_last_n = u32::MAX;
    let steps = plan(&params, &[], CONTEXT).expect("a plan");
    assert!(
        matches!(steps[1], Step::Penalties { last_n: 1000, .. }),
        "{steps:?}"
    );
    assert!(matches!(steps[2], Step::Dry { last_n: 1000, .. }), "{steps:?}");
}

#[test]
fn a_penalty_that_would_divide_by_nothing_is_refused() {
    let params = SamplingParams {
        repeat_penalty: 0.0,
        ..SamplingParams::default()
    };
    assert!(
        matches!(plan(&params, &[], CONTEXT), Err(Error::Invalid { field, .. }) if field == "repeat_penalty")
    );
}

/// As llama.cpp has it: what is chosen as in a gap is then drawn, by a temperature that leaves one token.
#[test]
fn a_gap_is_filled_at_temperature_0_too() {
    let params = SamplingParams {
        infill: true,
        ..SamplingParams::greedy()
    };
    let names = names(&params, &[]);
    assert_eq!(names[names.len() - 3..], ["infill", "temperature", "draw"]);
}

#[test]
fn another_order_is_kept_to() {
    let order = vec![
        Sampler::Temperature,
        Sampler::TopP,
        Sampler::TopK,
        Sampler::Penalties,
    ];
    let mut params = SamplingParams {
        order,
        ..everything()
    };
    // Those that are not in it stand behind in their usual order.
    let expected = [
        "logit bias",
        "temperature",
        "top-p",
        "top-k",
        "penalties",
        "dry",
        "top-n-sigma",
        "typical-p",
        "min-p",
        "xtc",
        "draw",
    ];
    assert_eq!(names(&params, &[]), expected);
    // The likeliest before a penalty is another than behind it.
    params.temperature = 0.0;
    assert_eq!(names(&params, &[]), expected);
}
