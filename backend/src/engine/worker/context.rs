//! A llama.cpp context: the KV cache, what stands in it, and computing with it.
//!
//! The list of tokens here is exact after every call: it holds what llama.cpp's memory holds, one to one.

use std::ffi::c_void;
use std::marker::PhantomData;
use std::ptr::NonNull;
use std::sync::Arc;

use hearth_protocol::Result;
use hearth_protocol::engine::{ContextLength, FlashAttention, KvType, LoadOptions, RopeScaling};
use llama_cpp_2::token::LlamaToken;
use llama_cpp_sys_2 as sys;

use super::batch::{Batch, SEQUENCE};
use super::log::Log;
use super::model::{Model, failed};
use super::stop_flag::StopFlag;

/// Longest context that is taken without being asked for, in tokens. Models are trained for up to a million,
/// and a KV cache of that length fits few machines.
const AUTO_CONTEXT_LENGTH: u32 = 8192;

/// More threads than this end the process (`GGML_MAX_N_THREADS` of `ggml.h`).
const MOST_THREADS: u32 = 512;

/// Whether all tokens were computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Decoded {
    /// All; the logits of the last are there.
    All,
    /// Computing was stopped; some of the tokens may be in the cache.
    Stopped,
}

/// llama.cpp could not compute; the code is `llama_decode`'s.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("llama.cpp could not compute (code {0})")]
pub(super) struct ComputeError(i32);

/// A context of a model, with one sequence.
pub(super) struct Context<'model> {
    raw: NonNull<sys::llama_context>,
    model: PhantomData<&'model Model>,
    /// llama.cpp's abort callback reads it through a pointer.
    stop: Arc<StopFlag>,
    batch: Batch,
    /// What stands in the cache, from position 0.
    tokens: Vec<LlamaToken>,
    length: u32,
    /// Tokens that are computed at once.
    chunk: usize,
    threads: u32,
    recurrent: bool,
}

impl<'model> Context<'model> {
    /// Makes a context and computes one token with it, so that the first answer finds everything in place.
    ///
    /// # Errors
    /// `LoadFailed` with llama.cpp's reason, such as that the memory does not suffice.
    pub(super) fn new(
        model: &'model Model,
        options: &LoadOptions,
        stop: &Arc<StopFlag>,
        log: &Log,
    ) -> Result<Self> {
        log.take_complaint();
        let length = length(options.context_length, model.trained_context());
        let threads = options.threads.unwrap_or_else(physical_cores).min(MOST_THREADS);
        let params = params(options, length, threads, stop);
        // SAFETY: the model's handle is valid for 'model; this is the only thread that makes contexts of it; the
        // abort callback's data is a `StopFlag` that the `Arc` in this context keeps alive longer than the
        // context, and it may be read from any thread.
        let raw = unsafe { sys::llama_init_from_model(model.as_raw().as_ptr(), params) };
        let Some(raw) = NonNull::new(raw) else {
            return Err(failed(match log.take_complaint() {
                Some(reason) => format!("a context of {length} tokens could not be made: “{reason}”"),
                None => format!("a context of {length} tokens could not be made"),
            }));
        };
        // SAFETY: the context is valid, and the function only reads it.
        let chunk = unsafe { sys::llama_n_ubatch(raw.as_ptr()) } as usize;
        let mut context = Self {
            raw,
            model: PhantomData,
            stop: Arc::clone(stop),
            batch: Batch::new(),
            tokens: Vec::new(),
            length,
            chunk: chunk.max(1),
            threads,
            recurrent: model.is_recurrent(),
        };
        context.warm_up(model)?;
        Ok(context)
    }

    /// Tokens it holds at most.
    pub(super) fn length(&self) -> u32 {
        self.length
    }

    /// Tokens in its cache now.
    pub(super) fn used(&self) -> u32 {
        self.tokens.len() as u32
    }

    /// Whether no further token can be computed.
    pub(super) fn is_full(&self) -> bool {
        self.used() >= self.length
    }

    /// Tokens to compute at once.
    pub(super) fn chunk(&self) -> usize {
        self.chunk
    }

    /// Threads it computes with.
    pub(super) fn threads(&self) -> u32 {
        self.threads
    }

    /// llama.cpp's own handle, for sampling. Valid while this is.
    pub(super) fn as_raw(&mut self) -> *mut sys::llama_context {
        self.raw.as_ptr()
    }

