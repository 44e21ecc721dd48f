//! Ranges and defaults of how an answer is made.

use super::*;

#[test]
fn the_defaults_are_valid() {
    assert_eq!(SamplingParams::default().validate(), Ok(()));
    assert_eq!(SamplingParams::greedy().validate(), Ok(()));
}

#[test]
fn the_edges_of_top_p_are_accepted_and_nan_is_not() {
    for top_p in [0.0, 1.0] {
        assert_eq!(
            SamplingParams {
                top_p,
                ..SamplingParams::default()
            }
            .validate(),
            Ok(())
        );
    }
    for top_p in [-0.1, 1.1, f32::NAN] {
        let refused = SamplingParams {
            top_p,
            ..SamplingParams::default()
        }
        .validate();
        assert!(matches!(refused, Err(Error::Invalid { field, .. }) if field == "top_p"));
    }
}

/// The worker divides by it, and refused each answer of a setting that was stored before.
#[test]
fn a_repeat_penalty_is_above_zero() {
    let cases = [
        (0.0, false),
        (-1.0, false),
        (f32::NAN, false),
        (f32::MIN_POSITIVE, true),
        (10.0, true),
        (10.1, false),
    ];
    for (repeat_penalty, valid) in cases {
        let params = SamplingParams {
            repeat_penalty,
            ..SamplingParams::default()
        };
        assert_eq!(params.validate().is_ok(), valid, "{repeat_penalty}");
    }
}

#[test]
fn an_empty_stop_string_is_refused() {
    let params = SamplingParams {
        stop: vec!["END".into(), String::new()],
        ..SamplingParams::default()
    };
    assert!(params.validate().is_err());
}

/// A list as long as a body may be once held every answer up.
#[test]
fn lists_have_an_end() {
    let stops = |count, length| SamplingParams {
        stop: vec!["x".repeat(length); count],
        ..SamplingParams::default()
    };
    let biased = |count, bias| SamplingParams {
        logit_bias: vec![(1, bias); count],
        ..SamplingParams::default()
    };
    let ordered = |order| SamplingParams {
        infill: true,
        order,
        ..SamplingParams::default()
    };
    let infill = |top_k| SamplingParams {
        infill: true,
        top_k,
        ..SamplingParams::default()
    };
    let broken = |count| SamplingParams {
        dry: Some(Dry {
            multiplier: 0.8,
            base: 1.75,
            allowed_length: 2,
            last_n: None,
            sequence_breakers: vec!["x".into(); count],
        }),
        ..SamplingParams::default()
    };
    let cases = [
        (stops(MOST_STOPS, LONGEST_STOP), None),
        (stops(MOST_STOPS + 1, 1), Some("stop")),
        (stops(1, LONGEST_STOP + 1), Some("stop")),
        (biased(MOST_BIASES, f32::NEG_INFINITY), None),
        (biased(MOST_BIASES + 1, 1.0), Some("logit_bias")),
        (biased(1, f32::NAN), Some("logit_bias")),
        (infill(MOST_FOR_INFILL), None),
        (infill(MOST_FOR_INFILL + 1), Some("top_k")),
        (infill(0), Some("top_k")),
        (ordered(vec![Sampler::TopK, Sampler::Infill]), None),
        (ordered(vec![Sampler::Infill]), Some("order")),
        (broken(MOST_BREAKERS), None),
        (broken(MOST_BREAKERS + 1), Some("dry.sequence_breakers")),
    ];
    for (params, field) in cases {
        let refused = params.validate().err();
        let named = refused.map(|error| match error {
            Error::Invalid { field, .. } => field,
            other => panic!("{other}"),
        });
        assert_eq!(named.as_deref(), field);
    }
}

#[test]
fn missing_fields_take_their_defaults() {
    let params: SamplingParams = serde_json::from_str(r#"{"temperature":0}"#).expect("parse");
    assert_eq!(params, SamplingParams::greedy());
}
