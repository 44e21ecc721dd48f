//! What a load would take, device by device, as llama.cpp itself reckons it: it reads the header, lays out weights, cache
//! and graph, and takes no memory for them.

use std::path::Path;

use hearth_protocol::engine::{Device, DeviceEstimate, DeviceKind, LoadOptions, MemoryEstimate};
use hearth_protocol::{ByteSize, Result};
use llama_cpp_sys_2 as sys;

use super::backends::Backends;
use super::context::shape;
use super::log::Log;
use super::memory_breakdown::{Breakdown, Usage, breakdown};
use super::model::{as_raw, failed};
use super::params::{Plan, context_params, threads};
use crate::engine::rough::fit;

/// Reckons a load.
///
/// # Errors
/// Those that the load would have, as far as the header tells.
pub(super) fn estimate(
    backends: &Backends,
    path: &str,
    options: &LoadOptions,
    log: &Log,
) -> Result<MemoryEstimate> {
    let plan = Plan::new(backends, path, options, log)?;
    log.take_complaint();
    let complaint = |what: &str| match log.take_complaint() {
        Some(reason) => failed(format!("llama.cpp says “{reason}”")),
        None => failed(what.to_owned()),
    };
    let model = plan.model.load_without_memory(&plan.path);
    let model = model.ok_or_else(|| complaint("its header cannot be read"))?;
    let (sequences, outputs) = shape(options, model.is_recurrent() || model.is_hybrid());
    let params = context_params(options, plan.context_length, threads(options), sequences, outputs);
    // SAFETY: the model is valid, and this is the only thread that makes contexts of it.
    let context = unsafe { sys::llama_init_from_model(as_raw(&model).as_ptr(), params) };
    if context.is_null() {
        return Err(complaint("no context can be made of it"));
    }
    // SAFETY: the context is valid and nothing computes with it; it is freed once, before its model.
    let mut breakdown = unsafe {
        let breakdown = breakdown(context);
        sys::llama_free(context);
        breakdown
    };
    breakdown.host.weights += adapter_bytes(options);
    let devices = rows(&breakdown, &backends.devices());
    let layers = model.n_layer() + 1;
    Ok(MemoryEstimate {
        context_length: plan.context_length,
        gpu_layers: (plan.gpu_layers(layers), layers),
        fits: fit(&devices),
        devices,
    })
}

/// Adapters are small, and llama.cpp cannot lay them out without loading them; their files are about as large as they.
fn adapter_bytes(options: &LoadOptions) -> u64 {
    let size = |path: &Path| path.metadata().map_or(0, |about| about.len());
    options.lora.iter().map(|adapter| size(&adapter.path)).sum()
}

/// One row for each device that takes part, with what is free on it.
fn rows(breakdown: &Breakdown, known: &[Device]) -> Vec<DeviceEstimate> {
    let mut devices: Vec<DeviceEstimate> = breakdown
        .devices
        .iter()
        .filter(|(_, usage)| usage.total() > 0)
        .map(|(handle, usage)| {
            // SAFETY: devices live as long as the process, and their names with them.
            let name = unsafe { std::ffi::CStr::from_ptr(sys::ggml_backend_dev_name(*handle)) };
            let name = name.to_string_lossy();
            let device = known.iter().find(|device| device.name == name);
            row(name.into_owned(), *usage, device)
        })
        .collect();
    let processor = known.iter().find(|device| device.kind == DeviceKind::Cpu);
    let name = processor.map_or_else(|| "CPU".to_owned(), |device| device.name.clone());
    devices.push(row(name, breakdown.host, processor));
    devices
}

fn row(device: String, usage: Usage, known: Option<&Device>) -> DeviceEstimate {
    DeviceEstimate {
        device,
        weights: Some(ByteSize(usage.weights)),
        kv_cache: Some(ByteSize(usage.kv_cache)),
        compute: Some(ByteSize(usage.compute)),
        free: known.and_then(|device| device.memory_free),
    }
}

#[cfg(test)]
mod tests {
    use hearth_protocol::engine::{ContextLength, FlashAttention, KvType};

    use super::*;
    use crate::library::estimate::{Facts, quick_estimate};

    /// The file's share of a model of the tests; `HEARTH_TEST_MODELS` names another folder.
    fn model(file: &str) -> std::path::PathBuf {
        let folder = std::env::var_os("HEARTH_TEST_MODELS").map_or_else(
            || concat!(env!("CARGO_MANIFEST_DIR"), "/../target/models").into(),
            std::path::PathBuf::from,
        );
        folder.join(file)
    }

    /// The formula of the library against llama.cpp's own count.
    #[test]
    fn the_formula_is_within_a_tenth_of_the_truth() {
        let log = Log::start();
        for file in ["SmolLM2-135M-Instruct-Q4_1.gguf", "gemma-3-270m-Q4_K_M.gguf"] {
            let path = model(file);
            let facts = Facts::open(&path).expect("it is fetched by ./x test");
            for (tokens, micro_batch_size, kv_type, flash_attention) in [
                (256, 512, KvType::F16, FlashAttention::Auto),
                (2048, 512, KvType::F16, FlashAttention::Auto),
                (4096, 64, KvType::F16, FlashAttention::Auto),
                (8192, 512, KvType::Q8_0, FlashAttention::On),
                (32_768, 512, KvType::F16, FlashAttention::On),
                (1024, 512, KvType::F32, FlashAttention::Off),
                (4096, 512, KvType::F32, FlashAttention::Off),
            ] {
                let options = LoadOptions {
                    context_length: ContextLength::Tokens(tokens),
                    micro_batch_size,
                    kv_type_k: kv_type,
                    kv_type_v: kv_type,
                    flash_attention,
                    ..LoadOptions::default()
                };
                let path = path.to_str().expect("a path of Unicode");
                let truth = estimate(Backends::shared(), path, &options, log).expect("an estimate");
                let [truth] = &truth.devices[..] else {
                    panic!("one device: {truth:?}");
                };
                let formula = quick_estimate(&facts, &options, None);
                let both = format!("{options:?}: {truth:?} {formula:?}");
                let near = |reckoned: Option<u64>, counted: Option<ByteSize>| {
                    let counted = counted.expect("llama.cpp counts it").0 as f64;
                    let reckoned = reckoned.expect("it can be reckoned") as f64;
                    assert!((reckoned / counted - 1.0).abs() < 0.1, "{both}");
                };
                near(formula.weights, truth.weights);
                near(formula.kv, truth.kv_cache);
                near(formula.compute, truth.compute);
            }
        }
    }

    fn device(free: Option<u64>) -> Device {
        Device {
            name: "CPU".into(),
            description: String::new(),
            kind: DeviceKind::Cpu,
            memory_total: None,
            memory_free: free.map(ByteSize),
        }
    }

    #[test]
    fn whether_it_fits_is_known_where_the_free_memory_is() {
        let usage = Usage {
            weights: 60,
            kv_cache: 30,
            compute: 10,
        };
        let breakdown = Breakdown {
            host: usage,
            devices: Vec::new(),
        };
        for (free, expected) in [(Some(100), Some(true)), (Some(99), Some(false)), (None, None)] {
            let rows = rows(&breakdown, &[device(free)]);
            assert_eq!(fit(&rows), expected, "{free:?}");
            assert_eq!(rows.len(), 1);
            assert_eq!(rows[0].kv_cache, Some(ByteSize(30)));
        }
    }
}
