//! Server-sent events (WHATWG HTML, section 9.2): an answer as a stream of frames, with comments that keep the
//! connection alive while nothing comes.

use std::convert::Infallible;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, header};
use axum::response::Response;
use futures_util::future::BoxFuture;
use hearth_protocol::Error;
use hearth_protocol::completion::CompletionEvent;
use serde::Serialize;

use super::run::Run;

/// How long nothing may be sent: below what clients and what stands between wait for.
pub(super) const KEEP_ALIVE: Duration = Duration::from_secs(5);

/// A comment, which every client passes over.
pub(super) const COMMENT: &[u8] = b":\n\n";

/// Turns what happens to an answer into a wire format's frames. A pure state machine, tested without a server.
pub(super) trait Dialect: Send + 'static {
    /// What comes first.
    fn begin(&mut self, frames: &mut Frames);
    /// Something happened to one of the choices.
    fn take(&mut self, choice: u32, event: CompletionEvent, frames: &mut Frames);
    /// All choices have ended well.
    fn end(&mut self, frames: &mut Frames);
    /// It broke off; nothing follows.
    fn fail(&mut self, error: Error, frames: &mut Frames);
    /// What must be done before the last frames go out, since the listener may rely on it then.
    fn settle(&mut self) -> Option<BoxFuture<'static, ()>> {
        None
    }
    /// What comes last, once that is done.
    fn settled(&mut self, _frames: &mut Frames) {}
}

/// Frames that wait to be sent.
#[derive(Debug, Default)]
pub(super) struct Frames(Vec<u8>);

impl Frames {
    /// A frame of JSON.
    pub(super) fn data(&mut self, json: &impl Serialize) {
        self.0.extend_from_slice(b"data: ");
        self.json(json);
    }

    /// A frame of JSON with the name of an event.
    pub(super) fn event(&mut self, name: &str, json: &impl Serialize) {
        self.0.extend_from_slice(b"event: ");
        self.0.extend_from_slice(name.as_bytes());
        self.0.extend_from_slice(b"\ndata: ");
        self.json(json);
    }

    /// A frame of a bare word, such as OpenAI's `[DONE]`.
    pub(super) fn word(&mut self, word: &str) {
        self.0.extend_from_slice(format!("data: {word}\n\n").as_bytes());
    }

    fn json(&mut self, json: &impl Serialize) {
        // JSON's own line breaks are escaped, so that a frame is one line.
        if let Err(error) = serde_json::to_writer(&mut self.0, json) {
            tracing::error!(%error, "a frame has no JSON form");
        }
        self.0.extend_from_slice(b"\n\n");
    }

    /// What waits, which waits no longer.
    pub(super) fn take(&mut self) -> Bytes {
        std::mem::take(&mut self.0).into()
    }

    /// All frames as text.
    #[cfg(test)]
    pub(super) fn into_text(self) -> String {
        String::from_utf8(self.0).expect("frames are text")
    }
}

/// Where a stream stands.
enum State<D> {
    Begin(Run, D),
    Going(Run, D),
    Ended,
}

/// The answer of a request as a stream. Dropping it, as when the listener leaves, stops the work.
pub(super) fn stream<D: Dialect>(run: Run, dialect: D) -> Response {
    let frames = futures_util::stream::unfold(State::Begin(run, dialect), |state| async move {
        let (bytes, state) = step(state).await?;
        Some((Ok::<_, Infallible>(bytes), state))
    });
    response(Body::from_stream(frames))
}

/// An answer that is a stream.
pub(super) fn response(frames: Body) -> Response {
    let mut response = Response::new(frames);
    let headers = response.headers_mut();
    headers.insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static("text/event-stream; charset=utf-8"),
    );
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    // Proxies such as nginx hold a stream back otherwise.
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    response
}

/// What is sent next.
async fn step<D: Dialect>(state: State<D>) -> Option<(Bytes, State<D>)> {
    let mut frames = Frames::default();
    let (mut run, mut dialect) = match state {
        State::Begin(run, mut dialect) => {
            dialect.begin(&mut frames);
            (run, dialect)
        }
        State::Going(run, dialect) => (run, dialect),
        State::Ended => return None,
    };
    // What has come already goes out together.
    while let Some((choice, event)) = run.try_next() {
        if let CompletionEvent::Failed(error) = event {
            dialect.fail(error, &mut frames);
            return Some(last(dialect, frames).await);
        }
        dialect.take(choice, event, &mut frames);
    }
    loop {
        if !frames.0.is_empty() {
            return Some((frames.take(), State::Going(run, dialect)));
        }
        match tokio::time::timeout(KEEP_ALIVE, run.next()).await {
            Err(_) => return Some((Bytes::from_static(COMMENT), State::Going(run, dialect))),
            Ok(Some((_, CompletionEvent::Failed(error)))) => {
                dialect.fail(error, &mut frames);
                return Some(last(dialect, frames).await);
            }
            Ok(Some((choice, event))) => dialect.take(choice, event, &mut frames),
            Ok(None) => {
                dialect.end(&mut frames);
                return Some(last(dialect, frames).await);
            }
        }
    }
}

/// The last frames.
async fn last<D: Dialect>(mut dialect: D, mut frames: Frames) -> (Bytes, State<D>) {
    if let Some(work) = dialect.settle() {
        work.await;
    }
    dialect.settled(&mut frames);
    (frames.take(), State::Ended)
}
