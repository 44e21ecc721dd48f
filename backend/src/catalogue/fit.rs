//! How the files of a model fit this machine. Pure: the machine and the sizes come in.

use hearth_protocol::ByteSize;
use hearth_protocol::catalogue::{CatalogueFile, Fit, FitEstimate};
use hearth_protocol::engine::{Device, DeviceKind};
use hearth_protocol::settings::MemoryGuard;

use crate::engine::CARD_MARGIN;

/// Tokens of the context that files are held against where nobody says how many.
const DEFAULT_CONTEXT: u32 = 8192;

/// Bytes of the buffers for computing where the file cannot be asked.
const ROUGH_BUFFERS: u64 = 256 << 20;

/// Bytes of K and V of one token in one layer, of usual make: 8 heads of 128 numbers each, in F16.
const ROUGH_LAYER: u64 = 2 * 8 * 128 * 2;

/// Tokens of the context that a model's files are held against where nobody says how many: 8,192, or all it was trained
/// for where that is less.
pub(super) fn default_context(trained: Option<u32>) -> u32 {
    trained.unwrap_or(DEFAULT_CONTEXT).min(DEFAULT_CONTEXT)
}

/// What models may take on this machine, in bytes. `None` is unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Machine {
    /// On graphics cards with memory of their own, together.
    cards: u64,
    /// Whether graphics that share the main memory can compute.
    has_shared_graphics: bool,
    /// Of the main memory.
    memory: Option<u64>,
}

impl Machine {
    /// What these devices have, less what the guard keeps back. All of it counts, not what is free now: other models
    /// and programs go.
    pub(crate) fn new(devices: &[Device], guard: MemoryGuard) -> Self {
        let total = |device: &Device| device.memory_total.filter(|total| total.0 > 0);
        let of_kind = |kind| devices.iter().filter(move |device| device.kind == kind);
        let memory = of_kind(DeviceKind::Cpu).find_map(total);
        Self {
            cards: of_kind(DeviceKind::Gpu)
                .filter_map(total)
                .map(|total| total.0.saturating_sub(CARD_MARGIN))
                .sum(),
            has_shared_graphics: of_kind(DeviceKind::IntegratedGpu).next().is_some(),
            memory: memory.map(|total| guard.limit(Some(total)).unwrap_or(total).0),
        }
    }

    /// Bytes of the largest load that fits, on cards and in main memory together.
    pub(super) fn largest_load(&self) -> Option<u64> {
        self.memory.map(|memory| memory.saturating_add(self.cards))
    }

    /// Where this much memory would be taken.
    fn fit(&self, bytes: u64) -> Fit {
        let Some(memory) = self.memory else {
            return Fit::Unknown;
        };
        let on_graphics = bytes <= self.cards || (self.has_shared_graphics && bytes <= memory);
        if on_graphics {
            Fit::Gpu
        } else if self.cards > 0 && bytes <= memory.saturating_add(self.cards) {
            Fit::Partly
        } else if bytes <= memory {
            Fit::Cpu
        } else {
            Fit::TooLarge
        }
    }
}

/// Bytes that a context takes besides the weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ContextBytes {
    pub(crate) bytes: u64,
    /// Whether it is a rule of thumb.
    pub(crate) is_rough: bool,
}

impl ContextBytes {
    /// A rule of thumb for files that are not here: the layers of a model grow with the cube root of its parameters, 18
    /// of them for a billion and 36 for eight, and most models since 2024 keep 8 heads of 128 numbers in each.
    /// Where the parameters are unknown, two for each byte of the file, as in 4-bit files.
    pub(crate) fn rough(parameters: Option<u64>, file: Option<ByteSize>, tokens: u32) -> Option<Self> {
        let parameters = parameters.or_else(|| Some(file?.0.saturating_mul(2)))?;
        let billions = parameters as f64 / 1e9;
        let layers = (18.0 * billions.cbrt()).ceil().max(16.0) as u64;
        let kv = u64::from(tokens).saturating_mul(layers * ROUGH_LAYER);
        Some(Self {
            bytes: kv.saturating_add(ROUGH_BUFFERS),
            is_rough: true,
        })
    }
}

/// Says of a model file how it fits. One whose size or whose context is unknown stays unknown.
pub(crate) fn judge(file: &mut CatalogueFile, context: Option<ContextBytes>, machine: &Machine) {
    let (Some(size), Some(context), Some(memory)) = (file.size, context, machine.memory) else {
        return;
    };
    let estimate = FitEstimate {
        weights: size,
        context: ByteSize(context.bytes),
        is_rough: context.is_rough,
        gpu_room: ByteSize(if machine.has_shared_graphics {
            memory
        } else {
            machine.cards
        }),
        memory_room: ByteSize(memory),
    };
    file.fit = machine.fit(estimate.total().0);
    file.estimate = Some(estimate);
}

#[cfg(test)]
mod tests;
