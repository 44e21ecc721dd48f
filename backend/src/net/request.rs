//! Requests through the door. Redirects are not followed here: whoever sends a token must see where it goes.

use std::error::Error as StdError;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bytes::Bytes;
use hearth_protocol::Error;
use http::{HeaderMap, Method, StatusCode};
use url::Url;

use super::{Net, OFFLINE_REASON};

/// Longest text that is read of an answer, in bytes. The hub's lists have about 1 MB.
const MAX_TEXT: usize = 64 << 20;

/// A client of other hosts. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Http {
    client: reqwest::Client,
    offline: Arc<AtomicBool>,
}

/// An answer whose body is still to come.
#[derive(Debug)]
pub(crate) struct Response {
    inner: reqwest::Response,
    offline: Arc<AtomicBool>,
}

/// Why no answer came, or not all of it. No message names an address: those of files hold signatures.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum HttpError {
    /// Offline mode.
    #[error("{OFFLINE_REASON}")]
    Offline,
    /// No connection, or none any more.
    #[error("{0}")]
    Broken(String),
}

impl Http {
    pub(super) fn new(net: &Net, client: reqwest::Client) -> Self {
        Self {
            client,
            offline: Arc::clone(&net.offline),
        }
    }

    /// Sends a request without a body and waits for the head of the answer, whatever status it has.
    ///
    /// # Errors
    /// Where none comes.
    pub(crate) async fn send(
        &self,
        method: Method,
        url: Url,
        headers: HeaderMap,
    ) -> Result<Response, HttpError> {
        // A connection that is still open from before would pass the door by.
        check(&self.offline)?;
        let request = self.client.request(method, url).headers(headers);
        let inner = request.send().await.map_err(describe)?;
        Ok(Response {
            inner,
            offline: Arc::clone(&self.offline),
        })
    }
}

impl Response {
    /// The status.
    pub(crate) fn status(&self) -> StatusCode {
        self.inner.status()
    }

    /// The headers.
    pub(crate) fn headers(&self) -> &HeaderMap {
        self.inner.headers()
    }

    /// A header as text; `None` where it is missing or no text.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.inner.headers().get(name)?.to_str().ok()
    }

    /// The next bytes of the body; `None` at its end.
    ///
    /// # Errors
    /// Where the connection ends before the body does, or offline mode begins.
    pub(crate) async fn chunk(&mut self) -> Result<Option<Bytes>, HttpError> {
        check(&self.offline)?;
        self.inner.chunk().await.map_err(describe)
    }

    /// The whole body.
    ///
    /// # Errors
    /// As [`Self::chunk`], and where it is too long for a text.
    pub(crate) async fn bytes(mut self) -> Result<Vec<u8>, HttpError> {
        let mut body = Vec::new();
        while let Some(chunk) = self.chunk().await? {
            body.extend_from_slice(&chunk);
            if body.len() > MAX_TEXT {
                return Err(HttpError::Broken("the answer does not end".into()));
            }
        }
        Ok(body)
    }
}

fn check(offline: &AtomicBool) -> Result<(), HttpError> {
    if offline.load(Ordering::Acquire) {
        return Err(HttpError::Offline);
    }
    Ok(())
}

/// The innermost cause, which says what a person can use: `connection refused`, not `error sending request`.
fn describe(error: reqwest::Error) -> HttpError {
    let error = error.without_url();
    let mut cause: &dyn StdError = &error;
    loop {
        if let Some(Error::Offline { .. }) = cause.downcast_ref::<Error>() {
            return HttpError::Offline;
        }
        match cause.source() {
            Some(source) => cause = source,
            None => return HttpError::Broken(cause.to_string()),
        }
    }
}
