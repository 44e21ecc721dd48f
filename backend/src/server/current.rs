//! The model that a request is about, in memory or not.

use axum::http::StatusCode;
use hearth_protocol::FileId;
use hearth_protocol::engine::{LoadedModel, ModelRef};
use hearth_protocol::library::LibraryFile;

use super::listening::answer;
use super::refusal::Refusal;
use super::site::Site;

/// A model, as far as it is known.
#[derive(Debug, Clone)]
pub(super) struct Current {
    /// Its name to the outside.
    pub(super) name: String,
    /// Its file in the library; `None` for one that was loaded from elsewhere.
    pub(super) file: Option<LibraryFile>,
    /// How it is in memory; `None` where it is not.
    pub(super) loaded: Option<LoadedModel>,
}

/// The model of a name; without a name the one that would answer.
///
/// # Errors
/// 404 where there is none.
pub(super) async fn current(site: &Site, name: Option<&str>) -> Result<Current, Refusal> {
    let loaded = answer(site.client(), |client| client.list_loaded()).await?;
    let names = site.names_read().await;
    let name = name.map(str::trim).filter(|name| !name.is_empty());
    let wanted = match name {
        Some(name) => match loaded
            .iter()
            .find(|model| names.of(model).eq_ignore_ascii_case(name))
        {
            Some(model) => model.file.clone(),
            None => file(site, name).await?,
        },
        None => answer(site.client(), |client| client.answering_model()).await?.id,
    };
    let known = names.models().iter().find(|(_, file)| file.id == wanted);
    let loaded = loaded.into_iter().find(|model| model.file == wanted);
    let name = match (known, &loaded) {
        (Some((name, _)), _) => name.clone(),
        (None, Some(model)) => names.of(model),
        (None, None) => wanted.0.clone(),
    };
    Ok(Current {
        name,
        file: known.map(|(_, file)| file.clone()),
        loaded,
    })
}

/// The file of a name, as the library finds it.
async fn file(site: &Site, name: &str) -> Result<FileId, Refusal> {
    let names = site.names_read().await;
    if let Some((_, file)) = names.find(name) {
        return Ok(file.id.clone());
    }
    let model = ModelRef::Name(name.to_owned());
    let found = answer(site.client(), |client| client.find_files(model)).await?;
    let first = found.into_iter().next();
    first.map(|file| file.id).ok_or_else(|| {
        let message = format!("There is no model “{name}”.");
        Refusal::coded(StatusCode::NOT_FOUND, "model_not_found", message)
    })
}
