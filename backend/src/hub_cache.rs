//! What the parts of a Hugging Face cache are called, as `huggingface_hub` has it (`file_download.py`). Looks at no disk.
//!
//! Each model has a folder `models--OWNER--NAME`: bytes in `blobs/`, under each commit of `snapshots/` links to them with
//! the names that they have in the repository, and in `refs/` which commit a branch is.

use std::path::{Path, PathBuf};

use hearth_protocol::ModelId;

/// How the folders of models begin; those of data sets and spaces begin otherwise.
const MODELS: &str = "models--";

/// What stands there for the `/` of a model's name.
const SLASH: &str = "--";

const BLOBS: &str = "blobs";
const SNAPSHOTS: &str = "snapshots";
const REFS: &str = "refs";

/// The folder of a model; need not exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ModelFolder(PathBuf);

impl ModelFolder {
    /// The folder that a model has in a cache.
    pub(crate) fn of(cache: &Path, model: &ModelId) -> Self {
        Self(cache.join(format!("{MODELS}{}", model.as_str().replace('/', SLASH))))
    }

    /// The folder at this path; `None` where it is not a model's.
    pub(crate) fn at(path: PathBuf) -> Option<Self> {
        let name = path.file_name()?.as_encoded_bytes();
        name.starts_with(MODELS.as_bytes()).then_some(Self(path))
    }

    /// The folder of the model that a name in a snapshot belongs to; `None` where it is no such name.
    pub(crate) fn with_snapshot(cache: &Path, name: &Path) -> Option<Self> {
        let mut below = name.strip_prefix(cache).ok()?.components();
        let folder = Self::at(cache.join(below.next()?))?;
        (below.next()?.as_os_str() == SNAPSHOTS).then_some(folder)
    }

    /// The folder itself.
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// The folder of all bytes. Each blob is called by its hash.
    pub(crate) fn blobs(&self) -> PathBuf {
        self.0.join(BLOBS)
    }

    /// The folder of all commits.
    pub(crate) fn snapshots(&self) -> PathBuf {
        self.0.join(SNAPSHOTS)
    }

    /// The folder of the names of one commit.
    pub(crate) fn snapshot(&self, commit: &str) -> PathBuf {
        self.snapshots().join(commit)
    }

    /// The folder of all branches.
    pub(crate) fn refs(&self) -> PathBuf {
        self.0.join(REFS)
    }

    /// The file that holds the commit of a branch.
    pub(crate) fn branch(&self, name: &str) -> PathBuf {
        self.refs().join(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_models_folder_is_found_from_its_name_and_from_what_lies_in_it() {
        let cache = Path::new("cache");
        let folder = ModelFolder::of(cache, &"owner/name".into());
        assert_eq!(folder.path(), cache.join("models--owner--name"));
        assert_eq!(ModelFolder::at(folder.path().to_owned()), Some(folder.clone()));
        let name = folder.snapshot("0123").join("UD").join("m.gguf");
        assert_eq!(ModelFolder::with_snapshot(cache, &name), Some(folder.clone()));
        let others = [
            folder.blobs().join("abc"),
            folder.path().to_owned(),
            cache.join("datasets--owner--name").join("snapshots").join("0123"),
            cache.join("m.gguf"),
            Path::new("elsewhere").join(&name),
        ];
        for other in others {
            assert_eq!(ModelFolder::with_snapshot(cache, &other), None, "{other:?}");
        }
    }
}
