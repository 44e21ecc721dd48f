//! Bounds around the template engine: a deep stack, limits on time and memory, a limit on output.
//!
//! Templates come out of downloaded files. Fuel ends what loops; what the engine does between two charges of fuel
//! is bounded here. No thread can be ended from outside: one that reaches a limit here runs on, so that its process
//! has to end. Whoever asked hears of it as [`Failure::Stuck`].

use std::io;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::failure::Failure;
use super::memory;

/// Stack for parsing and rendering, which both recurse. The deepest that the other limits let through, a source full
/// of `elif`, takes somewhat more than 16 MB.
const STACK_BYTES: usize = 64 << 20;

/// What a parse or a render may take. Real ones take milliseconds, and as much memory as a few times their text.
pub(super) const LIMITS: Limits = Limits {
    time: Duration::from_secs(10),
    bytes: 1 << 30,
};

/// How often the memory is looked at.
const STEP: Duration = Duration::from_millis(20);

/// The longest text a template may write: more than any context holds.
const MAX_OUTPUT_BYTES: usize = 32 << 20;

/// What work may take.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// From its beginning.
    pub(super) time: Duration,
    /// Memory that the whole process gains meanwhile.
    pub(super) bytes: u64,
}

/// Runs the work on a thread of its own and waits for it, within the limits.
///
/// # Errors
/// `Stuck` where it goes beyond a limit; `Template` where it broke off with a panic.
pub(super) fn run<T: Send + 'static>(
    limits: Limits,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Failure> {
    let (done, result) = channel();
    let thread = thread::Builder::new()
        .name("hearth-template".into())
        .stack_size(STACK_BYTES);
    let (began, bytes) = (Instant::now(), memory::private_bytes());
    let spawned = thread.spawn(move || {
        // The one who asked has gone where it took too long.
        done.send(work()).unwrap_or_default();
    });
    if let Err(error) = spawned {
        return Err(Failure::Template(format!("there is no thread for it: {error}")));
    }
    loop {
        let left = limits.time.saturating_sub(began.elapsed());
        match result.recv_timeout(left.min(STEP)) {
            Ok(result) => return Ok(result),
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Failure::Template("it broke the template engine".into()));
            }
            Err(RecvTimeoutError::Timeout) if left.is_zero() => {
                let seconds = limits.time.as_secs();
                return Err(Failure::Stuck(format!("it did not end within {seconds} seconds")));
            }
            Err(RecvTimeoutError::Timeout) => {
                let gained = memory::private_bytes()
                    .zip(bytes)
                    .map(|(now, then)| now.saturating_sub(then));
                if gained.is_some_and(|gained| gained > limits.bytes) {
                    let megabytes = limits.bytes >> 20;
                    return Err(Failure::Stuck(format!(
                        "it uses more than {megabytes} MB of memory"
                    )));
                }
            }
        }
    }
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
