//! `GET /health`: whether the server is there.

use axum::response::Response;
use serde_json::json;

use crate::server::format::ok;

/// It is.
pub(super) async fn health() -> Response {
    ok(&json!({"status": "ok"}))
}
