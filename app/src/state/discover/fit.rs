//! How a model of the list fits this machine, before its details tell: by the size of its usual file alone.

use hearth_protocol::ByteSize;
use hearth_protocol::catalogue::Fit;
use hearth_protocol::engine::{Device, DeviceKind};

/// What a short context and buffers take beside the weights, at least, in bytes.
const BESIDE: u64 = 512 << 20;

/// Where weights of this size would lie, a short context and a reserve of the memory included.
pub(super) fn rough(size: ByteSize, devices: &[Device]) -> Fit {
    let total = |kind: DeviceKind| -> u64 {
        let of_kind = devices.iter().filter(|device| device.kind == kind);
        of_kind
            .filter_map(|device| device.memory_total)
            .map(|total| total.0)
            .sum()
    };
    let memory = total(DeviceKind::Cpu) / 10 * 9;
    if memory == 0 {
        return Fit::Unknown;
    }
    let cards = total(DeviceKind::Gpu) / 10 * 9;
    let shares = devices
        .iter()
        .any(|device| device.kind == DeviceKind::IntegratedGpu);
    let needs = size.0.saturating_add(BESIDE).saturating_add(size.0 / 20);
    if needs <= cards || (shares && needs <= memory) {
        Fit::Gpu
    } else if cards > 0 && needs <= memory.saturating_add(cards) {
        Fit::Partly
    } else if needs <= memory {
        Fit::Cpu
    } else {
        Fit::TooLarge
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GB: u64 = 1_000_000_000;

    fn device(kind: DeviceKind, total: u64) -> Device {
        Device {
            name: "d".into(),
            description: "d".into(),
            kind,
            memory_total: Some(ByteSize(total)),
            memory_free: None,
        }
    }

    #[test]
    fn weights_go_to_the_card_then_to_both_then_to_the_memory() {
        let bare = [device(DeviceKind::Cpu, 16 * GB)];
        let card = [device(DeviceKind::Cpu, 16 * GB), device(DeviceKind::Gpu, 8 * GB)];
        let shared = [
            device(DeviceKind::Cpu, 16 * GB),
            device(DeviceKind::IntegratedGpu, 0),
        ];
        let cases: [(&[Device], u64, Fit); 8] = [
            (&bare, 5 * GB, Fit::Cpu),
            (&bare, 16 * GB, Fit::TooLarge),
            (&card, 5 * GB, Fit::Gpu),
            (&card, 9 * GB, Fit::Partly),
            (&card, 24 * GB, Fit::TooLarge),
            (&shared, 5 * GB, Fit::Gpu),
            (&shared, 16 * GB, Fit::TooLarge),
            (&[], GB, Fit::Unknown),
        ];
        for (devices, size, expected) in cases {
            assert_eq!(rough(ByteSize(size), devices), expected, "{size} on {devices:?}");
        }
    }
}
