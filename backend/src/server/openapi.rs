//! `GET /openapi.json`: what there is, for programs that read OpenAPI 3.1. It is written by hand, one file an interface,
//! and a test holds it against the routes.

use axum::extract::State;
use axum::response::Response;
use hearth_protocol::server::ServerStatus;
use serde_json::{Map, Value};

use super::format::ok;
use super::routes::Route;
use super::site::Site;

/// The document but for the interfaces, and these.
const BASE: &str = include_str!("openapi/base.json");
const INTERFACES: [&str; 4] = [
    include_str!("openapi/openai.json"),
    include_str!("openapi/anthropic.json"),
    include_str!("openapi/llama_cpp.json"),
    include_str!("openapi/hearth.json"),
];

/// The parts of each file.
const PATHS: &str = "/paths";
const SCHEMAS: &str = "/components/schemas";

/// The route of the document.
pub(super) fn routes() -> Vec<Route> {
    vec![Route::get("/openapi.json", read)]
}

/// Tells the document, with this version and this address.
async fn read(State(site): State<Site>) -> Response {
    let mut document = document();
    document["info"]["version"] = env!("CARGO_PKG_VERSION").into();
    if let ServerStatus::Running { address, https, .. } = site.status() {
        let scheme = if https { "https" } else { "http" };
        document["servers"][0]["url"] = format!("{scheme}://{address}").into();
    }
    ok(&document)
}

/// All files as one.
fn document() -> Value {
    let read = |text: &str| {
        serde_json::from_str::<Value>(text).unwrap_or_else(|error| {
            tracing::error!(%error, "a part of the OpenAPI document is no JSON");
            Value::Null
        })
    };
    let mut document = read(BASE);
    for interface in INTERFACES.map(read) {
        for part in [PATHS, SCHEMAS] {
            let more = interface.pointer(part).and_then(Value::as_object).cloned();
            let all = document.pointer_mut(part).and_then(Value::as_object_mut);
            if let Some(all) = all {
                all.extend(more.unwrap_or_else(Map::new));
            }
        }
    }
    document
}

#[cfg(test)]
mod tests;
