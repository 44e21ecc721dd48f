//! What of loading a model is one of a few, or on or off.

use hearth_protocol::engine::{FlashAttention, KvType, LoadOptions, RopeOptions, RopeScaling, SplitMode};

/// One of a few.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LoadChoice {
    /// Flash attention.
    Flash(FlashAttention),
    /// The number format of the K cache.
    KvK(KvType),
    /// That of the V cache.
    KvV(KvType),
    /// How a model is split over several cards.
    Split(SplitMode),
    /// How positions are stretched; `None` as the model says.
    Rope(Option<RopeScaling>),
}

/// Something that is on or off.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum LoadSwitch {
    /// The file is mapped.
    Mmap,
    /// The model is kept from being swapped out.
    Mlock,
    /// The KV cache stays in main memory.
    KvOnCpu,
    /// Tokens are guessed ahead.
    Speculation,
}

impl LoadChoice {
    /// Whether it is so.
    pub(crate) fn is_so(self, options: &LoadOptions) -> bool {
        match self {
            Self::Flash(flash) => options.flash_attention == flash,
            Self::KvK(format) => options.kv_type_k == format,
            Self::KvV(format) => options.kv_type_v == format,
            Self::Split(mode) => options.split_mode == mode,
            Self::Rope(scaling) => options.rope.map(|rope| rope.scaling) == scaling,
        }
    }

    /// Makes it so, and what cannot be beside it otherwise.
    pub(crate) fn apply(self, options: &mut LoadOptions) {
        match self {
            Self::Flash(flash) => {
                options.flash_attention = flash;
                if flash == FlashAttention::Off && options.kv_type_v.is_quantised() {
                    options.kv_type_v = KvType::default();
                }
            }
            Self::KvK(format) => options.kv_type_k = format,
            Self::KvV(format) => {
                options.kv_type_v = format;
                if format.is_quantised() && options.flash_attention == FlashAttention::Off {
                    options.flash_attention = FlashAttention::Auto;
                }
            }
            Self::Split(mode) => options.split_mode = mode,
            Self::Rope(scaling) => {
                let before = options.rope;
                options.rope = scaling.map(|scaling| RopeOptions {
                    scaling,
                    ..before.unwrap_or(RopeOptions {
                        scaling,
                        freq_base: 0.0,
                        freq_scale: 0.0,
                        yarn_original_context: 0,
                    })
                });
            }
        }
    }
}

impl LoadSwitch {
    /// Whether it is on.
    pub(crate) fn is_on(&self, options: &LoadOptions) -> bool {
        match self {
            Self::Mmap => options.mmap,
            Self::Mlock => options.mlock,
            Self::KvOnCpu => options.kv_on_cpu,
            Self::Speculation => options.ngram_speculation,
        }
    }

    /// Switches it.
    pub(crate) fn set(&self, options: &mut LoadOptions, on: bool) {
        *match self {
            Self::Mmap => &mut options.mmap,
            Self::Mlock => &mut options.mlock,
            Self::KvOnCpu => &mut options.kv_on_cpu,
            Self::Speculation => &mut options.ngram_speculation,
        } = on;
    }
}
