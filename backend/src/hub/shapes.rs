//! The hub's JSON, as far as Hearth reads it, and what it stands for once it is checked.
//!
//! After `huggingface_hub` (`hf_api.py`) and `huggingface.js` (`types/api`): nearly every field may be missing, unknown
//! ones come and go, and `lfs.sha256` of a model is `lfs.oid` of a tree.

#[cfg(test)]
mod tests;

use serde::{Deserialize, Deserializer};

use crate::files::is_device;

/// The largest size that is believed: 16 TiB, far more than a disk has, and so little that the sum over a hundred
/// thousand parts is a number too.
const MAX_SIZE: u64 = 1 << 44;

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
    /// The file, unless its path leads elsewhere. A hash that is none, and a size that no file has, are left out.
    fn checked(path: String, size: Option<u64>, blob_id: Option<String>, lfs: Option<Lfs>) -> Option<Self> {
        if !is_safe_path(&path) {
            tracing::warn!(path, "a file of the hub has a path that leads elsewhere");
            return None;
        }
        let lfs_size = lfs.as_ref().and_then(|lfs| lfs.size);
        Some(Self {
            path,
            size: lfs_size.or(size).and_then(self::size),
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

/// A size in bytes, if a file can have it.
pub(super) fn size(bytes: u64) -> Option<u64> {
    (bytes <= MAX_SIZE).then_some(bytes)
}

/// A text without what moves the cursor of a terminal or turns the direction of writing.
pub(super) fn printable(text: &str) -> String {
    let turns = |letter: char| matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    text.chars()
        .filter(|letter| !letter.is_control() && !turns(*letter))
        .collect()
}

/// Whether a path from the hub stays below the folder it is put into and names a file, on every system.
pub(crate) fn is_safe_path(path: &str) -> bool {
    path.split('/').all(is_safe_part)
}

fn is_safe_part(part: &str) -> bool {
    // Windows takes dots and blanks off the end, so that `.. ` is the folder above.
    let is_name = !part.is_empty() && !part.ends_with(['.', ' ']);
    is_name && !part.contains(['\\', ':']) && printable(part) == part && !is_device(part)
}

/// The address of the next page: `Link: <https://…>; rel="next"` (RFC 8288). The address may hold commas.
pub(super) fn next_page(link: &str) -> Option<&str> {
    let mut rest = link;
    loop {
        let (_, behind) = rest.split_once('<')?;
        let (address, behind) = behind.split_once('>')?;
        let (mut parameters, following) = split_unquoted(behind, ',');
        while !parameters.is_empty() {
            let (parameter, others) = split_unquoted(parameters, ';');
            if is_next(parameter) {
                return Some(address);
            }
            parameters = others;
        }
        rest = following;
    }
}

fn is_next(parameter: &str) -> bool {
    let Some((name, value)) = parameter.split_once('=') else {
        return false;
    };
    let mut relations = value.trim().trim_matches('"').split_whitespace();
    name.trim().eq_ignore_ascii_case("rel") && relations.any(|name| name.eq_ignore_ascii_case("next"))
}

/// What stands before and behind the first separator that is not inside of quotes; behind is empty where there is none.
fn split_unquoted(text: &str, separator: char) -> (&str, &str) {
    let mut is_quoted = false;
    let at = text.find(|letter| {
        is_quoted ^= letter == '"';
        letter == separator && !is_quoted
    });
    let at = at.unwrap_or(text.len());
    (&text[..at], text.get(at + 1..).unwrap_or_default())
}
