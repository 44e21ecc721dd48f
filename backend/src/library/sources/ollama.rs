//! Ollama's store: `manifests/HOST/NAMESPACE/MODEL/TAG` are JSON, whose layers lie in `blobs` by their sha256 (its
//! `server/manifest.go` and `server/modelpath.go`).

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use hearth_protocol::library::Source;
use hearth_protocol::{FileId, ModelId};
use serde::Deserialize;
use walkdir::WalkDir;

use super::super::found::{self, Found};
use super::super::scan::Told;

/// The folder of manifests.
pub(super) const MANIFESTS: &str = "manifests";
/// Longest manifest that is read; real ones have about 1 kB.
const MAX_MANIFEST: u64 = 1 << 20;
/// The layer that is the model.
const MODEL: &str = "application/vnd.ollama.image.model";
/// The layer that reads images for it.
const PROJECTOR: &str = "application/vnd.ollama.image.projector";
/// The host and the namespace that are left out of names.
const DEFAULT_HOST: &str = "registry.ollama.ai";
const DEFAULT_NAMESPACE: &str = "library";
/// Hosts whose names are those of the hub.
const HUB_HOSTS: [&str; 2] = ["hf.co", "huggingface.co"];
/// Folders from `manifests` to a tag.
const DEPTH: usize = 4;

#[derive(Deserialize)]
struct Manifest {
    layers: Vec<Layer>,
}

#[derive(Deserialize)]
struct Layer {
    #[serde(rename = "mediaType")]
    media_type: String,
    digest: String,
}

/// Adds the models of a store.
pub(super) fn look_through(found: &mut Found, store: &Path) {
    let manifests = store.join(MANIFESTS);
    if !found.is_there(Source::Ollama, &manifests) {
        return;
    }
    let entries = WalkDir::new(&manifests)
        .follow_links(true)
        .max_depth(DEPTH)
        .sort_by_file_name();
    for entry in entries {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                let path = error.path().unwrap_or(&manifests).to_owned();
                found.skipped.push((path, error.to_string()));
                continue;
            }
        };
        let below = entry.path().strip_prefix(&manifests).unwrap_or(entry.path());
        // Whatever else lies there, such as what a file manager leaves, is none of its models.
        let parts: Vec<_> = below.iter().filter_map(|part| part.to_str()).collect();
        if let [host, namespace, model, tag] = parts[..]
            && entry.file_type().is_file()
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
            if let Err(reason) = add(found, store, entry.path(), &name, told) {
                found.skipped.push((entry.into_path(), reason));
            }
        }
    }
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
fn add(found: &mut Found, store: &Path, manifest: &Path, name: &str, told: Told) -> Result<(), String> {
    let manifest = read(manifest)?;
    let blob = |kind: &str| {
        let layer = manifest.layers.iter().find(|layer| layer.media_type == kind)?;
        Some((blob(store, &layer.digest), &layer.digest))
    };
    if let Some((Some(projector), _)) = blob(PROJECTOR) {
        found.projectors.push((Source::Ollama, projector));
    }
    match blob(MODEL) {
        None => Err("the model in Ollama is not a GGUF file".into()),
        Some((None, digest)) => Err(format!("its file {digest} is missing in Ollama's store")),
        Some((Some(path), _)) => {
            let id = FileId(format!("{}/{name}", found::key(Source::Ollama)));
            found.add(Source::Ollama, id, &path, told);
            Ok(())
        }
    }
}

fn read(manifest: &Path) -> Result<Manifest, String> {
    let mut text = Vec::new();
    let file = File::open(manifest).map_err(|error| error.to_string())?;
    file.take(MAX_MANIFEST)
        .read_to_end(&mut text)
        .map_err(|error| error.to_string())?;
    serde_json::from_slice(&text).map_err(|error| format!("it is not a manifest of Ollama: {error}"))
}

/// The file of a layer, under today's name or the one of versions up to 0.1.24; `None` where there is none. What is no
/// digest is no name of a file either.
fn blob(store: &Path, digest: &str) -> Option<PathBuf> {
    let (kind, hex) = digest.split_once(':')?;
    let is_digest = kind == "sha256" && hex.len() == 64 && hex.bytes().all(|byte| byte.is_ascii_hexdigit());
    let blobs = store.join("blobs");
    let mut names = [format!("sha256-{hex}"), digest.to_owned()].into_iter();
    is_digest.then(|| names.find_map(|name| Some(blobs.join(name)).filter(|path| path.is_file())))?
}
