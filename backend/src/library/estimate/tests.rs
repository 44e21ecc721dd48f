use super::*;

/// A header of these pairs below `llama.`, and nothing else.
fn header(pairs: &[(&str, Value)]) -> Gguf {
    let mut metadata = vec![("general.architecture".to_owned(), Value::Text("llama".to_owned()))];
    let pairs = pairs.iter().cloned();
    metadata.extend(pairs.map(|(key, value)| (format!("llama.{key}"), value)));
    Gguf {
        metadata,
        tensors: 0,
        parameters: 0,
    }
}

/// SmolLM2 135M, as its file says.
fn smollm() -> Vec<(&'static str, Value)> {
    vec![
        ("context_length", Value::Integer(8192)),
        ("embedding_length", Value::Integer(576)),
        ("block_count", Value::Integer(30)),
        ("feed_forward_length", Value::Integer(1536)),
        ("attention.head_count", Value::Integer(9)),
        ("attention.head_count_kv", Value::Integer(3)),
    ]
}

fn changed(change: impl FnOnce(&mut Vec<(&'static str, Value)>)) -> Facts {
    let mut pairs = smollm();
    change(&mut pairs);
    Facts::new(&header(&pairs), Some(98_362_432))
}

fn with(key: &'static str, value: Value) -> Facts {
    changed(|pairs| {
        pairs.retain(|(name, _)| *name != key);
        pairs.push((key, value));
    })
}

fn context(tokens: u32) -> LoadOptions {
    LoadOptions {
        context_length: ContextLength::Tokens(tokens),
        ..LoadOptions::default()
    }
}

#[test]
fn the_kv_cache_is_layers_times_heads_times_width() {
    let facts = changed(|_| ());
    // 2 caches, 30 layers, 3 heads of 64 numbers of 2 bytes.
    assert_eq!(facts.kv_bytes(1, &context(1)), Some(23_040 * 256), "whole steps");
    assert_eq!(facts.kv_bytes(8192, &context(8192)), Some(23_040 * 8192));
    let mut quantised = context(8192);
    (quantised.kv_type_k, quantised.kv_type_v) = (KvType::Q8_0, KvType::Q4_0);
    assert_eq!(
        facts.kv_bytes(8192, &quantised),
        Some(30 * (192 / 32) * (34 + 18) * 8192)
    );
}

#[test]
fn heads_of_a_width_of_their_own_count_by_it() {
    let facts = changed(|pairs| {
        pairs.push(("attention.key_length", Value::Integer(256)));
        pairs.push(("attention.value_length", Value::Integer(128)));
    });
    assert_eq!(
        facts.kv_bytes(256, &context(256)),
        Some(30 * 3 * (256 + 128) * 2 * 256)
    );
}

#[test]
fn latent_attention_keeps_no_v() {
    let facts = changed(|pairs| {
        pairs.push(("attention.key_length", Value::Integer(576)));
        pairs.push(("attention.key_length_mla", Value::Integer(192)));
    });
    assert_eq!(facts.kv_bytes(256, &context(256)), Some(30 * 3 * 576 * 2 * 256));
}

/// LM Studio once showed "NaN" for RWKV, which has no heads, and refused the load.
#[test]
fn what_cannot_be_reckoned_is_unknown_and_never_a_wrong_number() {
    let cases = [
        (
            "no heads",
            changed(|pairs| pairs.retain(|(name, _)| *name != "attention.head_count")),
        ),
        ("0 heads", with("attention.head_count", Value::Integer(0))),
        ("0 KV heads", with("attention.head_count_kv", Value::Integer(0))),
        (
            "heads of each layer",
            with("attention.head_count", Value::Array(30)),
        ),
        (
            "KV heads of each layer",
            with("attention.head_count_kv", Value::Array(30)),
        ),
        ("RWKV", with("wkv.head_size", Value::Integer(64))),
        ("Mamba", with("ssm.state_size", Value::Integer(16))),
        ("no layers", with("block_count", Value::Integer(0))),
        ("fewer than no layers", with("block_count", Value::Integer(-1))),
        (
            "a text for a number",
            with("attention.key_length", Value::Text("64".into())),
        ),
        (
            "endless",
            with("attention.key_length", Value::Integer(u64::MAX.into())),
        ),
    ];
    for (name, facts) in cases {
        let estimate = quick_estimate(&facts, &context(4096), None);
        assert_eq!(estimate.kv, None, "{name}");
        assert_eq!(estimate.weights, Some(98_362_432), "{name}");
        assert_eq!(estimate.total(), None, "{name}");
        assert!(estimate.at_least() >= 98_362_432, "{name}");
        assert_eq!(
            facts.auto_context(&LoadOptions::default(), Some(1 << 40)),
            8192,
            "{name}"
        );
    }
    let nothing = Facts::new(&header(&[]), None);
    assert_eq!(
        quick_estimate(&nothing, &LoadOptions::default(), Some(0)).at_least(),
        0
    );
}

#[test]
fn numbers_at_their_limits_overflow_nothing() {
    let facts = changed(|pairs| {
        for (_, value) in pairs.iter_mut() {
            *value = Value::Integer(u32::MAX.into());
        }
    });
    let mut options = context(u32::MAX);
    options.micro_batch_size = u32::MAX;
    options.batch_size = u32::MAX;
    for flash_attention in [FlashAttention::Off, FlashAttention::On] {
        options.flash_attention = flash_attention;
        let estimate = quick_estimate(&facts, &options, Some(u64::MAX));
        assert_eq!(estimate.compute, None);
        assert_eq!(estimate.total(), None);
    }
}

/// Three times a width of 2^32 heads of 2^32 numbers once overflowed.
#[test]
fn heads_as_many_and_as_wide_as_can_be_overflow_nothing() {
    let facts = changed(|pairs| {
        pairs.retain(|(name, _)| *name != "attention.head_count");
        pairs.push(("attention.head_count", Value::Integer(u32::MAX.into())));
        pairs.push(("attention.key_length", Value::Integer(u32::MAX.into())));
    });
    let mut options = context(256);
    options.flash_attention = FlashAttention::Off;
    assert_eq!(quick_estimate(&facts, &options, None).compute, None);
}

/// Bytes that llama.cpp b11434 counts for SmolLM2 with four slots.
#[test]
fn buffers_for_computing_are_near_what_llama_cpp_counts() {
    let mut pairs = smollm();
    pairs.push(("vocab_size", Value::Integer(49_152)));
    let facts = Facts::new(&header(&pairs), None);
    for (tokens, micro_batch_size, flash_attention, counted) in [
        (256, 512, FlashAttention::On, 7_808_064.0),
        (2048, 512, FlashAttention::On, 17_451_072.0),
        (2048, 32, FlashAttention::On, 3_646_656.0),
        (32_768, 512, FlashAttention::On, 48_908_352.0),
        (2048, 512, FlashAttention::Off, 49_821_760.0),
        (8192, 512, FlashAttention::Off, 175_650_880.0),
    ] {
        let options = LoadOptions {
            micro_batch_size,
            flash_attention,
            ..context(tokens)
        };
        let compute = quick_estimate(&facts, &options, None)
            .compute
            .expect("it can be reckoned");
        assert!(
            (compute as f64 / counted - 1.0).abs() < 0.1,
            "{tokens} {micro_batch_size} {flash_attention:?}: {compute}"
        );
    }
}

/// The model that the integration tests write; one of them holds this number against llama.cpp's count.
#[test]
fn buffers_of_the_tiny_model() {
    let facts = Facts::new(
        &header(&[
            ("embedding_length", Value::Integer(64)),
            ("feed_forward_length", Value::Integer(192)),
            ("vocab_size", Value::Integer(262)),
        ]),
        None,
    );
    assert_eq!(
        quick_estimate(&facts, &context(4096), None).compute,
        Some(6_029_312)
    );
}

#[test]
fn one_file_of_several_does_not_tell_the_weights() {
    let mut gguf = header(&smollm());
    gguf.metadata.push(("split.count".to_owned(), Value::Integer(3)));
    assert_eq!(Facts::new(&gguf, Some(1)).weights, None);
    gguf.metadata.pop();
    gguf.metadata.push(("split.count".to_owned(), Value::Integer(1)));
    assert_eq!(Facts::new(&gguf, Some(1)).weights, Some(1));
}

#[test]
fn the_context_is_the_longest_that_fits_up_to_the_trained_one() {
    let options = LoadOptions::default();
    let facts = changed(|_| ());
    let cases = [
        (None, 8192),
        (Some(u64::MAX), 8192),
        // A token costs 23,040 bytes of cache and 512 half numbers of a mask.
        (Some(24_064 * 8192), 8192),
        (Some(24_064 * 8191), 7936),
        (Some(24_064 * 4096), 4096),
        (Some(24_064 * 1024), 2048),
        (Some(0), 2048),
    ];
    for (room, expected) in cases {
        assert_eq!(facts.auto_context(&options, room), expected, "{room:?}");
    }
    // What was trained is never exceeded, and kept exactly.
    let short = with("context_length", Value::Integer(1000));
    for room in [None, Some(0), Some(u64::MAX)] {
        assert_eq!(short.auto_context(&options, room), 1000);
    }
    let long = with("context_length", Value::Integer(131_072));
    assert_eq!(long.auto_context(&options, Some(u64::MAX)), 131_072);
    assert_eq!(long.auto_context(&options, None), 8192);
    let silent = with("context_length", Value::Integer(0));
    assert_eq!(silent.auto_context(&options, Some(u64::MAX)), 8192);
}

#[test]
fn a_context_takes_half_of_the_free_memory_at_most() {
    assert_eq!(context_room(1000, 100), 500);
    assert_eq!(context_room(1000, 900), 100);
    assert_eq!(context_room(1000, 2000), 0);
}
