//! The bodies of requests: read within limits, and taken apart with the place of what is wrong.

mod values;

use std::time::{Duration, Instant};

use axum::body::{Body, Bytes, HttpBody};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use hearth_protocol::Error;
use http_body_util::BodyExt;
use serde::de::DeserializeOwned;

use super::limits::{BYTES_PER_VALUE, Bodies, COPIES, Limits, Room};
use super::refusal::Refusal;
use values::Values;

/// A body that is this long takes milliseconds to be taken apart, in bytes.
const LONG: usize = 256 << 10;

/// What some programs write before UTF-8.
const MARK: &[u8] = "\u{feff}".as_bytes();

/// Reads a body whole, with the memory that it and its values take.
///
/// # Errors
/// 413 where it is longer than allowed or holds more values, 408 where its sender is too slow, 503 where there is no memory for it, 400 where
/// it breaks off.
pub(super) async fn read(mut body: Body, limits: &Limits, bodies: &Bodies) -> Result<(Bytes, Room), Refusal> {
    let too_long = || {
        let message = format!("The body is longer than {} MiB.", limits.body >> 20);
        Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, message)
    };
    // One that says its length beforehand is not waited for.
    if body.size_hint().lower() > limits.body as u64 {
        return Err(too_long());
    }
    // Before the body, so that this is gone first.
    let mut room = bodies.room(0)?;
    let mut whole = Vec::new();
    let mut values = Values::default();
    let began = Instant::now();
    loop {
        let seconds = whole.len() as f64 / f64::from(limits.body_rate);
        let rest = (limits.body_patience + Duration::from_secs_f64(seconds)).saturating_sub(began.elapsed());
        let frame = tokio::time::timeout(rest.min(limits.body_patience), body.frame()).await;
        let frame = frame.map_err(|_| slow(rest < limits.body_patience, limits))?;
        let Some(frame) = frame else {
            // It has grown by doubling.
            whole.shrink_to_fit();
            return Ok((whole.into(), room));
        };
        let frame = frame.map_err(|error| {
            Refusal::new(
                StatusCode::BAD_REQUEST,
                format!("The body could not be read: {error}."),
            )
        })?;
        // Trailers say nothing to us.
        if let Ok(data) = frame.into_data() {
            if whole.len() + data.len() > limits.body {
                return Err(too_long());
            }
            let more = values.take(&data);
            if values.count() > limits.values {
                let message = format!(
                    "The body holds more than {} values, counted with the names of their fields.",
                    limits.values
                );
                return Err(Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, message));
            }
            room = room.and(bodies.room(data.len() * COPIES + more * BYTES_PER_VALUE)?);
            whole.extend_from_slice(&data);
        }
    }
}

/// Why a body is not waited for any longer.
fn slow(by_rate: bool, limits: &Limits) -> Refusal {
    let message = if by_rate {
        format!("The body comes slower than {} bytes a second.", limits.body_rate)
    } else {
        let seconds = limits.body_patience.as_secs();
        format!("Nothing of the body came for {seconds} s.")
    };
    Refusal::new(StatusCode::REQUEST_TIMEOUT, message)
}

