//! The numbers of how a model is loaded: what each is called, how far it goes, and where its value stands.

use hearth_protocol::engine::{ContextLength, GpuLayers, LoadOptions, RopeOptions, RopeScaling};

use crate::state::number::{Shape, Slider};
use crate::text::key;

/// Shortest context that makes sense, in tokens, and where its slider ends for a model that does not say what it was
/// trained for.
const SHORT_CONTEXT: f64 = 512.0;
const USUAL_CONTEXT: f64 = 32_768.0;
/// llama.cpp makes contexts of a multiple of this many tokens.
const CONTEXT_STEP: f64 = 256.0;
/// Most layers of any model that is known, by far.
const MOST_LAYERS: f64 = 1_000.0;
/// Most threads llama.cpp computes with, and most requests at once (`LoadOptions::validate`).
const MOST_THREADS: f64 = 512.0;
const MOST_SLOTS: f64 = 64.0;

/// A number of the dialog.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum LoadNumber {
    Context,
    GpuLayers,
    Threads,
    Slots,
    Batch,
    MicroBatch,
    MoeLayers,
    Seed,
    RopeBase,
    RopeScale,
    YarnContext,
}

/// What the ends of sliders depend on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Bounds {
    /// Tokens of context the model was trained for.
    pub(crate) trained: Option<u32>,
    /// Layers of the model, the output layer counted.
    pub(crate) layers: Option<u32>,
    /// Threads that this machine computes with side by side.
    pub(crate) threads: Option<u32>,
}

impl LoadNumber {
    pub(crate) const ALL: [Self; 11] = [
        Self::Context,
        Self::GpuLayers,
        Self::Threads,
        Self::Slots,
        Self::Batch,
        Self::MicroBatch,
        Self::MoeLayers,
        Self::Seed,
        Self::RopeBase,
        Self::RopeScale,
        Self::YarnContext,
    ];

    /// What it is like for a model within these bounds.
    pub(crate) fn shape(self, bounds: Bounds) -> Shape {
        let most = f64::from(u32::MAX);
        let slider = |from: f64, to: Option<u32>, rooted| {
            let to = f64::from(to?);
            (from < to).then_some(Slider { from, to, rooted })
        };
        match self {
            Self::Context => Shape {
                step: CONTEXT_STEP,
                slider: slider(
                    SHORT_CONTEXT,
                    Some(bounds.trained.unwrap_or(USUAL_CONTEXT as u32)),
                    true,
                ),
                empty: Some(key!("load-empty-auto")),
                ..Shape::counted(key!("load-context"), key!("load-context-help"), (16.0, most))
            },
            Self::GpuLayers => Shape {
                slider: slider(0.0, bounds.layers, false),
                empty: Some(key!("load-empty-auto")),
                ..Shape::counted(
                    key!("load-gpu-layers"),
                    key!("load-gpu-layers-help"),
                    (0.0, MOST_LAYERS),
                )
            },
            Self::Threads => Shape {
                slider: slider(1.0, bounds.threads, false),
                empty: Some(key!("load-empty-auto")),
                ..Shape::counted(
                    key!("load-threads"),
                    key!("load-threads-help"),
                    (1.0, MOST_THREADS),
                )
            },
            Self::Slots => Shape::counted(key!("load-slots"), key!("load-slots-help"), (1.0, MOST_SLOTS)),
            Self::Batch => Shape {
                step: 64.0,
                ..Shape::counted(key!("load-batch"), key!("load-batch-help"), (1.0, most))
            },
            Self::MicroBatch => Shape {
                step: 64.0,
                ..Shape::counted(
                    key!("load-micro-batch"),
                    key!("load-micro-batch-help"),
                    (1.0, most),
                )
            },
            Self::MoeLayers => Shape::counted(
                key!("load-moe-layers"),
                key!("load-moe-layers-help"),
                (0.0, MOST_LAYERS),
            ),
            Self::Seed => Shape {
                grouped: false,
                empty: Some(key!("number-empty-random")),
                ..Shape::counted(key!("load-seed"), key!("load-seed-help"), (0.0, most))
            },
            Self::RopeBase => Shape {
                whole: false,
                step: 1_000.0,
                empty: Some(key!("load-empty-own")),
                ..Shape::counted(key!("load-rope-base"), key!("load-rope-base-help"), (0.0, 1e9))
            },
            Self::RopeScale => Shape {
                whole: false,
                step: 0.05,
                empty: Some(key!("load-empty-own")),
                ..Shape::counted(key!("load-rope-scale"), key!("load-rope-scale-help"), (0.0, 1e3))
            },
            Self::YarnContext => Shape {
                step: CONTEXT_STEP,
                empty: Some(key!("load-empty-own")),
                ..Shape::counted(
                    key!("load-yarn-context"),
                    key!("load-yarn-context-help"),
                    (0.0, most),
                )
            },
        }
    }

