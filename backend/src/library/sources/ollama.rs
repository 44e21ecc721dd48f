//! Models of Ollama, called as Ollama calls them.

use std::path::Path;

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
/// Hosts whose names are those of the hub.
const HUB_HOSTS: [&str; 2] = ["hf.co", "huggingface.co"];

/// Adds the models of a store.
pub(super) fn look_through(found: &mut Found, folder: &Path) {
    if !found.is_there(Source::Ollama, &folder.join(MANIFESTS)) {
        return;
    }
    let store = OllamaStore::read(folder);
    for (path, manifest) in &store.manifests {
        let below = store.below(path);
        // Whatever lies at another depth is none of its models.
        let parts: Vec<_> = below.iter().filter_map(|part| part.to_str()).collect();
        if let [host, namespace, model, tag] = parts[..]
            && !tag.starts_with('.')
        {
            let name = name(host, namespace, model, tag);
            let told = Told {
                name: Some(name.clone()),
                called: None,
                model: HUB_HOSTS
                    .contains(&host)
                    .then(|| ModelId(format!("{namespace}/{model}"))),
            };
            if let Err(reason) = add(found, &store, manifest, &name, told) {
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

/// Adds the model of a manifest, or says why there is none.
fn add(
    found: &mut Found,
    store: &OllamaStore,
    manifest: &Manifest,
    name: &str,
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
    let id = FileId(format!("{}/{name}", found::key(Source::Ollama)));
    found.add(Source::Ollama, id, &path, told);
    Ok(())
}
