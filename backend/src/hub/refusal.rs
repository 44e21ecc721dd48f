//! What a refusal of the hub means, in words for a person.
//!
//! After `huggingface_hub` (`utils/_http.py`, `hf_raise_for_status`): the header `X-Error-Code` decides where there is
//! one, else the status.

use std::time::Duration;

use hearth_protocol::Error;
use http::{HeaderMap, StatusCode, header};

use super::Endpoint;

/// How long to wait where the hub wants fewer requests and does not say for how long. Its windows have five minutes.
const DEFAULT_WAIT: Duration = Duration::from_secs(60);

/// Longest wait that is believed.
const MAX_WAIT: Duration = Duration::from_secs(3600);

/// What is not there where a branch, tag or commit is not.
pub(super) const REVISION: &str = "revision";

/// What a request was for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Asked<'a> {
    /// The hub.
    pub(super) endpoint: &'a Endpoint,
    /// `owner/name`; `None` where no repository was asked for.
    pub(super) model: Option<&'a str>,
    /// The file, where one was asked for.
    pub(super) file: Option<&'a str>,
    /// Whether a token was sent.
    pub(super) with_token: bool,
}

/// The error for an answer that is no success.
pub(super) fn error(status: StatusCode, headers: &HeaderMap, asked: Asked<'_>) -> Error {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    let code = text("x-error-code");
    let message = text("x-error-message").unwrap_or_default();
    let model = || asked.model.unwrap_or("This").to_owned();
    let token_page = || format!("{}/settings/tokens", asked.endpoint);
    let not_found = |what: &str, name: String| Error::NotFound {
        what: what.to_owned(),
        name,
        known: Vec::new(),
    };
    match (code, status) {
        (_, StatusCode::TOO_MANY_REQUESTS) => Error::TooManyRequests {
            seconds: wait(headers).as_secs(),
        },
        (Some("RevisionNotFound"), _) => not_found(REVISION, model()),
        (Some("EntryNotFound"), _) => not_found("file", asked.file.unwrap_or_default().to_owned()),
        (_, StatusCode::UNAUTHORIZED) if message.contains("Invalid credentials") => {
            Error::TokenRefused { page: token_page() }
        }
        (_, StatusCode::UNAUTHORIZED) if !asked.with_token => Error::TokenNeeded { model: model() },
        (_, StatusCode::UNAUTHORIZED) if asked.model.is_none() => Error::TokenRefused { page: token_page() },
        (Some("RepoNotFound"), _) | (None, StatusCode::NOT_FOUND) => not_found("model", model()),
        // Otherwise a 403 means that the token lacks a right, which its own page gives it.
        (_, StatusCode::FORBIDDEN) if asked.with_token && asked.model.is_none() => {
            Error::TokenRefused { page: token_page() }
        }
        (Some("GatedRepo"), _) | (_, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN) => {
            if asked.with_token {
                let page = format!("{}/{}", asked.endpoint, asked.model.unwrap_or_default());
                Error::NoAccess { model: model(), page }
            } else {
                Error::TokenNeeded { model: model() }
            }
        }
        (_, StatusCode::NOT_FOUND | StatusCode::GONE) => not_found("model", model()),
        _ => Error::HubDown {
            reason: format!("it answers {status}"),
        },
    }
}

/// How long the hub asks to wait.
///
/// `Retry-After` in seconds counts, else the window of `RateLimit: "api";r=0;t=55` where nothing of it is left.
pub(crate) fn wait(headers: &HeaderMap) -> Duration {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    let after = text(header::RETRY_AFTER.as_str()).and_then(|text| text.trim().parse().ok());
    let window = || {
        let limit = text("ratelimit")?;
        let number = |key: &str| {
            limit
                .split(';')
                .find_map(|part| part.trim().strip_prefix(key)?.parse().ok())
        };
        (number("r=")? == 0).then(|| number("t="))?
    };
    let seconds: Option<u64> = after.or_else(window);
    seconds.map_or(DEFAULT_WAIT, Duration::from_secs).min(MAX_WAIT)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        pairs
            .iter()
            .map(|(name, value)| (name.parse().expect("a name"), value.parse().expect("a value")))
            .collect()
    }

    #[test]
    fn each_refusal_has_words_of_its_own() {
        let endpoint = Endpoint::parse(Some("https://hub.example"), "x").expect("an address");
        let cases = [
            (
                401,
                &[("x-error-code", "RepoNotFound")][..],
                false,
                "without a Hugging Face token",
            ),
            (
                401,
                &[("x-error-code", "GatedRepo")],
                false,
                "without a Hugging Face token",
            ),
            (
                403,
                &[("x-error-code", "GatedRepo")],
                true,
                "at https://hub.example/o/n, then",
            ),
            (403, &[], true, "has no access to o/n"),
            (
                401,
                &[("x-error-message", "Invalid credentials in Authorization header")],
                true,
                "wrong, expired",
            ),
            (
                404,
                &[("x-error-code", "RepoNotFound")],
                true,
                "There is no model “o/n”",
            ),
            (
                404,
                &[("x-error-code", "EntryNotFound")],
                true,
                "There is no file “f.gguf”",
            ),
            (
                404,
                &[("x-error-code", "RevisionNotFound")],
                true,
                "There is no revision “o/n”",
            ),
            (410, &[], false, "There is no model “o/n”"),
            (429, &[("retry-after", "7")], false, "wait for 7 s"),
            (503, &[], false, "cannot be reached: it answers 503"),
        ];
        for (status, pairs, with_token, words) in cases {
            let asked = Asked {
                endpoint: &endpoint,
                model: Some("o/n"),
                file: Some("f.gguf"),
                with_token,
            };
            let status = StatusCode::from_u16(status).expect("a status");
            let text = error(status, &headers(pairs), asked).to_string();
            assert!(text.contains(words), "{status}: {text}");
        }
    }

    #[test]
    fn the_wait_is_the_one_that_is_told() {
        let cases = [
            (&[("retry-after", "12")][..], 12),
            (&[("ratelimit", "\"api\";r=0;t=55")], 55),
            (&[("ratelimit", "\"api\";r=3;t=55")], 60),
            (&[("retry-after", "Wed, 21 Oct 2026 07:28:00 GMT")], 60),
            (&[("retry-after", "99999999")], 3600),
            (&[], 60),
        ];
        for (pairs, seconds) in cases {
            assert_eq!(wait(&headers(pairs)).as_secs(), seconds, "{pairs:?}");
        }
    }
}
