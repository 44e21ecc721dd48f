//! Parameters of a model, with the lists that they point to, and loading with them.
//!
//! The crate has no setter for the split and keeps the model's constructor to itself, so this speaks to llama.cpp
//! directly. Both happen here only.

use std::ffi::{CStr, CString, c_char, c_void};
use std::ptr::NonNull;

use hearth_protocol::Result;
use hearth_protocol::engine::{GpuLayers, LoadOptions, SplitMode};
use llama_cpp_2::model::LlamaModel;
use llama_cpp_sys_2 as sys;

use super::Devices;

/// All layers, in llama.cpp's count: any negative number but -1, which its fitting may change.
const ALL_LAYERS: i32 = -2;

/// Parameters of a model.
pub(in crate::engine::worker) struct ModelParams {
    /// The values; its pointers are null and set by `raw`.
    values: sys::llama_model_params,
    /// Ends with a null; `None` lets llama.cpp pick.
    devices: Option<Vec<sys::ggml_backend_dev_t>>,
    /// As long as llama.cpp reads, or empty.
    pub(super) tensor_split: Vec<f32>,
    /// Which tensors stay where; ends with nulls, or is empty.
    pub(super) overrides: Vec<sys::llama_model_tensor_buft_override>,
    /// Owns what `overrides` points to.
    _patterns: Vec<CString>,
}

impl ModelParams {
    /// The parameters that the options ask for.
    ///
    /// # Errors
    /// `Internal` where a name cannot be handed to C.
    pub(in crate::engine::worker) fn new(options: &LoadOptions, devices: &Devices) -> Result<Self> {
        // SAFETY: the function has no conditions.
        let mut values = unsafe { sys::llama_model_default_params() };
        values.load_mode = match (options.mmap, options.mlock) {
            (false, false) => sys::LLAMA_LOAD_MODE_NONE,
            (true, false) => sys::LLAMA_LOAD_MODE_MMAP,
            (false, true) => sys::LLAMA_LOAD_MODE_MLOCK,
            (true, true) => sys::LLAMA_LOAD_MODE_MMAP_MLOCK,
        };
        values.split_mode = match options.split_mode {
            SplitMode::None => sys::LLAMA_SPLIT_MODE_NONE,
            SplitMode::Layer => sys::LLAMA_SPLIT_MODE_LAYER,
            SplitMode::Row => sys::LLAMA_SPLIT_MODE_ROW,
        };
        match options.gpu_layers {
            // llama.cpp's default, which its fitting may change.
            GpuLayers::Auto => (),
            GpuLayers::All => values.n_gpu_layers = ALL_LAYERS,
            GpuLayers::Count(count) => values.n_gpu_layers = i32::try_from(count).unwrap_or(i32::MAX),
        }
        let patterns = expert_patterns(options.moe_layers_on_cpu);
        Ok(Self {
            values,
            devices: devices.handles()?,
            tensor_split: if devices.has_gpu() {
                split(&options.tensor_split)
            } else {
                Vec::new()
            },
            overrides: overrides(&patterns),
            _patterns: patterns,
        })
    }

    /// llama.cpp's form of it. It points into this, which must stay unchanged while it is used.
    pub(super) fn raw(&self) -> sys::llama_model_params {
        let mut raw = self.values;
        raw.devices = match &self.devices {
            Some(devices) => devices.as_ptr().cast_mut(),
            None => std::ptr::null_mut(),
        };
        raw.tensor_split = pointer(&self.tensor_split);
        raw.tensor_buft_overrides = pointer(&self.overrides);
        raw
    }

    /// Layers for the GPU in llama.cpp's count; a negative number is all.
    pub(super) fn set_gpu_layers(&mut self, layers: i32) {
        self.values.n_gpu_layers = layers;
    }

    /// Of so many layers those that go to the GPU.
    pub(in crate::engine::worker) fn gpu_layers(&self, layers: u32) -> u32 {
        u32::try_from(self.values.n_gpu_layers).map_or(layers, |count| count.min(layers))
    }

    /// Loads a file, telling the share that is done; loading ends where `progress` answers `false`. `None` where llama.cpp
    /// could not, which its log explains.
    pub(in crate::engine::worker) fn load(
        &self,
        path: &CStr,
        mut progress: impl FnMut(f32) -> bool,
    ) -> Option<LlamaModel> {
        let mut params = self.raw();
        params.progress_callback = Some(trampoline(&progress));
        params.progress_callback_user_data = std::ptr::from_mut(&mut progress).cast();
        // SAFETY: the path ends with a zero byte; what the parameters point to lives in `self` and in `progress`, and both
        // outlive the call; the callback is called from this thread only, and its data is what it was made for.
        unsafe { load(path.as_ptr(), params) }
    }

    /// Reads the header of a file only, so that a context can tell how much memory it would take.
    pub(in crate::engine::worker) fn load_without_memory(&self, path: &CStr) -> Option<LlamaModel> {
        let mut params = self.raw();
        params.no_alloc = true;
        params.load_mode = sys::LLAMA_LOAD_MODE_NONE;
        // SAFETY: the path ends with a zero byte; what the parameters point to lives in `self`, which outlives the call.
        unsafe { load(path.as_ptr(), params) }
    }
}

/// Loads a model and makes it the crate's.
///
/// # Safety
/// The path is a text that ends with a zero byte; all that the parameters point to outlives the call.
unsafe fn load(path: *const c_char, params: sys::llama_model_params) -> Option<LlamaModel> {
    // SAFETY: as asked of the caller; llama.cpp has been started, since `Backends` lists the devices before.
    let model = NonNull::new(unsafe { sys::llama_model_load_from_file(path, params) })?;
    // SAFETY: `LlamaModel` is `repr(transparent)` over the crate's `Ptr`, which is `repr(transparent)` over
    // `NonNull<llama_model>` (llama-cpp-2 0.1.160, model.rs and ptr.rs; the version is pinned). The pointer is a model of
    // which nobody else knows, so that the crate's value owns it and frees it once.
    Some(unsafe { std::mem::transmute::<NonNull<sys::llama_model>, LlamaModel>(model) })
}

