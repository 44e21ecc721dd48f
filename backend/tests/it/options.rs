//! Each load option with a real worker: the model loads, answers, and where it can be seen the option has its effect.

use std::path::Path;

use hearth_protocol::Error;
use hearth_protocol::engine::{
    ContextLength, FlashAttention, GpuLayers, KvType, LoadOptions, LoraAdapter, RopeOptions, RopeScaling,
    SplitMode,
};
use hearth_protocol::generate::SamplingParams;

use crate::app::{App, context, greedy};
use crate::tiny_gguf::Tiny;
use crate::{real_worker, smollm, tiny_lora};

/// Loads the tiny model with changed options, has it answer, and checks that the worker's log holds these texts.
fn check(change: impl FnOnce(&mut LoadOptions), logged: &[&str]) {
    let app = App::real();
    let path = app.tiny();
    let mut options = context(512);
    change(&mut options);
    let report = real_worker::load(&path, &options, &[]);
    assert_eq!(report.answer["response"], "loaded", "{report:?}");
    for text in logged {
        assert!(report.log.contains(text), "{text} is not in {}", report.log);
    }
    app.load(&path, options).expect("it loads");
    let answer = app.ask(&path, None, &"a long prompt ".repeat(10), greedy(5));
    assert_eq!(answer.stats().generated_tokens, 5);
}

fn loaded(path: &Path, options: &LoadOptions) -> serde_json::Value {
    real_worker::load(path, options, &[]).answer
}

#[test]
fn the_context_is_as_long_as_asked_for() {
    check(
        |options| options.context_length = ContextLength::Tokens(768),
        &["n_ctx                 = 768\n"],
    );
}

#[test]
fn a_context_left_open_is_the_trained_one_where_that_fits() {
    let app = App::real();
    for trained_context in [100, 3000, 20_000] {
        let model = Tiny {
            trained_context,
            ..Tiny::default()
        };
        let path = app.tiny_as("trained.gguf", &model);
        let answer = loaded(&path, &LoadOptions::default());
        assert_eq!(answer["context_length"], trained_context, "{answer}");
    }
}

#[test]
fn threads_are_as_many_as_asked_for() {
    let app = App::real();
    let options = |threads| LoadOptions {
        threads,
        ..context(512)
    };
    let path = app.tiny();
    for (threads, expected) in [(Some(1), 1), (Some(3), 3), (None, num_cpus::get_physical())] {
        let model = app.load(&path, options(threads)).expect("it loads");
        assert_eq!(model.threads as usize, expected);
    }
}

#[test]
fn batches_are_as_large_as_asked_for() {
    check(
        |options| (options.batch_size, options.micro_batch_size) = (64, 32),
        &["n_batch               = 64\n", "n_ubatch              = 32\n"],
    );
}

#[test]
fn flash_attention_is_on_off_or_left_open() {
    for (flash_attention, logged) in [
        (FlashAttention::On, "flash_attn            = enabled\n"),
        (FlashAttention::Off, "flash_attn            = disabled\n"),
        (FlashAttention::Auto, "flash_attn            = auto\n"),
    ] {
        check(|options| options.flash_attention = flash_attention, &[logged]);
    }
}

#[test]
fn the_kv_cache_has_its_formats() {
    check(
        |options| (options.kv_type_k, options.kv_type_v) = (KvType::F32, KvType::Bf16),
        &["K (f32): ", "V (bf16): "],
    );
}

#[test]
fn a_quantised_kv_cache_answers_too() {
    let app = App::real();
    let path = smollm::model();
    let options = LoadOptions {
        kv_type_k: KvType::Q8_0,
        kv_type_v: KvType::Q4_0,
        ..context(512)
    };
    let report = real_worker::load(&path, &options, &[]);
    assert!(
        report.log.contains("K (q8_0): ") && report.log.contains("V (q4_0): "),
        "{}",
        report.log
    );
    app.load(&path, options).expect("it loads");
    let answer = app.ask(&path, None, "What is the capital of Germany?", greedy(16));
    assert!(answer.text().contains("Berlin"), "{}", answer.text());
}

