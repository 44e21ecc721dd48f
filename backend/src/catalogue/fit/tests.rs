use hearth_protocol::catalogue::CatalogueFile;
use proptest::prelude::*;

use super::super::files::fold;
use super::super::files::tests::raw;
use super::*;

const GB: u64 = 1_000_000_000;

fn device(kind: DeviceKind, total: u64) -> Device {
    Device {
        name: String::new(),
        description: String::new(),
        kind,
        memory_total: Some(ByteSize(total)),
        memory_free: None,
    }
}

/// A machine whose guard keeps nothing back.
fn machine(memory: u64, card: u64) -> Machine {
    let mut devices = vec![device(DeviceKind::Cpu, memory)];
    if card > 0 {
        devices.push(device(DeviceKind::Gpu, card + CARD_MARGIN));
    }
    Machine::new(&devices, MemoryGuard::Off)
}

fn files(sizes: &[(&str, u64)]) -> Vec<CatalogueFile> {
    fold(sizes.iter().map(|(name, size)| raw(name, *size)).collect())
}

#[test]
fn the_place_of_a_model_follows_from_the_memory() {
    let cases = [
        (machine(64 * GB, 24 * GB), 20 * GB, Fit::Gpu),
        (machine(64 * GB, 24 * GB), 30 * GB, Fit::Partly),
        (machine(64 * GB, 24 * GB), 89 * GB, Fit::TooLarge),
        (machine(64 * GB, 0), 20 * GB, Fit::Cpu),
        (machine(16 * GB, 0), 20 * GB, Fit::TooLarge),
        (Machine::new(&[], MemoryGuard::Off), GB, Fit::Unknown),
    ];
    for (machine, bytes, fit) in cases {
        assert_eq!(machine.fit(bytes), fit, "{machine:?} {bytes}");
    }
}

#[test]
fn graphics_that_share_the_main_memory_hold_what_it_holds() {
    let devices = [
        device(DeviceKind::Cpu, 10 * GB),
        device(DeviceKind::IntegratedGpu, 8 * GB),
    ];
    let machine = Machine::new(&devices, MemoryGuard::Balanced);
    assert_eq!(machine.fit(8 * GB), Fit::Gpu);
    // The guard leaves 15 % to others.
    assert_eq!(machine.fit(9 * GB), Fit::TooLarge);
}

#[test]
fn a_rule_of_thumb_needs_parameters_or_a_size() {
    let rough = |parameters, size: Option<u64>| {
        ContextBytes::rough(parameters, size.map(ByteSize), DEFAULT_CONTEXT).map(|context| context.bytes)
    };
    // 36 layers of 4,096 bytes a token, and the buffers.
    assert_eq!(rough(Some(8 * GB), None), Some(8192 * 36 * 4096 + ROUGH_BUFFERS));
    assert_eq!(rough(None, Some(4 * GB)), rough(Some(8 * GB), None));
    assert_eq!(rough(None, None), None);
}

#[test]
fn the_numbers_behind_the_fit_are_told() {
    let mut files = files(&[("m-Q2_K.gguf", 3_100_000_000), ("m-Q4_K_M.gguf", 4_900_000_000)]);
    let context = ContextBytes {
        bytes: GB,
        is_rough: false,
    };
    judge(&mut files[0], Some(context), &machine(64 * GB, 24 * GB));
    let estimate = files[0].estimate.expect("an estimate");
    assert_eq!(estimate.total(), ByteSize(4_100_000_000));
    assert_eq!(
        (estimate.gpu_room, estimate.memory_room),
        (ByteSize(24 * GB), ByteSize(64 * GB))
    );
    assert!(!estimate.is_rough);
    judge(&mut files[1], None, &machine(64 * GB, 0));
    assert_eq!((files[1].fit, files[1].estimate), (Fit::Unknown, None));
}

proptest! {
    /// More memory never makes a fit worse, a longer context never better, and no number overflows.
    #[test]
    fn fits_are_monotonic(bytes in any::<u64>(), memory in any::<u64>(), card in 0..u64::MAX / 2, tokens in any::<u32>()) {
        let rank = |fit| match fit {
            Fit::Gpu => 0,
            Fit::Partly | Fit::Cpu => 1,
            Fit::TooLarge => 2,
            Fit::Unknown => 3,
        };
        let (small, large) = (machine(memory / 2, card / 2), machine(memory, card));
        if small.memory.is_some() {
            prop_assert!(rank(large.fit(bytes)) <= rank(small.fit(bytes)));
        }
        let rough = |tokens| ContextBytes::rough(Some(bytes), None, tokens).map(|context| context.bytes);
        prop_assert!(rough(tokens) >= rough(tokens / 2));
    }
}