/// The C function that calls a closure of this type.
fn trampoline<F: FnMut(f32) -> bool>(_: &F) -> unsafe extern "C" fn(f32, *mut c_void) -> bool {
    unsafe extern "C" fn call<F: FnMut(f32) -> bool>(share: f32, closure: *mut c_void) -> bool {
        // SAFETY: `closure` is the closure of this type that `load` handed over; llama.cpp calls back from its thread only.
        let closure = unsafe { &mut *closure.cast::<F>() };
        closure(share)
    }
    call::<F>
}

fn pointer<T>(list: &[T]) -> *const T {
    if list.is_empty() {
        std::ptr::null()
    } else {
        list.as_ptr()
    }
}

/// The shares, as long as the list that llama.cpp reads.
fn split(shares: &[f32]) -> Vec<f32> {
    if shares.is_empty() {
        return Vec::new();
    }
    // SAFETY: the function has no conditions.
    let most = unsafe { sys::llama_max_devices() };
    let mut split = shares.to_vec();
    split.resize(most.max(shares.len()), 0.0);
    split
}

/// Names of the experts' weights in the first layers (llama.cpp's `LLM_FFN_EXPS_REGEX`).
fn expert_patterns(layers: u32) -> Vec<CString> {
    /// No model has more layers (`LLAMA_MAX_LAYERS`).
    const MOST_LAYERS: u32 = 512;
    (0..layers.min(MOST_LAYERS))
        .filter_map(|layer| CString::new(format!(r"blk\.{layer}\.ffn_(up|down|gate|gate_up)_(ch|)exps")).ok())
        .collect()
}

/// Keeps what has these names in main memory.
fn overrides(patterns: &[CString]) -> Vec<sys::llama_model_tensor_buft_override> {
    if patterns.is_empty() {
        return Vec::new();
    }
    // SAFETY: the function has no conditions.
    let main_memory = unsafe { sys::ggml_backend_cpu_buffer_type() };
    let mut overrides: Vec<_> = patterns
        .iter()
        .map(|pattern| sys::llama_model_tensor_buft_override {
            pattern: pattern.as_ptr(),
            buft: main_memory,
        })
        .collect();
    overrides.push(sys::llama_model_tensor_buft_override {
        pattern: std::ptr::null(),
        buft: std::ptr::null_mut(),
    });
    overrides
}

#[cfg(test)]
mod tests {
    use super::*;

    fn params(change: impl FnOnce(&mut LoadOptions)) -> ModelParams {
        let mut options = LoadOptions::default();
        change(&mut options);
        ModelParams::new(&options, &Devices::All(2)).expect("parameters")
    }

    #[test]
    fn each_option_reaches_its_parameter() {
        let plain = params(|_| ()).raw();
        assert_eq!(plain.load_mode, sys::LLAMA_LOAD_MODE_MMAP);
        assert_eq!(plain.split_mode, sys::LLAMA_SPLIT_MODE_LAYER);
        assert!(plain.tensor_split.is_null() && plain.tensor_buft_overrides.is_null());
        let modes = [
            (false, false, sys::LLAMA_LOAD_MODE_NONE),
            (false, true, sys::LLAMA_LOAD_MODE_MLOCK),
            (true, true, sys::LLAMA_LOAD_MODE_MMAP_MLOCK),
        ];
        for (mmap, mlock, mode) in modes {
            let params = params(|options| (options.mmap, options.mlock) = (mmap, mlock));
            assert_eq!(params.raw().load_mode, mode);
        }
        let row = params(|options| options.split_mode = SplitMode::Row);
        assert_eq!(row.raw().split_mode, sys::LLAMA_SPLIT_MODE_ROW);
        let split = params(|options| options.tensor_split = vec![3.0, 1.0]);
        assert_eq!(split.tensor_split[..3], [3.0, 1.0, 0.0]);
        assert_eq!(split.raw().tensor_split, split.tensor_split.as_ptr());
    }

    #[test]
    fn layers_for_the_gpu_are_counted_up_to_all_there_are() {
        for (layers, expected) in [
            (GpuLayers::Auto, 31),
            (GpuLayers::All, 31),
            (GpuLayers::Count(0), 0),
            (GpuLayers::Count(7), 7),
            (GpuLayers::Count(u32::MAX), 31),
        ] {
            let params = params(|options| options.gpu_layers = layers);
            assert_eq!(params.gpu_layers(31), expected, "{layers:?}");
        }
    }

    #[test]
    fn the_experts_of_the_first_layers_stay_in_main_memory() {
        let params = params(|options| options.moe_layers_on_cpu = 2);
        let (last, overrides) = params.overrides.split_last().expect("there are some");
        assert!(last.pattern.is_null(), "the list ends with a null");
        let patterns: Vec<_> = overrides
            .iter()
            // SAFETY: the patterns are texts that end with a zero byte and live in `params`.
            .map(|kept| unsafe { CStr::from_ptr(kept.pattern) }.to_string_lossy())
            .collect();
        assert_eq!(
            patterns,
            [
                r"blk\.0\.ffn_(up|down|gate|gate_up)_(ch|)exps",
                r"blk\.1\.ffn_(up|down|gate|gate_up)_(ch|)exps"
            ]
        );
        assert_eq!(params.raw().tensor_buft_overrides, params.overrides.as_ptr());
    }
}
