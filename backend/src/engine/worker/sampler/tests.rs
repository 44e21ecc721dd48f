//! Choosing, by chains of llama.cpp's samplers and without a model.

use hearth_protocol::answer::{AnswerOptions, Format};
use hearth_protocol::generate::SamplingParams;
use proptest::prelude::*;

use super::super::parse::Style;
use super::super::sampling_plan::plan;
use super::candidates::{likeliest, maximum};
use super::logprobs::chances;
use super::*;

fn sampler(params: &SamplingParams, forbidden: &[i32], vocabulary_size: usize, seed: u32) -> Sampler {
    let plan = plan(params, forbidden, 1000).expect("a plan");
    Sampler::build(vocabulary_size as i32, std::ptr::null(), &plan, seed).expect("a sampler")
}

/// The same, with every token listed, as llama.cpp's own `llama_sampler_sample` does.
fn with_all_listed(params: &SamplingParams, forbidden: &[i32], vocabulary_size: usize, seed: u32) -> Sampler {
    Sampler {
        need: Need::All,
        ..sampler(params, forbidden, vocabulary_size, seed)
    }
}

/// Logits without two equal ones, by a generator that needs no crate.
fn logits(count: usize, seed: u64) -> Vec<f32> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 40) as f32 / (1 << 24) as f32
    };
    (0..count)
        .map(|_| (next() + next() + next() - 1.5) * 12.0)
        .collect()
}

#[test]
fn listing_the_likeliest_only_changes_no_choice() {
    let penalised = SamplingParams {
        repeat_penalty: 1.3,
        presence_penalty: 0.5,
        repeat_last_n: 16,
        ..SamplingParams::default()
    };
    let biased = SamplingParams {
        logit_bias: vec![(3, 40.0), (5, f32::NEG_INFINITY), (700, 2.5), (999_999, 1.0)],
        ..SamplingParams::default()
    };
    let all_at_once = SamplingParams {
        logit_bias: vec![(11, 25.0)],
        ..penalised.clone()
    };
    let cases = [
        SamplingParams::default(),
        SamplingParams::greedy(),
        SamplingParams {
            top_k: 1,
            ..SamplingParams::default()
        },
        SamplingParams {
            temperature: 0.0,
            ..penalised.clone()
        },
        penalised,
        biased,
        all_at_once,
    ];
    let size = 5000;
    for params in cases {
        for forbidden in [&[][..], &[0, 1, 2]] {
            let mut few = sampler(&params, forbidden, size, 42);
            let mut all = with_all_listed(&params, forbidden, size, 42);
            assert_ne!(few.need, Need::All, "{params:?}");
            for step in 0..60 {
                let logits = logits(size, step);
                assert_eq!(
                    few.choose_by(&logits),
                    all.choose_by(&logits),
                    "{params:?}, step {step}"
                );
            }
        }
    }
}

#[test]
fn chains_that_look_at_everything_get_everything() {
    let need = |params: &SamplingParams| Need::of(&plan(params, &[], 1000).expect("a plan"));
    let with = |change: &dyn Fn(&mut SamplingParams)| {
        let mut params = SamplingParams::default();
        change(&mut params);
        need(&params)
    };
    assert_eq!(with(&|params| params.top_k = 0), Need::All);
    assert_eq!(with(&|params| params.top_n_sigma = Some(1.0)), Need::All);
    assert_eq!(
        with(&|params| params.logit_bias = vec![(1, 1.0); 2000]),
        Need::All
    );
    assert!(matches!(
        need(&SamplingParams::greedy()),
        Need::Likeliest { count: 1, .. }
    ));
}

#[test]
fn logits_that_are_no_numbers_choose_some_token() {
    for params in [SamplingParams::default(), SamplingParams::greedy()] {
        for strange in [f32::NAN, f32::NEG_INFINITY] {
            let mut sampler = sampler(&params, &[], 1000, 1);
            let token = sampler.choose_by(&vec![strange; 1000]);
            assert!((0..1000).contains(&token.0), "{token:?}");
        }
        assert_eq!(sampler(&params, &[], 1000, 1).choose_by(&[]).0, 0);
    }
}

