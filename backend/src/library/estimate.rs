//! What a model takes in memory, reckoned from its header alone: for files that are not here, and for quick decisions.
//!
//! llama.cpp's own count, made in a worker, is the truth. This one needs no worker and no file, is within a tenth of it
//! for models of usual make, and says `None` rather than a wrong number for the others.

#[cfg(test)]
mod tests;

use std::path::Path;

use hearth_protocol::engine::{ContextLength, FlashAttention, KvType, LoadOptions};

use serde::{Deserialize, Serialize};

use super::gguf::{Gguf, GgufError, Value};

/// Longest context that is taken without being asked for where it cannot be reckoned what fits, in tokens.
const UNRECKONED_CONTEXT: u32 = 8192;
/// Shortest context that is taken without being asked for, in tokens.
const LEAST_CONTEXT: u32 = 2048;
/// llama.cpp makes contexts of a multiple of this many tokens.
const CONTEXT_STEP: u32 = 256;

/// What a file says of itself that decides how much memory it takes.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Facts {
    /// Bytes of the file, which are nearly all weights; `None` where it is one of several.
    pub(crate) weights: Option<u64>,
    /// `general.type`, such as `model` or `adapter`.
    pub(crate) kind: Option<String>,
    /// Tokens of context it was trained for.
    pub(crate) trained_context: Option<u32>,
    /// Numbers per token in the K cache and in the V cache: of each layer, and how many layers there are. `None` for
    /// models whose memory does not grow in this way.
    pub(crate) kv: Option<KvShape>,
    /// Width of the text in the model.
    embedding: Option<u32>,
    /// Width of its feed-forward layers.
    feed_forward: Option<u32>,
    /// Attention heads.
    heads: Option<u32>,
    /// Width of all heads together, where it is not that of the text.
    attention: Option<u64>,
    /// Whether some layers look back through a window only, and so have a mask of their own.
    has_window: bool,
    /// Tokens of the vocabulary.
    vocabulary: Option<u64>,
}

/// The KV cache of a model whose layers are all alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct KvShape {
    layers: u64,
    /// Numbers per token and layer in the K cache.
    k: u64,
    /// Numbers per token and layer in the V cache.
    v: u64,
}

/// What a load takes. `None` is unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Estimate {
    /// Tokens of the context that it is reckoned for.
    pub(crate) context_length: u32,
    /// Bytes of the weights.
    pub(crate) weights: Option<u64>,
    /// Bytes of the KV cache.
    pub(crate) kv: Option<u64>,
    /// Bytes of the buffers for computing.
    pub(crate) compute: Option<u64>,
}

impl Estimate {
    /// All of it; `None` where a part of it is unknown.
    #[cfg(test)]
    pub(crate) fn total(&self) -> Option<u64> {
        let parts = [self.weights?, self.kv?, self.compute?];
        parts.into_iter().try_fold(0, u64::checked_add)
    }

    /// What is known of it, which is no more than all of it.
    pub(crate) fn at_least(&self) -> u64 {
        let parts = [self.weights, self.kv, self.compute];
        parts.into_iter().flatten().fold(0, u64::saturating_add)
    }
}

impl Facts {
    /// The facts in a file's header.
    ///
    /// # Errors
    /// [`GgufError`] says what is wrong with the file.
    pub(crate) fn open(path: &Path) -> Result<Self, GgufError> {
        let gguf = Gguf::open(path)?;
        let length = path.metadata().ok().map(|about| about.len());
        Ok(Self::new(&gguf, length))
    }

    /// The facts in a header of a file of so many bytes.
    pub(crate) fn new(gguf: &Gguf, file_bytes: Option<u64>) -> Self {
        let architecture = gguf.text("general.architecture").unwrap_or_default();
        let number = |key: &str| gguf.number(&format!("{architecture}.{key}"));
        // Without it, 0 and 1 all mean that the file is the whole model.
        let is_whole = gguf.number("split.count").unwrap_or(0) <= 1;
        let heads = number("attention.head_count").filter(|heads| *heads > 0);
        Self {
            weights: file_bytes.filter(|_| is_whole),
            kind: gguf.text("general.type").map(str::to_owned),
            trained_context: number("context_length").filter(|tokens| *tokens > 0),
            kv: kv_shape(gguf, architecture),
            embedding: number("embedding_length").filter(|width| *width > 0),
            feed_forward: number("feed_forward_length").filter(|width| *width > 0),
            heads,
            attention: heads
                .zip(number("attention.key_length"))
                .map(|(heads, width)| u64::from(heads) * u64::from(width)),
            has_window: number("attention.sliding_window").is_some_and(|tokens| tokens > 0),
            vocabulary: match gguf.get("tokenizer.ggml.tokens") {
                Some(Value::Array(tokens)) => Some(*tokens),
                _ => number("vocab_size").map(u64::from),
            },
        }
    }

