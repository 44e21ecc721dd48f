//! What may lie in the Ollama store of a test.

use serde_json::json;

/// The digest of a blob, as sure to be one as it is unlikely to be true.
pub(in crate::library) fn digest(number: u8) -> String {
    format!("sha256:{}", format!("{number:02x}").repeat(32))
}

/// Where that blob lies in the test's folder.
pub(in crate::library) fn blob(number: u8) -> String {
    format!("ollama/blobs/{}", digest(number).replace(':', "-"))
}

/// Where the manifest of a name lies, which is one of Ollama's own library.
pub(in crate::library) fn manifest_path(name: &str) -> String {
    format!("ollama/manifests/registry.ollama.ai/library/{name}")
}

/// The blob of what all manifests have as their config.
pub(in crate::library) const CONFIG: u8 = 99;

/// A manifest with layers of these kinds and digests.
pub(in crate::library) fn manifest(layers: &[(&str, &str)]) -> Vec<u8> {
    let layers: Vec<_> = layers
        .iter()
        .map(|(kind, digest)| json!({ "mediaType": format!("application/vnd.ollama.image.{kind}"), "digest": digest }))
        .collect();
    json!({ "schemaVersion": 2, "config": { "digest": digest(CONFIG) }, "layers": layers })
        .to_string()
        .into_bytes()
}

/// A manifest whose layers are these blobs.
pub(in crate::library) fn manifest_of(blobs: &[u8]) -> Vec<u8> {
    let digests: Vec<_> = blobs.iter().map(|number| digest(*number)).collect();
    let layers: Vec<_> = digests.iter().map(|digest| ("model", digest.as_str())).collect();
    manifest(&layers)
}
