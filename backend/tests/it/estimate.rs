//! What a load would take, told before it is done.

use std::path::Path;

use hearth_protocol::engine::{EstimateEvent, KvType, LoadOptions, MemoryEstimate, ModelRef};
use hearth_protocol::{Error, Events};

use crate::app::{App, context, next};
use crate::smollm;
use crate::tiny_gguf::Tiny;

fn estimate(app: &App, path: &Path, options: LoadOptions) -> Result<MemoryEstimate, Error> {
    let events = app
        .client
        .estimate_memory(ModelRef::Path(path.to_owned()), options);
    exact(&events)
}

/// What a load would take, as llama.cpp counts it.
pub(crate) fn exact(events: &Events<EstimateEvent>) -> Result<MemoryEstimate, Error> {
    loop {
        match next(events).expect("an estimate has a last event") {
            EstimateEvent::Exact(estimate) => return Ok(estimate),
            EstimateEvent::Failed(error) => return Err(error),
            EstimateEvent::Rough(_) => (),
        }
    }
}

/// Weights, KV cache and buffers on the one device of a machine without a graphics card.
fn on_processor(estimate: &MemoryEstimate) -> [f64; 3] {
    let [device] = &estimate.devices[..] else {
        panic!("one device: {estimate:?}");
    };
    [device.weights, device.kv_cache, device.compute]
        .map(|bytes| bytes.expect("llama.cpp counts it").0 as f64)
}

#[test]
fn the_tiny_model_takes_what_its_shape_says() {
    let app = App::real();
    let path = app.tiny();
    let file = path.metadata().expect("it is there").len() as f64;
    let told = estimate(&app, &path, context(4096)).expect("an estimate");
    let [weights, kv, compute] = on_processor(&told);
    assert!((weights / file - 1.0).abs() < 0.1, "{weights} of {file}");
    // 4 layers of 2 caches of 2 heads of 16 half numbers.
    assert_eq!(kv, 4096.0 * 4.0 * 2.0 * 2.0 * 16.0 * 2.0);
    // What the formula of the library says: a mask, five times the width, and three times the feed-forward width.
    assert!((compute / 6_029_312.0 - 1.0).abs() < 0.1, "{compute}");
    assert_eq!(told.fits, Some(true));
    assert_eq!(app.loaded(), [], "nothing is loaded for it");

    let wide = LoadOptions {
        kv_type_k: KvType::F32,
        kv_type_v: KvType::F32,
        ..context(4096)
    };
    let [_, wide, _] = on_processor(&estimate(&app, &path, wide).expect("an estimate"));
    assert_eq!(wide, 2.0 * kv);
}

/// A slider is followed by the formula, which the count then sets right.
#[test]
fn a_formula_tells_at_once_what_is_then_counted() {
    let app = App::real();
    let model = ModelRef::Path(smollm::model());
    let events = app.client.estimate_memory(model, context(8192));
    let Some(EstimateEvent::Rough(rough)) = next(&events) else {
        panic!("the formula comes first");
    };
    let exact = exact(&events).expect("an estimate");
    assert_eq!((rough.context_length, rough.gpu_layers), (8192, (0, 31)));
    assert_eq!((exact.context_length, exact.gpu_layers), (8192, (0, 31)));
    for (rough, exact) in on_processor(&rough).into_iter().zip(on_processor(&exact)) {
        assert!((rough / exact - 1.0).abs() < 0.1, "{rough} {exact}");
    }
}

#[test]
fn a_real_model_takes_what_its_shape_says() {
    let app = App::real();
    let path = smollm::model();
    let file = path.metadata().expect("it is there").len() as f64;
    let [weights, kv, _] = on_processor(&estimate(&app, &path, context(8192)).expect("an estimate"));
    assert!((weights / file - 1.0).abs() < 0.1, "{weights} of {file}");
    assert_eq!(kv, 23_040.0 * 8192.0);
}

#[test]
fn whether_it_fits_follows_from_what_is_free() {
    let app = App::real();
    // Two million tokens of 46 kB: more than most machines have, which is reckoned without taking it.
    let options = LoadOptions {
        kv_type_k: KvType::F32,
        kv_type_v: KvType::F32,
        ..context(2 << 20)
    };
    let told = estimate(&app, &smollm::model(), options).expect("an estimate");
    let wanted: f64 = on_processor(&told).iter().sum();
    let free = told.devices[0].free.expect("it is known").0 as f64;
    assert!(wanted > 96e9, "{told:?}");
    assert_eq!(told.fits, Some(wanted <= free), "{told:?}");
}

#[test]
fn what_cannot_be_loaded_cannot_be_reckoned() {
    let app = App::real();
    let missing = estimate(&app, &app.path("missing.gguf"), context(512));
    assert!(matches!(missing, Err(Error::NotFound { .. })), "{missing:?}");
    let invalid = LoadOptions {
        micro_batch_size: 0,
        ..context(512)
    };
    let invalid = estimate(&app, &app.tiny(), invalid);
    assert!(matches!(invalid, Err(Error::Invalid { .. })), "{invalid:?}");
    let mut bytes = Tiny::default().bytes();
    let name = b"blk.2.ffn_up.weight";
    let place = bytes.windows(name.len()).position(|window| window == name);
    let place = place.expect("it has this tensor");
    bytes[place..place + 3].copy_from_slice(b"xyz");
    let path = app.path("renamed.gguf");
    std::fs::write(&path, bytes).expect("written");
    let broken = estimate(&app, &path, context(512));
    assert!(
        matches!(&broken, Err(Error::LoadFailed { reason, .. }) if reason.contains("blk.2.ffn_up.weight")),
        "{broken:?}"
    );
    let devices = LoadOptions {
        devices: vec!["Vulkan7".into()],
        ..context(512)
    };
    let devices = estimate(&app, &app.tiny(), devices);
    assert!(matches!(devices, Err(Error::NotFound { .. })), "{devices:?}");
}
