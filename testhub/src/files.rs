//! Bodies of files, with ranges and with faults.

use std::sync::Arc;
use std::time::Duration;
use std::{io, mem};

use axum::body::Body;
use axum::extract;
use axum::http::{HeaderMap, Method, Response, StatusCode, Uri, header};
use bytes::Bytes;
use futures_util::stream;
use tokio::sync::watch;

use crate::api::{plain, played};
use crate::fault::{Fault, Place};
use crate::repo::File;
use crate::state::{self, State};

/// Bytes that are sent at once.
const PIECE: usize = 16 * 1024;

/// How long a connection that is to break has for what is on its way.
const FLUSH_TIME: Duration = Duration::from_millis(20);

/// Answers a request to the file host: `/lfs/SHA256?signature=NUMBER`.
pub(crate) async fn answer(
    extract::State(state): extract::State<Arc<State>>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> Response<Body> {
    let (fault, file) = {
        let mut world = state.lock();
        let fault = world.meet(Place::File, &method, &uri, &headers);
        let signature = uri
            .query()
            .and_then(|query| query.strip_prefix("signature=")?.parse().ok());
        if signature.is_none_or(|signature: u64| signature < world.first_valid_signature) {
            return plain(StatusCode::FORBIDDEN, "<Error><Code>AccessDenied</Code></Error>");
        }
        let name = uri.path().trim_start_matches("/lfs/");
        let mut files = world.repos.values().flat_map(|repo| repo.files.values());
        (fault, files.find(|file| file.sha256 == name).cloned())
    };
    match file {
        Some(file) => send(&state, &file, &headers, fault),
        None => plain(StatusCode::NOT_FOUND, "no such file"),
    }
}

/// A body or the range of it that is asked for.
pub(crate) fn send(
    state: &Arc<State>,
    file: &File,
    headers: &HeaderMap,
    fault: Option<Fault>,
) -> Response<Body> {
    if let Some(answer) = fault.as_ref().and_then(played) {
        return answer;
    }
    let body = &file.body;
    let total = body.len() as u64;
    let etag = match fault {
        Some(Fault::OtherEtag) => "\"another\"".to_owned(),
        _ => format!("\"{}\"", file.sha256),
    };
    let wanted = headers
        .get(header::RANGE)
        .and_then(|value| state::range(value.to_str().ok()?));
    let fits = headers
        .get(header::IF_RANGE)
        .is_none_or(|value| value.as_bytes() == etag.as_bytes());
    let response = Response::builder().header(header::ETAG, &etag);
    let ignores_range = matches!(fault, Some(Fault::IgnoreRange | Fault::Chunked));
    let Some((start, end)) = wanted.filter(|_| fits && !ignores_range) else {
        let told = (fault != Some(Fault::Chunked)).then_some(total);
        let response = match told {
            Some(length) => response.header(header::CONTENT_LENGTH, length),
            None => response,
        };
        return response
            .body(stream(state, body.clone(), fault))
            .expect("a response");
    };
    if start >= total || fault == Some(Fault::NotSatisfiable) {
        return response
            .status(StatusCode::RANGE_NOT_SATISFIABLE)
            .header(header::CONTENT_RANGE, format!("bytes */{total}"))
            .body(Body::empty())
            .expect("a response");
    }
    let shift = if let Some(Fault::OtherStart(shift)) = fault {
        shift
    } else {
        0
    };
    let start = (start + shift).min(total - 1);
    let end = end.unwrap_or(u64::MAX).min(total - 1).max(start);
    let more = if let Some(Fault::LongerLength(more)) = fault {
        more
    } else {
        0
    };
    let told_total = if let Some(Fault::OtherTotal(more)) = fault {
        total + more
    } else {
        total
    };
    let status = match fault {
        Some(Fault::OkWithContentRange) => StatusCode::OK,
        _ => StatusCode::PARTIAL_CONTENT,
    };
    let part = body.slice(start as usize..=end as usize);
    response
        .status(status)
        .header(header::CONTENT_RANGE, format!("bytes {start}-{end}/{told_total}"))
        .header(header::CONTENT_LENGTH, part.len() as u64 + more)
        .body(stream(state, part, fault))
        .expect("a response")
}

/// The bytes piece by piece, as the budget allows, cut where the fault cuts them.
fn stream(state: &Arc<State>, mut rest: Bytes, fault: Option<Fault>) -> Body {
    if state.uncounted && fault.is_none() {
        return Body::from(rest);
    }
    let cut = match fault {
        Some(Fault::CloseAfter(length) | Fault::StallAfter(length)) => Some(length),
        Some(Fault::LongerLength(_)) => Some(rest.len() as u64),
        _ => None,
    };
    if let Some(length) = cut {
        rest.truncate(usize::try_from(length).unwrap_or(usize::MAX));
    }
    if fault == Some(Fault::WrongByte) && !rest.is_empty() {
        let mut changed = rest.to_vec();
        changed[0] ^= 1;
        rest = changed.into();
    }
    let stalls = matches!(fault, Some(Fault::StallAfter(_)));
    let sending = Sending::begin(state);
    let state = Arc::clone(state);
    Body::from_stream(stream::unfold(
        (state, rest, sending),
        move |(state, mut rest, sending)| async move {
            if rest.is_empty() {
                if stalls {
                    std::future::pending::<()>().await;
                }
                if cut.is_some() {
                    // When a body fails, hyper drops what it has not yet sent; a pause lets it send.
                    tokio::time::sleep(FLUSH_TIME).await;
                }
                // Without it the server would end the body in good order.
                return cut.map(|_| {
                    (
                        Err(io::Error::from(io::ErrorKind::ConnectionReset)),
                        (state, rest, sending),
                    )
                });
            }
            let length = PIECE.min(rest.len());
            let after = mem::take(&mut rest);
            let (piece, rest) = (after.slice(..length), after.slice(length..));
            wait_for_budget(&state, length as u64).await;
            Some((Ok(piece), (state, rest, sending)))
        },
    ))
}

/// A body that is being sent; ends with it, also where whoever asked has gone.
struct Sending(watch::Sender<usize>);

impl Sending {
    fn begin(state: &State) -> Self {
        state.sending.send_modify(|sending| *sending += 1);
        Self(state.sending.clone())
    }
}

impl Drop for Sending {
    fn drop(&mut self) {
        self.0.send_modify(|sending| *sending -= 1);
    }
}

/// Waits until this many bytes more may be sent, and counts them as sent.
async fn wait_for_budget(state: &State, length: u64) {
    let mut budget = state.budget.subscribe();
    loop {
        let allowed = *budget.borrow_and_update();
        let taken = state.sent.send_if_modified(|sent| {
            let fits = *sent + length <= allowed;
            if fits {
                *sent += length;
            }
            fits
        });
        // The sender lives as long as the state.
        if taken || budget.changed().await.is_err() {
            return;
        }
    }
}