    /// Layers of the model, without the output; `None` where they are not all alike.
    pub(crate) fn layers(&self) -> Option<u32> {
        self.kv.and_then(|kv| u32::try_from(kv.layers).ok())
    }

    /// Bytes of the KV cache for a context of this many tokens.
    pub(crate) fn kv_bytes(&self, tokens: u32, options: &LoadOptions) -> Option<u64> {
        let cells = u64::from(tokens).next_multiple_of(CONTEXT_STEP.into());
        self.kv?.bytes_per_token(options)?.checked_mul(cells)
    }

    /// The longest context, up to the trained one, whose KV cache and share of the buffers for computing take no more than
    /// `room` bytes, in whole steps of 256 tokens. Where that cannot be reckoned, 8,192 tokens at the most. At least 2,048, or the trained one where that is
    /// shorter.
    pub(crate) fn auto_context(&self, options: &LoadOptions, room: Option<u64>) -> u32 {
        let trained = self.trained_context.unwrap_or(UNRECKONED_CONTEXT);
        let per_token = || {
            let kv = self.kv?.bytes_per_token(options)?;
            kv.checked_add(attention_bytes_per_token(self, options)?)
        };
        let fits = match (room, per_token()) {
            (Some(room), Some(per_token)) if per_token > 0 => {
                let steps = room / per_token / u64::from(CONTEXT_STEP);
                u32::try_from(steps.saturating_mul(CONTEXT_STEP.into())).unwrap_or(u32::MAX)
            }
            _ => UNRECKONED_CONTEXT,
        };
        fits.max(LEAST_CONTEXT).min(trained)
    }
}

/// What loading a model with these options takes, reckoned from its header. `room` are the bytes that a context whose
/// length is left to the engine may take.
pub(crate) fn quick_estimate(facts: &Facts, options: &LoadOptions, room: Option<u64>) -> Estimate {
    let context_length = match options.context_length {
        ContextLength::Tokens(tokens) => tokens,
        ContextLength::Auto => facts.auto_context(options, room),
    };
    Estimate {
        context_length,
        weights: facts.weights,
        kv: facts.kv_bytes(context_length, options),
        compute: compute_bytes(facts, options, context_length),
    }
}

/// What of the free memory a context may take that nobody asked for: what the weights leave, and half of it at most, as
/// others need memory too.
pub(crate) fn context_room(free: u64, weights: u64) -> u64 {
    free.saturating_sub(weights).min(free / 2)
}

impl KvShape {
    fn bytes_per_token(self, options: &LoadOptions) -> Option<u64> {
        let k = row_bytes(self.k, options.kv_type_k)?;
        let v = row_bytes(self.v, options.kv_type_v)?;
        k.checked_add(v)?.checked_mul(self.layers)
    }
}

/// How the KV cache of a model grows. `None` for recurrent and mixed models, for layers that differ, and where a number
/// is missing or 0.
fn kv_shape(gguf: &Gguf, architecture: &str) -> Option<KvShape> {
    /// Keys of layers that keep something other than K and V of each token, or share them.
    const OTHERWISE: [&str; 6] = [
        "ssm.conv_kernel",
        "ssm.state_size",
        "wkv.head_size",
        "shortconv.l_cache",
        "full_attention_interval",
        "attention.shared_kv_layers",
    ];
    let key = |name: &str| format!("{architecture}.{name}");
    if OTHERWISE.iter().any(|name| gguf.get(&key(name)).is_some()) {
        return None;
    }
    let number = |name: &str| {
        gguf.number(&key(name))
            .filter(|number| *number > 0)
            .map(u64::from)
    };
    // A key that is there and is no such number, such as one number per layer, is no reason to guess.
    let or = |name: &str, other: Option<u64>| {
        if gguf.get(&key(name)).is_some() {
            number(name)
        } else {
            other
        }
    };
    let heads = number("attention.head_count")?;
    let kv_heads = or("attention.head_count_kv", Some(heads))?;
    let head = number("embedding_length").map(|width| width / heads);
    let k = or("attention.key_length", head)?.checked_mul(kv_heads)?;
    // Latent attention keeps its V within K.
    let v = if gguf.get(&key("attention.key_length_mla")).is_some() {
        0
    } else {
        or("attention.value_length", head)?.checked_mul(kv_heads)?
    };
    let predicting = number("nextn_predict_layers").unwrap_or(0);
    let layers = number("block_count")?.checked_sub(predicting)?;
    (k > 0).then_some(KvShape { layers, k, v })
}

