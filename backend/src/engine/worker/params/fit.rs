//! How many layers, and how long a context, fit the memory of the graphics cards: llama.cpp's own fitting.

use std::ffi::CStr;

use hearth_protocol::engine::{ContextLength, LoadOptions};
use llama_cpp_sys_2 as sys;

use super::super::context::shape;
use super::{ModelParams, context_params, threads};
use crate::engine::CARD_MARGIN;

/// Memory to leave free on each card, in bytes, as llama-server does: drivers and windows need some.
const MARGIN: usize = CARD_MARGIN as usize;

/// Shortest context before layers go back to main memory, in tokens.
const LEAST_CONTEXT: u32 = 2048;

/// `llama_rs_fit_params`' code for parameters that fit.
const FITS: i32 = 0;

/// Changes what the options leave open so that it fits, and gives the context's length. `None` where llama.cpp finds no
/// way, which its log explains; then nothing is changed.
pub(super) fn fit(
    path: &CStr,
    model: &mut ModelParams,
    options: &LoadOptions,
    trained_context: Option<u32>,
) -> Option<u32> {
    let length = match options.context_length {
        ContextLength::Tokens(tokens) => tokens,
        // To be found.
        ContextLength::Auto => 0,
    };
    // Whether it is recurrent is not known yet; then it needs a little less.
    let (sequences, outputs) = shape(options, false);
    let mut context = context_params(options, length, threads(options), sequences, outputs);
    // SAFETY: the functions have no conditions.
    let (devices, overrides) = unsafe { (sys::llama_max_devices(), sys::llama_max_tensor_buft_overrides()) };
    let mut split = vec![0.0; devices];
    let nothing = sys::llama_model_tensor_buft_override {
        pattern: std::ptr::null(),
        buft: std::ptr::null_mut(),
    };
    let mut overrides = vec![nothing; overrides + 1];
    let mut margins = vec![MARGIN; devices.max(1)];
    let mut params = model.raw();
    // SAFETY: the path ends with a zero byte; the lists are as long as llama.cpp asks for; what the parameters point to
    // lives in `model`; nothing else logs meanwhile, since this thread is the only one that calls llama.cpp.
    let code = unsafe {
        sys::llama_rs_fit_params(
            path.as_ptr(),
            &raw mut params,
            &raw mut context,
            split.as_mut_ptr(),
            overrides.as_mut_ptr(),
            margins.as_mut_ptr(),
            LEAST_CONTEXT.min(trained_context.unwrap_or(LEAST_CONTEXT)),
            std::ptr::null(),
            sys::GGML_LOG_LEVEL_ERROR,
        )
    };
    if code != FITS {
        return None;
    }
    model.set_gpu_layers(params.n_gpu_layers);
    // The patterns it writes are texts that live as long as the process (`fit.cpp`, `get_overflow_pattern`).
    if params.tensor_split == split.as_ptr() {
        model.tensor_split = split;
    }
    if params.tensor_buft_overrides == overrides.as_ptr() {
        model.overrides = overrides;
    }
    Some(context.n_ctx)
}
