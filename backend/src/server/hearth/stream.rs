//! Events of a run as a stream, with comments that keep the connection alive while nothing comes.

use std::convert::Infallible;
use std::ops::ControlFlow;

use axum::body::{Body, Bytes};
use axum::response::Response;
use hearth_protocol::{Error, RunEvent};

use crate::server::format::openai;
use crate::server::listening::Listening;
use crate::server::site::Site;
use crate::server::sse::{COMMENT, Frames, KEEP_ALIVE, response};
use crate::server::ticket::Ticket;

/// Turns events into frames, and says whether more comes.
pub(super) trait Writer<E>: Send + 'static {
    /// Something happened.
    fn write(&mut self, event: E, frames: &mut Frames) -> ControlFlow<()>;
}

/// A stream that goes on.
struct Going<E, W> {
    run: Listening<E>,
    writer: W,
    /// Frames that are written already.
    frames: Frames,
    site: Site,
}

/// The events of a run, behind what is written already. Dropping it, as when the listener leaves, drops the run.
pub(super) fn stream<E, W>(site: &Site, run: Listening<E>, writer: W, frames: Frames) -> Response
where
    E: RunEvent + Send + 'static,
    W: Writer<E>,
{
    let going = Going {
        run,
        writer,
        frames,
        site: site.clone(),
    };
    let frames = futures_util::stream::unfold(Some(going), |going| async move {
        let (bytes, going) = step(going?).await?;
        Some((Ok::<_, Infallible>(bytes), going))
    });
    response(Body::from_stream(frames))
}

/// What is sent next.
async fn step<E: RunEvent, W: Writer<E>>(mut going: Going<E, W>) -> Option<(Bytes, Option<Going<E, W>>)> {
    loop {
        let bytes = going.frames.take();
        if !bytes.is_empty() {
            return Some((bytes, Some(going)));
        }
        let event = tokio::select! {
            event = tokio::time::timeout(KEEP_ALIVE, going.run.next()) => event,
            () = going.site.cut_off() => {
                fail(Error::ServerStopped, None, &mut going.frames);
                return Some((going.frames.take(), None));
            }
        };
        match event {
            Err(_) => return Some((Bytes::from_static(COMMENT), Some(going))),
            Ok(None) => return None,
            Ok(Some(event)) => {
                if going.writer.write(event, &mut going.frames).is_break() {
                    return Some((going.frames.take(), None));
                }
            }
        }
    }
}

/// Writes why a run broke off, to the stream and to the log.
pub(super) fn fail(error: Error, ticket: Option<&Ticket>, frames: &mut Frames) {
    if let Some(ticket) = ticket {
        ticket.failed(&error);
    }
    frames.event("error", &openai(&error.into()));
}
