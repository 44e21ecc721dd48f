//! One connection: HTTP/1.1 within limits, until its client leaves or the server ends.

use std::future::Future;
use std::pin::pin;
use std::time::Duration;

use axum::Router;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use tokio::sync::watch;
use tokio_io_timeout::TimeoutWriter;

use super::limits::Limits;
use super::listener::HEAD_PATIENCE;
use super::site::{Phase, reached};

/// Most headers of a request, and most bytes of its head.
const MOST_HEADERS: usize = 100;
const LONGEST_HEAD: usize = 64 << 10;

/// How much is read of what a client sends before it is asked for. With more than that behind its request, its leaving
/// shows only where it is answered.
const READ_AHEAD: usize = 64 << 10;

/// How long a connection may take to send its last words once the server has cut it off.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// Speaks HTTP/1.1 on a connection.
pub(super) async fn speak(
    stream: impl AsyncRead + AsyncWrite + Send + 'static,
    router: Router,
    mut phase: watch::Receiver<Phase>,
    limits: Limits,
) {
    let peer = Peer::default();
    let (from, to) = tokio::io::split(stream);
    let (ahead, into) = tokio::io::simplex(READ_AHEAD);
    let mut to = TimeoutWriter::new(to);
    to.set_timeout(Some(limits.answer_patience));
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        // As they are commonly written: some programs look for no other case.
        .title_case_headers(true)
        .header_read_timeout(HEAD_PATIENCE)
        .max_headers(MOST_HEADERS)
        .max_buf_size(LONGEST_HEAD);
    let routes = TowerToHyperService::new(router);
    let told = peer.clone();
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(told.clone());
        routes.call(request)
    });
    let stream = TokioIo::new(tokio::io::join(ahead, Box::pin(to)));
    let mut connection = pin!(http.serve_connection(stream, service));
    let serving = async {
        tokio::select! {
            ended = connection.as_mut() => ended,
            () = reached(&mut phase, Phase::Finishing) => {
                // What runs goes on, and nothing new is taken.
                connection.as_mut().graceful_shutdown();
                until_cut_off(connection.as_mut(), phase).await
            }
        }
    };
    tokio::select! {
        ended = serving => {
            if let Err(error) = ended {
                tracing::debug!(%error, "a connection to the local server broke off");
            }
        }
        // Dropping the connection drops what is made for its client.
        () = peer.gone(from, into) => tracing::debug!("a client left"),
    }
}

/// Drives a connection to its end, and gives up on one whose client takes nothing any more.
async fn until_cut_off(
    connection: impl Future<Output = hyper::Result<()>>,
    mut phase: watch::Receiver<Phase>,
) -> hyper::Result<()> {
    let mut connection = pin!(connection);
    tokio::select! {
        ended = &mut connection => return ended,
        () = reached(&mut phase, Phase::CutOff) => (),
    }
    tokio::time::timeout(LAST_WORDS, connection)
        .await
        .unwrap_or(Ok(()))
}

/// The client of a connection. hyper sees it leave only while nothing stands behind the request that is answered, not
/// even an empty line.
#[derive(Debug, Clone, Default)]
pub(super) struct Peer(watch::Sender<Known>);

#[derive(Debug, Default)]
struct Known {
    /// Its newest request is there to the last byte.
    is_heard: bool,
    /// It sends nothing any more.
    has_left: bool,
}

impl Peer {
    /// A request begins to come.
    pub(super) fn asks(&self) {
        self.0.send_modify(|known| known.is_heard = false);
    }

    /// All of the request is there: a client that leaves from here on waits for nothing else.
    pub(super) fn is_heard(&self) {
        self.0.send_modify(|known| known.is_heard = true);
    }

    /// Hands on what the client sends, and waits until it has left in the middle of an answer.
    async fn gone(&self, mut from: impl AsyncRead + Unpin, mut into: impl AsyncWrite + Unpin) {
        // An error is how a client leaves too.
        if let Err(error) = tokio::io::copy(&mut from, &mut into).await {
            tracing::trace!(%error, "nothing more is read of a client");
        }
        if let Err(error) = into.shutdown().await {
            tracing::trace!(%error, "nobody hears that a client sends nothing more");
        }
        self.0.send_modify(|known| known.has_left = true);
        let mut known = self.0.subscribe();
        if known
            .wait_for(|known| known.is_heard && known.has_left)
            .await
            .is_err()
        {
            tracing::debug!("a connection is gone");
        }
    }
}

#[cfg(test)]
mod tests;
