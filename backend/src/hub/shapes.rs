//! The hub's JSON, as far as Hearth reads it, and what it stands for once it is checked.
//!
//! After `huggingface_hub` (`hf_api.py`) and `huggingface.js` (`types/api`): nearly every field may be missing, unknown
//! ones come and go, and `lfs.sha256` of a model is `lfs.oid` of a tree.

use serde::{Deserialize, Deserializer};

/// A file of a repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RepoFile {
    /// Its path, with `/` between folders; never leads out of the repository.
    pub(crate) path: String,
    /// Its bytes, where the hub tells.
    pub(crate) size: Option<u64>,
    /// Its sha256 in lower-case hexadecimal, where the hub tells.
    pub(crate) sha256: Option<String>,
    /// Its git object, in hexadecimal.
    pub(crate) blob_id: Option<String>,
}

/// A model, alone or in a list.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ModelInfo {
    /// `owner/name`.
    pub(crate) id: String,
    /// The commit.
    pub(crate) sha: Option<String>,
    /// The files; without sizes and hashes in lists.
    #[serde(default, deserialize_with = "siblings")]
    pub(crate) siblings: Vec<RepoFile>,
    /// Everything else the hub says, for the catalogue.
    #[serde(flatten)]
    pub(crate) about: serde_json::Map<String, serde_json::Value>,
}

#[derive(Deserialize)]
struct Sibling {
    rfilename: String,
    size: Option<u64>,
    #[serde(rename = "blobId")]
    blob_id: Option<String>,
    lfs: Option<Lfs>,
}

#[derive(Deserialize)]
struct Lfs {
    #[serde(alias = "oid")]
    sha256: Option<String>,
    size: Option<u64>,
}

/// An entry of a tree.
#[derive(Deserialize)]
pub(super) struct TreeEntry {
    #[serde(rename = "type")]
    kind: String,
    path: String,
    size: Option<u64>,
    oid: Option<String>,
    lfs: Option<Lfs>,
}

/// An account.
#[derive(Deserialize)]
pub(super) struct WhoAmI {
    pub(super) name: String,
    pub(super) fullname: Option<String>,
}

fn siblings<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<RepoFile>, D::Error> {
    let siblings = Option::<Vec<Sibling>>::deserialize(deserializer)?.unwrap_or_default();
    let files = siblings
        .into_iter()
        .filter_map(|file| RepoFile::checked(file.rfilename, file.size, file.blob_id, file.lfs));
    Ok(files.collect())
}

impl TreeEntry {
    /// The file, if it is one.
    pub(super) fn into_file(self) -> Option<RepoFile> {
        (self.kind == "file").then(|| RepoFile::checked(self.path, self.size, self.oid, self.lfs))?
    }
}

impl RepoFile {
    /// The file, unless its path leads elsewhere. A hash that is none is left out.
    fn checked(path: String, size: Option<u64>, blob_id: Option<String>, lfs: Option<Lfs>) -> Option<Self> {
        if !is_safe_path(&path) {
            tracing::warn!(path, "a file of the hub has a path that leads elsewhere");
            return None;
        }
        let lfs_size = lfs.as_ref().and_then(|lfs| lfs.size);
        Some(Self {
            path,
            size: lfs_size.or(size),
            sha256: lfs.and_then(|lfs| hexadecimal(lfs.sha256?, 64)),
            blob_id: blob_id.and_then(|id| hexadecimal(id, 40)),
        })
    }
}

/// The text in lower case, if it is a hexadecimal number of this many digits.
pub(crate) fn hexadecimal(text: String, digits: usize) -> Option<String> {
    let is_number = text.len() == digits && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_number.then(|| text.to_ascii_lowercase())
}

/// Whether a path from the hub stays below the folder it is put into, on every system.
pub(crate) fn is_safe_path(path: &str) -> bool {
    let is_safe = |part: &str| {
        !matches!(part, "" | "." | "..") && !part.contains(['\\', ':']) && !part.contains(char::is_control)
    };
    path.split('/').all(is_safe)
}

/// The address of the next page: `Link: <https://…>; rel="next"`.
pub(super) fn next_page(link: &str) -> Option<&str> {
    link.split(',').find_map(|link| {
        let (address, parameters) = link.trim().strip_prefix('<')?.split_once('>')?;
        let is_next = parameters
            .split(';')
            .any(|parameter| matches!(parameter.trim(), "rel=\"next\"" | "rel=next"));
        is_next.then_some(address)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_found_under_both_names_and_a_false_one_is_none() {
        let hash = "AB".repeat(32);
        let model = format!(
            r#"{{"id":"o/n","gated":"auto","new":[1],"siblings":[
                {{"rfilename":"a/b.gguf","size":134,"blobId":"x","lfs":{{"sha256":"{hash}","size":7,"pointerSize":134}}}},
                {{"rfilename":"README.md"}},
                {{"rfilename":"../../.bashrc","size":1}},
                {{"rfilename":"c.gguf","lfs":{{"sha256":"../..","size":1}}}}]}}"#
        );
        let model: ModelInfo = serde_json::from_str(&model).expect("a model");
        let paths: Vec<_> = model.siblings.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(paths, ["a/b.gguf", "README.md", "c.gguf"]);
        assert_eq!(model.siblings[0].sha256, Some(hash.to_lowercase()));
        assert_eq!(
            (model.siblings[0].size, model.siblings[0].blob_id.clone()),
            (Some(7), None)
        );
        assert_eq!(model.siblings[2].sha256, None);
        assert_eq!(model.about["gated"], "auto");

        let entry =
            format!(r#"{{"type":"file","path":"b","size":134,"oid":"1","lfs":{{"oid":"{hash}","size":9}}}}"#);
        let entry: TreeEntry = serde_json::from_str(&entry).expect("an entry");
        let file = entry.into_file().expect("a file");
        assert_eq!((file.size, file.sha256), (Some(9), Some(hash.to_lowercase())));
    }

    #[test]
    fn a_model_may_say_nearly_nothing() {
        for text in [r#"{"id":"o/n"}"#, r#"{"id":"o/n","siblings":null,"sha":null}"#] {
            assert!(serde_json::from_str::<ModelInfo>(text).is_ok(), "{text}");
        }
    }

    #[test]
    fn paths_that_lead_elsewhere_are_none() {
        for path in ["a", "UD-Q4/a b.gguf", "模型.gguf", "..a"] {
            assert!(is_safe_path(path), "{path}");
        }
        for path in [
            "", "/a", "a/", "a//b", "..", "a/../b", "C:\\x", "a\\b", "a\nb", "./a",
        ] {
            assert!(!is_safe_path(path), "{path:?}");
        }
    }

    #[test]
    fn the_next_page_is_the_one_that_is_called_so() {
        let link = r#"<https://h/a?x=1,2>; rel="prev", <https://h/b>; rel="next""#;
        assert_eq!(next_page(r#"<https://h/a>; rel="next""#), Some("https://h/a"));
        assert_eq!(next_page(link), Some("https://h/b"));
        assert_eq!(next_page(r#"<https://h/a>; rel="prev""#), None);
        assert_eq!(next_page("nonsense"), None);
    }
}
