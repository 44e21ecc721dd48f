//! The real worker with the tiny model: prompts, the cache, sampling, and what ends an answer.

use hearth_protocol::Error;
use hearth_protocol::engine::LoadOptions;
use hearth_protocol::generate::{Dry, Mirostat, MirostatVersion, SamplingParams, StopReason, Xtc};

use crate::app::{App, context, greedy};
use crate::tiny_gguf::Tiny;

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
    assert_eq!(
        second.progress.first(),
        Some(&(read, second.stats().prompt_tokens))
    );

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
    assert_eq!(
        text(Some(u32::MAX)),
        text(Some(u32::MAX)),
        "llama.cpp's sign for any seed is a seed here"
    );
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
    for sampling in [
        all.clone(),
        mirostat(MirostatVersion::V1),
        mirostat(MirostatVersion::V2),
    ] {
        assert_eq!(app.ask(&path, None, "x", sampling).stats().generated_tokens, 8);
    }
}

/// Whatever is in range must not end the worker, alone or with a draw.
#[test]
fn the_edges_of_every_range_give_an_answer() {
    let app = App::real();
    let path = app.tiny();
    app.load_with_context(&path, 512);
    let change = |change: fn(&mut SamplingParams)| {
        let mut sampling = SamplingParams {
            max_tokens: Some(4),
            ..SamplingParams::default()
        };
        change(&mut sampling);
        sampling
    };
    let cases = [
        change(|sampling| sampling.temperature = 0.0),
        change(|sampling| sampling.temperature = f32::MIN_POSITIVE),
        change(|sampling| sampling.temperature = 5.0),
        change(|sampling| (sampling.dynamic_temperature_range, sampling.temperature) = (5.0, 0.1)),
        change(|sampling| {
            (
                sampling.dynamic_temperature_range,
                sampling.dynamic_temperature_exponent,
            ) = (1.0, 0.0);
        }),
        change(|sampling| {
            (
                sampling.dynamic_temperature_range,
                sampling.dynamic_temperature_exponent,
            ) = (1.0, 10.0);
        }),
        change(|sampling| sampling.top_k = 1),
        change(|sampling| sampling.top_k = u32::MAX),
        change(|sampling| sampling.top_p = 0.0),
        change(|sampling| sampling.min_p = 1.0),
        change(|sampling| sampling.typical_p = 0.0),
        change(|sampling| sampling.top_n_sigma = Some(0.0)),
        change(|sampling| sampling.top_n_sigma = Some(100.0)),
        change(|sampling| sampling.repeat_penalty = f32::MIN_POSITIVE),
        change(|sampling| sampling.repeat_penalty = 10.0),
        change(|sampling| (sampling.repeat_penalty, sampling.repeat_last_n) = (1.5, u32::MAX)),
        change(|sampling| (sampling.presence_penalty, sampling.frequency_penalty) = (2.0, 2.0)),
        change(|sampling| (sampling.presence_penalty, sampling.frequency_penalty) = (-2.0, -2.0)),
        change(|sampling| sampling.xtc = Some(xtc(1.0, 0.0))),
        change(|sampling| sampling.xtc = Some(xtc(1.0, 1.0))),
        change(|sampling| sampling.dry = Some(dry(100.0, 100.0, 0, Some(u32::MAX)))),
        change(|sampling| sampling.dry = Some(dry(0.0, 1.0, u32::MAX, Some(0)))),
        change(|sampling| sampling.mirostat = Some(mirostat(MirostatVersion::V1, 0.0, 0.0))),
        change(|sampling| sampling.mirostat = Some(mirostat(MirostatVersion::V1, 100.0, 1.0))),
        change(|sampling| sampling.mirostat = Some(mirostat(MirostatVersion::V2, 0.0, 0.0))),
        change(|sampling| sampling.mirostat = Some(mirostat(MirostatVersion::V2, 100.0, 1.0))),
        change(|sampling| sampling.logit_bias = vec![(70, f32::INFINITY), (71, f32::INFINITY)]),
        change(|sampling| sampling.logit_bias = (0..262).map(|token| (token, f32::NEG_INFINITY)).collect()),
    ];
    for sampling in cases {
        assert_eq!(sampling.validate(), Ok(()), "{sampling:?}");
        let answer = app.ask(&path, None, "x", sampling.clone());
        assert_eq!(answer.error, None, "{sampling:?}");
        assert!(answer.stats().generated_tokens <= 4);
    }
}

fn xtc(probability: f32, threshold: f32) -> Xtc {
    Xtc {
        probability,
        threshold,
    }
}

fn dry(multiplier: f32, base: f32, allowed_length: u32, last_n: Option<u32>) -> Dry {
    Dry {
        multiplier,
        base,
        allowed_length,
        last_n,
        sequence_breakers: vec!["\n".into(), String::new()],
    }
}

fn mirostat(version: MirostatVersion, tau: f32, eta: f32) -> Mirostat {
    Mirostat { version, tau, eta }
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
    assert!(
        !bound.text().contains(char::from(first)),
        "{} in {}",
        char::from(first),
        bound.text()
    );
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
fn a_reverse_prompt_of_the_load_options_ends_every_answer() {
    let app = App::real();
    let path = app.tiny();
    app.load_with_context(&path, 512);
    let whole = app.ask(&path, None, "stop", greedy(30)).text().to_owned();
    let stop = whole[10..13].to_owned();
    let options = LoadOptions {
        reverse_prompts: vec![stop.clone()],
        ..context(512)
    };
    app.load(&path, options).expect("it loads");
    let answer = app.ask(&path, None, "stop", greedy(30));
    assert_eq!(answer.stop(), &StopReason::StopString { text: stop });
    assert!(whole.starts_with(answer.text()));
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
    assert_eq!(
        tokens("<|im_end|>"),
        empty + 10,
        "each of its ten characters is a token"
    );
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
