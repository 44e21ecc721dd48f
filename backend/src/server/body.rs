//! The bodies of requests: read within limits, and taken apart with the place of what is wrong.

use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::StatusCode;
use hearth_protocol::Error;
use http_body_util::BodyExt;
use serde::de::DeserializeOwned;

use super::refusal::Refusal;

/// Longest body, in bytes: a chat as long as any context, with pictures.
pub(super) const LONGEST: usize = 64 << 20;

/// A body that is this long takes milliseconds to be taken apart, in bytes.
const LONG: usize = 256 << 10;

/// How long a sender may send nothing in the middle of a body.
const PATIENCE: Duration = Duration::from_secs(30);

/// Reads a body whole.
///
/// # Errors
/// 413 where it is longer than allowed, 408 where its sender is too slow, 400 where it breaks off.
pub(super) async fn read(body: Body) -> Result<Bytes, Refusal> {
    let mut body = body;
    let mut whole = Vec::new();
    loop {
        let frame = tokio::time::timeout(PATIENCE, body.frame()).await;
        let frame = frame.map_err(|_| {
            let message = format!("Nothing of the body came for {} s.", PATIENCE.as_secs());
            Refusal::new(StatusCode::REQUEST_TIMEOUT, message)
        })?;
        let Some(frame) = frame else {
            return Ok(whole.into());
        };
        let frame = frame.map_err(|error| {
            Refusal::new(
                StatusCode::BAD_REQUEST,
                format!("The body could not be read: {error}."),
            )
        })?;
        // Trailers say nothing to us.
        if let Ok(data) = frame.into_data() {
            if whole.len() + data.len() > LONGEST {
                let message = format!("The body is longer than {} MiB.", LONGEST >> 20);
                return Err(Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, message));
            }
            whole.extend_from_slice(&data);
        }
    }
}

/// What a body says: a long one is taken apart off the runtime's threads, on which everything else waits meanwhile.
///
/// # Errors
/// Those of `take`; 500 where it panicked.
pub(super) async fn taken_apart<T: Send + 'static>(
    body: &Bytes,
    take: impl FnOnce(&[u8]) -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    if body.len() < LONG {
        return take(body);
    }
    let body = body.clone();
    let taken = tokio::task::spawn_blocking(move || take(&body)).await;
    taken.map_err(Error::internal)?
}

/// What the JSON of a body says.
///
/// # Errors
/// 400 with the field that is wrong.
pub(super) fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, Refusal> {
    let mut json = serde_json::Deserializer::from_slice(body);
    let parsed = serde_path_to_error::deserialize(&mut json).map_err(|error| {
        let path = error.path().to_string();
        let problem = error.inner().to_string();
        let is_syntax = !error.inner().is_data();
        if is_syntax || path == "." {
            let message = format!("The body is not what is expected here: {problem}.");
            Refusal::new(StatusCode::BAD_REQUEST, message)
        } else {
            Refusal {
                param: Some(path.clone()),
                ..Refusal::new(StatusCode::BAD_REQUEST, format!("{path}: {problem}."))
            }
        }
    })?;
    json.end().map_err(|error| {
        let message = format!("The body has more than one JSON value: {error}.");
        Refusal::new(StatusCode::BAD_REQUEST, message)
    })?;
    Ok(parsed)
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    struct Thing {
        #[serde(rename = "numbers")]
        _numbers: Vec<u32>,
    }

    #[test]
    fn what_is_wrong_is_named_with_its_place() {
        let param = |body: &str| {
            let refusal = parse::<Thing>(body.as_bytes()).expect_err(body);
            assert_eq!(refusal.status, StatusCode::BAD_REQUEST);
            refusal.param
        };
        assert_eq!(param(r#"{"numbers":[1,"x"]}"#).as_deref(), Some("numbers[1]"));
        assert_eq!(param(r#"{"numbers":3}"#).as_deref(), Some("numbers"));
        assert_eq!(param(r#"{"numbers":[1"#), None);
        assert_eq!(param(""), None);
        assert_eq!(param(r#"{"numbers":[]} x"#), None);
        assert!(parse::<Thing>(br#"{"numbers":[1], "other": {}}"#).is_ok());
    }

    /// On the one thread of this test nothing else would go on while a long body is taken apart on it.
    #[tokio::test]
    async fn a_long_body_is_taken_apart_on_a_thread_of_its_own() {
        let runs_here = |length: usize| async move {
            let thread = std::thread::current().id();
            let body = Bytes::from(vec![b' '; length]);
            let taken = taken_apart(&body, move |body| {
                Ok((std::thread::current().id() == thread, body.len()))
            });
            taken.await.expect("it is taken apart")
        };
        assert_eq!(runs_here(LONG - 1).await, (true, LONG - 1));
        assert_eq!(runs_here(LONG).await, (false, LONG));
        let long = Bytes::from(vec![b'['; LONG]);
        let refused = taken_apart(&long, parse::<Thing>).await.expect_err("no JSON");
        assert_eq!(refused.status, StatusCode::BAD_REQUEST);
    }

    #[tokio::test]
    async fn a_body_that_is_too_long_is_refused() {
        let long = Body::from(vec![b' '; LONGEST + 1]);
        let refusal = read(long).await.expect_err("too long");
        assert_eq!(refusal.status, StatusCode::PAYLOAD_TOO_LARGE);
        assert_eq!(&read(Body::from("abc")).await.expect("short")[..], b"abc");
    }
}
