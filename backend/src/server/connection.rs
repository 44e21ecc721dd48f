//! One connection: HTTP/1.1 within limits, until its client leaves or the server ends.

mod hearing;
#[cfg(test)]
mod tests;

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::time::Duration;

use axum::Router;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::watch;
use tokio_io_timeout::TimeoutWriter;

use super::limits::Limits;
use super::listener::HEAD_PATIENCE;
use super::site::{Phase, reached};
use hearing::Hearing;

/// Most headers of a request, and most bytes of its head.
const MOST_HEADERS: usize = 100;
const LONGEST_HEAD: usize = 64 << 10;

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
    let from = Hearing::new(from);
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
    let stream = TokioIo::new(tokio::io::join(from.clone(), Box::pin(to)));
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
        // What came is read where it is needed, and only the rest ahead.
        biased;
        ended = serving => {
            if let Err(error) = ended {
                tracing::debug!(%error, "a connection to the local server broke off");
            }
        }
        // Dropping the connection drops what is made for its client.
        () = peer.gone(&from) => tracing::debug!("a client left"),
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

/// The client of a connection: whether its newest request is there to the last byte.
#[derive(Debug, Clone, Default)]
pub(super) struct Peer(watch::Sender<bool>);

impl Peer {
    /// A request has begun to come. A client that leaves before all of it is there is told so, should it still listen.
    pub(super) fn asks(&self) {
        self.0.send_replace(false);
    }

    /// All of the request is there: a client that leaves from here on waits for nothing else.
    pub(super) fn is_heard(&self) {
        self.0.send_replace(true);
    }

    /// Waits until the client leaves in the middle of an answer.
    async fn gone<R: AsyncRead + Unpin>(&self, from: &Hearing<R>) {
        let mut is_heard = self.0.subscribe();
        // Its sender is here.
        while is_heard.wait_for(|is_heard| *is_heard).await.is_ok() {
            tokio::select! {
                () = poll_fn(|context| from.poll_end(context)) => return,
                _ = is_heard.wait_for(|is_heard| !is_heard) => (),
            }
        }
    }
}
