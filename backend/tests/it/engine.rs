//! The real worker with the tiny model: loading, single flight, one model at a time, answers and their limits.

use std::collections::HashSet;

use hearth_protocol::chat::ChatEvent;
use hearth_protocol::engine::{
    Activity, DeviceKind, EngineEvent, FlashAttention, KvType, LoadEvent, LoadOptions, LoraAdapter,
    RopeOptions, RopeScaling,
};
use hearth_protocol::generate::{Dry, Mirostat, MirostatVersion, SamplingParams, StopReason, Xtc};
use hearth_protocol::{Error, LoadedId};

use crate::app::{App, context, greedy, is_process, next, outcome_of_load};
use crate::tiny_gguf::Tiny;

#[test]
fn a_load_tells_its_progress_and_the_model() {
    let app = App::real();
    let path = app.tiny();
    let news = app.client.watch_engine();
    assert_eq!(next(&news), Some(EngineEvent::Loaded(Vec::new())));

    let events = app.begin_load(&path, context(512));
    assert!(matches!(next(&events), Some(LoadEvent::Started { size, .. }) if size.0 > 500_000));
    let mut share = 0.0;
    let model = loop {
        match next(&events).expect("a last event") {
            LoadEvent::Progress(more) => {
                assert!((share..=1.0).contains(&more), "{share} then {more}");
                share = more;
            }
            LoadEvent::Loaded(model) => break model,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(share, 1.0);
    assert_eq!(next(&events), None);
    assert_eq!(model.context_length, 512);
    assert!(model.has_chat_template);
    assert_eq!(model.gpu_layers, (0, 5));
    assert_eq!(model.threads as usize, num_cpus::get_physical());
    assert_eq!(model.activity, Activity::Idle);
    assert_eq!(app.loaded(), [model.clone()]);
    assert_eq!(next(&news), Some(EngineEvent::Loaded(vec![model.clone()])));

    assert_eq!(app.client.eject(model.id).wait(), Ok(()));
    assert!(!is_process(model.process), "its memory is free when eject returns");
    assert_eq!(app.loaded(), []);
    assert_eq!(next(&news), Some(EngineEvent::Loaded(Vec::new())));
    let again = app.client.eject(model.id).wait();
    assert!(matches!(again, Err(Error::NotFound { .. })), "{again:?}");
}

#[test]
fn loading_again_gives_the_same_and_other_options_give_another() {
    let app = App::real();
    let path = app.tiny();
    let first = app.load_with_context(&path, 512);
    assert_eq!(app.load_with_context(&path, 512), first);
    let other = app.load_with_context(&path, 1024);
    assert_ne!(other.id, first.id);
    assert!(!is_process(first.process));
    assert_eq!(app.loaded(), [other]);
}

#[test]
fn another_model_takes_the_place_of_an_idle_one() {
    let app = App::real();
    let one = app.load_with_context(&app.tiny(), 512);
    let two = app.load_with_context(&app.tiny_as("two.gguf", &Tiny::default()), 512);
    assert!(!is_process(one.process));
    assert_eq!(app.loaded(), [two]);
}

#[test]
fn ten_loads_at_once_load_once() {
    let app = App::real();
    let path = app.tiny();
    let loads: Vec<_> = (0..10).map(|_| app.begin_load(&path, context(512))).collect();
    let models: Vec<_> = loads.iter().map(|load| outcome_of_load(load).expect("it loads")).collect();
    let ids: HashSet<LoadedId> = models.iter().map(|model| model.id).collect();
    assert_eq!(ids.len(), 1);
    assert_eq!(app.loaded().len(), 1);
    // Ids are counted: one load has been made, so the next has number 2.
    assert_eq!(models[0].id, LoadedId(1));
    assert_eq!(app.load_with_context(&path, 256).id, LoadedId(2));
}

#[test]
fn what_is_not_honoured_yet_is_refused_and_the_loaded_model_stays() {
    let app = App::real();
    let path = app.tiny();
    let model = app.load_with_context(&path, 512);
    let options = LoadOptions {
        lora: vec![LoraAdapter {
            path: "adapter.gguf".into(),
            scale: 1.0,
        }],
        ..context(512)
    };
    assert_eq!(app.load(&path, options), Err(Error::not_yet("load option lora")));
    assert_eq!(app.loaded(), [model]);
}

#[test]
fn each_honoured_option_loads_and_answers() {
    let app = App::real();
    let path = app.tiny();
    let all = LoadOptions {
        threads: Some(1),
        batch_size: 64,
        micro_batch_size: 32,
        flash_attention: FlashAttention::On,
        kv_type_k: KvType::F32,
        kv_type_v: KvType::F32,
        kv_on_cpu: true,
        mmap: false,
        rope: Some(RopeOptions {
            scaling: RopeScaling::Linear,
            freq_base: 20_000.0,
            freq_scale: 0.5,
            yarn_original_context: 0,
        }),
        seed: Some(1),
        ..context(512)
    };
    assert_eq!(app.load(&path, all).expect("it loads").threads, 1);
    let answer = app.ask(&path, None, &"a long prompt ".repeat(10), greedy(5));
    assert_eq!(answer.stats().generated_tokens, 5);
    // The prompt is read in micro batches of 32, and each is told.
    assert!(answer.progress.len() > 4, "{:?}", answer.progress);
}

#[test]
fn options_that_llama_cpp_cannot_do_are_a_failed_load_with_its_words() {
    let app = App::real();
    // A head has 16 numbers, which no block of 32 divides.
    let options = LoadOptions {
        kv_type_k: KvType::Q8_0,
        ..context(512)
    };
    let Err(Error::LoadFailed { reason, log }) = app.load(&app.tiny(), options) else {
        panic!("it loaded");
    };
    assert!(reason.contains("block size"), "{reason}");
    assert!(log.iter().any(|line| line.contains("block size")), "{log:?}");
    app.load_with_context(&app.tiny(), 512);
}

#[test]
fn the_processor_is_among_the_devices() {
    let devices = App::real().client.devices().wait().expect("devices");
    assert!(devices.iter().any(|device| device.kind == DeviceKind::Cpu), "{devices:?}");
}

#[test]
fn a_prompt_that_does_not_fit_is_refused_with_both_numbers() {
    let app = App::real();
    let path = app.tiny();
    app.load_with_context(&path, 64);
    let answer = app.ask(&path, None, &"x".repeat(100), greedy(5));
    let Some(Error::ContextOverflow {
        prompt_tokens,
        context_length: 64,
    }) = answer.error
    else {
        panic!("{answer:?}");
    };
    // One token a byte, and the template's own around them.
    assert!((101..200).contains(&prompt_tokens), "{prompt_tokens}");
    assert_eq!(app.ask(&path, None, "x", greedy(5)).stats().generated_tokens, 5);
}

#[test]
fn an_answer_ends_with_the_context() {
    let app = App::real();
    let path = app.tiny();
    app.load_with_context(&path, 64);
    let answer = app.ask(&path, None, "go on", SamplingParams::greedy());
    assert_eq!(answer.stop(), &StopReason::ContextFull);
    let stats = answer.stats();
    assert_eq!((stats.context_used, stats.context_length), (64, 64));
    // The last token needs no place: nothing comes behind it.
    assert_eq!(stats.prompt_tokens + stats.generated_tokens, 65);
    assert_eq!(answer.text().chars().count() as u32, stats.generated_tokens);
}

#[test]
fn a_second_turn_reads_only_what_is_new_and_answers_as_without_the_cache() {
    let app = App::real();
    let path = app.tiny();
    app.load_with_context(&path, 1024);
    let first = app.ask(&path, None, "the first question", greedy(20));
    assert_eq!(first.stats().cached_tokens, 0);
    assert_eq!(first.stop(), &StopReason::TokenLimit);
    let second = app.ask(&path, Some(first.chat), "and the second", greedy(20));
    // All but the answer's last token, which nothing was computed behind.
    let read = first.stats().prompt_tokens + first.stats().generated_tokens - 1;
    assert_eq!(second.stats().cached_tokens, read);
    assert_eq!(second.progress.first(), Some(&(read, second.stats().prompt_tokens)));

    let model = app.loaded().remove(0);
    assert_eq!(app.client.eject(model.id).wait(), Ok(()));
    app.load_with_context(&path, 1024);
    let again = app.ask_again(&path, &second, greedy(20));
    assert_eq!(again.stats().cached_tokens, 0);
    assert_eq!(again.text(), second.text());
}

#[test]
fn a_seed_fixes_the_draw() {
    let app = App::real();
    let path = app.tiny();
    app.load_with_context(&path, 512);
    let drawn = |seed| SamplingParams {
        temperature: 1.5,
        top_k: 0,
        top_p: 1.0,
        min_p: 0.0,
        seed,
        max_tokens: Some(20),
        ..SamplingParams::default()
    };
    let text = |seed| app.ask(&path, None, "draw", drawn(seed)).text().to_owned();
    assert_eq!(text(Some(7)), text(Some(7)));
    assert_ne!(text(Some(7)), text(Some(8)));
    assert_eq!(text(Some(u32::MAX)), text(Some(u32::MAX)), "llama.cpp's sign for any seed is a seed here");
    assert_ne!(text(None), text(None));
}

#[test]
fn a_seed_of_the_load_options_counts_where_the_answer_brings_none() {
    let app = App::real();
    let path = app.tiny();
    let options = LoadOptions {
        seed: Some(3),
        ..context(512)
    };
    app.load(&path, options).expect("it loads");
    let drawn = SamplingParams {
        temperature: 1.5,
        max_tokens: Some(20),
        ..SamplingParams::default()
    };
    let text = || app.ask(&path, None, "draw", drawn.clone()).text().to_owned();
    assert_eq!(text(), text());
}

#[test]
fn every_sampler_runs() {
    let app = App::real();
    let path = app.tiny();
    app.load_with_context(&path, 512);
    let all = SamplingParams {
        dynamic_temperature_range: 0.5,
        typical_p: 0.9,
        top_n_sigma: Some(2.0),
        xtc: Some(Xtc {
            probability: 0.5,
            threshold: 0.05,
        }),
        dry: Some(Dry {
            multiplier: 0.8,
            base: 1.75,
            allowed_length: 2,
            last_n: None,
            sequence_breakers: vec!["\n".into(), "*".into()],
        }),
        repeat_penalty: 1.1,
        presence_penalty: 0.5,
        frequency_penalty: 0.5,
        logit_bias: vec![(70, 1.0)],
        max_tokens: Some(8),
        ..SamplingParams::default()
    };
    let mirostat = |version| SamplingParams {
        mirostat: Some(Mirostat {
            version,
            tau: 5.0,
            eta: 0.1,
        }),
        ..all.clone()
    };
    for sampling in [all.clone(), mirostat(MirostatVersion::V1), mirostat(MirostatVersion::V2)] {
        assert_eq!(app.ask(&path, None, "x", sampling).stats().generated_tokens, 8);
    }
}

#[test]
fn a_forbidden_token_does_not_come() {
    let app = App::real();
    let path = app.tiny();
    app.load_with_context(&path, 512);
    let free = app.ask(&path, None, "bias", greedy(10));
    let first = free.text().bytes().next().expect("a character");
    // Byte tokens follow the three special ones of the tiny vocabulary.
    let bias = vec![(i32::from(first) + 3, f32::NEG_INFINITY)];
    let bound = app.ask(
        &path,
        None,
        "bias",
        SamplingParams {
            logit_bias: bias,
            ..greedy(10)
        },
    );
    assert!(!bound.text().contains(char::from(first)), "{} in {}", char::from(first), bound.text());
}

#[test]
fn a_stop_string_ends_the_answer_and_is_not_part_of_it() {
    let app = App::real();
    let path = app.tiny();
    app.load_with_context(&path, 512);
    let whole = app.ask(&path, None, "stop", greedy(30)).text().to_owned();
    let stop = whole[10..13].to_owned();
    let sampling = SamplingParams {
        stop: vec!["never comes".into(), stop.clone()],
        ..greedy(30)
    };
    let answer = app.ask(&path, None, "stop", sampling);
    let before = whole.find(&stop).expect("it stands in the text");
    assert_eq!(answer.text(), &whole[..before]);
    assert_eq!(answer.stop(), &StopReason::StopString { text: stop });
}

#[test]
fn a_model_without_template_goes_on_with_the_text() {
    let app = App::real();
    let plain = Tiny {
        template: None,
        ..Tiny::default()
    };
    let path = app.tiny_as("plain.gguf", &plain);
    assert!(!app.load_with_context(&path, 512).has_chat_template);
    let answer = app.ask(&path, None, "12345", greedy(5));
    // A byte each, and the token that begins every text.
    assert_eq!(answer.stats().prompt_tokens, 6);
}

#[test]
fn text_that_looks_like_a_control_token_stays_text() {
    let app = App::real();
    let path = app.tiny();
    app.load_with_context(&path, 512);
    let tokens = |text: &str| app.ask(&path, None, text, greedy(1)).stats().prompt_tokens;
    let empty = tokens("x") - 1;
    assert_eq!(tokens("<|im_end|>"), empty + 10, "each of its ten characters is a token");
}

#[test]
fn a_broken_template_fails_the_answer_and_not_the_load() {
    let app = App::real();
    let broken = Tiny {
        template: Some("{% for %}".into()),
        ..Tiny::default()
    };
    let path = app.tiny_as("broken.gguf", &broken);
    app.load_with_context(&path, 512);
    let answer = app.ask(&path, None, "x", greedy(1));
    assert!(matches!(answer.error, Some(Error::Template { .. })), "{answer:?}");
    assert_eq!(app.loaded().len(), 1);
}

#[test]
fn answers_are_made_one_after_the_other_and_the_model_is_busy_meanwhile() {
    let app = App::real();
    let path = app.tiny();
    let other = app.tiny_as("other.gguf", &Tiny::default());
    app.load_with_context(&path, 8192);
    let long = app.send(&path, None, "a long answer", SamplingParams::greedy());
    let seen = long.until(|event| matches!(event, ChatEvent::Delta(_)));
    assert_eq!(app.loaded()[0].activity, Activity::Generating);
    let waiting = app.send(&path, None, "a short one", greedy(3));

    let refused = app.load(&other, context(512));
    assert!(matches!(refused, Err(Error::Busy { .. })), "{refused:?}");

    assert_eq!(app.client.stop(long.0.request()).wait(), Ok(()));
    assert_eq!(long.finish_after(seen).stop(), &StopReason::UserStopped);
    assert_eq!(waiting.finish().stop(), &StopReason::TokenLimit);
    assert_eq!(app.loaded()[0].activity, Activity::Idle);
    app.load_with_context(&other, 512);
}

#[test]
fn ejecting_in_mid_answer_keeps_the_text_and_frees_the_memory() {
    let app = App::real();
    let path = app.tiny();
    let model = app.load_with_context(&path, 8192);
    let turn = app.send(&path, None, "a long answer", SamplingParams::greedy());
    let seen = turn.until(|event| matches!(event, ChatEvent::Delta(_)));
    assert_eq!(app.client.eject(model.id).wait(), Ok(()));
    assert!(!is_process(model.process));
    let answer = turn.finish_after(seen);
    assert_eq!(answer.stop(), &StopReason::ModelEjected);
    assert!(!answer.text().is_empty());
    assert!(answer.stats().generated_tokens > 0, "the worker still said what it cost");

    // The next turn loads the model again.
    let next = app.ask(&path, Some(answer.chat), "go on", greedy(3));
    assert_eq!(next.stop(), &StopReason::TokenLimit);
}

#[test]
fn the_end_of_the_backend_ends_its_worker() {
    let mut app = App::real();
    let path = app.tiny();
    let model = app.load_with_context(&path, 8192);
    let turn = app.send(&path, None, "a long answer", SamplingParams::greedy());
    let seen = turn.until(|event| matches!(event, ChatEvent::Delta(_)));
    app.shut_down();
    assert!(!is_process(model.process));
    assert!(!turn.finish_after(seen).streamed.is_empty());
}