/// A body as its JSON begins: without the mark of UTF-8 that some programs write before it (RFC 8259 lets it be passed
/// over).
///
/// # Errors
/// 415 for one that is compressed.
pub(super) fn plain(body: Bytes, headers: &HeaderMap) -> Result<Bytes, Refusal> {
    let mut encodings = headers.get_all(header::CONTENT_ENCODING).iter();
    let is_identity = |value: &HeaderValue| value.as_bytes().eq_ignore_ascii_case(b"identity");
    let encoding = encodings.find(|value| !value.is_empty() && !is_identity(value));
    match encoding.filter(|_| !body.is_empty()) {
        Some(encoding) => {
            let encoding = String::from_utf8_lossy(encoding.as_bytes());
            Err(Refusal::coded(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "unsupported_encoding",
                format!(
                    "The body is compressed ({encoding}), which this server does not read. Send it as it is."
                ),
            ))
        }
        None if body.starts_with(MARK) => Ok(body.slice(MARK.len()..)),
        None => Ok(body),
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
    use std::convert::Infallible;

    use futures_util::StreamExt;
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

    /// A body that stops in the middle.
    fn stuck(first: &'static [u8]) -> Body {
        let first = futures_util::stream::once(async move { Ok::<_, Infallible>(Bytes::from_static(first)) });
        Body::from_stream(first.chain(futures_util::stream::pending()))
    }

    #[tokio::test]
    async fn a_body_that_is_too_long_or_too_slow_is_refused() {
        let day = Duration::from_secs(86_400);
        let limits = Limits {
            body: 4,
            body_patience: day,
            ..Limits::default()
        };
        let status = |body: Body, limits: Limits| async move {
            let read = read(body, &limits, &Bodies::new(100)).await;
            read.map(|(body, _)| body).map_err(|refusal| refusal.status)
        };
        assert_eq!(status(Body::from("abcd"), limits).await, Ok(Bytes::from("abcd")));
        assert_eq!(
            status(Body::from("abcde"), limits).await,
            Err(StatusCode::PAYLOAD_TOO_LARGE)
        );
        let silent = Limits {
            body_patience: Duration::ZERO,
            body_rate: 1,
            ..limits
        };
        assert_eq!(status(stuck(b""), silent).await, Err(StatusCode::REQUEST_TIMEOUT));
    }

    #[test]
    fn a_body_is_plain_json() {
        let plain_of = |body: &'static str, encodings: &[&'static str]| {
            let mut headers = HeaderMap::new();
            for encoding in encodings {
                headers.append(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
            }
            let plain = plain(Bytes::from(body), &headers);
            plain.map_err(|refusal| refusal.status.as_u16())
        };
        let cases: [(&str, &[&str], Result<&str, u16>); 8] = [
            ("{}", &[], Ok("{}")),
            ("{}", &["identity"], Ok("{}")),
            ("{}", &["Identity", ""], Ok("{}")),
            ("\u{feff}{}", &[], Ok("{}")),
            ("\u{feff}", &[], Ok("")),
            ("", &["gzip"], Ok("")),
            ("{}", &["gzip"], Err(415)),
            ("{}", &["identity", "br"], Err(415)),
        ];
        for (body, encodings, expected) in cases {
            assert_eq!(
                plain_of(body, encodings),
                expected.map(Bytes::from),
                "{body:?} {encodings:?}"
            );
        }
    }

    /// Sixty megabytes of zeros once became gigabytes.
    #[tokio::test]
    async fn a_body_takes_what_its_values_become() {
        let limits = Limits {
            values: 4,
            ..Limits::default()
        };
        let status = |text: &'static str, bytes: usize| async move {
            let read = read(Body::from(text), &limits, &Bodies::new(bytes)).await;
            read.map(|_| ()).map_err(|refusal| refusal.status)
        };
        let (four, five) = ("[0,0,0,0]", "[0,0,0,0,0]");
        let needed = four.len() * COPIES + 4 * BYTES_PER_VALUE;
        assert_eq!(status(four, needed).await, Ok(()));
        assert_eq!(
            status(four, needed - 1).await,
            Err(StatusCode::SERVICE_UNAVAILABLE)
        );
        assert_eq!(status(five, 1 << 20).await, Err(StatusCode::PAYLOAD_TOO_LARGE));
    }

    /// One that sends a byte now and then once had a place for as long as it liked.
    #[tokio::test]
    async fn a_body_that_trickles_is_refused_by_its_rate() {
        let limits = Limits {
            body_patience: Duration::from_millis(50),
            body_rate: 1_000,
            ..Limits::default()
        };
        // Never silent for long, and too slow all in all.
        let trickle = futures_util::stream::unfold((), |()| async {
            tokio::time::sleep(Duration::from_millis(5)).await;
            Some((Ok::<_, Infallible>(Bytes::from_static(b"x")), ()))
        });
        let refused = read(Body::from_stream(trickle), &limits, &Bodies::new(10_000)).await;
        let refused = refused.expect_err("too slow");
        assert_eq!(refused.status, StatusCode::REQUEST_TIMEOUT);
    }

    #[tokio::test]
    async fn bodies_have_a_limit_all_together() {
        let (limits, bodies) = (Limits::default(), Bodies::new(10 * COPIES));
        let first = read(Body::from("0123456"), &limits, &bodies)
            .await
            .expect("there is room");
        let refused = read(Body::from("0123"), &limits, &bodies)
            .await
            .expect_err("no room");
        assert_eq!(refused.status, StatusCode::SERVICE_UNAVAILABLE);
        assert!(refused.retry_after.is_some());
        let second = read(Body::from("012"), &limits, &bodies)
            .await
            .expect("there is room");
        drop(first);
        read(Body::from("0123456"), &limits, &bodies)
            .await
            .expect("there is room again");
        drop(second);
    }
}
