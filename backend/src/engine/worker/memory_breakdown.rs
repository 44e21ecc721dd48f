//! How much memory a context and its model take, device by device, as llama.cpp itself counts it.

use llama_cpp_sys_2 as sys;

/// Kinds of buffer there can be: one or two for each of llama.cpp's sixteen devices, and those of the processor.
const MOST_ROWS: usize = 64;

/// Bytes on one device.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Usage {
    /// The weights.
    pub(super) weights: u64,
    /// The KV cache, or what recurrent models have in its place.
    pub(super) kv_cache: u64,
    /// Buffers for computing.
    pub(super) compute: u64,
}

impl Usage {
    /// All of it.
    pub(super) fn total(self) -> u64 {
        self.weights + self.kv_cache + self.compute
    }

    fn add(&mut self, row: &Row) {
        self.weights += row.model as u64;
        self.kv_cache += row.context as u64;
        self.compute += row.compute as u64;
    }
}

/// What a context takes: in main memory, and on each other device.
#[derive(Debug, Default)]
pub(super) struct Breakdown {
    /// Main memory.
    pub(super) host: Usage,
    /// Other devices that take part.
    pub(super) devices: Vec<(sys::ggml_backend_dev_t, Usage)>,
}

/// The twin of `hearth_memory_row` in memory_breakdown.cpp.
#[repr(C)]
#[derive(Clone, Copy)]
struct Row {
    buffer_type: sys::ggml_backend_buffer_type_t,
    model: usize,
    context: usize,
    compute: usize,
}

unsafe extern "C" {
    fn hearth_memory_breakdown(context: *const sys::llama_context, rows: *mut Row, capacity: usize) -> usize;
}

/// What a context and its model take.
///
/// # Safety
/// The context is valid and nothing computes with it meanwhile.
pub(super) unsafe fn breakdown(context: *const sys::llama_context) -> Breakdown {
    let mut rows = [Row {
        buffer_type: std::ptr::null_mut(),
        model: 0,
        context: 0,
        compute: 0,
    }; MOST_ROWS];
    // SAFETY: the context is valid, and `rows` has room for as many rows as are named.
    let count = unsafe { hearth_memory_breakdown(context, rows.as_mut_ptr(), rows.len()) };
    let mut breakdown = Breakdown::default();
    for row in rows.iter().take(count) {
        // SAFETY: kinds of buffer live as long as the process, and these functions only read them.
        let (is_host, device) = unsafe {
            (
                sys::ggml_backend_buft_is_host(row.buffer_type),
                sys::ggml_backend_buft_get_device(row.buffer_type),
            )
        };
        // The processor's repacked weights are in main memory too, although llama.cpp does not call them so.
        if is_host || device.is_null() || is_processor(device) {
            breakdown.host.add(row);
            continue;
        }
        match breakdown.devices.iter_mut().find(|(known, _)| *known == device) {
            Some((_, usage)) => usage.add(row),
            None => {
                let mut usage = Usage::default();
                usage.add(row);
                breakdown.devices.push((device, usage));
            }
        }
    }
    breakdown
}

fn is_processor(device: sys::ggml_backend_dev_t) -> bool {
    // SAFETY: the device lives as long as the process.
    let kind = unsafe { sys::ggml_backend_dev_type(device) };
    matches!(
        kind,
        sys::GGML_BACKEND_DEVICE_TYPE_CPU | sys::GGML_BACKEND_DEVICE_TYPE_ACCEL
    )
}
