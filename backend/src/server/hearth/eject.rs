//! `POST /api/v1/models/eject`: takes a model out of memory.

use axum::body::Bytes;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use hearth_protocol::Error;
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

/// Takes a model out of memory, or ends its load. An answer that it writes, and whoever waits for it, ends with an error.
pub(super) async fn eject(State(site): State<Site>, body: Bytes) -> Result<Response, Refusal> {
    let Wire { model } = taken_apart(&body, parse).await?;
    let names = site.names_read().await;
    let loaded = answer(site.client(), |client| client.list_loaded()).await?;
    let found = loaded.into_iter().find(|loaded| {
        let is_named = |name: &str| name.eq_ignore_ascii_case(&model);
        is_named(&names.of(loaded)) || is_named(&loaded.name) || loaded.file.as_str() == model
    });
    if let Some(found) = found {
        let name = names.of(&found);
        answer(site.client(), |client| client.eject(found.id)).await?;
        return Ok(ok(&json!({"ejected": name})));
    }
    if let Some((name, file)) = names.find(&model) {
        // It may be on its way into memory.
        match answer(site.client(), |client| client.eject_file(file.id.clone())).await {
            Ok(()) => return Ok(ok(&json!({"ejected": name}))),
            Err(Error::NotFound { .. }) => (),
            Err(error) => return Err(error.into()),
        }
    }
    let message = format!("“{model}” is not in memory.");
    Err(Refusal {
        param: Some("model".into()),
        ..Refusal::coded(StatusCode::NOT_FOUND, "model_not_loaded", message)
    })
}
