//! Anthropic's interface. Its wire types are the protocol's; here they become what runs, and back.

mod chat;
mod count_tokens;
mod frames;
mod messages;
pub(super) mod models;
mod request;
mod writing;

use axum::http::HeaderValue;
use axum::response::Response;

use super::field_names::MESSAGES;
use super::openai::new_id;
use super::routes::Route;

/// The header that names a request.
const REQUEST_ID: &str = "request-id";

/// The routes of this interface.
pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::post("/v1/messages", messages::create).named(&MESSAGES),
        Route::post("/v1/messages/count_tokens", count_tokens::create).named(&MESSAGES),
    ]
}

/// A name for a request.
pub(super) fn request_id() -> String {
    new_id("req_")
}

/// An answer that names its request.
pub(super) fn with_request_id(mut response: Response, id: &str) -> Response {
    // Letters and digits are always a header's value.
    if let Ok(id) = HeaderValue::from_str(id) {
        response.headers_mut().insert(REQUEST_ID, id);
    }
    response
}
