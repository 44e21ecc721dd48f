//! How the files of a model fit this machine, and which of them to take. Pure: the machine and the sizes come in.

use hearth_protocol::ByteSize;
use hearth_protocol::catalogue::{CatalogueFile, FileRole, Fit, FitEstimate};
use hearth_protocol::engine::{Device, DeviceKind};
use hearth_protocol::settings::MemoryGuard;

/// Memory to leave free on each card, in bytes, as the engine does when it places layers.
const CARD_MARGIN: u64 = 1 << 30;

/// Tokens of the context that files are held against where nobody says how many.
const DEFAULT_CONTEXT: u32 = 8192;

/// Bytes of the buffers for computing where the file cannot be asked.
const ROUGH_BUFFERS: u64 = 256 << 20;

/// Bytes of K and V of one token in one layer, of usual make: 8 heads of 128 numbers each, in F16.
const ROUGH_LAYER: u64 = 2 * 8 * 128 * 2;

/// Bits per weight from which on little of a model's quality is lost: those of Q4_K_M are 4.5 to 5.
const GOOD_BITS: f64 = 4.0;

/// Bits per weight that are best taken: a good half more costs twice the memory and is hardly better.
const BEST_BITS: f64 = 5.2;

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

/// Marks the one file to take on this machine and says why. `usual` is the catalogue's own choice; `parameters` tell how
/// many bits each weight has.
pub(crate) fn recommend(files: &mut [CatalogueFile], usual: Option<&str>, parameters: Option<u64>) {
    let bits = |file: &CatalogueFile| {
        let (size, parameters) = (file.size?.0 as f64, parameters.filter(|count| *count > 0)? as f64);
        Some(size * 8.0 / parameters)
    };
    let is_good = |file: &CatalogueFile| bits(file).is_none_or(|bits| bits >= GOOD_BITS);
    let usable: Vec<usize> = files
        .iter()
        .enumerate()
        .filter(|(_, file)| file.role == FileRole::Model && file.missing_parts.is_empty())
        .map(|(place, _)| place)
        .collect();
    let among = |wanted: &dyn Fn(&CatalogueFile) -> bool| {
        let fitting: Vec<usize> = usable
            .iter()
            .copied()
            .filter(|place| wanted(&files[*place]))
            .collect();
        let is_usual = |place: &usize| usual.is_some_and(|usual| files[*place].name == usual);
        let nearest = |place: &usize| {
            let file = &files[*place];
            // Without parameters the smaller file.
            let distance = bits(file).map_or(0.0, |bits| (bits - BEST_BITS).abs());
            (distance * 100.0, file.size.map_or(f64::MAX, |size| size.0 as f64))
        };
        let chosen = fitting.iter().copied().find(is_usual);
        chosen.or_else(|| {
            fitting.into_iter().min_by(|a, b| {
                nearest(a)
                    .partial_cmp(&nearest(b))
                    .unwrap_or(std::cmp::Ordering::Equal)
            })
        })
    };
    let smallest = || {
        let sizes = usable
            .iter()
            .copied()
            .filter(|place| files[*place].size.is_some());
        sizes.min_by_key(|place| files[*place].size)
    };
    let fits = |file: &CatalogueFile| matches!(file.fit, Fit::Gpu | Fit::Partly | Fit::Cpu);
    let choice = among(&|file| file.fit == Fit::Gpu && is_good(file))
        .map(|place| {
            (
                place,
                "all of it fits on the GPU, and little of the quality is lost",
            )
        })
        .or_else(|| {
            among(&|file| file.fit == Fit::Partly && is_good(file)).map(|place| {
                (
                    place,
                    "it fits into GPU and main memory together, and little of the quality is lost",
                )
            })
        })
        .or_else(|| {
            among(&|file| file.fit == Fit::Cpu && is_good(file))
                .map(|place| (place, "it fits in main memory, and little of the quality is lost"))
        })
        .or_else(|| among(&fits).map(|place| (place, "larger files do not fit; it loses some quality")))
        .or_else(|| {
            among(&|file| file.fit == Fit::Unknown)
                .map(|place| (place, "it is the usual choice; whether it fits cannot be known"))
        })
        .or_else(|| smallest().map(|place| (place, "no file fits this machine; it is the smallest")));
    if let Some((place, reason)) = choice {
        files[place].recommended = Some(reason.to_owned());
    }
}

#[cfg(test)]
mod tests;
