//! `GET /api/v1/models`: the library, with what is in memory.

use axum::extract::State;
use axum::response::Response;
use hearth_protocol::engine::LoadedModel;
use hearth_protocol::library::LibraryFile;
use serde::Serialize;

use crate::server::format::ok;
use crate::server::listening::answer;
use crate::server::names::Names;
use crate::server::refusal::Refusal;
use crate::server::site::Site;

/// The answer.
#[derive(Serialize)]
struct Models {
    models: Vec<Model>,
}

/// A model.
#[derive(Serialize)]
struct Model {
    /// The name by which requests call it; null for a damaged one.
    model: Option<String>,
    file: LibraryFile,
    /// How it is in memory; null where it is not.
    loaded: Option<LoadedModel>,
}

/// All files of the library, damaged ones too.
pub(super) async fn list(State(site): State<Site>) -> Result<Response, Refusal> {
    let names = site.names_read().await;
    let files = answer(site.client(), |client| client.list_files()).await?;
    let loaded = answer(site.client(), |client| client.list_loaded()).await?;
    Ok(ok(&models(&names, files, &loaded)))
}

fn models(names: &Names, files: Vec<LibraryFile>, loaded: &[LoadedModel]) -> Models {
    let of = |file: LibraryFile| Model {
        model: names.find(file.id.as_str()).map(|(name, _)| name.clone()),
        loaded: loaded.iter().find(|model| model.file == file.id).cloned(),
        file,
    };
    Models {
        models: files.into_iter().map(of).collect(),
    }
}
