//! What a client sends, read ahead while nobody asks for it, so that its leaving shows.
//!
//! hyper reads nothing in the middle of an answer once something stands behind the request, if only an empty line, and
//! does not see the client leave then. So two clones share the connection's reading half:
//!
//! ```text
//! client ──> from ──> ahead ──> poll_read: hyper, where it wants something
//!              └────────^────── poll_end: whoever waits for the client to leave, while hyper wants nothing
//! ```
//!
//! What `poll_end` finds is put by in `ahead`, where hyper takes it from first, so that nothing is lost and nothing comes
//! in another order.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};

use bytes::BytesMut;
use tokio::io::{AsyncRead, ReadBuf};

/// Most bytes that are read ahead. With more than that behind its request, a client's leaving shows only where it is
/// answered.
const MOST: usize = 16 << 10;

/// Bytes that are read ahead at a time.
const PIECE: usize = 1 << 10;

/// The reading half of a connection. Its clones are used by one task.
pub(super) struct Hearing<R>(Arc<Mutex<Inner<R>>>);

struct Inner<R> {
    from: R,
    /// What was read ahead.
    ahead: BytesMut,
    /// The client sends nothing more.
    has_ended: bool,
}

impl<R> Clone for Hearing<R> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<R> Hearing<R> {
    pub(super) fn new(from: R) -> Self {
        Self(Arc::new(Mutex::new(Inner {
            from,
            ahead: BytesMut::new(),
            has_ended: false,
        })))
    }

    fn lock(&self) -> MutexGuard<'_, Inner<R>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<R: AsyncRead + Unpin> Hearing<R> {
    /// Reads on, and is done once the client sends nothing more. Must be polled after whoever wants what it sends, by the
    /// same task.
    pub(super) fn poll_end(&self, context: &mut Context<'_>) -> Poll<()> {
        let mut inner = self.lock();
        while !inner.has_ended && inner.ahead.len() < MOST {
            let mut piece = [0; PIECE];
            let mut piece = ReadBuf::new(&mut piece);
            // Where it is polled again, the reader has been asked before.
            if ready!(inner.poll_from(context, &mut piece)).is_err() {
                break;
            }
            if !piece.filled().is_empty() {
                inner.ahead.extend_from_slice(piece.filled());
                // It has found nothing so far.
                context.waker().wake_by_ref();
            }
        }
        if inner.has_ended {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    }
}

impl<R: AsyncRead + Unpin> Inner<R> {
    fn poll_from(&mut self, context: &mut Context<'_>, piece: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = piece.filled().len();
        let read = ready!(Pin::new(&mut self.from).poll_read(context, piece));
        // An error is how a client leaves too.
        let is_end = piece.filled().len() == before && piece.remaining() > 0;
        self.has_ended |= read.is_err() || is_end;
        Poll::Ready(read)
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for Hearing<R> {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        piece: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let mut inner = self.lock();
        if !inner.ahead.is_empty() {
            let count = inner.ahead.len().min(piece.remaining());
            piece.put_slice(&inner.ahead.split_to(count));
            return Poll::Ready(Ok(()));
        }
        if inner.has_ended {
            return Poll::Ready(Ok(()));
        }
        inner.poll_from(context, piece)
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;

    #[tokio::test]
    async fn nothing_is_lost_of_what_is_read_ahead() {
        let (mut client, server) = tokio::io::duplex(MOST);
        let hearing = Hearing::new(server);
        let mut reader = hearing.clone();
        let text: Vec<u8> = (0..3 * MOST).map(|number| number as u8).collect();
        let sent = text.clone();
        let sends = async move {
            client.write_all(&sent).await.expect("sent");
        };
        let reads = async move {
            let mut read = vec![0; MOST];
            reader.read_exact(&mut read).await.expect("read");
            reader.read_to_end(&mut read).await.expect("read");
            read
        };
        let ends = poll_fn(|context| hearing.poll_end(context));
        let ((), read, ()) = tokio::join!(sends, reads, ends);
        assert_eq!(read, text);
    }

    /// Nobody reads, more lies there, and the end shows all the same.
    #[tokio::test]
    async fn the_end_shows_behind_what_nobody_reads() {
        let (mut client, server) = tokio::io::duplex(MOST);
        let hearing = Hearing::new(server);
        client.write_all(b"\r\n").await.expect("sent");
        drop(client);
        poll_fn(|context| hearing.poll_end(context)).await;
        let mut read = Vec::new();
        hearing.clone().read_to_end(&mut read).await.expect("read");
        assert_eq!(read, b"\r\n");
    }
}
