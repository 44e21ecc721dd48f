//! Where the files of a download lie, and how they get their names.
//!
//! In the Hugging Face cache as `huggingface_hub` lays it out (`file_download.py`): bytes in `blobs`, under each commit
//! links to them, and in `refs` which commit a branch is. In Hearth's own folder as `publisher/repository/file`.

use std::io;
use std::path::{Path, PathBuf};

use hearth_protocol::settings::DownloadPlace;
use hearth_protocol::{Error, ModelId, Result};

use super::side_file::{FileRecord, Intent, Record, Stage, file_error};
use crate::config::Config;

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
                    partial: blobs.join(format!("{}.hearth-incomplete", file.blob)),
                    whole: blobs.join(&file.blob),
                    link: Some(below(&folder.join("snapshots").join(commit))),
                }
            }
            _ => {
                let whole = below(&folder);
                let mut partial = whole.clone().into_os_string();
                partial.push(".part");
                FilePlace {
                    partial: partial.into(),
                    whole,
                    link: None,
                }
            }
        }
    }

    /// Removes what a download left that is not done: what it gathered, and files of it that it fetched. Files that
    /// were there before stay, and so do those of one that is done.
    ///
    /// # Errors
    /// [`Error::File`].
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
    /// [`Error::File`].
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
    /// [`Error::File`].
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
    /// [`Error::File`].
    pub(super) fn point(&self) -> Result<()> {
        let Some(link) = &self.link else { return Ok(()) };
        make_parent(link)?;
        point(link, &self.whole, symlink).map_err(|error| file_error(link, &error))
    }

    /// Removes all of it, and the folders that are empty then.
    ///
    /// # Errors
    /// [`Error::File`].
    pub(super) fn remove(&self) -> Result<()> {
        let mut paths = self.link.iter().chain([&self.whole, &self.partial]);
        paths.try_for_each(|path| remove_file(path))
    }

    /// Removes what was gathered.
    ///
    /// # Errors
    /// [`Error::File`].
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
    let new = folder.join(format!(".hearth-{:016x}", fastrand::u64(..)));
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

#[cfg(unix)]
fn symlink(target: &Path, link: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, link)
}

#[cfg(windows)]
fn symlink(target: &Path, link: &Path) -> io::Result<()> {
    std::os::windows::fs::symlink_file(target, link)
}

/// Makes the folder of a file.
pub(super) fn make_parent(path: &Path) -> Result<()> {
    let folder = path.parent().unwrap_or(path);
    std::fs::create_dir_all(folder).map_err(|error| file_error(folder, &error))
}

/// Asks the disk to keep a new name through a power loss. A system that cannot is not asked twice.
fn sync_parent(path: &Path) {
    let synced = path
        .parent()
        .map(|folder| std::fs::File::open(folder).and_then(|folder| folder.sync_all()));
    if let Some(Err(error)) = synced {
        tracing::debug!(path = %path.display(), %error, "the folder was not synced");
    }
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

/// The free space of the disk that a path is or will be on.
///
/// # Errors
/// [`Error::File`].
pub(crate) fn free_space(path: &Path) -> Result<u64> {
    let there = path.ancestors().find(|path| path.exists()).unwrap_or(path);
    fs4::available_space(there).map_err(|error| file_error(there, &error))
}

/// Whether an error of the system means that there is no room.
pub(super) fn is_full(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded
    )
}

/// The protocol's word for a full disk.
pub(super) fn full(folder: &Path, needs: u64, has: u64) -> Error {
    Error::DiskFull {
        folder: folder.display().to_string(),
        needs: hearth_protocol::ByteSize(needs),
        has: hearth_protocol::ByteSize(has),
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

    #[test]
    fn the_space_of_a_path_that_is_not_there_yet_is_that_of_its_disk() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(free_space(&folder.path().join("a").join("b")).expect("known") > 0);
    }
}
