//! Parameters of a context.

use std::num::NonZero;

use hearth_protocol::engine::{FlashAttention, KvType, LoadOptions, RopeScaling};
use llama_cpp_sys_2 as sys;

/// More threads than this end the process (`GGML_MAX_N_THREADS` of `ggml.h`).
const MOST_THREADS: u32 = 512;

/// llama.cpp's parameters for a context of `length` tokens that `slots` requests share, and of which `max_outputs` tokens
/// of a batch give logits at most. The abort callback is the caller's to set.
pub(in crate::engine::worker) fn context_params(
    options: &LoadOptions,
    length: u32,
    threads: u32,
    slots: u32,
    max_outputs: u32,
) -> sys::llama_context_params {
    // SAFETY: the function has no conditions.
    let mut params = unsafe { sys::llama_context_default_params() };
    let threads = i32::try_from(threads).unwrap_or(i32::MAX);
    params.n_ctx = length;
    params.n_batch = options.batch_size;
    params.n_ubatch = options.micro_batch_size.min(options.batch_size);
    params.n_seq_max = slots.max(1);
    // Requests share one cache, so that each may take all of it and a common beginning is kept once.
    params.kv_unified = true;
    // Room for the logits of every token would cost hundreds of megabytes where the vocabulary is large.
    params.n_outputs_max = max_outputs;
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
    params
}

/// Threads to compute with.
pub(in crate::engine::worker) fn threads(options: &LoadOptions) -> u32 {
    options
        .threads
        .unwrap_or_else(physical_cores)
        .clamp(1, MOST_THREADS)
}

/// Hyper-threads share what llama.cpp needs, so that more threads than cores make it slower. A container may have less
/// than the computer.
fn physical_cores() -> u32 {
    let own = std::thread::available_parallelism().map_or(usize::MAX, NonZero::get);
    let cores = num_cpus::get_physical().min(own);
    u32::try_from(cores).unwrap_or(1).max(1)
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

#[cfg(test)]
mod tests {
    use hearth_protocol::engine::RopeOptions;

    use super::*;

    #[test]
    fn each_option_reaches_its_parameter() {
        let options = LoadOptions {
            batch_size: 64,
            micro_batch_size: 32,
            flash_attention: FlashAttention::On,
            kv_type_k: KvType::Q8_0,
            kv_type_v: KvType::Q4_1,
            kv_on_cpu: true,
            rope: Some(RopeOptions {
                scaling: RopeScaling::Yarn,
                freq_base: 20_000.0,
                freq_scale: 0.25,
                yarn_original_context: 4096,
            }),
            ..LoadOptions::default()
        };
        let params = context_params(&options, 512, 3, 2, 5);
        assert_eq!((params.n_ctx, params.n_batch, params.n_ubatch), (512, 64, 32));
        assert_eq!((params.n_threads, params.n_threads_batch), (3, 3));
        assert_eq!((params.n_seq_max, params.n_outputs_max), (2, 5));
        assert_eq!(
            (params.type_k, params.type_v),
            (sys::GGML_TYPE_Q8_0, sys::GGML_TYPE_Q4_1)
        );
        assert_eq!(params.flash_attn_type, sys::LLAMA_FLASH_ATTN_TYPE_ENABLED);
        assert_eq!(params.rope_scaling_type, sys::LLAMA_ROPE_SCALING_TYPE_YARN);
        assert_eq!((params.rope_freq_base, params.rope_freq_scale), (20_000.0, 0.25));
        assert_eq!(params.yarn_orig_ctx, 4096);
        assert!(!params.offload_kqv && params.kv_unified && params.swa_full);
    }

    #[test]
    fn threads_are_the_cores_or_what_is_wished_within_reason() {
        let with = |threads| LoadOptions {
            threads,
            ..LoadOptions::default()
        };
        assert_eq!(threads(&with(None)), physical_cores());
        for (wished, taken) in [(0, 1), (1, 1), (7, 7), (100_000, 512)] {
            assert_eq!(threads(&with(Some(wished))), taken);
        }
    }
}
