use hearth_protocol::engine::ContextLength;
use serde_json::json;

use super::*;

const GB: u64 = 1_000_000_000;

/// 9 GB of weights in 35 layers and an output, and 72 KB of cache a token.
fn facts() -> Facts {
    let facts = json!({
        "weights": 9 * GB, "kind": "model", "trained_context": 32_768,
        "kv": { "layers": 35, "k": 512, "v": 512 },
        "embedding": 2048, "feed_forward": 8192, "heads": 16, "attention": null,
        "has_window": false, "vocabulary": 100_000,
    });
    serde_json::from_value(facts).expect("facts")
}

fn device(name: &str, kind: DeviceKind, free: u64) -> Device {
    Device {
        name: name.into(),
        description: name.into(),
        kind,
        memory_total: Some(ByteSize(free)),
        memory_free: Some(ByteSize(free)),
    }
}

/// A computer with 32 GB and cards with so much room each.
fn computer(cards: &[u64]) -> Vec<Device> {
    let cards = cards
        .iter()
        .enumerate()
        .map(|(index, room)| device(&format!("Vulkan{index}"), DeviceKind::Gpu, room + CARD_MARGIN));
    cards.chain([device("CPU", DeviceKind::Cpu, 32 * GB)]).collect()
}

fn options(gpu_layers: GpuLayers) -> LoadOptions {
    LoadOptions {
        context_length: ContextLength::Tokens(8192),
        gpu_layers,
        ..LoadOptions::default()
    }
}

fn told(options: &LoadOptions, known: &[Device]) -> MemoryEstimate {
    rough(&facts(), 9 * GB, options, known).expect("it can be reckoned")
}

/// Gigabytes of weights on each device, in tenths.
fn weights(estimate: &MemoryEstimate) -> Vec<u64> {
    let of = |row: &DeviceEstimate| row.weights.expect("it is known").0 * 10 / GB;
    estimate.devices.iter().map(of).collect()
}

#[test]
fn weights_go_where_the_layers_go() {
    let cases = [
        (GpuLayers::Auto, vec![], 0, vec![90]),
        (GpuLayers::All, vec![], 0, vec![90]),
        (GpuLayers::All, vec![24 * GB], 36, vec![90, 0]),
        (GpuLayers::Count(9), vec![24 * GB], 9, vec![22, 67]),
        (GpuLayers::Count(0), vec![24 * GB], 0, vec![90]),
        (GpuLayers::Auto, vec![24 * GB], 36, vec![90, 0]),
        // 9.6 GB in 36 parts, of which 4.9 GB hold 18.
        (GpuLayers::Auto, vec![49 * GB / 10], 18, vec![45, 45]),
        (GpuLayers::All, vec![6 * GB, 12 * GB], 36, vec![30, 60, 0]),
    ];
    for (layers, cards, on_cards, expected) in cases {
        let estimate = told(&options(layers), &computer(&cards));
        assert_eq!(estimate.gpu_layers, (on_cards, 36), "{layers:?} {cards:?}");
        assert_eq!(weights(&estimate), expected, "{layers:?} {cards:?}");
    }
}

#[test]
fn cards_take_what_the_options_give_them() {
    let both = computer(&[20 * GB, 20 * GB]);
    let one = LoadOptions {
        devices: vec!["Vulkan1".into()],
        ..options(GpuLayers::All)
    };
    let estimate = told(&one, &both);
    assert_eq!(estimate.devices[0].device, "Vulkan1");
    assert_eq!(weights(&estimate), [90, 0]);
    let unequal = LoadOptions {
        tensor_split: vec![2.0, 1.0],
        ..options(GpuLayers::All)
    };
    assert_eq!(weights(&told(&unequal, &both)), [60, 30, 0]);
}

#[test]
fn the_cache_grows_with_the_context_and_stays_where_it_is_put() {
    let cache = |tokens, kv_on_cpu| {
        let options = LoadOptions {
            context_length: ContextLength::Tokens(tokens),
            kv_on_cpu,
            ..options(GpuLayers::All)
        };
        let estimate = told(&options, &computer(&[24 * GB]));
        assert_eq!(estimate.context_length, tokens);
        let of = |row: &DeviceEstimate| row.kv_cache.expect("it is known").0;
        estimate.devices.iter().map(of).collect::<Vec<_>>()
    };
    // 35 layers of 2 caches of 512 numbers of 2 bytes.
    assert_eq!(cache(8192, false), [71_680 * 8192, 0]);
    assert_eq!(cache(16_384, false), [71_680 * 16_384, 0]);
    assert_eq!(cache(8192, true), [0, 71_680 * 8192]);
}

#[test]
fn it_fits_where_each_device_has_room() {
    let fits = |cards: &[u64]| told(&options(GpuLayers::All), &computer(cards)).fits;
    assert_eq!(fits(&[24 * GB]), Some(true));
    assert_eq!(fits(&[5 * GB]), Some(false));
    let mut unknown = computer(&[]);
    unknown[0].memory_free = None;
    assert_eq!(told(&options(GpuLayers::Auto), &unknown).fits, None);
}

#[test]
fn what_the_header_does_not_tell_is_not_guessed() {
    let mut odd = facts();
    odd.kv = None;
    assert_eq!(
        rough(&odd, 9 * GB, &options(GpuLayers::Auto), &computer(&[])),
        None
    );
    let mut part = facts();
    part.weights = None;
    let estimate = rough(&part, 18 * GB, &options(GpuLayers::Auto), &computer(&[]));
    assert_eq!(estimate.map(|estimate| weights(&estimate)), Some(vec![180]));
}
