//! The worker's way back: one line a message on standard output, sent at once.
//!
//! Nothing else in the worker may write to standard output.

use std::io::{self, Stdout, Write};

use crate::engine::ipc::{self, Response};

/// Standard output as a line of messages.
pub(super) struct Output(Stdout);

impl Default for Output {
    fn default() -> Self {
        Self(io::stdout())
    }
}

impl Output {
    /// Sends a message.
    ///
    /// # Errors
    /// Where the backend no longer reads.
    pub(super) fn send(&mut self, response: &Response) -> io::Result<()> {
        let line = ipc::encode(response).map_err(io::Error::other)?;
        let mut stdout = self.0.lock();
        stdout.write_all(line.as_bytes())?;
        stdout.flush()
    }
}
