//! Load options as programs write them: plain numbers, words and switches, and the forms of the protocol too.

use hearth_protocol::Error;
use hearth_protocol::engine::LoadOptions;
use serde_json::{Map, Value, json};

use crate::server::body::parse;
use crate::server::refusal::Refusal;

/// Options with changes. Those in `options` go before those beside it; what else stands beside it is passed over.
///
/// # Errors
/// Names the option that is none, or whose value is none of its own.
pub(super) fn changed(
    base: &LoadOptions,
    beside: Map<String, Value>,
    options: Map<String, Value>,
) -> Result<LoadOptions, Refusal> {
    let mut all = fields(base)?;
    let defaults = fields(&LoadOptions::default())?;
    let beside = beside.into_iter().filter(|(name, _)| defaults.contains_key(name));
    let beside = beside.map(|(name, value)| (name.clone(), name, value));
    let options = options
        .into_iter()
        .map(|(name, value)| (format!("options.{name}"), name, value));
    for (written, name, value) in beside.chain(options) {
        let Some(default) = defaults.get(&name) else {
            let names: Vec<_> = defaults.keys().map(String::as_str).collect();
            let problem = format!("is no load option; there are {}", names.join(", "));
            return Err(Refusal::field(&written, problem));
        };
        let value = match value {
            Value::Null => default.clone(),
            value => typed(&name, value).map_err(|problem| Refusal::field(&written, problem))?,
        };
        // A program elsewhere must not have files opened that it names.
        if name == "lora" && all.get(&name) != Some(&value) {
            let reason = "can only be chosen in Hearth itself, since it names files";
            return Err(Refusal::unsupported(&written, reason));
        }
        all.insert(name.clone(), value.clone());
        let alone = serde_json::to_vec(&json!({ name.as_str(): value })).map_err(Error::internal)?;
        parse::<LoadOptions>(&alone).map_err(|refusal| {
            let at = |text: String| match text.strip_prefix(&name) {
                Some(rest) => format!("{written}{rest}"),
                None => text,
            };
            Refusal {
                message: at(refusal.message),
                param: refusal.param.map(at),
                ..refusal
            }
        })?;
    }
    Ok(serde_json::from_value(Value::Object(all)).map_err(Error::internal)?)
}

/// Whether any of these fields is a load option.
pub(super) fn has_any(fields: &Map<String, Value>) -> Result<bool, Refusal> {
    let known = self::fields(&LoadOptions::default())?;
    Ok(fields.keys().any(|name| known.contains_key(name)))
}

fn fields(options: &LoadOptions) -> Result<Map<String, Value>, Error> {
    match serde_json::to_value(options).map_err(Error::internal)? {
        Value::Object(fields) => Ok(fields),
        _ => Err(Error::internal("options are an object")),
    }
}

/// The value of an option in the form of the protocol, where it is written as one would write it without knowing that.
///
/// # Errors
/// What it must be.
fn typed(name: &str, value: Value) -> Result<Value, String> {
    let is_typed = |field: &str| value.as_object().is_some_and(|form| form.contains_key(field));
    let word = value.as_str().map(str::to_lowercase);
    match name {
        "context_length" => match (count(&value), word.as_deref()) {
            (Some(tokens), _) => Ok(json!({"tokens": tokens})),
            (None, Some("auto")) => Ok("auto".into()),
            _ if is_typed("tokens") => Ok(value),
            _ => Err("must be a number of tokens, or “auto”".into()),
        },
        "gpu_layers" => match (count(&value), word.as_deref()) {
            (Some(layers), _) => Ok(json!({"count": layers})),
            // As llama.cpp has it.
            _ if value.as_i64() == Some(-1) => Ok("all".into()),
            (None, Some(word @ ("auto" | "all"))) => Ok(word.into()),
            _ if is_typed("count") => Ok(value),
            _ => Err("must be a number of layers, “auto” or “all”".into()),
        },
        "flash_attention" => match (value.as_bool(), word.as_deref()) {
            (Some(is_on), _) => Ok(if is_on { "on" } else { "off" }.into()),
            (None, Some(word @ ("auto" | "on" | "off"))) => Ok(word.into()),
            _ => Err("must be true, false or “auto”".into()),
        },
        "kv_type_k" | "kv_type_v" | "split_mode" => Ok(word.map_or(value, Value::from)),
        _ => Ok(value),
    }
}

fn count(value: &Value) -> Option<u32> {
    u32::try_from(value.as_u64()?).ok()
}

#[cfg(test)]
mod tests {
    use hearth_protocol::engine::{
        ContextLength, FlashAttention, GpuLayers, KvType, RopeOptions, RopeScaling, SplitMode,
    };

    use super::*;

    fn object(value: &Value) -> Map<String, Value> {
        value.as_object().expect("an object").clone()
    }

    fn with(changes: Value) -> Result<LoadOptions, Refusal> {
        let base = LoadOptions {
            threads: Some(2),
            ..LoadOptions::default()
        };
        changed(&base, Map::new(), object(&changes))
    }

