//! Which web pages may use the server (CORS, WHATWG Fetch): none, or those of a list.
//!
//! A browser lets any page send simple requests anywhere and only hides the answer. So a page that is not on the list
//! is refused, and not only left without the headers that would show it the answer.

use axum::body::Body;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::Response;

/// What pages of the list may send.
const METHODS: HeaderValue = HeaderValue::from_static("GET, POST, DELETE, OPTIONS");

/// Whatever headers a page wants to send, where it asks for none by name.
const HEADERS: HeaderValue = HeaderValue::from_static("authorization, content-type, x-api-key");

/// How long a browser may remember the answer, in seconds.
const MAX_AGE: HeaderValue = HeaderValue::from_static("600");

/// Where a request is from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Origin {
    /// From a program: browsers always say where a page is from.
    Program,
    /// From a page that may.
    Allowed(HeaderValue),
    /// From a page that may not.
    Foreign(String),
}

impl Origin {
    /// Where a request is from, with these pages allowed.
    pub(super) fn of(headers: &HeaderMap, allowed: &[String]) -> Self {
        let Some(origin) = headers.get(header::ORIGIN) else {
            return Self::Program;
        };
        let text = origin.to_str().unwrap_or_default();
        let is_allowed =
            |allowed: &String| allowed == "*" || allowed.trim_end_matches('/').eq_ignore_ascii_case(text);
        if allowed.iter().any(is_allowed) {
            Self::Allowed(origin.clone())
        } else {
            Self::Foreign(String::from_utf8_lossy(origin.as_bytes()).into_owned())
        }
    }

    /// Says to the browser that this page may see the answer.
    pub(super) fn allow(&self, headers: &mut HeaderMap) {
        if let Self::Allowed(origin) = self {
            headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
            headers.append(header::VARY, HeaderValue::from_static("origin"));
        }
    }
}

/// The answer to a browser that asks what a page may send.
pub(super) fn preflight(asked: &HeaderMap) -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NO_CONTENT;
    let wanted = asked.get(header::ACCESS_CONTROL_REQUEST_HEADERS).cloned();
    let answers: [(HeaderName, HeaderValue); 3] = [
        (header::ACCESS_CONTROL_ALLOW_METHODS, METHODS),
        (header::ACCESS_CONTROL_ALLOW_HEADERS, wanted.unwrap_or(HEADERS)),
        (header::ACCESS_CONTROL_MAX_AGE, MAX_AGE),
    ];
    response.headers_mut().extend(answers);
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pages_of_the_list_are_allowed() {
        let of = |origin: Option<&'static str>, allowed: &[&str]| {
            let mut headers = HeaderMap::new();
            if let Some(origin) = origin {
                headers.insert(header::ORIGIN, HeaderValue::from_static(origin));
            }
            let allowed: Vec<_> = allowed.iter().map(|&origin| origin.to_owned()).collect();
            Origin::of(&headers, &allowed)
        };
        let page = "https://chat.example.org";
        let yes = Origin::Allowed(HeaderValue::from_static(page));
        assert_eq!(of(None, &[]), Origin::Program);
        assert_eq!(of(Some(page), &[]), Origin::Foreign(page.into()));
        assert_eq!(of(Some(page), &["https://chat.example.org/"]), yes);
        assert_eq!(of(Some(page), &["*"]), yes);
        assert_eq!(of(Some("null"), &[page]), Origin::Foreign("null".into()));
        let other = "https://chat.example.org.evil.com";
        assert_eq!(of(Some(other), &[page]), Origin::Foreign(other.into()));
    }
}