proptest! {
    #[test]
    fn the_likeliest_are_those_of_a_sort(
        logits in proptest::collection::vec(prop_oneof![
            9 => -50.0_f32..50.0,
            1 => prop_oneof![Just(f32::NAN), Just(f32::NEG_INFINITY), Just(1.0), Just(-0.0), Just(0.0)],
        ], 0..1500),
        count in 0_usize..300,
    ) {
        let mut sorted: Vec<(i32, f32)> = (0..).zip(logits.iter().copied()).collect();
        sorted.retain(|(_, logit)| *logit > f32::NEG_INFINITY);
        sorted.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        sorted.truncate(count);
        // What equals the threshold may be missing in favour of a lower number; the logits are the same.
        let found = likeliest(&logits, count);
        let values = |list: &[(i32, f32)]| list.iter().map(|(_, logit)| logit + 0.0).collect::<Vec<_>>();
        prop_assert_eq!(values(&found), values(&sorted));
        let highest = logits.iter().copied().filter(|logit| !logit.is_nan()).fold(f32::NEG_INFINITY, f32::max);
        prop_assert_eq!(maximum(&logits), highest);
    }
}

#[test]
fn logprobs_are_those_before_sampling() {
    let logits = [1.0, 3.0, 2.0, f32::NEG_INFINITY];
    let sum: f64 = [1.0_f64, 3.0, 2.0].iter().map(|logit| logit.exp()).sum();
    let expected = |logit: f64| (logit - sum.ln()) as f32;
    let (chosen, top) = chances(&logits, 0, 2);
    assert!((chosen - expected(1.0)).abs() < 1e-6, "{chosen}");
    assert_eq!(top.iter().map(|(token, _)| *token).collect::<Vec<_>>(), [1, 2]);
    assert!((top[0].1 - expected(3.0)).abs() < 1e-6);
    // No probability, and no token.
    assert_eq!(chances(&logits, 3, 0).0, -9999.0);
    assert_eq!(chances(&logits, 9, 0).0, -9999.0);
    // Large logits do not overflow, and all of them together are certain.
    let (chosen, top) = chances(&[1e4, 1e4], 1, 5);
    assert!((chosen - 0.5_f32.ln()).abs() < 1e-6 && top.len() == 2);
    let many = super::tests::logits(50_000, 3);
    let (_, top) = chances(&many, 0, many.len());
    let total: f64 = top.iter().map(|(_, logprob)| f64::from(*logprob).exp()).sum();
    assert!((total - 1.0).abs() < 1e-5, "{total}");
}

/// A sampler whose answers are JSON that a schema describes, over a vocabulary of these texts.
fn enforced(params: &SamplingParams, schema: serde_json::Value, texts: &[&str]) -> Sampler {
    let options = AnswerOptions {
        format: Format::JsonSchema(schema),
        ..AnswerOptions::default()
    };
    let grammar = Grammar::demanded(&options, &Style::detect(None), "")
        .expect("good")
        .expect("a demand");
    let mut sampler = sampler(params, &[], texts.len() + 1, 5);
    sampler.set_grammar(grammar, Arc::new(Pieces::of_texts(texts)));
    sampler
}

