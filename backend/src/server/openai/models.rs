//! `GET /v1/models` and `GET /v1/models/{id}`: the models that can be asked.

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use hearth_protocol::library::LibraryFile;
use hearth_protocol::openai::{Model, ModelList};

use crate::server::format::ok;
use crate::server::refusal::Refusal;
use crate::server::site::Site;

/// All models of the library that can be used.
pub(in crate::server) async fn list(State(site): State<Site>) -> Response {
    let names = site.names_read().await;
    let models = names.models().iter().map(|(name, file)| model(name, file));
    ok(&ModelList::new(models.collect()))
}

/// One of them.
pub(super) async fn one(State(site): State<Site>, Path(id): Path<String>) -> Result<Response, Refusal> {
    let names = site.names_read().await;
    let found = names.find(&id).map(|(name, file)| model(name, file));
    let model = found.ok_or_else(|| {
        let known: Vec<_> = names.models().iter().map(|(name, _)| name.as_str()).collect();
        let message = format!("There is no model “{id}”. There is: {}.", known.join(", "));
        Refusal {
            param: Some("model".into()),
            ..Refusal::coded(StatusCode::NOT_FOUND, "model_not_found", message)
        }
    })?;
    Ok(ok(&model))
}

fn model(name: &str, file: &LibraryFile) -> Model {
    let owner = file
        .model
        .as_ref()
        .and_then(|model| model.as_str().split_once('/'));
    let owner = owner.map_or("hearth", |(owner, _)| owner);
    Model::new(name.to_owned(), file.modified_at.0 / 1000, owner.to_owned())
}
