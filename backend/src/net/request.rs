//! Requests through the door. Redirects are not followed here: whoever sends a token must see where it goes.

use std::error::Error as StdError;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bytes::Bytes;
use hearth_protocol::Error;
use http::{HeaderMap, Method, StatusCode};
use url::Url;

use super::{Net, OFFLINE_REASON, Ways};

/// Longest text that is read of an answer, in bytes. The hub's lists have about 1 MB, and what is read of them takes
/// some times their length in memory.
const MAX_TEXT: usize = 32 << 20;

/// A client of other hosts. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Http {
    client: reqwest::Client,
    offline: Arc<AtomicBool>,
    ways: Ways,
}

/// An answer whose body is still to come.
#[derive(Debug)]
pub(crate) struct Response {
    inner: reqwest::Response,
    offline: Arc<AtomicBool>,
    /// Whence it comes.
    way: String,
}

/// Why no answer came, or not all of it. Messages name hosts and no whole address: those of files hold signatures.
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
    pub(super) fn new(net: &Net, client: reqwest::Client, ways: Ways) -> Self {
        Self {
            client,
            offline: Arc::clone(&net.offline),
            ways,
        }
    }

    /// Host and proxy of an address, in words.
    pub(crate) fn way(&self, url: &Url) -> String {
        self.ways.name(url)
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
        let way = self.way(&url);
        let request = self.client.request(method, url).headers(headers);
        let inner = request.send().await.map_err(|error| describe(error, &way))?;
        Ok(Response {
            inner,
            offline: Arc::clone(&self.offline),
            way,
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

    /// Where a redirect of the address `from` leads; `None` where this is none.
    ///
    /// # Errors
    /// Where it leads to a place that no download may come from.
    pub(crate) fn redirect(&self, from: &Url) -> Result<Option<Url>, HttpError> {
        let to = self
            .status()
            .is_redirection()
            .then(|| self.header(http::header::LOCATION.as_str()))
            .flatten();
        to.map(|to| onward(from, to)).transpose()
    }

    /// The next bytes of the body; `None` at its end.
    ///
    /// # Errors
    /// Where the connection ends before the body does, or offline mode begins.
    pub(crate) async fn chunk(&mut self) -> Result<Option<Bytes>, HttpError> {
        check(&self.offline)?;
        let chunk = self.inner.chunk().await;
        chunk.map_err(|error| describe(error, &self.way))
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

/// The address that an answer of `from` names. What was encrypted stays so: the address may be signed, and what comes
/// from there may have no hash to compare it with.
///
/// # Errors
/// Where it is no address of the web, or an unencrypted one behind an encrypted one.
pub(crate) fn onward(from: &Url, to: &str) -> Result<Url, HttpError> {
    let broken = |reason: &str| HttpError::Broken(reason.to_owned());
    let to = from
        .join(to)
        .map_err(|_| broken("it sends to an address that is none"))?;
    match (from.scheme(), to.scheme()) {
        (_, "https") | ("http", "http") => Ok(to),
        ("https", "http") => Err(broken("it sends to an address that is not encrypted")),
        _ => Err(broken("it sends to an address that is not of the web")),
    }
}

fn check(offline: &AtomicBool) -> Result<(), HttpError> {
    if offline.load(Ordering::Acquire) {
        return Err(HttpError::Offline);
    }
    Ok(())
}

/// The innermost cause, which says what a person can use: `connection refused`, not `error sending request`; and where it
/// happened.
fn describe(error: reqwest::Error, way: &str) -> HttpError {
    let error = error.without_url();
    let mut cause: &dyn StdError = &error;
    loop {
        if let Some(Error::Offline { .. }) = cause.downcast_ref::<Error>() {
            return HttpError::Offline;
        }
        match cause.source() {
            Some(source) => cause = source,
            None => return HttpError::Broken(format!("{way}: {cause}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An address of this machine where nobody listens.
    fn nobody() -> String {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("bind");
        listener.local_addr().expect("an address").to_string()
    }

    #[tokio::test]
    async fn a_connection_that_fails_names_host_and_proxy_and_none_of_their_secrets() {
        let (host, proxy) = (nobody(), nobody());
        let through = format!("http://person:secret@{proxy}");
        let by_proxy = format!("hub.example through the proxy {proxy}: ");
        let cases = [
            (
                None,
                format!("http://{host}/o/n?signed=secret"),
                format!("{host}: "),
            ),
            (
                Some(&through),
                "http://hub.example/o/n?signed=secret".into(),
                by_proxy,
            ),
        ];
        for (proxy, url, expected) in cases {
            let net = Net::default();
            net.set_proxy(proxy.map(String::as_str));
            let http = net.http().expect("a client");
            let url = Url::parse(&url).expect("an address");
            let answer = http.send(Method::GET, url, HeaderMap::new()).await;
            let error = answer.expect_err("nobody listens").to_string();
            assert!(
                error.starts_with(&expected) && !error.contains("secret"),
                "{error}"
            );
        }
    }

    #[test]
    fn an_answer_leads_on_within_the_web_and_never_out_of_encryption() {
        let cases = [
            ("https://hub.example/a/b", "/c", Ok("https://hub.example/c")),
            ("https://hub.example/a/b", "c?d", Ok("https://hub.example/a/c?d")),
            (
                "https://hub.example/a",
                "https://cdn.example/",
                Ok("https://cdn.example/"),
            ),
            (
                "https://hub.example/a",
                "//cdn.example/",
                Ok("https://cdn.example/"),
            ),
            (
                "http://mirror.example/a",
                "http://other.example/",
                Ok("http://other.example/"),
            ),
            (
                "http://mirror.example/a",
                "https://other.example/",
                Ok("https://other.example/"),
            ),
            (
                "https://hub.example/a",
                "http://hub.example/a",
                Err("not encrypted"),
            ),
            (
                "https://hub.example/a",
                "file:///etc/passwd",
                Err("not of the web"),
            ),
            (
                "http://hub.example/a",
                "ftp://hub.example/a",
                Err("not of the web"),
            ),
            ("https://hub.example/a", "data:,x", Err("not of the web")),
            ("https://hub.example/a", "http://[", Err("that is none")),
        ];
        for (from, to, expected) in cases {
            let from = Url::parse(from).expect("an address");
            match (onward(&from, to), expected) {
                (Ok(url), Ok(expected)) => assert_eq!(url.as_str(), expected),
                (Err(error), Err(words)) => assert!(error.to_string().contains(words), "{to}: {error}"),
                (outcome, _) => panic!("{from} to {to}: {outcome:?}"),
            }
        }
    }
}
