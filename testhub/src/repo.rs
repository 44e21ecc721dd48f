//! A repository and its files.

use std::collections::BTreeMap;

use bytes::Bytes;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// A model repository with one commit.
#[derive(Debug, Clone)]
pub struct Repo {
    /// `owner/name`.
    pub name: String,
    /// The commit that `main` stands for, 40 hexadecimal digits.
    pub commit: String,
    /// Files by their paths.
    pub files: BTreeMap<String, File>,
    /// Who may download.
    pub gate: Gate,
    /// Where requests are sent on to, once it was renamed.
    pub renamed_to: Option<String>,
    /// Further fields of its entry in lists, such as `downloads`.
    pub about: Value,
    /// Whether the hub tells hashes of its large files.
    pub tells_hashes: bool,
    /// Whether the hub tells wrong hashes of its large files.
    pub tells_wrong_hashes: bool,
}

/// A file of a repository.
#[derive(Debug, Clone)]
pub struct File {
    /// What is in it.
    pub body: Bytes,
    /// The sha256 of that, in hexadecimal.
    pub sha256: String,
}

/// Who may download the files of a repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gate {
    /// Everyone.
    Open,
    /// Those who accepted a licence.
    Auto,
    /// Those whom the owner let in.
    Manual,
    /// Those who know it is there.
    Private,
}

impl Repo {
    /// An open repository.
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            commit: digest(name.as_bytes())[..40].to_owned(),
            files: BTreeMap::new(),
            gate: Gate::Open,
            renamed_to: None,
            about: json!({ "downloads": 0, "likes": 0 }),
            tells_hashes: true,
            tells_wrong_hashes: false,
        }
    }

    /// The same with this file too; a change of files is a change of the commit.
    pub fn with(mut self, path: &str, body: impl Into<Bytes>) -> Self {
        let body = body.into();
        let sha256 = sha256(&body);
        self.commit = digest(format!("{}{path}{sha256}", self.commit).as_bytes())[..40].to_owned();
        self.files.insert(path.to_owned(), File { body, sha256 });
        self
    }

    /// The same behind a gate.
    pub fn behind(mut self, gate: Gate) -> Self {
        self.gate = gate;
        self
    }
}

/// Whether the hub keeps a file apart, on the file host and under its sha256.
pub(crate) fn is_large(path: &str) -> bool {
    path.ends_with(".gguf") || path.ends_with(".safetensors")
}

/// The sha256 of a file, in hexadecimal.
pub fn sha256(body: &[u8]) -> String {
    digest(body)
}

impl File {
    /// What stands for the git object: 40 hexadecimal digits. (The real one is a sha1.)
    pub fn blob_id(&self) -> &str {
        &self.sha256[24..]
    }
}

/// Bytes without a pattern that ranges could hide in, the same for the same seed.
pub fn some_bytes(seed: u64, length: usize) -> Bytes {
    let mut bytes = vec![0; length];
    fastrand::Rng::with_seed(seed).fill(&mut bytes);
    bytes.into()
}

fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}
