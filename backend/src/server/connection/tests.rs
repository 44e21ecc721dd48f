//! Connections whose clients take nothing, over real sockets.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::body::{Body, Bytes};
use axum::routing::get;
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;

use super::*;
use crate::server::listener::{open_port, serve};

/// Only ends a test that hangs.
const HANG_GUARD: Duration = Duration::from_secs(120);

/// Bytes of one piece of an answer that has no end.
const PIECE: usize = 64 << 10;

/// More than the system keeps of what a client has not taken: 4 MiB where it is sent and 6 MiB where it is received
/// (`tcp_wmem` and `tcp_rmem` of Linux).
const MOST_MADE: usize = 64 << 20;

/// Tells when it is dropped.
struct TellsEnd(mpsc::UnboundedSender<()>);

impl Drop for TellsEnd {
    fn drop(&mut self) {
        self.0.send(()).expect("the test listens");
    }
}

/// An answer without end. Its pieces are counted, and its end is told.
fn endless(pieces: Arc<AtomicUsize>, end: TellsEnd) -> Body {
    let stream = futures_util::stream::unfold((pieces, end), |(pieces, end)| async {
        pieces.fetch_add(1, Ordering::Relaxed);
        let piece = Bytes::from(vec![b'x'; PIECE]);
        Some((Ok::<_, Infallible>(piece), (pieces, end)))
    });
    Body::from_stream(stream)
}

#[tokio::test]
async fn a_client_that_takes_nothing_is_cut_off_and_the_work_stops() {
    let pieces = Arc::new(AtomicUsize::new(0));
    let (ended, mut end) = mpsc::unbounded_channel();
    let made = Arc::clone(&pieces);
    let answer = move || async move { endless(made, TellsEnd(ended)) };
    let router = Router::new().route("/", get(answer));
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let (_phase, reached) = watch::channel(Phase::Serving);
    let limits = Limits {
        answer_patience: Duration::from_millis(50),
        ..Limits::default()
    };
    let (open, _closed) = open_port();
    tokio::spawn(serve(vec![listener], open, None, router, reached, limits));

    let mut client = TcpStream::connect(address).await.expect("it listens");
    let asked = b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n";
    client.write_all(asked).await.expect("sent");
    let dropped = tokio::time::timeout(HANG_GUARD, end.recv()).await;
    assert_eq!(dropped, Ok(Some(())), "the answer is dropped");
    let made = pieces.load(Ordering::Relaxed) * PIECE;
    assert!((PIECE..MOST_MADE).contains(&made), "{made} bytes were made");
    drop(client);
}
