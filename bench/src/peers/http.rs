//! As much of HTTP/1.1 as llama-server and the hub of the tests need: one request a connection, and the body as it comes.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::time::Duration;

use anyhow::{Context, bail, ensure};

/// llama-server answers nothing for as long as it reads a prompt.
const READ_LIMIT: Duration = Duration::from_secs(600);

/// The body of an answer. Dropping it closes the connection.
pub(crate) type Body = BufReader<Box<dyn Read + Send>>;

/// A request that is sent. Dropping it closes the connection.
pub(super) struct Sent(TcpStream);

impl Sent {
    /// Sends a request to a server on this machine; `body` makes it a POST.
    ///
    /// # Errors
    /// Where there is no connection.
    pub(super) fn new(port: u16, path: &str, body: Option<&str>) -> anyhow::Result<Self> {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port))?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(READ_LIMIT))?;
        let method = if body.is_some() { "POST" } else { "GET" };
        let body = body.unwrap_or_default();
        let length = body.len();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
        );
        stream.write_all(request.as_bytes())?;
        Ok(Self(stream))
    }

    /// Waits for the head of the answer and gives its body.
    ///
    /// # Errors
    /// Where the status is not 200.
    pub(super) fn body(self) -> anyhow::Result<Body> {
        let mut reader = BufReader::new(self.0);
        let status = line(&mut reader)?;
        let mut chunked = false;
        loop {
            let header = line(&mut reader)?.to_ascii_lowercase();
            if header.is_empty() {
                break;
            }
            chunked |= header.starts_with("transfer-encoding:") && header.ends_with("chunked");
        }
        // The connection is closed after the answer, which is the end of a body that is not chunked.
        let mut body: Body = BufReader::new(if chunked {
            Box::new(Chunks::new(reader))
        } else {
            Box::new(reader)
        });
        if status.split(' ').nth(1) != Some("200") {
            let mut text = String::new();
            body.read_to_string(&mut text)
                .context("the server's refusal cannot be read")?;
            bail!("the server answered {status}: {text}");
        }
        Ok(body)
    }
}

/// Asks a server on this machine and waits for the body of its answer.
///
/// # Errors
/// Where there is no connection or the status is not 200.
pub(crate) fn get(port: u16, path: &str) -> anyhow::Result<Body> {
    Sent::new(port, path, None)?.body()
}

/// A line without its end.
fn line(reader: &mut impl BufRead) -> anyhow::Result<String> {
    let mut line = String::new();
    ensure!(
        reader.read_line(&mut line)? > 0,
        "the server closed the connection"
    );
    Ok(line.trim_end().to_owned())
}

/// A body in chunks (RFC 9112, section 7.1), as one stream of bytes.
struct Chunks<R> {
    inner: R,
    /// Bytes of the chunk that are still to come; `None` before the first chunk and after the last.
    left: Option<u64>,
    ended: bool,
}

impl<R: BufRead> Chunks<R> {
    fn new(inner: R) -> Self {
        Self {
            inner,
            left: None,
            ended: false,
        }
    }

    /// Reads the size of the next chunk.
    fn begin(&mut self) -> io::Result<u64> {
        let mut size = String::new();
        self.inner.read_line(&mut size)?;
        let size = size.split(';').next().unwrap_or_default().trim();
        u64::from_str_radix(size, 16)
            .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "no size of a chunk"))
    }
}

impl<R: BufRead> Read for Chunks<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.ended || buffer.is_empty() {
            return Ok(0);
        }
        let left = match self.left {
            Some(left) => left,
            None => self.begin()?,
        };
        if left == 0 {
            self.ended = true;
            return Ok(0);
        }
        let read = self.inner.by_ref().take(left).read(buffer)?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let left = left - read as u64;
        self.left = (left > 0).then_some(left);
        if left == 0 {
            let mut end = String::new();
            self.inner.read_line(&mut end)?;
        }
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(chunked: &[u8]) -> io::Result<String> {
        let mut text = String::new();
        Chunks::new(chunked).read_to_string(&mut text)?;
        Ok(text)
    }

    #[test]
    fn chunks_are_put_together() {
        let body = b"5\r\nhello\r\n1;name=value\r\n \r\nA\r\nwide world\r\n0\r\n\r\n";
        assert_eq!(read(body).expect("read"), "hello wide world");
    }

    #[test]
    fn a_body_that_breaks_off_is_an_error() {
        for broken in [&b"5\r\nhel"[..], b"5\r\nhello\r\n", b"no size\r\n"] {
            assert!(read(broken).is_err(), "{broken:?}");
        }
    }
}
