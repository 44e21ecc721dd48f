//! The worker's log: everything on standard error, llama.cpp's own lines too. The backend keeps it.

use std::ffi::{CStr, c_char, c_void};
use std::io::Write;
use std::path::Path;
use std::sync::{Mutex, OnceLock, PoisonError};

use llama_cpp_sys_2 as sys;

/// What llama.cpp writes in front of the reason when a model does not load (`llama.cpp`, `llama_model_load`).
const LOAD_ERROR: &str = "error loading model: ";

/// What llama.cpp writes between the function and the file of the library that it took for this processor
/// (`ggml-backend-reg.cpp`, `load_backend`).
const LOADED: &str = ": loaded CPU backend from ";
/// How the names of these libraries begin.
const LIBRARY: &str = "ggml-cpu-";

/// Writes the log and remembers llama.cpp's first complaint. Lives as long as the process.
#[derive(Debug, Default)]
pub(super) struct Log {
    complaint: Mutex<Option<String>>,
    variant: OnceLock<String>,
}

impl Log {
    /// Takes over llama.cpp's log. Called once, before anything of llama.cpp runs.
    pub(super) fn start() -> &'static Self {
        let log: &'static Self = Box::leak(Box::default());
        let data = std::ptr::from_ref(log).cast_mut().cast::<c_void>();
        // SAFETY: nothing of llama.cpp runs yet, so no other thread uses the logger; `forward` may be called from
        // any thread, and `data` is a `Log` that is never freed and can be shared between threads.
        unsafe { sys::llama_log_set(Some(forward), data) };
        log
    }

    /// Writes a line of the worker's own.
    pub(super) fn write(&self, line: &str) {
        write_error(format_args!("{line}\n"));
    }

    /// llama.cpp's first complaint since this was last asked, without the name of the function that made it.
    pub(super) fn take_complaint(&self) -> Option<String> {
        self.complaint
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take()
    }

    /// The kind of processor that the code was compiled for which llama.cpp has taken, such as `haswell`; `None` in a build
    /// that has one alone.
    pub(super) fn variant(&self) -> Option<&str> {
        self.variant.get().map(String::as_str)
    }

    fn note(&self, text: &str) {
        if let Some(variant) = variant_in(text) {
            self.variant.get_or_init(|| variant.to_owned());
        }
    }

    fn complain(&self, text: &str) {
        let mut complaint = self.complaint.lock().unwrap_or_else(PoisonError::into_inner);
        if complaint.is_none() {
            *complaint = Some(reason_in(text).to_owned());
        }
    }
}

/// The reason in a line of llama.cpp such as `llama_model_load: error loading model: no such tensor`.
fn reason_in(line: &str) -> &str {
    let line = line.trim();
    if let Some(place) = line.find(LOAD_ERROR) {
        return &line[place + LOAD_ERROR.len()..];
    }
    match line.split_once(": ") {
        Some((function, reason)) if !function.contains(' ') => reason,
        _ => line,
    }
}

/// The kind of processor in a line such as `load_backend: loaded CPU backend from /lib/libggml-cpu-haswell.so`.
fn variant_in(line: &str) -> Option<&str> {
    let (_, file) = line.trim().split_once(LOADED)?;
    let (_, variant) = Path::new(file).file_stem()?.to_str()?.split_once(LIBRARY)?;
    Some(variant)
}

/// A standard error that is closed leaves nowhere to tell it.
fn write_error(text: std::fmt::Arguments<'_>) {
    std::io::stderr().lock().write_fmt(text).unwrap_or_default();
}

/// Passes on llama.cpp's log, except for its debug lines, which are many.
unsafe extern "C" fn forward(level: sys::ggml_log_level, text: *const c_char, data: *mut c_void) {
    if text.is_null() || data.is_null() || level == sys::GGML_LOG_LEVEL_DEBUG {
        return;
    }
    // SAFETY: llama.cpp hands over a text that ends with a zero byte and stays for this call.
    let text = unsafe { CStr::from_ptr(text) }.to_string_lossy();
    write_error(format_args!("{text}"));
    // SAFETY: `data` is what `Log::start` gave, a `Log` that is never freed.
    let log = unsafe { &*data.cast::<Log>() };
    match level {
        sys::GGML_LOG_LEVEL_ERROR => log.complain(&text),
        sys::GGML_LOG_LEVEL_INFO => log.note(&text),
        _ => (),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reason_is_found_in_llama_cpps_lines() {
        let cases = [
            (
                "llama_model_load: error loading model: missing tensor 'output_norm.weight'\n",
                "missing tensor 'output_norm.weight'",
            ),
            (
                "gguf_init_from_file_impl: failed to read magic\n",
                "failed to read magic",
            ),
            ("no colon here", "no colon here"),
            ("two words: and more", "two words: and more"),
        ];
        for (line, reason) in cases {
            assert_eq!(reason_in(line), reason);
        }
    }

    #[test]
    fn the_kind_of_processor_is_found_in_the_name_of_the_library() {
        let cases = [
            (
                "load_backend: loaded CPU backend from /usr/lib/hearth/backends/libggml-cpu-haswell.so\n",
                Some("haswell"),
            ),
            (
                "load_backend: loaded CPU backend from /a b/ggml-cpu-apple_m4.dll",
                Some("apple_m4"),
            ),
            (
                "load_backend: loaded CPU backend from /lib/libggml-cpu.so\n",
                None,
            ),
            (
                "load_backend: loaded Vulkan backend from /lib/libggml-vulkan.so\n",
                None,
            ),
        ];
        for (line, variant) in cases {
            assert_eq!(variant_in(line), variant, "{line}");
        }
    }

    #[test]
    fn the_first_complaint_stays_until_it_is_taken() {
        let log = Log::default();
        log.complain("f: first");
        log.complain("g: second");
        assert_eq!(log.take_complaint().as_deref(), Some("first"));
        assert_eq!(log.take_complaint(), None);
    }
}
