//! One question to the hub: with the token where it may go, sent on where the hub says so, tried again where that can
//! help.

use std::time::Duration;

use hearth_protocol::{Error, Result, Secret};
use http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use url::Url;

use super::{Endpoint, Hub, refusal};
use crate::net::{HttpError, Response, offline, onward};

/// Times a question is asked before the hub counts as down.
const ATTEMPTS: u32 = 3;

/// Rest before the second attempt; it doubles.
const FIRST_REST: Duration = Duration::from_millis(300);

/// Longest rest that a person is made to wait when the hub wants fewer requests.
const MAX_REST: Duration = Duration::from_secs(5);

/// How long the hub may take to answer.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(30);

/// Redirects that are followed. A renamed repository takes one, a mirror one more.
const MAX_REDIRECTS: u32 = 5;

/// A question.
#[derive(Debug, Clone)]
pub(super) struct Question<'a> {
    pub(super) method: Method,
    pub(super) url: Url,
    /// `owner/name`, for the words of a refusal.
    pub(super) model: Option<&'a str>,
    /// The file, for the same.
    pub(super) file: Option<&'a str>,
    /// Another token than the person's own.
    pub(super) token: Option<&'a Secret>,
    /// Whether a redirect to another host is the answer itself.
    pub(super) elsewhere_is_answer: bool,
}

impl<'a> Question<'a> {
    /// A question for JSON.
    pub(super) fn get(url: Url, model: Option<&'a str>) -> Self {
        Self {
            method: Method::GET,
            url,
            model,
            file: None,
            token: None,
            elsewhere_is_answer: false,
        }
    }
}

/// An answer, and where it came from in the end.
pub(super) struct Answered {
    pub(super) url: Url,
    pub(super) response: Response,
}

impl Hub {
    /// Asks. The answer is a success, or a redirect to another host where the question wants that.
    pub(super) async fn ask(&self, question: Question<'_>) -> Result<Answered> {
        let endpoint = self.endpoint()?;
        let token = match question.token {
            Some(token) => Some(token.clone()),
            None => self.tokens.find().await.map(|(token, _)| token),
        };
        let asked = refusal::Asked {
            endpoint: &endpoint,
            model: question.model,
            file: question.file,
            with_token: token.is_some(),
        };
        let mut rest = FIRST_REST;
        let mut attempt = 0;
        loop {
            attempt += 1;
            let answered = self.follow(&endpoint, &question, token.as_ref()).await;
            let (error, wait) = match answered {
                Ok(answered) if is_answer(answered.response.status()) => return Ok(answered),
                Ok(answered) => {
                    let (status, headers) = (answered.response.status(), answered.response.headers());
                    let error = refusal::error(status, headers, asked);
                    match &error {
                        Error::TooManyRequests { .. } => (error, refusal::wait(headers)),
                        Error::HubDown { .. } => (error, rest),
                        _ => return Err(error),
                    }
                }
                Err(HttpError::Offline) => return Err(offline("The hub")),
                Err(HttpError::Broken(reason)) => (Error::HubDown { reason }, rest),
            };
            if attempt == ATTEMPTS || wait > MAX_REST {
                return Err(error);
            }
            tokio::time::sleep(wait).await;
            rest *= 2;
        }
    }

    /// Asks for JSON, and gives the address of the next page too, if there is one.
    pub(super) async fn ask_json<T: serde::de::DeserializeOwned>(
        &self,
        question: Question<'_>,
    ) -> Result<(T, Option<Url>)> {
        let answered = self.ask(question).await?;
        let link = answered.response.header(header::LINK.as_str());
        let next = link.and_then(super::shapes::next_page);
        let next = next.and_then(|next| onward(&answered.url, next).ok());
        let body = tokio::time::timeout(ANSWER_TIMEOUT, answered.response.bytes()).await;
        let down = |reason: String| Error::HubDown { reason };
        let body = body
            .map_err(|_| down("its answer does not end".into()))?
            .map_err(|error| down(error.to_string()))?;
        let parsed = serde_json::from_slice(&body);
        // A captive portal or a proxy answers with a page.
        parsed
            .map_err(|_| down("it answers something else than a hub".into()))
            .map(|parsed| (parsed, next))
    }

    /// Sends once, and on as the hub says. The token goes to the hub's own host only.
    async fn follow(
        &self,
        endpoint: &Endpoint,
        question: &Question<'_>,
        token: Option<&Secret>,
    ) -> std::result::Result<Answered, HttpError> {
        let http = self.net.http().map_err(|error| match error {
            Error::Offline { .. } => HttpError::Offline,
            error => HttpError::Broken(error.to_string()),
        })?;
        let mut url = question.url.clone();
        for _ in 0..=MAX_REDIRECTS {
            let headers = headers(endpoint, &url, token);
            let sending = http.send(question.method.clone(), url.clone(), headers);
            let response = match tokio::time::timeout(ANSWER_TIMEOUT, sending).await {
                Ok(response) => response?,
                Err(_) => return Err(HttpError::Broken(format!("{} does not answer", http.way(&url)))),
            };
            let Some(to) = response.redirect(&url)? else {
                return Ok(Answered { url, response });
            };
            if question.elsewhere_is_answer && !endpoint.owns(&to) {
                return Ok(Answered { url: to, response });
            }
            url = to;
        }
        Err(HttpError::Broken("it sends in circles".into()))
    }
}

/// A success, or a redirect that was not followed.
fn is_answer(status: StatusCode) -> bool {
    status.is_success() || status.is_redirection()
}

/// The headers of a request to this address: with the token if it is the hub's own.
pub(super) fn headers(endpoint: &Endpoint, url: &Url, token: Option<&Secret>) -> HeaderMap {
    let mut headers = HeaderMap::new();
    // Otherwise sizes would be those of something packed.
    headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static("identity"));
    let value = token.filter(|_| endpoint.owns(url));
    let value = value.and_then(|token| HeaderValue::from_str(&format!("Bearer {}", token.expose())).ok());
    if let Some(mut value) = value {
        value.set_sensitive(true);
        headers.insert(header::AUTHORIZATION, value);
    }
    headers
}
