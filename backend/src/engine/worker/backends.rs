//! llama.cpp's start: the one place where its compute backends are loaded, and the list of what they found.

use hearth_protocol::ByteSize;
use hearth_protocol::engine::{Device, DeviceKind};
use llama_cpp_2::llama_backend::LlamaBackend;
use llama_cpp_2::{LlamaBackendDeviceType, LlamaCppError, list_llama_ggml_backend_devices};

/// Proof that llama.cpp has started and its backends are loaded.
#[derive(Debug)]
pub(super) struct Backends(LlamaBackend);

impl Backends {
    /// Loads the compute backends and starts llama.cpp. Here they are linked in; a build with backends as shared
    /// libraries loads them at this point, before `init`.
    ///
    /// # Errors
    /// Where llama.cpp has been started before.
    pub(super) fn start() -> Result<Self, LlamaCppError> {
        LlamaBackend::init().map(Self)
    }

    /// The crate's proof, which its functions ask for.
    pub(super) fn proof(&self) -> &LlamaBackend {
        &self.0
    }

    /// Whether layers can be kept on a device other than the processor.
    pub(super) fn have_gpu(&self) -> bool {
        self.0.supports_gpu_offload()
    }

    /// What can compute, in llama.cpp's order.
    pub(super) fn devices(&self) -> Vec<Device> {
        let devices = list_llama_ggml_backend_devices();
        devices
            .into_iter()
            .map(|device| Device {
                name: device.name,
                description: device.description,
                kind: match device.device_type {
                    LlamaBackendDeviceType::Cpu => DeviceKind::Cpu,
                    LlamaBackendDeviceType::Gpu => DeviceKind::Gpu,
                    LlamaBackendDeviceType::IntegratedGpu => DeviceKind::IntegratedGpu,
                    LlamaBackendDeviceType::Accelerator | LlamaBackendDeviceType::Unknown => {
                        DeviceKind::Accelerator
                    }
                },
                memory_total: known(device.memory_total),
                memory_free: known(device.memory_free),
            })
            .collect()
    }
}

/// llama.cpp gives 0 where it does not know.
fn known(bytes: usize) -> Option<ByteSize> {
    (bytes > 0).then_some(ByteSize(bytes as u64))
}
