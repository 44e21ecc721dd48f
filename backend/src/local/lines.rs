//! Lines over a stream, both ways at once.

use std::io;

use bytes::BytesMut;
use tokio::io::{
    AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader, ReadHalf, WriteHalf, split,
};
use tokio::select;

/// Bytes that wait to be written, from which on nothing more shall be added that can wait.
const FULL: usize = 1 << 20;

/// The lines of a stream.
pub(super) struct Lines<S> {
    reader: BufReader<ReadHalf<S>>,
    writer: WriteHalf<S>,
    /// The beginning of the next line.
    begun: Vec<u8>,
    /// Most bytes of a line that is read.
    most: usize,
    /// What waits to be written.
    out: BytesMut,
}

impl<S: AsyncRead + AsyncWrite> Lines<S> {
    pub(super) fn new(stream: S, most: usize) -> Self {
        let (reader, writer) = split(stream);
        Self {
            reader: BufReader::new(reader),
            writer,
            begun: Vec::new(),
            most,
            out: BytesMut::new(),
        }
    }

    /// Adds a line to what is written while [`Self::next`] is awaited.
    pub(super) fn push(&mut self, line: &str) {
        self.out.extend_from_slice(line.as_bytes());
        self.out.extend_from_slice(b"\n");
    }

    /// Whether so much waits to be written that the other side should read first.
    pub(super) fn is_full(&self) -> bool {
        self.out.len() >= FULL
    }

    /// The next line; `None` where the other side has ended. May be dropped at any time; nothing is lost then.
    ///
    /// # Errors
    /// Of kind `InvalidData` for a line that is too long or no UTF-8; else as the system says.
    pub(super) async fn next(&mut self) -> io::Result<Option<String>> {
        loop {
            select! {
                written = self.writer.write_buf(&mut self.out), if !self.out.is_empty() => {
                    if written? == 0 {
                        return Err(io::ErrorKind::WriteZero.into());
                    }
                }
                read = self.reader.fill_buf() => {
                    let read = read?;
                    if read.is_empty() {
                        return Ok(None);
                    }
                    let end = read.iter().position(|byte| *byte == b'\n');
                    let taken = end.map_or(read.len(), |end| end + 1);
                    self.begun.extend_from_slice(&read[..taken]);
                    self.reader.consume(taken);
                    if self.begun.len() > self.most {
                        return Err(io::Error::new(io::ErrorKind::InvalidData, "a line is too long"));
                    }
                    if end.is_some() {
                        self.begun.pop();
                        let line = String::from_utf8(std::mem::take(&mut self.begun));
                        return line.map(Some).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error));
                    }
                }
            }
        }
    }

    /// Writes all that waits.
    pub(super) async fn flush(&mut self) -> io::Result<()> {
        self.writer.write_all_buf(&mut self.out).await?;
        self.writer.flush().await
    }
}