    /// Keeps of the cache what `prompt` begins with and gives how many tokens that is. The last token of the
    /// prompt is never counted: it must be computed, since its logits are needed.
    pub(super) fn reuse(&mut self, prompt: &[LlamaToken]) -> usize {
        let wanted = common_prefix(&self.tokens, prompt).min(prompt.len().saturating_sub(1));
        self.cut(wanted);
        self.tokens.len()
    }

    /// Computes tokens behind those in the cache; at most `chunk` of them, and no more than fit.
    pub(super) fn decode(&mut self, tokens: &[LlamaToken]) -> std::result::Result<Decoded, ComputeError> {
        debug_assert!(!tokens.is_empty() && tokens.len() <= self.chunk);
        debug_assert!(self.tokens.len() + tokens.len() <= self.length as usize);
        // A backend without abort callback would compute all of it first.
        if self.stop.is_raised() {
            return Ok(Decoded::Stopped);
        }
        self.batch.fill(tokens, self.tokens.len());
        // SAFETY: the context is valid and used by this thread only; the batch points to arrays of the length it
        // names, which stay until the next `fill`.
        let code = unsafe {
            let code = sys::llama_decode(self.raw.as_ptr(), self.batch.as_raw());
            sys::llama_synchronize(self.raw.as_ptr());
            code
        };
        self.tokens.extend_from_slice(tokens);
        match code {
            0 => Ok(Decoded::All),
            ABORTED => {
                self.recount();
                Ok(Decoded::Stopped)
            }
            code => {
                self.recount();
                Err(ComputeError(code))
            }
        }
    }

    /// Shortens the list to what llama.cpp kept of a batch that it did not finish.
    fn recount(&mut self) {
        if self.recurrent {
            // The state may hold tokens of the batch that cannot be taken out of it again.
            return self.clear();
        }
        // SAFETY: the context is valid, and its memory with it.
        let last = unsafe { sys::llama_memory_seq_pos_max(self.memory(), SEQUENCE) };
        self.tokens.truncate(usize::try_from(last + 1).unwrap_or(0));
    }

    /// Removes everything behind the first `keep` tokens; where the model's memory cannot be cut, everything.
    fn cut(&mut self, keep: usize) {
        if keep >= self.tokens.len() {
            return;
        }
        // SAFETY: the context is valid, and its memory with it.
        let cut = unsafe { sys::llama_memory_seq_rm(self.memory(), SEQUENCE, keep as sys::llama_pos, -1) };
        if cut {
            self.tokens.truncate(keep);
        } else {
            self.clear();
        }
    }

    fn clear(&mut self) {
        // SAFETY: the context is valid, and its memory with it.
        unsafe { sys::llama_memory_clear(self.memory(), true) };
        self.tokens.clear();
    }

    fn memory(&self) -> sys::llama_memory_t {
        // SAFETY: the context is valid; it has a memory, since models without a decoder are refused.
        unsafe { sys::llama_get_memory(self.raw.as_ptr()) }
    }

    /// Brings the weights into memory and the buffers to their size.
    fn warm_up(&mut self, model: &Model) -> Result<()> {
        let vocabulary = model.vocabulary();
        let some = [vocabulary.bos(), vocabulary.eos(), LlamaToken(0)];
        let token = some
            .into_iter()
            .find(|token| token.0 >= 0)
            .unwrap_or(LlamaToken(0));
        let computed = self.decode(&[token]);
        self.clear();
        computed.map(drop).map_err(|error| failed(error.to_string()))
    }
}

impl Drop for Context<'_> {
    fn drop(&mut self) {
        // SAFETY: the context was made by `llama_init_from_model`, is freed only here, and its model still lives.
        unsafe { sys::llama_free(self.raw.as_ptr()) };
    }
}

/// `llama_decode`'s code for a computation that its abort callback ended (`llama.h`).
const ABORTED: i32 = 2;

/// llama.cpp asks between the steps of a computation whether to break it off.
unsafe extern "C" fn shall_abort(data: *mut c_void) -> bool {
    // SAFETY: `data` is the `StopFlag` that `params` was given; the context holds an `Arc` of it.
    let stop = unsafe { &*data.cast::<StopFlag>() };
    stop.is_raised()
}

