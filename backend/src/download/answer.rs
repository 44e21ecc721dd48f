//! Whether an answer brings the bytes that were asked for. Pure.
//!
//! Servers and what stands between them and us ignore ranges, give others, give other files and give pages (see the
//! table of the tests); what is not plainly right is not written.

use std::ops::Range;
use std::time::Duration;

use http::{HeaderMap, StatusCode, header};

use crate::hub::refusal;

/// What was asked for.
#[derive(Debug, Clone)]
pub(super) struct Asked<'a> {
    /// The bytes; `None` asked for the whole file, without a range.
    pub(super) range: Option<Range<u64>>,
    /// The size of the file.
    pub(super) size: u64,
    /// The strong ETag under which earlier bytes came.
    pub(super) etag: Option<&'a str>,
    /// Whether the file may be a page.
    pub(super) is_page: bool,
}

/// Why a part did not come in full.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Trouble {
    /// Something that may go better next time.
    Broken(String),
    /// The address does not hold any more; the hub gives a new one.
    Expired(StatusCode),
    /// The server wants to be left alone for so long.
    Wait(Duration),
    /// The server gives whole files only.
    NoRanges,
    /// The server gave another range than it was asked for, or none.
    BadRange(String),
    /// The file is another one now.
    Changed,
    /// Offline mode.
    Offline,
    /// The disk takes no more; the one who writes says why.
    NotWritten,
}

impl Trouble {
    /// What a person reads while it is tried again.
    pub(super) fn words(&self) -> String {
        match self {
            Self::Broken(reason) | Self::BadRange(reason) => reason.clone(),
            Self::Expired(status) => format!("the server refuses ({status})"),
            Self::Wait(time) => format!("the server asks to wait for {} s", time.as_secs()),
            Self::NoRanges => "the server gives whole files only".into(),
            Self::Changed => "the file changed on the server".into(),
            Self::Offline => "offline mode is on".into(),
            Self::NotWritten => "it could not be written".into(),
        }
    }
}

/// Checks the head of an answer.
///
/// # Errors
/// What is wrong with it. No byte of its body may be written then.
pub(super) fn check(status: StatusCode, headers: &HeaderMap, asked: &Asked<'_>) -> Result<(), Trouble> {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    match status {
        StatusCode::OK | StatusCode::PARTIAL_CONTENT => (),
        StatusCode::TOO_MANY_REQUESTS => return Err(Trouble::Wait(refusal::wait(headers))),
        StatusCode::SERVICE_UNAVAILABLE if headers.contains_key(header::RETRY_AFTER) => {
            return Err(Trouble::Wait(refusal::wait(headers)));
        }
        StatusCode::RANGE_NOT_SATISFIABLE => {
            let total: Option<u64> =
                text(header::CONTENT_RANGE).and_then(|range| range.strip_prefix("bytes */")?.parse().ok());
            return Err(match total {
                Some(total) if asked.size != total => Trouble::Changed,
                _ => Trouble::BadRange("the server says that there are no such bytes".into()),
            });
        }
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN | StatusCode::NOT_FOUND | StatusCode::GONE => {
            return Err(Trouble::Expired(status));
        }
        _ => return Err(Trouble::Broken(format!("the server answers {status}"))),
    }
    let kind = text(header::CONTENT_TYPE)
        .unwrap_or_default()
        .to_ascii_lowercase();
    let is_html = kind.trim_start().starts_with("text/html");
    if is_html && !asked.is_page {
        return Err(Trouble::Broken(
            "a web page came in place of the file, as from a network that wants you to sign in".into(),
        ));
    }
    // It was not asked for; where nobody tells a hash, packed bytes would be taken for the file's own.
    let packed = text(header::CONTENT_ENCODING).filter(|coding| !coding.eq_ignore_ascii_case("identity"));
    if packed.is_some() {
        return Err(Trouble::Broken(
            "the server packs the file, or something on the way to it does".into(),
        ));
    }
    let etag = text(header::ETAG).and_then(strong);
    if let (Some(before), Some(now)) = (asked.etag, etag)
        && before != now
    {
        return Err(Trouble::Changed);
    }
    let range = text(header::CONTENT_RANGE).map(content_range);
    match (range, &asked.range) {
        // Some servers give the right range and call it 200.
        (Some(Some((range, total))), Some(wanted)) => check_range(&range, total, wanted, asked.size)?,
        (Some(None), Some(_)) => {
            return Err(Trouble::BadRange("the server gives a range that is none".into()));
        }
        (None, Some(wanted)) if status == StatusCode::OK => {
            // A whole file is as good as a range where all of it was asked for.
            if *wanted != (0..asked.size) {
                return Err(Trouble::NoRanges);
            }
        }
        (None, Some(_)) => {
            return Err(Trouble::BadRange(
                "the server does not say which bytes it gives".into(),
            ));
        }
        (Some(_), None) => {
            return Err(Trouble::BadRange(
                "the server gives a range of the whole file".into(),
            ));
        }
        (None, None) if status == StatusCode::PARTIAL_CONTENT => {
            return Err(Trouble::BadRange(
                "the server gives a part of the whole file".into(),
            ));
        }
        (None, None) => (),
    }
    let expected = asked
        .range
        .as_ref()
        .map_or(asked.size, |range| range.end - range.start);
    match text(header::CONTENT_LENGTH).and_then(|length| length.parse::<u64>().ok()) {
        Some(length) if length != expected => Err(Trouble::Broken(format!(
            "the server says that {length} bytes come where there are {expected}"
        ))),
        _ => Ok(()),
    }
}

