//! `GET /api/v1/status`: what runs and what has been done.

use axum::extract::State;
use axum::response::Response;
use hearth_protocol::Client;
use hearth_protocol::server::ServerStatus;
use serde_json::json;

use crate::server::format::ok;
use crate::server::listening::answer;
use crate::server::refusal::Refusal;
use crate::server::site::Site;

/// Tells it.
pub(super) async fn status(State(site): State<Site>) -> Result<Response, Refusal> {
    let loaded = answer(site.client(), Client::list_loaded).await?;
    let offline = answer(site.client(), Client::hub_status).await?.offline;
    let names = site.names_read().await;
    let loaded = loaded
        .iter()
        .map(|model| json!({"model": names.of(model), "activity": model.activity}));
    let counted = site.metrics().counted();
    let (address, https) = match site.status() {
        ServerStatus::Running { address, https, .. } => (Some(address), https),
        ServerStatus::Stopped => (None, false),
    };
    Ok(ok(&json!({
        "version": env!("CARGO_PKG_VERSION"),
        "address": address,
        "https": https,
        "keys_required": site.config().needs_key(),
        "offline": offline,
        "models": names.models().len(),
        "loaded": loaded.collect::<Vec<_>>(),
        "in_flight": counted.in_flight,
        "requests": counted.requests,
        "answers": counted.answers,
        "cancelled": counted.cancelled,
        "prompt_tokens": counted.prompt_tokens,
        "cached_tokens": counted.cached_tokens,
        "generated_tokens": counted.generated_tokens,
    })))
}