    /// Its name among the elements of the window.
    pub(crate) fn name(self) -> &'static str {
        let key = self.shape(Bounds::default()).label.0;
        key.strip_prefix("load-").unwrap_or(key)
    }

    /// Its value; `None` where it is left to the engine, or to the model.
    pub(crate) fn read(self, from: &LoadOptions, bounds: Bounds) -> Option<f64> {
        let rope = |part: fn(RopeOptions) -> f64| from.rope.map(part).filter(|value| *value != 0.0);
        match self {
            Self::Context => match from.context_length {
                ContextLength::Auto => None,
                ContextLength::Tokens(tokens) => Some(tokens.into()),
            },
            Self::GpuLayers => match from.gpu_layers {
                GpuLayers::Auto => None,
                GpuLayers::Count(count) => Some(count.into()),
                GpuLayers::All => Some(bounds.layers.map_or(MOST_LAYERS, f64::from)),
            },
            Self::Threads => from.threads.map(f64::from),
            Self::Slots => Some(from.parallel_slots.into()),
            Self::Batch => Some(from.batch_size.into()),
            Self::MicroBatch => Some(from.micro_batch_size.into()),
            Self::MoeLayers => Some(from.moe_layers_on_cpu.into()),
            Self::Seed => from.seed.map(f64::from),
            Self::RopeBase => rope(|rope| rope.freq_base.into()),
            Self::RopeScale => rope(|rope| rope.freq_scale.into()),
            Self::YarnContext => rope(|rope| rope.yarn_original_context.into()),
        }
    }

    /// Sets its value, which is within its range.
    pub(crate) fn write(self, to: &mut LoadOptions, value: Option<f64>, bounds: Bounds) {
        // Within the range, which ends before these numbers do.
        let whole = value.map(|value| value.round() as u32);
        match self {
            Self::Context => {
                to.context_length = whole.map_or(ContextLength::Auto, ContextLength::Tokens);
            }
            Self::GpuLayers => {
                to.gpu_layers = match whole {
                    None => GpuLayers::Auto,
                    Some(count) if bounds.layers.is_some_and(|layers| count >= layers) => GpuLayers::All,
                    Some(count) => GpuLayers::Count(count),
                };
            }
            Self::Threads => to.threads = whole,
            Self::Slots => to.parallel_slots = whole.unwrap_or(to.parallel_slots),
            Self::Batch => {
                to.batch_size = whole.unwrap_or(to.batch_size);
                to.micro_batch_size = to.micro_batch_size.min(to.batch_size);
            }
            Self::MicroBatch => {
                to.micro_batch_size = whole.unwrap_or(to.micro_batch_size);
                to.batch_size = to.batch_size.max(to.micro_batch_size);
            }
            Self::MoeLayers => to.moe_layers_on_cpu = whole.unwrap_or_default(),
            Self::Seed => to.seed = whole,
            Self::RopeBase | Self::RopeScale | Self::YarnContext => {
                let rope = to.rope.get_or_insert(RopeOptions {
                    scaling: RopeScaling::Linear,
                    freq_base: 0.0,
                    freq_scale: 0.0,
                    yarn_original_context: 0,
                });
                match self {
                    Self::RopeBase => rope.freq_base = value.unwrap_or_default() as f32,
                    Self::RopeScale => rope.freq_scale = value.unwrap_or_default() as f32,
                    _ => rope.yarn_original_context = whole.unwrap_or_default(),
                }
            }
        }
    }
}
