//! The real worker with the tiny model: loading, single flight, several models, ejecting.

use std::collections::HashSet;

use hearth_protocol::chat::ChatEvent;
use hearth_protocol::engine::{
    Activity, DeviceKind, EngineEvent, KeepLoaded, KvType, LoadEvent, LoadOptions, LoadRequest, ModelRef,
};
use hearth_protocol::generate::{SamplingParams, StopReason};
use hearth_protocol::{ByteSize, Error, LoadedId};

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
    assert_eq!(app.loaded().first(), Some(&model));
    assert_eq!(next(&news), Some(EngineEvent::Loaded(vec![model.clone()])));

    assert_eq!(app.client.eject(model.id).wait(), Ok(()));
    assert!(
        !is_process(model.process),
        "its memory is free when eject returns"
    );
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
fn two_models_stand_beside_each_other_and_both_answer() {
    let app = App::real();
    let (one, two) = (app.tiny(), app.tiny_as("two.gguf", &Tiny::default()));
    let first = app.load_with_context(&one, 512);
    let second = app.load_with_context(&two, 512);
    assert_eq!(app.loaded(), [second.clone(), first.clone()]);
    for path in [&one, &two] {
        assert_eq!(app.ask(path, None, "x", greedy(3)).stats().generated_tokens, 3);
    }
    assert_eq!(app.client.eject(first.id).wait(), Ok(()));
    assert!(!is_process(first.process));
    assert_eq!(app.loaded(), [second]);
}

/// What is remembered for a model counts where a request brings no options.
#[test]
fn load_options_are_remembered_per_model() {
    let app = App::real();
    let (one, two) = (app.tiny(), app.tiny_as("two.gguf", &Tiny::default()));
    let file = app.load_with_context(&one, 128).file;
    let remembered = context(256);
    let written = app
        .client
        .write_load_options(file.clone(), Some(remembered.clone()))
        .wait();
    assert_eq!(written, Ok(()));
    assert_eq!(
        app.client.read_load_options(file.clone()).wait(),
        Ok(Some(remembered))
    );
    let without_options = |path: &std::path::Path| {
        let events = app.client.load(LoadRequest {
            model: ModelRef::Path(path.to_owned()),
            options: None,
            force: false,
            keep: KeepLoaded::Default,
        });
        outcome_of_load(&events).expect("it loads").context_length
    };
    assert_eq!(without_options(&one), 256);
    assert_ne!(without_options(&two), 256);

    // An answer loads it in the same way.
    let loaded = app
        .loaded()
        .into_iter()
        .find(|model| model.file == file)
        .expect("it is loaded");
    assert_eq!(app.client.eject(loaded.id).wait(), Ok(()));
    assert_eq!(app.ask(&one, None, "x", greedy(3)).stats().context_length, 256);

    let impossible = LoadOptions {
        parallel_slots: 0,
        ..LoadOptions::default()
    };
    let refused = app.client.write_load_options(file, Some(impossible)).wait();
    assert!(
        matches!(&refused, Err(Error::Invalid { field, .. }) if field == "parallel_slots"),
        "{refused:?}"
    );
}

#[test]
fn ten_loads_at_once_load_once() {
    let app = App::real();
    let path = app.tiny();
    let loads: Vec<_> = (0..10).map(|_| app.begin_load(&path, context(512))).collect();
    let models: Vec<_> = loads
        .iter()
        .map(|load| outcome_of_load(load).expect("it loads"))
        .collect();
    let ids: HashSet<LoadedId> = models.iter().map(|model| model.id).collect();
    assert_eq!(ids.len(), 1);
    assert_eq!(app.loaded().len(), 1);
    // Ids are counted: one load has been made, so the next has number 2.
    assert_eq!(models[0].id, LoadedId(1));
    assert_eq!(app.load_with_context(&path, 256).id, LoadedId(2));
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
fn the_processor_is_among_the_devices_with_its_memory() {
    let devices = App::real().client.devices().wait().expect("devices");
    let processor = devices.iter().find(|device| device.kind == DeviceKind::Cpu);
    let processor = processor.unwrap_or_else(|| panic!("{devices:?}"));
    assert!(!processor.name.is_empty() && !processor.description.is_empty());
    let (free, total) = (processor.memory_free, processor.memory_total);
    assert!(free > Some(ByteSize(0)) && free < total, "{processor:?}");
}

#[test]
fn while_an_answer_is_written_its_model_is_busy_and_another_can_be_loaded() {
    let app = App::real();
    let path = app.tiny();
    let other = app.tiny_as("other.gguf", &Tiny::default());
    app.load_with_context(&path, 8192);
    let long = app.send(&path, None, "a long answer", SamplingParams::greedy());
    let seen = long.until(|event| matches!(event, ChatEvent::Delta(_)));
    assert_eq!(app.loaded()[0].activity, Activity::Generating);
    let second = app.send(&path, None, "a short one", greedy(3));

    let refused = app.load(&path, context(512));
    assert!(matches!(refused, Err(Error::Busy { .. })), "{refused:?}");
    app.load_with_context(&other, 512);

    assert_eq!(app.client.stop(long.0.request()).wait(), Ok(()));
    assert_eq!(long.finish_after(seen).stop(), &StopReason::UserStopped);
    assert_eq!(second.finish().stop(), &StopReason::TokenLimit);
    let loaded = app.loaded();
    assert_eq!(loaded.len(), 2);
    assert!(
        loaded.iter().all(|model| model.activity == Activity::Idle),
        "{loaded:?}"
    );
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
    assert!(
        answer.stats().generated_tokens > 0,
        "the worker still said what it cost"
    );

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