#[test]
fn a_quantised_v_cache_without_flash_attention_is_refused() {
    let app = App::real();
    let options = LoadOptions {
        kv_type_v: KvType::Q8_0,
        flash_attention: FlashAttention::Off,
        ..context(512)
    };
    let refused = app.load(&smollm::model(), options);
    assert!(
        matches!(&refused, Err(Error::Invalid { field, .. }) if field == "kv_type_v"),
        "{refused:?}"
    );
}

#[test]
fn the_file_is_mapped_or_read() {
    check(|options| options.mmap = true, &["CPU_Mapped model buffer size"]);
    check(|options| options.mmap = false, &[" CPU model buffer size"]);
}

#[test]
fn weights_can_be_kept_in_memory_and_the_cache_in_main_memory() {
    check(|options| options.mlock = true, &[]);
    check(|options| (options.mlock, options.mmap) = (true, false), &[]);
    check(|options| options.kv_on_cpu = true, &["CPU KV buffer size"]);
}

#[test]
fn positions_are_stretched() {
    let rope = |scaling, freq_base, freq_scale, yarn_original_context| {
        Some(RopeOptions {
            scaling,
            freq_base,
            freq_scale,
            yarn_original_context,
        })
    };
    check(
        |options| options.rope = rope(RopeScaling::Linear, 20_000.0, 0.5, 0),
        &[
            "freq_base             = 20000.0\n",
            "freq_scale            = 0.5\n",
        ],
    );
    check(
        |options| options.rope = rope(RopeScaling::None, 0.0, 0.5, 0),
        &["freq_base             = 10000.0\n", "freq_scale            = 1\n"],
    );
    check(
        |options| options.rope = rope(RopeScaling::Yarn, 0.0, 0.25, 128),
        &["freq_scale            = 0.25\n", "n_ctx_train adjusted to 512"],
    );
}

#[test]
fn yarn_and_linear_stretching_answer_differently() {
    let app = App::real();
    let path = app.tiny();
    let mut texts = [RopeScaling::None, RopeScaling::Linear, RopeScaling::Yarn].map(|scaling| {
        let rope = RopeOptions {
            scaling,
            freq_base: 0.0,
            freq_scale: 0.25,
            yarn_original_context: 64,
        };
        let options = LoadOptions {
            rope: Some(rope),
            ..context(512)
        };
        app.load(&path, options).expect("it loads");
        let answer = app.ask(&path, None, &"a long prompt ".repeat(10), greedy(24));
        answer.text().to_owned()
    });
    texts.sort();
    assert!(texts[0] != texts[1] && texts[1] != texts[2], "{texts:?}");
}

#[test]
fn what_is_only_for_graphics_cards_loads_on_the_processor_too() {
    for split_mode in [SplitMode::None, SplitMode::Layer, SplitMode::Row] {
        check(|options| options.split_mode = split_mode, &[]);
    }
    check(|options| options.tensor_split = vec![3.0, 1.0], &[]);
    check(|options| options.moe_layers_on_cpu = 2, &[]);
    check(|options| options.devices = vec!["CPU".into()], &[]);
    check(|options| options.devices = vec!["cpu".into()], &[]);
    check(|options| options.gpu_layers = GpuLayers::Count(0), &[]);
}

#[test]
fn layers_for_a_graphics_card_that_is_not_there_are_told() {
    let app = App::real();
    let path = app.tiny();
    for gpu_layers in [GpuLayers::All, GpuLayers::Count(2)] {
        let options = LoadOptions {
            gpu_layers,
            devices: vec!["CPU".into()],
            ..context(512)
        };
        let report = real_worker::load(&path, &options, &[]);
        assert_eq!(
            report.answer["gpu_layers"],
            serde_json::json!([0, 5]),
            "{report:?}"
        );
        assert_eq!(report.notices().len(), 1, "{report:?}");
        assert!(report.notices()[0].contains("processor"), "{report:?}");
        assert!(report.log.contains(report.notices()[0]), "{report:?}");
    }
}

