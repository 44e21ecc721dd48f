//! The part of an address that names what is meant.

use axum::extract::rejection::PathRejection;
use axum::extract::{FromRequestParts, Path};
use axum::http::StatusCode;
use axum::http::request::Parts;

use super::refusal::Refusal;

/// The one part of a path that a route leaves open, with its percent coding undone.
pub(super) struct Part(pub(super) String);

impl<S: Send + Sync> FromRequestParts<S> for Part {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        let part: Result<Path<String>, PathRejection> = Path::from_request_parts(parts, state).await;
        match part {
            Ok(Path(part)) => Ok(Self(part)),
            Err(rejection) => {
                let message = format!(
                    "The address cannot be read: {}.",
                    rejection.body_text().trim_end_matches('.')
                );
                Err(Refusal::new(StatusCode::BAD_REQUEST, message))
            }
        }
    }
}
