//! Where the files of a download lie, and how they get their names.
//!
//! In the Hugging Face cache as `huggingface_hub` lays it out (`file_download.py`): bytes in `blobs`, under each commit
//! links to them, and in `refs` which commit a branch is. In Hearth's own folder as `publisher/repository/file`.

use std::io;
use std::path::{Path, PathBuf};

use hearth_protocol::library::Source as LibrarySource;
use hearth_protocol::settings::DownloadPlace;
use hearth_protocol::{FileId, ModelId, Result};

use super::side_file::{FileRecord, Intent, Record, Stage};
use crate::config::Config;
use crate::files::{file_error, make_parent, symlink, sync_parent, with_ending};
use crate::library;

/// The ending of what is gathered in the cache. Another one than `huggingface_hub`'s, which would go on with it.
pub(crate) const PARTIAL_BLOB: &str = ".hearth-incomplete";

/// The ending of what is gathered in Hearth's folder.
pub(crate) const PARTIAL_FILE: &str = ".part";

/// How names begin that stand for a moment only, until what they are for is whole.
pub(crate) const MOMENTARY: &str = ".hearth-";

/// The folders that downloads go to.
#[derive(Debug, Clone)]
pub(super) struct Places {
    models: PathBuf,
    hub_cache: Option<PathBuf>,
}

/// The place of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FilePlace {
    /// Where its bytes are gathered.
    pub(super) partial: PathBuf,
    /// Where they stand in the end.
    pub(super) whole: PathBuf,
    /// The name under which models are found, where that is another.
    pub(super) link: Option<PathBuf>,
}

impl Places {
    pub(super) fn new(config: &Config) -> Self {
        Self {
            models: config.models(),
            hub_cache: config.hub_cache.clone(),
        }
    }

    /// The place that a setting stands for on this machine.
    pub(super) fn choose(&self, setting: DownloadPlace) -> DownloadPlace {
        match self.hub_cache {
            Some(_) => setting,
            None => DownloadPlace::Folder,
        }
    }

    /// The folder of a model; need not exist.
    pub(super) fn folder(&self, place: DownloadPlace, model: &ModelId) -> PathBuf {
        match (&self.hub_cache, place) {
            (Some(cache), DownloadPlace::HubCache) => {
                cache.join(format!("models--{}", model.as_str().replace('/', "--")))
            }
            _ => model
                .as_str()
                .split('/')
                .fold(self.models.clone(), |path, part| path.join(part)),
        }
    }

    /// The place of a file of a model.
    pub(super) fn file(
        &self,
        place: DownloadPlace,
        model: &ModelId,
        commit: &str,
        file: &FileRecord,
    ) -> FilePlace {
        let folder = self.folder(place, model);
        let below = |folder: &Path| {
            file.path
                .split('/')
                .fold(folder.to_owned(), |path, part| path.join(part))
        };
        match (&self.hub_cache, place) {
            (Some(_), DownloadPlace::HubCache) => {
                let blobs = folder.join("blobs");
                FilePlace {
                    partial: blobs.join(format!("{}{PARTIAL_BLOB}", file.blob)),
                    whole: blobs.join(&file.blob),
                    link: Some(below(&folder.join("snapshots").join(commit))),
                }
            }
            _ => {
                let whole = below(&folder);
                FilePlace {
                    partial: with_ending(&whole, PARTIAL_FILE),
                    whole,
                    link: None,
                }
            }
        }
    }

    /// The library's file that a download is once all its files have their names. `None` where it is no model of its own,
    /// and where the library shows what the branch `main` has under this name.
    pub(super) fn library_file(&self, record: &Record) -> Option<FileId> {
        let (set, model) = (record.set.as_ref()?, &record.request.model);
        let file = set.files.first()?;
        let place = self.file(record.place, model, &set.commit, file);
        let (source, path) = match &place.link {
            Some(link) => (LibrarySource::HuggingFace, link),
            None => (LibrarySource::Hearth, &place.whole),
        };
        if place.link.is_some() {
            let folder = self.folder(record.place, model);
            let main = std::fs::read_to_string(folder.join("refs").join("main")).ok();
            let main = main
                .map(|commit| commit.trim().to_owned())
                .filter(|main| *main != set.commit);
            if main.is_some_and(|main| folder.join("snapshots").join(main).join(&file.path).exists()) {
                return None;
            }
        }
        library::id_of(source, &Path::new(model.as_str()).join(&file.path), path)
    }

    /// Removes what a download left that is not done: what it gathered, and files of it that it fetched. Files that
    /// were there before stay, and so do those of one that is done.
    ///
    /// # Errors
    /// [`hearth_protocol::Error::File`].
    pub(super) fn remove(&self, record: &Record) -> Result<()> {
        let Some(set) = record
            .set
            .as_ref()
            .filter(|_| !matches!(record.intent, Intent::Rest { .. }))
        else {
            return Ok(());
        };
        for file in &set.files {
            let place = self.file(record.place, &record.request.model, &set.commit, file);
            match file.stage {
                Stage::Fetching => place.remove_partial()?,
                Stage::Naming | Stage::Fetched => place.remove()?,
                Stage::Found => (),
            }
        }
        Ok(())
    }

