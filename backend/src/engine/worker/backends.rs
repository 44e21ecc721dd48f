//! llama.cpp's start: the one place where its compute backends are loaded, and the list of what they found.

use std::ffi::{CStr, CString};
use std::path::{Path, PathBuf};

use hearth_protocol::ByteSize;
use hearth_protocol::engine::{Device, DeviceKind};
use llama_cpp_2::llama_backend::LlamaBackend;
use llama_cpp_2::{LlamaBackendDeviceType, LlamaCppError, list_llama_ggml_backend_devices};
use llama_cpp_sys_2 as sys;

use crate::config::installed;
use crate::engine::memory::Memory;

/// Folder with the backends of a build that has them as libraries.
const FOLDER: &str = "backends";

/// Backends of graphics cards: how their libraries call them, and how people do.
const GPU_BACKENDS: [(&str, &str); 5] = [
    ("vulkan", "Vulkan"),
    ("cuda", "CUDA"),
    ("metal", "Metal"),
    ("hip", "ROCm"),
    ("sycl", "SYCL"),
];

/// Proof that llama.cpp has started and its backends are loaded.
#[derive(Debug)]
pub(super) struct Backends {
    _proof: LlamaBackend,
    gpu_backend: Option<&'static str>,
}

impl Backends {
    /// Loads the compute backends and starts llama.cpp. A backend whose driver is missing is passed over, and the
    /// processor remains.
    ///
    /// # Errors
    /// Where llama.cpp has been started before.
    pub(super) fn start() -> Result<Self, LlamaCppError> {
        let folder = folder();
        if let Some(path) = folder
            .as_deref()
            .and_then(|folder| CString::new(folder.to_str()?).ok())
        {
            // SAFETY: the path ends with a zero byte. The libraries in the folder are a part of this program.
            unsafe { sys::ggml_backend_load_all_from_path(path.as_ptr()) };
        }
        let proof = LlamaBackend::init()?;
        let gpu_backend = gpu_backend(
            &registered(),
            &folder.map(|folder| names_in(&folder)).unwrap_or_default(),
        );
        Ok(Self {
            _proof: proof,
            gpu_backend,
        })
    }

    /// Those of the tests, which share one process.
    #[cfg(test)]
    pub(super) fn shared() -> &'static Self {
        static SHARED: std::sync::OnceLock<Backends> = std::sync::OnceLock::new();
        SHARED.get_or_init(|| Self::start().expect("nothing else starts llama.cpp"))
    }

    /// The crate's proof that llama.cpp has started.
    #[cfg(test)]
    pub(super) fn proof(&self) -> &LlamaBackend {
        &self._proof
    }

    /// The backend for graphics cards that this program brings, such as `Vulkan`; `None` where it brings none.
    pub(super) fn gpu_backend(&self) -> Option<&'static str> {
        self.gpu_backend
    }

    /// The same for people: of a processor also for which kind the code is that llama.cpp has taken.
    pub(super) fn described(&self, variant: Option<&str>) -> Vec<Device> {
        let mut devices = self.devices();
        for device in devices.iter_mut().filter(|device| device.kind == DeviceKind::Cpu) {
            device.description = with_variant(&device.description, variant);
        }
        devices
    }

    /// What can compute, in llama.cpp's order.
    pub(super) fn devices(&self) -> Vec<Device> {
        let devices = list_llama_ggml_backend_devices();
        devices
            .into_iter()
            .map(|device| {
                let kind = match device.device_type {
                    LlamaBackendDeviceType::Cpu => DeviceKind::Cpu,
                    LlamaBackendDeviceType::Gpu => DeviceKind::Gpu,
                    LlamaBackendDeviceType::IntegratedGpu => DeviceKind::IntegratedGpu,
                    LlamaBackendDeviceType::Accelerator | LlamaBackendDeviceType::Unknown => {
                        DeviceKind::Accelerator
                    }
                };
                let free = known(device.memory_free);
                Device {
                    name: device.name,
                    description: device.description,
                    kind,
                    memory_total: known(device.memory_total),
                    memory_free: match kind {
                        // ggml takes all of it for free on Unix.
                        DeviceKind::Cpu => Memory::now().free.map(ByteSize).or(free),
                        _ => free,
                    },
                }
            })
            .collect()
    }
}

/// What is said of a processor, with the kind that the code was compiled for which computes on it.
fn with_variant(description: &str, variant: Option<&str>) -> String {
    match variant {
        Some(variant) => format!("{description} (code for {variant})"),
        None => description.to_owned(),
    }
}

/// Where the backends' libraries are: with the program, else where they were built. `None` where they are linked in.
fn folder() -> Option<PathBuf> {
    let brought = std::env::current_exe()
        .ok()
        .map(|executable| installed::folder(&executable, FOLDER));
    let built = sys::BACKENDS_DIR.map(PathBuf::from);
    [brought, built]
        .into_iter()
        .flatten()
        .find(|folder| folder.is_dir())
}

/// The names of the files in a folder.
fn names_in(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect()
}

/// The names of the backends that run.
fn registered() -> Vec<String> {
    // SAFETY: the registry does not change after the start; its names are texts that live as long as the process.
    unsafe {
        (0..sys::ggml_backend_reg_count())
            .map(|place| sys::ggml_backend_reg_name(sys::ggml_backend_reg_get(place)))
            .filter(|name| !name.is_null())
            .map(|name| CStr::from_ptr(name).to_string_lossy().into_owned())
            .collect()
    }
}

/// The first backend for graphics cards that runs, or whose library is there and did not load.
fn gpu_backend(registered: &[String], libraries: &[String]) -> Option<&'static str> {
    GPU_BACKENDS.into_iter().find_map(|(library, name)| {
        let runs = registered
            .iter()
            .any(|backend| backend.eq_ignore_ascii_case(name));
        let file = format!("ggml-{library}");
        (runs || libraries.iter().any(|there| there.contains(&file))).then_some(name)
    })
}

/// llama.cpp gives 0 where it does not know.
fn known(bytes: usize) -> Option<ByteSize> {
    (bytes > 0).then_some(ByteSize(bytes as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_processor_is_told_with_the_code_that_computes_on_it() {
        assert_eq!(with_variant("Xeon", Some("zen4")), "Xeon (code for zen4)");
        assert_eq!(with_variant("Xeon", None), "Xeon");
    }

    #[test]
    fn the_backend_for_graphics_cards_is_known_also_where_its_driver_is_missing() {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        assert_eq!(gpu_backend(&names(&["CPU"]), &[]), None);
        assert_eq!(gpu_backend(&names(&["CPU", "CUDA"]), &[]), Some("CUDA"));
        let libraries = names(&["libggml-cpu-haswell.so", "libggml-vulkan.so"]);
        assert_eq!(gpu_backend(&names(&["CPU"]), &libraries), Some("Vulkan"));
        assert_eq!(
            gpu_backend(&names(&["CPU"]), &names(&["libggml-cpu-haswell.so"])),
            None
        );
    }
}
