//! `GET /props`: the model and how it would answer. `POST /props` changes nothing here.

use axum::extract::{Query, State};
use axum::http::{StatusCode, Uri};
use axum::response::Response;
use hearth_protocol::Error;
use hearth_protocol::engine::{ContextLength, LoadOptions};
use serde::Deserialize;
use serde_json::json;

use super::completion::settings::sampling;
use crate::server::current::{Current, current};
use crate::server::format::ok;
use crate::server::listening::answer;
use crate::server::openai::fingerprint;
use crate::server::refusal::Refusal;
use crate::server::site::Site;

/// The query of the address.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ModelQuery {
    /// The model's name; none takes the one that is loaded.
    pub(super) model: Option<String>,
}

/// What the query of an address says.
///
/// # Errors
/// Where it says what is not expected.
pub(super) fn query<T: serde::de::DeserializeOwned>(uri: &Uri) -> Result<T, Refusal> {
    match Query::try_from_uri(uri) {
        Ok(Query(query)) => Ok(query),
        Err(rejection) => Err(Refusal::new(StatusCode::BAD_REQUEST, rejection.body_text())),
    }
}

/// Tells of a model.
pub(super) async fn read(State(site): State<Site>, uri: Uri) -> Result<Response, Refusal> {
    let query: ModelQuery = query(&uri)?;
    let settings = site.settings().await;
    let model = current(&site, query.model.as_deref()).await?;
    let template = match &model.file {
        Some(file) => {
            let id = file.id.clone();
            answer(site.client(), |client| client.inspect_file(id))
                .await?
                .chat_template
        }
        None => None,
    };
    let options = load_options(&site, &model, settings.load.clone()).await?;
    let template = options.chat_template.clone().or(template);
    let path = model.file.as_ref().map(|file| file.path.display().to_string());
    let slots = model.loaded.as_ref().map(|loaded| loaded.slots);
    let params = sampling(&settings.sampling.clone());
    Ok(ok(&json!({
        "default_generation_settings": {"n_ctx": context(&model, &options), "params": params},
        "total_slots": slots.unwrap_or(options.parallel_slots),
        "model_alias": model.name,
        "model_path": path.or_else(|| model.loaded.as_ref().map(|loaded| loaded.file.0.clone())),
        // The engine shows models neither pictures nor sounds, whatever they could see: it refuses them.
        "modalities": {"vision": false, "audio": false},
        "endpoint_slots": true,
        "endpoint_props": false,
        "endpoint_metrics": true,
        "chat_template": template.unwrap_or_default(),
        "build_info": fingerprint(),
        "is_sleeping": model.loaded.is_none(),
    })))
}

/// How a model is loaded when a request does not say it.
async fn load_options(site: &Site, model: &Current, settings: LoadOptions) -> Result<LoadOptions, Error> {
    let Some(file) = &model.file else {
        return Ok(settings);
    };
    let id = file.id.clone();
    let remembered = answer(site.client(), |client| client.read_load_options(id)).await?;
    Ok(remembered.unwrap_or(settings))
}

/// Tokens that the context holds or would hold; 0 where only the load tells.
fn context(model: &Current, options: &LoadOptions) -> u32 {
    let loaded = model.loaded.as_ref().map(|loaded| loaded.context_length);
    loaded.unwrap_or(match options.context_length {
        ContextLength::Tokens(tokens) => tokens,
        _ => 0,
    })
}

/// Properties are settings, and those are not this interface's to change.
pub(super) async fn change() -> Refusal {
    Refusal::new(
        StatusCode::NOT_IMPLEMENTED,
        "Properties cannot be changed here. Settings are changed in Hearth's window or by `hearth-cli settings`.",
    )
}