/// Bytes of so many numbers in this format; `None` where they do not fill its blocks, which llama.cpp refuses.
fn row_bytes(numbers: u64, format: KvType) -> Option<u64> {
    // Numbers and bytes of a block (`ggml-common.h`).
    let (block, bytes) = match format {
        KvType::F32 => (1, 4),
        KvType::F16 | KvType::Bf16 => (1, 2),
        KvType::Q8_0 => (32, 34),
        KvType::Q5_0 => (32, 22),
        KvType::Q5_1 => (32, 24),
        KvType::Q4_0 => (32, 18),
        KvType::Q4_1 => (32, 20),
    };
    numbers
        .is_multiple_of(block)
        .then(|| (numbers / block).checked_mul(bytes))?
}

/// Bytes of a number while computing.
const NUMBER: u64 = 4;

/// Rows of logits that the worker makes room for beyond one per slot (`shape` in its context.rs).
const SPARE_ROWS: u64 = 12;

/// Bytes of the masks that say what a token may look at, per token of the context and token that is computed.
fn mask_bytes(facts: &Facts, options: &LoadOptions) -> u64 {
    let masks = if facts.has_window { 2 } else { 1 };
    match options.flash_attention {
        FlashAttention::Off => masks * NUMBER,
        FlashAttention::Auto | FlashAttention::On => masks * NUMBER / 2,
    }
}

/// Bytes of the buffers for computing that each further token of the context costs.
fn attention_bytes_per_token(facts: &Facts, options: &LoadOptions) -> Option<u64> {
    let scores = match options.flash_attention {
        FlashAttention::Off => u64::from(facts.heads?) * NUMBER,
        FlashAttention::Auto | FlashAttention::On => 0,
    };
    let batch = u64::from(options.micro_batch_size.min(options.batch_size));
    batch.checked_mul(mask_bytes(facts, options) + scores)
}

/// Bytes of the buffers for computing, which are as large as what lives at once at the widest place: the attention, the
/// feed-forward layer, or the logits. Found by comparison with llama.cpp's own count (b11434).
fn compute_bytes(facts: &Facts, options: &LoadOptions, context: u32) -> Option<u64> {
    let batch = u64::from(options.micro_batch_size.min(options.batch_size).min(context));
    let cells = u64::from(context).next_multiple_of(CONTEXT_STEP.into());
    let embedding = u64::from(facts.embedding?);
    let of_batch = |numbers: u64| numbers.checked_mul(batch)?.checked_mul(NUMBER);

    let masks = mask_bytes(facts, options)
        .checked_mul(cells)?
        .checked_mul(batch)?;
    let attention = match options.flash_attention {
        FlashAttention::Off => {
            let scores = u64::from(facts.heads?).checked_mul(cells)?;
            let projections = facts.attention.unwrap_or(embedding).checked_mul(3)?;
            of_batch(scores.checked_add(projections)?)?
        }
        FlashAttention::Auto | FlashAttention::On => 0,
    };
    let feed_forward = of_batch(3 * u64::from(facts.feed_forward?))?;
    let rows = u64::from(options.parallel_slots) + SPARE_ROWS;
    let logits = rows.checked_mul(facts.vocabulary?)?.checked_mul(NUMBER)?;
    // By then the masks are done with, and where they were there may be room.
    let logits = if logits <= masks { 0 } else { logits };
    let widest = attention.max(feed_forward).max(logits);
    masks.checked_add(of_batch(5 * embedding)?)?.checked_add(widest)
}
