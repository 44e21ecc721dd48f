//! Models of Ollama, called as Ollama calls them.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use hearth_protocol::hub::link::HOSTS;
use hearth_protocol::library::Source;
use hearth_protocol::{FileId, ModelId};

use super::super::found::{self, Found};
use super::super::ollama::{MANIFESTS, Manifest, OllamaStore};
use super::super::scan::Told;

/// The layer that is the model.
const MODEL: &str = "application/vnd.ollama.image.model";
/// The layer that reads images for it.
const PROJECTOR: &str = "application/vnd.ollama.image.projector";
/// The host and the namespace that are left out of names.
const DEFAULT_HOST: &str = "registry.ollama.ai";
const DEFAULT_NAMESPACE: &str = "library";

/// Adds the models of a store.
pub(super) fn look_through(found: &mut Found, folder: &Path) {
    if !found.is_there(Source::Ollama, &folder.join(MANIFESTS)) {
        return;
    }
    let store = OllamaStore::read(folder);
    // What Ollama makes of a model, with another prompt or so, has the same file.
    let mut named = HashMap::new();
    for (path, manifest) in &store.manifests {
        let below = store.below(path);
        // Whatever lies at another depth is none of its models.
        let parts: Vec<_> = below.iter().filter_map(|part| part.to_str()).collect();
        if let [host, namespace, model, tag] = parts[..]
            && !tag.starts_with('.')
        {
            let told = Told {
                name: Some(name(host, namespace, model, tag)),
                called: None,
                model: HOSTS
                    .contains(&host)
                    .then(|| ModelId(format!("{namespace}/{model}"))),
                note: Some(path.clone()),
            };
            if let Err(reason) = add(found, &store, manifest, &mut named, told) {
                found.skipped.push((path.clone(), reason));
            }
        }
    }
    found.skipped.extend(store.unread);
}

/// As Ollama itself shows it.
fn name(host: &str, namespace: &str, model: &str, tag: &str) -> String {
    match (host, namespace) {
        (DEFAULT_HOST, DEFAULT_NAMESPACE) => format!("{model}:{tag}"),
        (DEFAULT_HOST, namespace) => format!("{namespace}/{model}:{tag}"),
        (host, namespace) => format!("{host}/{namespace}/{model}:{tag}"),
    }
}

/// Adds the model of a manifest, or says why there is none. `named` are the files that have a name already.
fn add(
    found: &mut Found,
    store: &OllamaStore,
    manifest: &Manifest,
    named: &mut HashMap<PathBuf, String>,
    told: Told,
) -> Result<(), String> {
    let projector = manifest.layer(PROJECTOR).and_then(|digest| store.blob(digest));
    found
        .projectors
        .extend(projector.map(|path| (Source::Ollama, path)));
    let digest = manifest
        .layer(MODEL)
        .ok_or("the model in Ollama is not a GGUF file")?;
    let path = store
        .blob(digest)
        .ok_or_else(|| format!("its file {digest} is missing in Ollama's store"))?;
    let name = told.name.clone().unwrap_or_default();
    if let Some(first) = named.get(&path) {
        return Err(format!("it is the same file as {first}"));
    }
    named.insert(path.clone(), name.clone());
    let id = FileId(format!("{}/{name}", found::key(Source::Ollama)));
    found.add(Source::Ollama, id, &path, told);
    Ok(())
}
