//! `GET /v1/models` and `GET /v1/models/{id}`: the models that can be asked. Anthropic's clients ask at the same place and
//! are answered in their own shape.

use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use hearth_protocol::library::LibraryFile;
use hearth_protocol::openai::{Model, ModelList};

use crate::server::anthropic::models as theirs;
use crate::server::format::ok;
use crate::server::part::Part;
use crate::server::refusal::Refusal;
use crate::server::site::Site;

/// All models of the library that can be used.
pub(in crate::server) async fn list(
    State(site): State<Site>,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> Response {
    let names = site.names_read().await;
    if theirs::are_asked(&headers) {
        return theirs::list(names.models(), query.as_deref());
    }
    let models = names.models().iter().map(|(name, file)| model(name, file));
    ok(&ModelList::new(models.collect()))
}

/// One of them.
pub(super) async fn one(
    State(site): State<Site>,
    Part(id): Part,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let names = site.names_read().await;
    let found = names.find(&id).ok_or_else(|| {
        let known: Vec<_> = names.models().iter().map(|(name, _)| name.as_str()).collect();
        let message = format!("There is no model “{id}”. There is: {}.", known.join(", "));
        Refusal {
            param: Some("model".into()),
            ..Refusal::coded(StatusCode::NOT_FOUND, "model_not_found", message)
        }
    });
    if theirs::are_asked(&headers) {
        return Ok(theirs::one(found));
    }
    let (name, file) = found?;
    Ok(ok(&model(name, file)))
}

fn model(name: &str, file: &LibraryFile) -> Model {
    let owner = file
        .model
        .as_ref()
        .and_then(|model| model.as_str().split_once('/'));
    let owner = owner.map_or("hearth", |(owner, _)| owner);
    Model::new(name.to_owned(), file.modified_at.0 / 1000, owner.to_owned())
}