#[test]
fn a_grammar_leads_the_choice() {
    let texts = ["Hello", "{", "}", "\"", "a", "b", ":", " ", "1", "{\"a", "\": "];
    let schema = serde_json::json!({
        "type": "object",
        "properties": {"a": {"type": "integer", "minimum": 1, "maximum": 11}},
        "required": ["a"],
    });
    let end = texts.len() as i32;
    for params in [SamplingParams::greedy(), SamplingParams::default()] {
        let mut sampler = enforced(&params, schema.clone(), &texts);
        // Before it holds, anything goes.
        let mut logits = vec![0.0; texts.len() + 1];
        logits[0] = 50.0;
        assert_eq!(sampler.choose_by(&logits).0, 0);
        assert!(sampler.enforce(""));
        let mut text = String::new();
        let mut over = false;
        for step in 0..40 {
            let mut logits = super::tests::logits(texts.len() + 1, step);
            // The model would rather greet, and never end.
            logits[0] = 50.0;
            let token = sampler.choose_by(&logits).0;
            if token == end {
                over = true;
                break;
            }
            text.push_str(texts[token as usize]);
        }
        assert!(over, "{text}");
        let value: serde_json::Value = serde_json::from_str(&text).expect(&text);
        assert!(
            (1..=11).contains(&value["a"].as_i64().expect("a number")),
            "{text}"
        );
    }
}

#[test]
fn a_grammar_goes_on_from_what_was_written() {
    let texts = ["x", "}", "\"a\": 1"];
    let schema = serde_json::json!({
        "type": "object",
        "properties": {"a": {"type": "integer"}},
        "required": ["a"],
    });
    let mut sampler = enforced(&SamplingParams::greedy(), schema.clone(), &texts);
    assert!(sampler.enforce("{"));
    let chosen: Vec<i32> = (0..3)
        .map(|_| sampler.choose_by(&[9.0, 2.0, 1.0, 0.0]).0)
        .collect();
    assert_eq!(chosen, [2, 1, 3]);
    let mut broken = enforced(&SamplingParams::greedy(), schema, &texts);
    assert!(!broken.enforce("no"), "what breaks it cannot be led on");
    assert_eq!(broken.choose_by(&[9.0, 2.0, 1.0, 0.0]).0, 0);
}

#[test]
fn where_no_token_fits_the_answer_ends() {
    let mut sampler = enforced(
        &SamplingParams::default(),
        serde_json::json!({"type": "object"}),
        &["x", "y"],
    );
    assert!(sampler.enforce(""));
    assert_eq!(sampler.choose_by(&[1.0, 2.0, -5.0]).0, 2);
}

/// Measured, not judged: what a choice costs with the largest vocabularies.
#[test]
fn what_a_choice_costs() {
    let size = 262_144;
    let logits = logits(size, 1);
    let time = |name: &str, choose: &mut dyn FnMut()| {
        let mut times: Vec<_> = (0..15)
            .map(|_| {
                let begin = std::time::Instant::now();
                choose();
                begin.elapsed()
            })
            .collect();
        times.sort();
        println!("{name:<32} {:>8.0} µs", times[7].as_secs_f64() * 1e6);
    };
    for (name, params) in [
        ("greedy", SamplingParams::greedy()),
        ("top-k 40", SamplingParams::default()),
    ] {
        let mut few = sampler(&params, &[], size, 1);
        let mut all = with_all_listed(&params, &[], size, 1);
        time(&format!("{name}, the likeliest listed"), &mut || {
            few.choose_by(&logits);
        });
        time(&format!("{name}, all listed"), &mut || {
            all.choose_by(&logits);
        });
    }
    time("logprobs, top 20", &mut || {
        assert_eq!(chances(&logits, 0, 20).1.len(), 20);
    });
    let texts: Vec<String> = (0..size - 1)
        .map(|token| format!("{}{token}", ["a", " b", "{", "\"c"][token % 4]))
        .collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let schema = serde_json::json!({"type": "array", "items": {"type": "string"}});
    let mut sampler = enforced(&SamplingParams::default(), schema, &texts);
    assert!(sampler.enforce("[\""));
    let mut ones = vec![0.0; size];
    ones[2] = 1.0;
    time("a choice within a text", &mut || {
        sampler.choose_by(&ones);
    });
    if let Enforcement::Holds { state, pieces, named } = &mut sampler.grammar {
        time("all tokens against the grammar", &mut || {
            let fits = (0..size as i32)
                .filter(|token| pieces.fits(*token, state, named))
                .count();
            assert!(fits > 0);
        });
    }
}
