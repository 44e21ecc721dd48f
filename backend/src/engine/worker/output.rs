//! The worker's way back: one line a message on standard output.
//!
//! Nothing else in the worker may write to standard output.

use std::io::{self, Stdout, Write};

use crate::engine::ipc::{self, Response};

/// Standard output as a line of messages.
pub(super) struct Output {
    stdout: Stdout,
    /// Whole lines that are not written yet.
    held: String,
}

impl Default for Output {
    fn default() -> Self {
        Self {
            stdout: io::stdout(),
            held: String::new(),
        }
    }
}

impl Output {
    /// Sends a message at once, behind those that were held.
    ///
    /// # Errors
    /// Where the backend no longer reads.
    pub(super) fn send(&mut self, response: &Response) -> io::Result<()> {
        self.hold(response)?;
        self.flush()
    }

    /// Takes a message that `flush` sends. Each time anything is sent the backend's threads wake, on the cores that are
    /// to compute; so what a step brings goes in one piece.
    ///
    /// # Errors
    /// None that are known: every message can be encoded.
    pub(super) fn hold(&mut self, response: &Response) -> io::Result<()> {
        self.held += &ipc::encode(response).map_err(io::Error::other)?;
        Ok(())
    }

    /// Sends what was held.
    ///
    /// # Errors
    /// Where the backend no longer reads.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        if self.held.is_empty() {
            return Ok(());
        }
        let mut stdout = self.stdout.lock();
        stdout.write_all(self.held.as_bytes())?;
        self.held.clear();
        stdout.flush()
    }
}
