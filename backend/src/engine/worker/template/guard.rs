//! Bounds around the template engine: a deep stack, a time limit, a limit on output.
//!
//! Templates come out of downloaded files. Fuel ends what loops; what the engine does between two charges of fuel
//! is bounded here. A template that still hangs keeps its thread until the worker process ends.

use std::io;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use super::failure::Failure;

/// Stack for parsing and rendering, which both recurse. The deepest that the other limits let through, a source full
/// of `elif`, takes somewhat more than 16 MB.
const STACK_BYTES: usize = 64 << 20;

/// How long a parse or a render may take. Real ones take milliseconds.
pub(super) const TIME_LIMIT: Duration = Duration::from_secs(10);

/// The longest text a template may write: more than any context holds.
const MAX_OUTPUT_BYTES: usize = 32 << 20;

/// Runs the work on a thread of its own and waits for it, at most so long.
///
/// # Errors
/// Where it takes longer, and where it broke off with a panic.
pub(super) fn run<T: Send + 'static>(
    limit: Duration,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Failure> {
    let (done, result) = channel();
    let thread = thread::Builder::new()
        .name("hearth-template".into())
        .stack_size(STACK_BYTES);
    let spawned = thread.spawn(move || {
        // The one who asked has gone where it took too long.
        done.send(work()).unwrap_or_default();
    });
    if let Err(error) = spawned {
        return Err(Failure::Template(format!("there is no thread for it: {error}")));
    }
    result.recv_timeout(limit).map_err(|error| {
        Failure::Template(match error {
            RecvTimeoutError::Timeout => format!("it did not end within {} seconds", limit.as_secs()),
            RecvTimeoutError::Disconnected => "it broke the template engine".into(),
        })
    })
}

/// What a template has written, up to the limit.
#[derive(Debug, Default)]
pub(super) struct Output(Vec<u8>);

impl Output {
    /// All of it.
    pub(super) fn into_text(self) -> Result<String, Failure> {
        String::from_utf8(self.0)
            .map_err(|error| Failure::Template(format!("it wrote what is no text: {error}")))
    }
}

impl io::Write for Output {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        if text.len() > MAX_OUTPUT_BYTES - self.0.len() {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.0.extend_from_slice(text);
        Ok(text.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests;
