//! Reading forward through a header, never past the end of the file.

use std::io::Read;

use hearth_protocol::ByteSize;

use super::{GgufError, io_error};

/// A place in a file of known length.
pub(super) struct Cursor<R> {
    source: R,
    position: u64,
    length: u64,
}

impl<R: Read> Cursor<R> {
    /// At the first byte of a file of `length` bytes.
    pub(super) fn new(source: R, length: u64) -> Self {
        Self {
            source,
            position: 0,
            length,
        }
    }

    /// Bytes read so far.
    pub(super) fn position(&self) -> u64 {
        self.position
    }

    /// The next `N` bytes.
    pub(super) fn bytes<const N: usize>(&mut self) -> Result<[u8; N], GgufError> {
        let mut buffer = [0; N];
        self.advance(N as u64)?;
        self.source.read_exact(&mut buffer).map_err(io_error)?;
        Ok(buffer)
    }

    /// The next bytes, at most `limit`, fewer where the file ends.
    pub(super) fn up_to(&mut self, limit: u64) -> Result<Vec<u8>, GgufError> {
        let count = limit.min(self.length - self.position);
        self.advance(count)?;
        let mut buffer = Vec::new();
        self.source
            .by_ref()
            .take(count)
            .read_to_end(&mut buffer)
            .map_err(io_error)?;
        Ok(buffer)
    }

    /// A 32-bit number.
    pub(super) fn u32(&mut self) -> Result<u32, GgufError> {
        self.bytes().map(u32::from_le_bytes)
    }

    /// A 64-bit number.
    pub(super) fn u64(&mut self) -> Result<u64, GgufError> {
        self.bytes().map(u64::from_le_bytes)
    }

    /// A text of at most `limit` bytes, behind its length.
    pub(super) fn text(&mut self, limit: u64) -> Result<String, GgufError> {
        let length = self.u64()?;
        if length > limit {
            return Err(GgufError::Damaged(format!("a text has {length} bytes")));
        }
        if length > self.length - self.position {
            return Err(self.ends_before(length));
        }
        Ok(String::from_utf8_lossy(&self.up_to(length)?).into_owned())
    }

    /// The beginning of a text of any length, behind that length: at most `limit` bytes, whole characters only.
    pub(super) fn text_beginning(&mut self, limit: u64) -> Result<String, GgufError> {
        let length = self.u64()?;
        if length > self.length - self.position {
            return Err(self.ends_before(length));
        }
        let mut bytes = self.up_to(length.min(limit))?;
        self.skip(length.saturating_sub(limit))?;
        if length > limit
            && let Err(error) = std::str::from_utf8(&bytes)
            // The limit cut a character.
            && error.error_len().is_none()
        {
            bytes.truncate(error.valid_up_to());
        }
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Passes over bytes.
    pub(super) fn skip(&mut self, count: u64) -> Result<(), GgufError> {
        self.advance(count)?;
        let passed =
            std::io::copy(&mut self.source.by_ref().take(count), &mut std::io::sink()).map_err(io_error)?;
        // The file became shorter since its length was read.
        if passed < count {
            Err(self.ends_before(0))
        } else {
            Ok(())
        }
    }

    /// Moves the position, if the file goes that far.
    fn advance(&mut self, count: u64) -> Result<(), GgufError> {
        if count > self.length - self.position {
            return Err(self.ends_before(count));
        }
        self.position += count;
        Ok(())
    }

    fn ends_before(&self, count: u64) -> GgufError {
        let needs = self
            .position
            .saturating_add(count)
            .max(self.length.saturating_add(1));
        GgufError::Truncated {
            has: ByteSize(self.length),
            needs: ByteSize(needs),
        }
    }
}
