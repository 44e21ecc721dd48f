//! Layers on a graphics card, or on a software driver that plays one. They need a build with the Vulkan backend and
//! such a driver, so that only `./x test gpu` runs them.

use hearth_protocol::engine::{DeviceKind, GpuLayers, LoadOptions, ModelRef};

use crate::app::{App, context, greedy};
use crate::estimate::exact;
use crate::real_worker;

/// Tokens of an answer.
const TOKENS: u32 = 32;

fn layers(gpu_layers: GpuLayers) -> LoadOptions {
    LoadOptions {
        gpu_layers,
        ..context(512)
    }
}

/// The greedy answer with these layers on the card, and how many of how many those are.
fn answer(app: &App, gpu_layers: GpuLayers) -> (String, (u32, u32)) {
    let path = app.tiny();
    let model = app.load(&path, layers(gpu_layers)).expect("it loads");
    let answer = app.ask(&path, None, "Tell me something.", greedy(TOKENS));
    assert_eq!(answer.stats().generated_tokens, TOKENS);
    (answer.text().to_owned(), model.gpu_layers)
}

#[test]
#[ignore = "needs the Vulkan build of ./x test gpu"]
fn the_card_is_among_the_devices_with_its_memory() {
    let devices = App::real().client.devices().wait().expect("devices");
    let cards = devices.iter().filter(|device| device.kind != DeviceKind::Cpu);
    let card = cards.into_iter().next().unwrap_or_else(|| panic!("{devices:?}"));
    assert!(card.name.starts_with("Vulkan"), "{card:?}");
    assert!(
        card.memory_total.is_some() && card.memory_free.is_some(),
        "{card:?}"
    );
}

#[test]
#[ignore = "needs the Vulkan build of ./x test gpu"]
fn all_layers_or_half_of_them_on_the_card_answer_as_the_processor_does() {
    let app = App::real();
    let (processor, none) = answer(&app, GpuLayers::Count(0));
    assert_eq!(none, (0, 5));
    for (wished, count) in [
        (GpuLayers::All, 5),
        (GpuLayers::Auto, 5),
        (GpuLayers::Count(3), 3),
        (GpuLayers::Count(99), 5),
    ] {
        let (text, on_card) = answer(&app, wished);
        assert_eq!(on_card, (count, 5), "{wished:?}");
        assert_eq!(text, processor, "{wished:?}");
    }
}

#[test]
#[ignore = "needs the Vulkan build of ./x test gpu"]
fn what_goes_to_the_card_is_reckoned_for_it() {
    let app = App::real();
    let path = app.tiny();
    let estimate = |gpu_layers| {
        let model = ModelRef::Path(path.clone());
        let events = app.client.estimate_memory(model, layers(gpu_layers));
        exact(&events).expect("an estimate")
    };
    let none = estimate(GpuLayers::Count(0));
    assert_eq!(none.devices.len(), 1, "{none:?}");
    let all = estimate(GpuLayers::All);
    let [card, processor] = &all.devices[..] else {
        panic!("{all:?}");
    };
    assert!(card.device.starts_with("Vulkan"), "{all:?}");
    // The whole cache lies on the card, and of the weights all but the table of tokens.
    assert_eq!(card.kv_cache, none.devices[0].kv_cache);
    assert_eq!(processor.kv_cache.map(|bytes| bytes.0), Some(0));
    assert!(card.weights > processor.weights, "{all:?}");
    let half = estimate(GpuLayers::Count(3));
    assert!(
        half.devices[0].weights < card.weights && half.devices[0].kv_cache < card.kv_cache,
        "{half:?}"
    );
}

#[test]
#[ignore = "needs the Vulkan build of ./x test gpu"]
fn the_cache_can_stay_in_main_memory() {
    let app = App::real();
    let options = LoadOptions {
        kv_on_cpu: true,
        ..layers(GpuLayers::All)
    };
    let report = real_worker::load(&app.tiny(), &options, &[]);
    assert!(report.log.contains(" CPU KV buffer size"), "{}", report.log);
    assert!(!report.log.contains("Vulkan0 KV buffer size"), "{}", report.log);
}

#[test]
#[ignore = "needs the Vulkan build of ./x test gpu"]
fn a_card_is_chosen_by_name_and_so_is_the_processor() {
    let app = App::real();
    for (device, count) in [("Vulkan0", 5), ("vulkan0", 5), ("CPU", 0)] {
        let options = LoadOptions {
            devices: vec![device.into()],
            ..layers(GpuLayers::All)
        };
        let report = real_worker::load(&app.tiny(), &options, &[]);
        assert_eq!(report.answer["gpu_layers"][0], count, "{device}: {report:?}");
    }
}

#[test]
#[ignore = "needs the Vulkan build of ./x test gpu"]
fn without_its_driver_the_processor_computes_and_says_so() {
    let app = App::real();
    let nowhere = app.path("no-driver.json").display().to_string();
    let pulled = [
        ("VK_ICD_FILENAMES", nowhere.as_str()),
        ("VK_DRIVER_FILES", nowhere.as_str()),
    ];
    for gpu_layers in [GpuLayers::Auto, GpuLayers::All, GpuLayers::Count(2)] {
        let report = real_worker::load(&app.tiny(), &layers(gpu_layers), &pulled);
        assert_eq!(report.answer["response"], "loaded", "{report:?}");
        assert_eq!(report.answer["gpu_layers"][0], 0, "{report:?}");
        assert_eq!(report.notices().len(), 1, "{report:?}");
        assert!(report.notices()[0].contains("Vulkan driver"), "{report:?}");
    }
    // Who asked for the processor hears nothing of cards.
    let report = real_worker::load(&app.tiny(), &layers(GpuLayers::Count(0)), &pulled);
    assert_eq!(report.notices(), Vec::<&str>::new());
}

/// The system's part of Vulkan, without which the backend's library does not load.
#[test]
#[ignore = "needs the Vulkan build of ./x test gpu"]
fn without_the_library_of_vulkan_the_processor_computes_and_says_so() {
    let app = App::real();
    let folder = app.path("libraries");
    std::fs::create_dir(&folder).expect("made");
    // The system takes the first of this name, and it is no library.
    std::fs::write(folder.join("libvulkan.so.1"), "").expect("written");
    let others = std::env::var("LD_LIBRARY_PATH").unwrap_or_default();
    let path = format!("{}:{others}", folder.display());
    let report = real_worker::load(
        &app.tiny(),
        &layers(GpuLayers::Auto),
        &[("LD_LIBRARY_PATH", &path)],
    );
    assert_eq!(report.answer["response"], "loaded", "{report:?}");
    assert_eq!(report.answer["gpu_layers"][0], 0, "{report:?}");
    assert!(report.notices()[0].contains("Vulkan driver"), "{report:?}");
}