fn check_range(
    range: &Range<u64>,
    total: Option<u64>,
    wanted: &Range<u64>,
    size: u64,
) -> Result<(), Trouble> {
    if total.is_some_and(|total| total != size) {
        return Err(Trouble::Changed);
    }
    if range != wanted {
        return Err(Trouble::BadRange(
            "the server gives other bytes than it was asked for".into(),
        ));
    }
    Ok(())
}

/// An ETag that stands for the same bytes each time; weak ones do not (RFC 9110, 8.8.1).
pub(super) fn strong(etag: &str) -> Option<&str> {
    (etag.len() > 2 && etag.starts_with('"') && etag.ends_with('"')).then_some(etag)
}

/// `bytes 5-9/100` or `bytes 5-9/*`, as a half-open range and the size.
fn content_range(text: &str) -> Option<(Range<u64>, Option<u64>)> {
    let (range, total) = text.trim().strip_prefix("bytes ")?.split_once('/')?;
    let (first, last) = range.split_once('-')?;
    let (first, last): (u64, u64) = (first.parse().ok()?, last.parse().ok()?);
    let total = match total {
        "*" => None,
        total => Some(total.parse().ok()?),
    };
    (first <= last).then(|| (first..last.saturating_add(1), total))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(status: u16, pairs: &[(&'static str, &str)], range: Option<Range<u64>>) -> Result<(), Trouble> {
        let headers = pairs
            .iter()
            .map(|(name, value)| (name.parse().expect("a name"), value.parse().expect("a value")));
        let asked = Asked {
            range,
            size: 100,
            etag: Some("\"a\""),
            is_page: false,
        };
        check(
            StatusCode::from_u16(status).expect("a status"),
            &headers.collect(),
            &asked,
        )
    }

    /// Cases 19, 20 and 28 of the public reports among them.
    #[test]
    fn only_the_bytes_that_were_asked_for_are_taken() {
        let part = Some(10..20);
        let right = ("content-range", "bytes 10-19/100");
        let bad = |result: Result<(), Trouble>| matches!(result, Err(Trouble::BadRange(_)));
        let broken = |result: Result<(), Trouble>| matches!(result, Err(Trouble::Broken(_)));

        assert_eq!(answer(206, &[right], part.clone()), Ok(()));
        assert_eq!(
            answer(
                206,
                &[right, ("etag", "\"a\""), ("content-length", "10")],
                part.clone()
            ),
            Ok(())
        );
        assert_eq!(
            answer(206, &[("content-range", "bytes 10-19/*")], part.clone()),
            Ok(())
        );
        assert_eq!(
            answer(200, &[right], part.clone()),
            Ok(()),
            "200 with the right range"
        );
        assert_eq!(
            answer(200, &[("content-length", "100")], Some(0..100)),
            Ok(()),
            "all of it is a range too"
        );
        assert_eq!(answer(200, &[], None), Ok(()));
        assert_eq!(
            answer(206, &[right, ("etag", "W/\"b\"")], part.clone()),
            Ok(()),
            "weak ETags say nothing"
        );

        assert_eq!(
            answer(200, &[("content-length", "100")], part.clone()),
            Err(Trouble::NoRanges)
        );
        assert_eq!(
            answer(206, &[right, ("etag", "\"b\"")], part.clone()),
            Err(Trouble::Changed)
        );
        assert_eq!(
            answer(200, &[("etag", "\"b\"")], part.clone()),
            Err(Trouble::Changed)
        );
        assert_eq!(
            answer(206, &[("content-range", "bytes 10-19/101")], part.clone()),
            Err(Trouble::Changed)
        );
        assert_eq!(
            answer(416, &[("content-range", "bytes */99")], part.clone()),
            Err(Trouble::Changed)
        );
        assert!(bad(answer(
            416,
            &[("content-range", "bytes */100")],
            part.clone()
        )));
        assert!(bad(answer(
            206,
            &[("content-range", "bytes 0-9/100")],
            part.clone()
        )));
        assert!(bad(answer(
            206,
            &[("content-range", "bytes 10-18/100")],
            part.clone()
        )));
        assert!(bad(answer(
            206,
            &[("content-range", "bytes 10-x/100")],
            part.clone()
        )));
        assert!(bad(answer(206, &[], part.clone())));
        assert!(bad(answer(206, &[("content-range", "bytes 0-99/100")], None)));

        assert!(broken(answer(
            206,
            &[right, ("content-length", "11")],
            part.clone()
        )));
        assert!(broken(answer(200, &[("content-length", "99")], None)));
        assert!(broken(answer(
            200,
            &[("content-type", "text/html; charset=utf-8")],
            None
        )));
        assert!(broken(answer(200, &[("content-type", "Text/HTML")], None)));
        for coding in ["gzip", "br", "zstd, gzip"] {
            assert!(
                broken(answer(200, &[("content-encoding", coding)], None)),
                "{coding}"
            );
        }
        assert_eq!(answer(200, &[("content-encoding", "identity")], None), Ok(()));
        assert!(broken(answer(500, &[], part.clone())));
        assert_eq!(
            answer(403, &[], part.clone()),
            Err(Trouble::Expired(StatusCode::FORBIDDEN))
        );
        let wait = Err(Trouble::Wait(Duration::from_secs(3)));
        assert_eq!(answer(429, &[("retry-after", "3")], part.clone()), wait);
        assert_eq!(answer(503, &[("retry-after", "3")], part), wait);
    }
}
