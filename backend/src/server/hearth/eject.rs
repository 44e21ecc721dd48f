//! `POST /api/v1/models/eject`: takes a model out of memory.

use axum::body::Bytes;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;
use serde_json::json;

use crate::server::body::{parse, taken_apart};
use crate::server::format::ok;
use crate::server::listening::answer;
use crate::server::refusal::Refusal;
use crate::server::site::Site;

/// What a client sends.
#[derive(Deserialize)]
struct Wire {
    model: String,
}

/// Takes a model out of memory. An answer that it writes ends with an error.
pub(super) async fn eject(State(site): State<Site>, body: Bytes) -> Result<Response, Refusal> {
    let Wire { model } = taken_apart(&body, parse).await?;
    let names = site.names_read().await;
    let loaded = answer(site.client(), |client| client.list_loaded()).await?;
    let found = loaded.into_iter().find(|loaded| {
        let is_named = |name: &str| name.eq_ignore_ascii_case(&model);
        is_named(&names.of(loaded)) || is_named(&loaded.name) || loaded.file.as_str() == model
    });
    let found = found.ok_or_else(|| {
        let message = format!("“{model}” is not in memory.");
        Refusal {
            param: Some("model".into()),
            ..Refusal::coded(StatusCode::NOT_FOUND, "model_not_loaded", message)
        }
    })?;
    let name = names.of(&found);
    answer(site.client(), |client| client.eject(found.id)).await?;
    Ok(ok(&json!({"ejected": name})))
}