fn params(
    options: &LoadOptions,
    length: u32,
    threads: u32,
    stop: &Arc<StopFlag>,
) -> sys::llama_context_params {
    // SAFETY: the function has no conditions.
    let mut params = unsafe { sys::llama_context_default_params() };
    let threads = i32::try_from(threads).unwrap_or(i32::MAX);
    params.n_ctx = length;
    params.n_batch = options.batch_size;
    params.n_ubatch = options.micro_batch_size;
    params.n_seq_max = 1;
    // Only the last token of a batch gives logits; room for more would cost hundreds of megabytes where the
    // vocabulary is large.
    params.n_outputs_max = 1;
    params.n_threads = threads;
    params.n_threads_batch = threads;
    params.flash_attn_type = match options.flash_attention {
        FlashAttention::Auto => sys::LLAMA_FLASH_ATTN_TYPE_AUTO,
        FlashAttention::On => sys::LLAMA_FLASH_ATTN_TYPE_ENABLED,
        FlashAttention::Off => sys::LLAMA_FLASH_ATTN_TYPE_DISABLED,
    };
    params.type_k = kv_type(options.kv_type_k);
    params.type_v = kv_type(options.kv_type_v);
    params.offload_kqv = !options.kv_on_cpu;
    // A sliding window that is kept whole can be cut at any place, which the next turn needs.
    params.swa_full = true;
    if let Some(rope) = options.rope {
        params.rope_scaling_type = match rope.scaling {
            RopeScaling::None => sys::LLAMA_ROPE_SCALING_TYPE_NONE,
            RopeScaling::Linear => sys::LLAMA_ROPE_SCALING_TYPE_LINEAR,
            RopeScaling::Yarn => sys::LLAMA_ROPE_SCALING_TYPE_YARN,
        };
        params.rope_freq_base = rope.freq_base;
        params.rope_freq_scale = rope.freq_scale;
        params.yarn_orig_ctx = rope.yarn_original_context;
    }
    params.abort_callback = Some(shall_abort);
    params.abort_callback_data = Arc::as_ptr(stop).cast_mut().cast();
    params
}

fn kv_type(format: KvType) -> sys::ggml_type {
    match format {
        KvType::F32 => sys::GGML_TYPE_F32,
        KvType::F16 => sys::GGML_TYPE_F16,
        KvType::Bf16 => sys::GGML_TYPE_BF16,
        KvType::Q8_0 => sys::GGML_TYPE_Q8_0,
        KvType::Q5_0 => sys::GGML_TYPE_Q5_0,
        KvType::Q5_1 => sys::GGML_TYPE_Q5_1,
        KvType::Q4_0 => sys::GGML_TYPE_Q4_0,
        KvType::Q4_1 => sys::GGML_TYPE_Q4_1,
    }
}

/// Tokens the context shall hold. llama.cpp pads it to a multiple of 256; what is promised is kept exactly.
fn length(wanted: ContextLength, trained: Option<u32>) -> u32 {
    match wanted {
        ContextLength::Tokens(tokens) => tokens,
        ContextLength::Auto => trained.unwrap_or(AUTO_CONTEXT_LENGTH).min(AUTO_CONTEXT_LENGTH),
    }
}

/// Hyper-threads share what llama.cpp needs, so that more threads than cores make it slower.
fn physical_cores() -> u32 {
    u32::try_from(num_cpus::get_physical()).unwrap_or(1).max(1)
}

/// How many tokens two texts have in common at their beginning.
fn common_prefix(one: &[LlamaToken], other: &[LlamaToken]) -> usize {
    one.iter()
        .zip(other)
        .take_while(|(one, other)| one == other)
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_common_prefix_ends_at_the_first_difference() {
        let tokens = |numbers: &[i32]| numbers.iter().copied().map(LlamaToken).collect::<Vec<_>>();
        let cases: [(&[i32], &[i32], usize); 5] = [
            (&[], &[1], 0),
            (&[1, 2, 3], &[1, 2, 3], 3),
            (&[1, 2, 3], &[1, 2], 2),
            (&[1, 2], &[1, 9, 2], 1),
            (&[5], &[6], 0),
        ];
        for (one, other, common) in cases {
            assert_eq!(common_prefix(&tokens(one), &tokens(other)), common);
        }
    }

    #[test]
    fn the_length_is_the_trained_one_within_reason() {
        assert_eq!(length(ContextLength::Auto, Some(2048)), 2048);
        assert_eq!(length(ContextLength::Auto, Some(131_072)), AUTO_CONTEXT_LENGTH);
        assert_eq!(length(ContextLength::Auto, None), AUTO_CONTEXT_LENGTH);
        assert_eq!(length(ContextLength::Tokens(64), Some(2048)), 64);
        assert_eq!(length(ContextLength::Tokens(32_768), Some(2048)), 32_768);
    }
}
