//! From load options to llama.cpp's parameters: what is asked for, what fits, and what is left to the engine.

mod context;
mod devices;
mod fit;
mod model;

use std::ffi::CString;
use std::path::Path;

use hearth_protocol::engine::{ContextLength, DeviceKind, GpuLayers, LoadOptions};
use hearth_protocol::{Error, Result};

use super::backends::Backends;
use super::log::Log;
use crate::engine::memory::Memory;
use crate::library::estimate::{Facts, context_room};

pub(super) use context::{context_params, threads};
pub(super) use devices::Devices;
pub(super) use model::ModelParams;

/// A load as it is going to be.
pub(super) struct Plan {
    /// The file's path as llama.cpp takes it.
    pub(super) path: CString,
    /// Parameters of the model.
    pub(super) model: ModelParams,
    /// Tokens the context is going to hold.
    pub(super) context_length: u32,
    /// Whether layers can go to a device other than the processor.
    pub(super) has_gpu: bool,
    /// What a person should know of it, in whole sentences.
    pub(super) notices: Vec<String>,
}

impl Plan {
    /// Decides what the options leave to the engine, given this machine and this file.
    ///
    /// # Errors
    /// `NotFound` names a device that is not there and those that are; `Invalid` a combination that is not possible.
    pub(super) fn new(backends: &Backends, path: &str, options: &LoadOptions, log: &Log) -> Result<Self> {
        let known = backends.devices();
        let devices = Devices::choose(&known, options)?;
        // A file that llama.cpp reads and this does not is none of this part's business; then little is known of it.
        let facts = Facts::open(Path::new(path)).unwrap_or_default();
        let mut plan = Self {
            path: CString::new(path).map_err(Error::internal)?,
            model: ModelParams::new(options, &devices)?,
            context_length: 0,
            has_gpu: devices.has_gpu(),
            notices: notices(backends, options, &devices),
        };
        let fitted = if plan.has_gpu && leaves_to_fit(options) {
            let fitted = fit::fit(&plan.path, &mut plan.model, options, facts.trained_context);
            if fitted.is_none() {
                let notice = "How much fits the graphics card could not be found out.";
                plan.notices.push(notice.into());
            }
            // Without an answer, a context that fits nearly every card.
            Some(fitted.unwrap_or_else(|| facts.auto_context(options, None)))
        } else {
            None
        };
        plan.context_length = match options.context_length {
            ContextLength::Tokens(tokens) => tokens,
            ContextLength::Auto => {
                let in_main_memory = options.kv_on_cpu || devices.share_main_memory(&known);
                let weights = if plan.has_gpu {
                    0
                } else {
                    facts.weights.unwrap_or(0)
                };
                let room = Memory::now().free.map(|free| context_room(free, weights));
                let fits_main_memory = || facts.auto_context(options, room);
                match fitted {
                    Some(length) if in_main_memory => length.min(fits_main_memory()),
                    Some(length) => length,
                    None => fits_main_memory(),
                }
            }
        };
        for notice in &plan.notices {
            log.write(&format!("notice: {notice}"));
        }
        Ok(plan)
    }

    /// Of so many layers those that go to a graphics card.
    pub(super) fn gpu_layers(&self, layers: u32) -> u32 {
        if self.has_gpu {
            self.model.gpu_layers(layers)
        } else {
            0
        }
    }
}

/// Whether the options leave anything that depends on the free memory of a graphics card.
fn leaves_to_fit(options: &LoadOptions) -> bool {
    options.gpu_layers == GpuLayers::Auto || options.context_length == ContextLength::Auto
}

/// Where the processor computes although a graphics card could be expected to, that is said.
fn notices(backends: &Backends, options: &LoadOptions, devices: &Devices) -> Vec<String> {
    let wants_gpu = matches!(options.gpu_layers, GpuLayers::All)
        || matches!(options.gpu_layers, GpuLayers::Count(layers) if layers > 0);
    let is_left_open = options.gpu_layers == GpuLayers::Auto && options.devices.is_empty();
    if devices.has_gpu() {
        return Vec::new();
    }
    match backends.gpu_backend() {
        Some(backend) if wants_gpu || is_left_open => vec![format!(
            "No graphics card with a working {backend} driver was found; the processor computes."
        )],
        None if wants_gpu => vec!["This build of Hearth computes on the processor only.".into()],
        _ => Vec::new(),
    }
}

/// Whether a device is one that layers can be put on.
pub(super) fn takes_layers(kind: DeviceKind) -> bool {
    kind != DeviceKind::Cpu
}
