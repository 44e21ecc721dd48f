//! LoRA adapters on top of a model.

use std::ffi::CString;
use std::ptr::NonNull;

use hearth_protocol::engine::LoraAdapter;
use hearth_protocol::{Error, Result};
use llama_cpp_sys_2 as sys;

use super::log::Log;
use crate::library::estimate::Facts;

/// Adapters in memory. llama.cpp frees them with their model.
#[derive(Debug, Default)]
pub(super) struct Adapters {
    raw: Vec<*mut sys::llama_adapter_lora>,
    scales: Vec<f32>,
}

// SAFETY: the pointers are only handed to llama.cpp by `apply`, whose caller answers for the context; the adapters
// themselves are never changed.
unsafe impl Send for Adapters {}
// SAFETY: as above.
unsafe impl Sync for Adapters {}

impl Adapters {
    /// Loads adapters for a model.
    ///
    /// # Errors
    /// `BadModelFile` names the file and says what is wrong with it, such as that it was made for another model.
    ///
    /// # Safety
    /// The model is valid, and lives longer than what this returns.
    pub(super) unsafe fn load(
        model: NonNull<sys::llama_model>,
        adapters: &[LoraAdapter],
        log: &Log,
    ) -> Result<Self> {
        let mut loaded = Self::default();
        for adapter in adapters {
            let bad = |reason: String| Error::BadModelFile {
                file: adapter.path.display().to_string(),
                reason,
            };
            // The same guard as for models: llama.cpp ends the process on some damaged files.
            let facts = Facts::open(&adapter.path).map_err(|error| bad(error.to_string()))?;
            if facts.kind.as_deref() != Some("adapter") {
                return Err(bad("it is no LoRA adapter".into()));
            }
            let path = adapter.path.to_str().and_then(|path| CString::new(path).ok());
            let path = path.ok_or_else(|| bad("its path is not Unicode text; rename or move it".into()))?;
            log.take_complaint();
            // SAFETY: the model is valid, as asked of the caller, and the path ends with a zero byte.
            let raw = unsafe { sys::llama_adapter_lora_init(model.as_ptr(), path.as_ptr()) };
            if raw.is_null() {
                let reason = log.take_complaint().unwrap_or_else(|| "it cannot be read".into());
                return Err(bad(format!(
                    "it does not go with this model; llama.cpp says “{reason}”"
                )));
            }
            loaded.raw.push(raw);
            loaded.scales.push(adapter.scale);
        }
        Ok(loaded)
    }

    /// Makes a context compute with all of them.
    ///
    /// # Safety
    /// The context is valid and of the model that the adapters were loaded for.
    pub(super) unsafe fn apply(&self, context: NonNull<sys::llama_context>) {
        let (mut raw, mut scales) = (self.raw.clone(), self.scales.clone());
        // SAFETY: the context is valid, as asked of the caller; both lists are as long as is said, and llama.cpp copies
        // them; the adapters live as long as their model.
        let code = unsafe {
            sys::llama_set_adapters_lora(context.as_ptr(), raw.as_mut_ptr(), raw.len(), scales.as_mut_ptr())
        };
        debug_assert_eq!(code, 0, "llama.cpp knows no failure here");
    }
}
