//! How tokens are chosen, from the fields that OpenAI's requests share.

use hearth_protocol::generate::SamplingParams;
use hearth_protocol::llama_cpp::options::DrawOptions;
use hearth_protocol::openai::Stop;
use serde_json::Value;

use crate::server::refusal::Refusal;

/// The fields, as they came.
#[derive(Debug, Default)]
pub(in crate::server) struct Fields<'request> {
    pub(in crate::server) temperature: Option<f32>,
    pub(in crate::server) top_p: Option<f32>,
    pub(in crate::server) presence_penalty: Option<f32>,
    pub(in crate::server) frequency_penalty: Option<f32>,
    pub(in crate::server) seed: Option<i64>,
    pub(in crate::server) max_tokens: Option<i64>,
    pub(in crate::server) stop: Option<&'request Stop>,
    pub(in crate::server) logit_bias: Option<&'request Value>,
}

impl<'request> From<&'request DrawOptions> for Fields<'request> {
    fn from(draw: &'request DrawOptions) -> Self {
        Self {
            presence_penalty: draw.presence_penalty,
            frequency_penalty: draw.frequency_penalty,
            seed: draw.seed,
            stop: draw.stop.as_ref(),
            logit_bias: draw.logit_bias.as_ref(),
            ..Self::default()
        }
    }
}

/// The settings' way of choosing, with what the request says otherwise.
///
/// # Errors
/// Names the field that is wrong. Ranges are the engine's to check.
pub(in crate::server) fn sampling(
    settings: SamplingParams,
    fields: &Fields<'_>,
) -> Result<SamplingParams, Refusal> {
    let stop = fields.stop.map(Stop::texts).unwrap_or(&settings.stop).to_vec();
    Ok(SamplingParams {
        temperature: fields.temperature.unwrap_or(settings.temperature),
        top_p: fields.top_p.unwrap_or(settings.top_p),
        presence_penalty: fields.presence_penalty.unwrap_or(settings.presence_penalty),
        frequency_penalty: fields.frequency_penalty.unwrap_or(settings.frequency_penalty),
        seed: seed(fields.seed).or(settings.seed),
        max_tokens: most(fields.max_tokens, settings.max_tokens),
        logit_bias: match fields.logit_bias {
            Some(bias) => logit_bias(bias)?,
            None => settings.logit_bias.clone(),
        },
        stop,
        ..settings
    })
}

/// The engine's seeds have 32 bits. Others are folded, so that each of them fixes a draw too; -1 takes a fresh one, as in
/// llama.cpp.
fn seed(seed: Option<i64>) -> Option<u32> {
    let seed = seed.filter(|seed| *seed != -1)?;
    Some(u32::try_from(seed).unwrap_or_else(|_| fold(seed)))
}

/// Fibonacci hashing: seeds next to each other, or with the same lower bits, land far apart.
fn fold(seed: i64) -> u32 {
    (seed.cast_unsigned().wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as u32
}

/// Less than 0 sets no limit, as in llama.cpp.
fn most(asked: Option<i64>, settings: Option<u32>) -> Option<u32> {
    match asked {
        None => settings,
        Some(asked) => u32::try_from(asked).ok(),
    }
}

/// Bias by token id: `{"15": -100}` as in OpenAI's interface, `[[15, -100], [16, false]]` as in llama.cpp's.
///
/// # Errors
/// Where it is neither.
pub(in crate::server) fn logit_bias(bias: &Value) -> Result<Vec<(i32, f32)>, Refusal> {
    let odd = || {
        Refusal::field(
            "logit_bias",
            "must map token ids to numbers, such as {\"15\": -100}; a text is no token id",
        )
    };
    let number = |value: &Value| match value {
        Value::Bool(false) => Some(f32::NEG_INFINITY),
        value => value.as_f64().map(|bias| bias as f32),
    };
    let pairs: Option<Vec<(i32, f32)>> = match bias {
        Value::Null => Some(Vec::new()),
        Value::Object(entries) => entries
            .iter()
            .map(|(token, bias)| Some((token.parse().ok()?, number(bias)?)))
            .collect(),
        Value::Array(entries) => entries
            .iter()
            .map(|entry| match entry.as_array().map(Vec::as_slice) {
                Some([token, bias]) => Some((i32::try_from(token.as_i64()?).ok()?, number(bias)?)),
                _ => None,
            })
            .collect(),
        _ => None,
    };
    pairs.ok_or_else(odd)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_not_said_is_as_in_the_settings() {
        let settings = SamplingParams {
            temperature: 0.3,
            max_tokens: Some(7),
            stop: vec!["END".into()],
            ..SamplingParams::default()
        };
        let none = sampling(settings.clone(), &Fields::default()).expect("sampling");
        assert_eq!(none, settings);
        let stop = Stop::One("x".into());
        let fields = Fields {
            temperature: Some(0.0),
            max_tokens: Some(-1),
            seed: Some(-1),
            stop: Some(&stop),
            ..Fields::default()
        };
        let said = sampling(settings, &fields).expect("sampling");
        assert_eq!((said.temperature, said.max_tokens, said.seed), (0.0, None, None));
        assert_eq!(said.stop, ["x"]);
    }

    /// A seed of more than 32 bits once lost its upper half, and a negative one its sign.
    #[test]
    fn every_seed_fixes_a_draw_of_its_own() {
        assert_eq!(seed(Some(42)), Some(42));
        assert_eq!(seed(Some(u32::MAX.into())), Some(u32::MAX));
        let seeds = [5, 1 << 32 | 5, 2 << 32 | 5, -5, -2, i64::MAX, i64::MIN, 1 << 53];
        let drawn: std::collections::BTreeSet<_> = seeds.iter().map(|value| seed(Some(*value))).collect();
        assert_eq!(drawn.len(), seeds.len());
        assert!(!drawn.contains(&None));
    }

    #[test]
    fn both_forms_of_bias_are_read() {
        let cases = [
            (json!({"15": -100, "3": 1.5}), Some(vec![(15, -100.0), (3, 1.5)])),
            (
                json!([[15, -100], [16, false]]),
                Some(vec![(15, -100.0), (16, f32::NEG_INFINITY)]),
            ),
            (json!(null), Some(vec![])),
            (json!({"word": 1}), None),
            (json!([["word", 1]]), None),
            (json!({"1": "x"}), None),
            (json!([1]), None),
            (json!(1), None),
        ];
        for (json, bias) in cases {
            assert_eq!(logit_bias(&json).ok(), bias, "{json}");
        }
    }
}
