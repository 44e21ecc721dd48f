//! Why a request is not carried out: its HTTP status and its words, before they take the shape of a wire format.

use std::path::Path;

use axum::body::Body;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use hearth_protocol::Error;

/// How long to wait before a request that found no place is sent again, in seconds.
pub(super) const RETRY_AFTER: u64 = 2;

/// Why a request is not carried out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Refusal {
    /// Of the answer.
    pub(super) status: StatusCode,
    /// What a program can branch on, such as `model_not_found`; `None` where the status says it all.
    pub(super) code: Option<&'static str>,
    /// The field at fault.
    pub(super) param: Option<String>,
    /// For a person.
    pub(super) message: String,
    /// Seconds after which the same request can work.
    pub(super) retry_after: Option<u64>,
    /// Tokens of a prompt that is too long, and tokens that the context holds.
    pub(super) too_long: Option<(u32, u32)>,
}

impl Refusal {
    /// A refusal with nothing but its status and words.
    pub(super) fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Self {
            status,
            code: None,
            param: None,
            message: message.into(),
            retry_after: None,
            too_long: None,
        }
    }

    /// The request itself is wrong, in this field.
    pub(super) fn field(param: &str, problem: impl std::fmt::Display) -> Self {
        Self {
            param: Some(param.to_owned()),
            ..Self::new(StatusCode::BAD_REQUEST, format!("{param} {problem}."))
        }
    }

    /// A field that is known and that cannot be honoured.
    pub(super) fn unsupported(param: &str, reason: &str) -> Self {
        Self {
            code: Some("unsupported_parameter"),
            ..Self::field(param, reason)
        }
    }

    /// A refusal that programs can branch on.
    pub(super) fn coded(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        Self {
            code: Some(code),
            ..Self::new(status, message)
        }
    }
}

/// The guard knows the wire format of the request and writes the answer.
impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = self.status;
        response.extensions_mut().insert(self);
        response
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        let error = without_folders(error);
        let message = error.to_string();
        let coded = |status, code| Self::coded(status, code, message.clone());
        match error {
            Error::NotFound { what, .. } if what == "model" => Self {
                param: Some("model".into()),
                ..coded(StatusCode::NOT_FOUND, "model_not_found")
            },
            Error::NoModel => coded(StatusCode::NOT_FOUND, "model_not_found"),
            Error::NotFound { .. } | Error::Renamed { .. } => Self::new(StatusCode::NOT_FOUND, message),
            Error::Invalid { field, .. } => Self {
                param: Some(field),
                ..Self::new(StatusCode::BAD_REQUEST, message)
            },
            Error::ContextOverflow {
                prompt_tokens,
                context_length,
            } => Self {
                too_long: Some((prompt_tokens, context_length)),
                ..coded(StatusCode::BAD_REQUEST, "context_length_exceeded")
            },
            Error::TextTooLong { .. } => coded(StatusCode::BAD_REQUEST, "context_length_exceeded"),
            Error::ModelCannot { .. } => coded(StatusCode::BAD_REQUEST, "model_cannot"),
            Error::Template { .. } => coded(StatusCode::BAD_REQUEST, "chat_template"),
            Error::Unconfirmed { .. } => Self::new(StatusCode::CONFLICT, message),
            Error::Busy { .. } | Error::TooManyRequests { .. } => Self {
                retry_after: Some(RETRY_AFTER),
                ..coded(StatusCode::TOO_MANY_REQUESTS, "queue_full")
            },
            Error::MemoryShort { .. } => coded(StatusCode::SERVICE_UNAVAILABLE, "memory_short"),
            Error::BadModelFile { .. } | Error::LoadFailed { .. } => {
                coded(StatusCode::INTERNAL_SERVER_ERROR, "model_not_loaded")
            }
            Error::WorkerDied { .. } => coded(StatusCode::INTERNAL_SERVER_ERROR, "engine_stopped"),
            Error::ModelEjected { .. } => coded(StatusCode::SERVICE_UNAVAILABLE, "model_ejected"),
            Error::ServerStopped => coded(StatusCode::SERVICE_UNAVAILABLE, "server_stopped"),
            Error::BackendGone | Error::Cancelled => Self::new(StatusCode::SERVICE_UNAVAILABLE, message),
            Error::DiskFull { .. } => coded(StatusCode::INSUFFICIENT_STORAGE, "disk_full"),
            Error::NotYet { .. } => Self::new(StatusCode::NOT_IMPLEMENTED, message),
            Error::Offline { .. } | Error::HubDown { .. } => Self::new(StatusCode::BAD_GATEWAY, message),
            Error::NotSignedIn
            | Error::TokenNeeded { .. }
            | Error::TokenRefused { .. }
            | Error::NoAccess { .. } => Self::new(StatusCode::FORBIDDEN, message),
            _ => Self::new(StatusCode::INTERNAL_SERVER_ERROR, message),
        }
    }
}

/// The same without the folders of this machine, which are nobody's business but its own.
fn without_folders(mut error: Error) -> Error {
    let (Error::File { path: place, .. }
    | Error::DiskFull { folder: place, .. }
    | Error::BadModelFile { file: place, .. }
    | Error::Unconfirmed { file: place, .. }
    | Error::Transfer { file: place, .. }
    | Error::WrongHash { file: place }) = &mut error
    else {
        return error;
    };
    let path = Path::new(place.as_str());
    if path.is_absolute() {
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        *place = name;
    }
    error
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_client_is_told_the_folders_of_this_machine() {
        let folder = std::env::temp_dir();
        let place = folder.join("a.gguf").display().to_string();
        let errors = [
            Error::File {
                path: place.clone(),
                reason: "it is gone".into(),
            },
            Error::BadModelFile {
                file: place,
                reason: "it is empty".into(),
            },
        ];
        for error in errors {
            let message = Refusal::from(error).message;
            assert!(message.starts_with("a.gguf"), "{message}");
        }
    }

    #[test]
    fn each_kind_of_error_has_its_status() {
        let error = |error: Error| {
            let refusal = Refusal::from(error);
            (refusal.status.as_u16(), refusal.code, refusal.param)
        };
        let unknown = Error::NotFound {
            what: "model".into(),
            name: "nope".into(),
            known: vec!["a".into()],
        };
        assert_eq!(
            error(unknown),
            (404, Some("model_not_found"), Some("model".into()))
        );
        assert_eq!(error(Error::NoModel), (404, Some("model_not_found"), None));
        assert_eq!(
            error(Error::invalid("top_p", "is 2")),
            (400, None, Some("top_p".into()))
        );
        let overflow = Error::ContextOverflow {
            prompt_tokens: 300,
            context_length: 64,
        };
        assert_eq!(error(overflow), (400, Some("context_length_exceeded"), None));
        let busy = Error::Busy {
            what: "The engine".into(),
            reason: "64 requests wait".into(),
        };
        assert_eq!(Refusal::from(busy.clone()).retry_after, Some(RETRY_AFTER));
        assert_eq!(error(busy), (429, Some("queue_full"), None));
        assert_eq!(error(Error::internal("x")), (500, None, None));
    }
}
