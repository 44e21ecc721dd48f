//! The wire formats, as far as all requests are concerned: which one a path belongs to, and how it writes a refusal.

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use hearth_protocol::openai::{ErrorBody, ErrorResponse};
use serde::Serialize;
use serde_json::json;

use super::anthropic::{request_id, with_request_id};
use super::refusal::Refusal;

/// A wire format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    /// OpenAI's, and ours.
    OpenAi,
    /// Anthropic's.
    Anthropic,
    /// llama.cpp's.
    LlamaCpp,
}

impl Format {
    /// The format of the interface that a path belongs to.
    pub(super) fn of(path: &str) -> Self {
        match path {
            path if path.starts_with("/v1/messages") => Self::Anthropic,
            path if path.starts_with("/v1/") || path.starts_with("/api/") => Self::OpenAi,
            _ => Self::LlamaCpp,
        }
    }

    /// Whether a path is answered to everyone: it says no more than that there is a server.
    pub(super) fn is_open(path: &str) -> bool {
        matches!(path, "/health" | "/v1/health")
    }

    /// A refusal as this format writes it.
    pub(super) fn refuse(self, refusal: &Refusal) -> Response {
        let mut response = match self {
            Self::OpenAi => json_response(refusal.status, &openai(refusal)),
            Self::Anthropic => {
                let id = request_id();
                let mut body = anthropic(refusal);
                body["request_id"] = id.clone().into();
                with_request_id(json_response(refusal.status, &body), &id)
            }
            Self::LlamaCpp => json_response(refusal.status, &llama_cpp(refusal)),
        };
        if let Some(seconds) = refusal.retry_after {
            response
                .headers_mut()
                .insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if refusal.status == StatusCode::UNAUTHORIZED {
            response
                .headers_mut()
                .insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}

/// A refusal as OpenAI writes it; within a stream too.
pub(super) fn openai(refusal: &Refusal) -> ErrorResponse {
    ErrorResponse {
        error: ErrorBody {
            message: refusal.message.clone(),
            kind: kind(refusal.status).to_owned(),
            param: refusal.param.clone(),
            code: refusal.code.map(str::to_owned),
        },
    }
}

/// A refusal as Anthropic writes it; within a stream too.
pub(super) fn anthropic(refusal: &Refusal) -> serde_json::Value {
    json!({
        "type": "error",
        "error": {"type": anthropic_kind(refusal.status), "message": refusal.message},
    })
}

/// A refusal as llama.cpp writes it, within a stream too (`format_error_response` in `tools/server/server-common.cpp`),
/// with what ours adds.
pub(super) fn llama_cpp(refusal: &Refusal) -> serde_json::Value {
    let mut error = json!({
        "code": refusal.status.as_u16(),
        "message": refusal.message,
        "type": kind(refusal.status),
        "param": refusal.param,
    });
    if let Some((prompt_tokens, context_length)) = refusal.too_long {
        // Programs look for these words.
        let known = format!(
            "{prompt_tokens} tokens: this exceeds the available context size of {context_length} tokens."
        );
        error["message"] =
            format!("The prompt has {known} Shorten it, or load the model with a larger context.").into();
        error["type"] = "exceed_context_size_error".into();
        error["n_prompt_tokens"] = prompt_tokens.into();
        error["n_ctx"] = context_length.into();
    }
    json!({ "error": error })
}

/// OpenAI's and llama.cpp's names of the kinds of error.
fn kind(status: StatusCode) -> &'static str {
    match status {
        StatusCode::UNAUTHORIZED => "authentication_error",
        StatusCode::FORBIDDEN => "permission_error",
        StatusCode::NOT_FOUND => "not_found_error",
        StatusCode::TOO_MANY_REQUESTS => "rate_limit_error",
        StatusCode::NOT_IMPLEMENTED => "not_supported_error",
        StatusCode::SERVICE_UNAVAILABLE => "unavailable_error",
        status if status.is_server_error() => "server_error",
        _ => "invalid_request_error",
    }
}

/// Anthropic's names of the kinds of error.
fn anthropic_kind(status: StatusCode) -> &'static str {
    match status {
        StatusCode::UNAUTHORIZED => "authentication_error",
        StatusCode::FORBIDDEN => "permission_error",
        StatusCode::NOT_FOUND => "not_found_error",
        StatusCode::PAYLOAD_TOO_LARGE => "request_too_large",
        StatusCode::TOO_MANY_REQUESTS => "rate_limit_error",
        StatusCode::SERVICE_UNAVAILABLE => "overloaded_error",
        status if status.is_server_error() => "api_error",
        _ => "invalid_request_error",
    }
}

/// A whole answer in JSON.
pub(super) fn json_response(status: StatusCode, json: &impl Serialize) -> Response {
    let (status, body) = match serde_json::to_vec(json) {
        Ok(body) => (status, body),
        Err(error) => {
            tracing::error!(%error, "an answer has no JSON form");
            (StatusCode::INTERNAL_SERVER_ERROR, Vec::new())
        }
    };
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = status;
    response
        .headers_mut()
        .insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// A whole answer in JSON, status 200.
pub(super) fn ok(json: &impl Serialize) -> Response {
    json_response(StatusCode::OK, json)
}