    #[test]
    fn only_what_is_said_differs() {
        let options = with(json!({"context_length": {"tokens": 512}, "parallel_slots": 1})).expect("options");
        assert_eq!(options.context_length, ContextLength::Tokens(512));
        assert_eq!((options.parallel_slots, options.threads), (1, Some(2)));
        let options = with(json!({"threads": null, "mmap": null, "context_length": null})).expect("options");
        assert_eq!(options, LoadOptions::default());
    }

    #[test]
    fn options_are_taken_as_everyone_would_write_them() {
        type Told = fn(&LoadOptions) -> bool;
        let cases: [(Value, Told); 17] = [
            (json!({"context_length": 4096}), |o| {
                o.context_length == ContextLength::Tokens(4096)
            }),
            (json!({"context_length": "auto"}), |o| {
                o.context_length == ContextLength::Auto
            }),
            (json!({"gpu_layers": 0}), |o| o.gpu_layers == GpuLayers::Count(0)),
            (json!({"gpu_layers": 12}), |o| {
                o.gpu_layers == GpuLayers::Count(12)
            }),
            (json!({"gpu_layers": {"count": 3}}), |o| {
                o.gpu_layers == GpuLayers::Count(3)
            }),
            (json!({"gpu_layers": -1}), |o| o.gpu_layers == GpuLayers::All),
            (json!({"gpu_layers": "all"}), |o| o.gpu_layers == GpuLayers::All),
            (json!({"flash_attention": true}), |o| {
                o.flash_attention == FlashAttention::On
            }),
            (json!({"flash_attention": false}), |o| {
                o.flash_attention == FlashAttention::Off
            }),
            (json!({"flash_attention": "auto"}), |o| {
                o.flash_attention == FlashAttention::Auto
            }),
            (json!({"kv_type_k": "Q8_0"}), |o| o.kv_type_k == KvType::Q8_0),
            (json!({"split_mode": "Row"}), |o| o.split_mode == SplitMode::Row),
            (json!({"seed": 7}), |o| o.seed == Some(7)),
            (json!({"devices": ["CUDA0"], "tensor_split": [1]}), |o| {
                (o.devices.len(), o.tensor_split.as_slice()) == (1, &[1.0][..])
            }),
            (json!({"rope": {"scaling": "linear", "freq_scale": 0.5}}), |o| {
                o.rope
                    == Some(RopeOptions {
                        scaling: RopeScaling::Linear,
                        freq_base: 0.0,
                        freq_scale: 0.5,
                        yarn_original_context: 0,
                    })
            }),
            (json!({"chat_template": "chatml"}), |o| {
                o.chat_template.as_deref() == Some("chatml")
            }),
            (json!({"mmap": false, "mlock": true}), |o| !o.mmap && o.mlock),
        ];
        for (written, is_told) in cases {
            let options = with(written.clone()).expect("options");
            assert!(is_told(&options), "{written}: {options:?}");
        }
    }

    #[test]
    fn options_may_stand_beside_the_model_too() {
        let beside = object(&json!({"model": "m", "context_length": 64, "mlock": true, "echo": 1}));
        assert_eq!(has_any(&beside), Ok(true));
        assert_eq!(has_any(&object(&json!({"model": "m", "echo": 1}))), Ok(false));
        let both = changed(
            &LoadOptions::default(),
            beside,
            object(&json!({"context_length": 32})),
        );
        let options = both.expect("options");
        assert_eq!(
            (options.context_length, options.mlock),
            (ContextLength::Tokens(32), true)
        );
        let wrong = changed(
            &LoadOptions::default(),
            object(&json!({"gpu_layers": "many"})),
            Map::new(),
        );
        assert_eq!(wrong.expect_err("refused").param.as_deref(), Some("gpu_layers"));
    }

    #[test]
    fn an_option_that_is_none_is_named_with_what_it_must_be() {
        let cases = [
            (
                json!({"n_ctx": 512}),
                "options.n_ctx",
                "there are context_length, gpu_layers",
            ),
            (json!({"threads": "two"}), "options.threads", "expected u32"),
            (
                json!({"context_length": "long"}),
                "options.context_length",
                "a number of tokens",
            ),
            (
                json!({"context_length": -1}),
                "options.context_length",
                "a number of tokens",
            ),
            (
                json!({"context_length": 1.5}),
                "options.context_length",
                "a number of tokens",
            ),
            (
                json!({"gpu_layers": -2}),
                "options.gpu_layers",
                "a number of layers",
            ),
            (
                json!({"flash_attention": "maybe"}),
                "options.flash_attention",
                "true, false",
            ),
            (json!({"kv_type_v": "q9"}), "options.kv_type_v", "`q8_0`"),
            (json!({"rope": {"freq_base": 1}}), "options.rope", "scaling"),
            (
                json!({"lora": [{"path": "/x", "scale": 1.0}]}),
                "options.lora",
                "names files",
            ),
        ];
        for (changes, param, words) in cases {
            let refused = with(changes.clone()).expect_err("refused");
            assert_eq!(refused.param.as_deref(), Some(param), "{changes}");
            assert!(refused.message.starts_with(param), "{}", refused.message);
            assert!(refused.message.contains(words), "{changes}: {}", refused.message);
        }
    }
}