    /// Notes in the cache which commit a revision is, unless it is a commit itself.
    ///
    /// # Errors
    /// [`hearth_protocol::Error::File`].
    pub(super) fn note_revision(
        &self,
        place: DownloadPlace,
        model: &ModelId,
        revision: &str,
        commit: &str,
    ) -> Result<()> {
        if place == DownloadPlace::Folder || revision == commit || !crate::hub::shapes::is_safe_path(revision)
        {
            return Ok(());
        }
        let folder = self.folder(place, model);
        let path = folder.join("refs").join(revision);
        make_parent(&path)?;
        put(&path, &folder, |new| std::fs::write(new, commit)).map_err(|error| file_error(&path, &error))
    }
}

impl FilePlace {
    /// Gives gathered bytes their names. What was done of it before is no fault.
    ///
    /// # Errors
    /// [`hearth_protocol::Error::File`].
    pub(super) fn settle(&self) -> Result<()> {
        if self.partial.exists() {
            make_parent(&self.whole)?;
            std::fs::rename(&self.partial, &self.whole).map_err(|error| file_error(&self.whole, &error))?;
            sync_parent(&self.whole);
        }
        self.point()
    }

    /// Makes the link to the whole file, where there is to be one.
    ///
    /// # Errors
    /// [`hearth_protocol::Error::File`].
    pub(super) fn point(&self) -> Result<()> {
        let Some(link) = &self.link else { return Ok(()) };
        make_parent(link)?;
        point(link, &self.whole, symlink).map_err(|error| file_error(link, &error))
    }

    /// Removes all of it, and the folders that are empty then.
    ///
    /// # Errors
    /// [`hearth_protocol::Error::File`].
    pub(super) fn remove(&self) -> Result<()> {
        let mut paths = self.link.iter().chain([&self.whole, &self.partial]);
        paths.try_for_each(|path| remove_file(path))
    }

    /// Removes what was gathered.
    ///
    /// # Errors
    /// [`hearth_protocol::Error::File`].
    pub(super) fn remove_partial(&self) -> Result<()> {
        remove_file(&self.partial)
    }
}

/// Makes `link` stand for `whole`: by a relative symbolic link, else a hard link, else a copy, as the disk and the
/// system allow.
fn point(link: &Path, whole: &Path, symlink: impl Fn(&Path, &Path) -> io::Result<()>) -> io::Result<()> {
    let blobs = whole.parent().unwrap_or(whole);
    put(link, blobs, |new| {
        if symlink(&relative(link, whole), new).is_err() && std::fs::hard_link(whole, new).is_err() {
            std::fs::copy(whole, new)?;
        }
        Ok(())
    })
}

/// Puts something at a path whole: it is made under a name that nobody else takes, in a folder of the same disk where
/// nobody looks for it, and moved from there.
fn put(path: &Path, folder: &Path, make: impl FnOnce(&Path) -> io::Result<()>) -> io::Result<()> {
    let new = folder.join(format!("{MOMENTARY}{:016x}", fastrand::u64(..)));
    let put = make(&new).and_then(|()| std::fs::rename(&new, path));
    // It is still there where something failed, or where a hard link was moved to another of the same file.
    match std::fs::remove_file(&new) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => put.and(Err(error)),
        _ => put,
    }
}

/// The way from the folder of `link` to `whole`; both are absolute and below one folder.
fn relative(link: &Path, whole: &Path) -> PathBuf {
    let folder = link.parent().unwrap_or(link);
    let shared = folder
        .components()
        .zip(whole.components())
        .take_while(|(a, b)| a == b)
        .count();
    let up = folder
        .components()
        .skip(shared)
        .map(|_| std::path::Component::ParentDir);
    up.chain(whole.components().skip(shared)).collect()
}

fn remove_file(path: &Path) -> Result<()> {
    match std::fs::remove_file(path) {
        Ok(()) => {
            remove_empty_parents(path);
            Ok(())
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(file_error(path, &error)),
    }
}

/// Removes the folders above a file up to the third, as long as they are empty; one that is not ends it.
fn remove_empty_parents(path: &Path) {
    for folder in path.ancestors().skip(1).take(3) {
        if std::fs::remove_dir(folder).is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_leads_to_its_blob_or_is_a_copy_of_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let whole = folder.path().join("blobs").join("abc");
        let link = folder
            .path()
            .join("snapshots")
            .join("1")
            .join("UD")
            .join("m.gguf");
        for path in [&whole, &link] {
            make_parent(path).expect("made");
        }
        std::fs::write(&whole, "bytes").expect("written");
        #[cfg(unix)]
        {
            point(&link, &whole, symlink).expect("links");
            let target = std::fs::read_link(&link).expect("a link");
            assert_eq!(target, Path::new("../../../blobs/abc"));
            assert_eq!(std::fs::read(&link).expect("read"), b"bytes");
        }
        let refused = |_: &Path, _: &Path| Err(io::ErrorKind::PermissionDenied.into());
        point(&link, &whole, refused).expect("another way");
        // Twice, since a hard link that is moved to another of the same file stays where it was.
        point(&link, &whole, refused).expect("another way");
        assert!(!link.is_symlink());
        assert_eq!(std::fs::read(&link).expect("read"), b"bytes");
        assert_eq!(
            std::fs::read_dir(folder.path().join("blobs"))
                .expect("a folder")
                .count(),
            1
        );
    }
}