#[test]
fn a_device_that_is_not_there_is_refused_with_those_that_are() {
    let app = App::real();
    let path = app.tiny();
    let options = LoadOptions {
        devices: vec!["Vulkan7".into()],
        ..context(512)
    };
    match app.load(&path, options) {
        Err(Error::NotFound { what, name, known }) => {
            assert_eq!((what.as_str(), name.as_str()), ("device", "Vulkan7"));
            assert!(known.contains(&"CPU".to_owned()), "{known:?}");
        }
        other => panic!("{other:?}"),
    }
    // The refusal costs nothing else.
    app.load_with_context(&path, 512);
}

#[test]
fn more_shares_than_devices_are_refused_and_the_loaded_model_stays() {
    let app = App::real();
    let path = app.tiny();
    let model = app.load_with_context(&path, 512);
    let options = LoadOptions {
        devices: vec!["CPU".into()],
        tensor_split: vec![1.0, 1.0],
        ..context(512)
    };
    let refused = app.load(&path, options);
    assert!(
        matches!(&refused, Err(Error::Invalid { field, .. }) if field == "tensor_split"),
        "{refused:?}"
    );
    assert_eq!(app.loaded(), [model]);
}

#[test]
fn the_seed_makes_answers_repeat() {
    let app = App::real();
    let path = app.tiny();
    let sampled = || SamplingParams {
        temperature: 1.0,
        max_tokens: Some(24),
        ..SamplingParams::default()
    };
    let mut texts = [Some(7), Some(7), Some(8)].map(|seed| {
        let options = LoadOptions { seed, ..context(512) };
        app.load(&path, options).expect("it loads");
        app.ask(&path, None, "Hello", sampled()).text().to_owned()
    });
    assert_eq!(texts[0], texts[1]);
    texts.sort();
    assert!(texts[0] != texts[1] || texts[1] != texts[2], "{texts:?}");
}

/// The answer with these adapters.
fn adapted(app: &App, adapters: &[(&Path, f32)]) -> String {
    let path = app.tiny();
    let lora = adapters.iter().map(|(path, scale)| LoraAdapter {
        path: (*path).to_owned(),
        scale: *scale,
    });
    let options = LoadOptions {
        lora: lora.collect(),
        ..context(512)
    };
    app.load(&path, options).expect("it loads");
    app.ask(&path, None, "Hello", greedy(24)).text().to_owned()
}

#[test]
fn adapters_change_the_answers_by_their_scales() {
    let app = App::real();
    let (one, two) = (app.path("one.gguf"), app.path("two.gguf"));
    tiny_lora::write(&one, 1);
    tiny_lora::write(&two, 2);
    let plain = adapted(&app, &[]);
    assert_eq!(adapted(&app, &[(&one, 0.0)]), plain);
    let first = adapted(&app, &[(&one, 1.0)]);
    let second = adapted(&app, &[(&two, 1.0)]);
    let both = adapted(&app, &[(&one, 1.0), (&two, 1.0)]);
    let mut texts = [plain, first, second, both];
    texts.sort();
    assert!(texts.windows(2).all(|pair| pair[0] != pair[1]), "{texts:?}");
}

#[test]
fn an_adapter_that_does_not_go_with_the_model_is_refused_by_name() {
    let app = App::real();
    let path = app.tiny();
    let (wide, gemma) = (app.path("wide.gguf"), app.path("gemma.gguf"));
    tiny_lora::write_for(&wide, 1, "llama", 32);
    tiny_lora::write_for(&gemma, 1, "gemma3", 64);
    let (text, missing) = (app.path("text.gguf"), app.path("missing.gguf"));
    std::fs::write(&text, "no model at all").expect("written");
    for (adapter, reason) in [
        (&wide, "incorrect shape"),
        (&gemma, "arch mismatch"),
        (&text, "not a GGUF file"),
        (&missing, "cannot be read"),
        (&path, "no LoRA adapter"),
    ] {
        let options = LoadOptions {
            lora: vec![LoraAdapter {
                path: adapter.clone(),
                scale: 1.0,
            }],
            ..context(512)
        };
        match app.load(&path, options) {
            Err(Error::BadModelFile { file, reason: told }) => {
                assert_eq!(file, adapter.display().to_string());
                assert!(told.contains(reason), "{told}");
            }
            other => panic!("{other:?}"),
        }
    }
    app.load_with_context(&path, 512);
}
