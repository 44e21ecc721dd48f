//! The text of an answer on its way out: bytes are held until they are whole characters, and characters while they
//! may be the beginning of a stop string.

use std::io;

use super::output::Output;
use super::stop::{StopStep, StopStrings};
use super::utf8::Utf8Hold;
use crate::engine::Piece;
use crate::engine::ipc::Response;

/// The text of one answer.
pub(super) struct Text {
    id: u64,
    bytes: Utf8Hold,
    stop: StopStrings,
}

impl Text {
    pub(super) fn new(id: u64, stop: Vec<String>) -> Self {
        Self {
            id,
            bytes: Utf8Hold::new(),
            stop: StopStrings::new(stop),
        }
    }

    /// Takes the bytes of a token; gives the stop string that came, if one did.
    pub(super) fn push(&mut self, piece: &[u8], output: &mut Output) -> io::Result<Option<String>> {
        let text = self.bytes.push(piece);
        self.pass(&text, output)
    }

    /// Sends all that was held; gives the stop string that came at the very end, if one did.
    pub(super) fn flush(&mut self, output: &mut Output) -> io::Result<Option<String>> {
        let rest = self.bytes.flush();
        let stop = self.pass(&rest, output)?;
        if stop.is_none() {
            let held = self.stop.flush();
            self.send(held, output)?;
        }
        Ok(stop)
    }

    fn pass(&mut self, text: &str, output: &mut Output) -> io::Result<Option<String>> {
        if text.is_empty() {
            return Ok(None);
        }
        match self.stop.push(text) {
            StopStep::Text(text) => {
                self.send(text, output)?;
                Ok(None)
            }
            StopStep::Hit { text, stop } => {
                self.send(text, output)?;
                Ok(Some(stop))
            }
        }
    }

    fn send(&mut self, text: String, output: &mut Output) -> io::Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        output.send(&Response::Piece {
            id: self.id,
            piece: Piece::Text(text),
        })
    }
}
