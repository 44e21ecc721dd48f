//! Where the files of a download lie, and how they get their names.
//!
//! In the Hugging Face cache as `huggingface_hub` lays it out (`hub_cache`), and in Hearth's own folder as
//! `publisher/repository/file`.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use hearth_protocol::library::Source as LibrarySource;
use hearth_protocol::settings::DownloadPlace;
use hearth_protocol::{Error, FileId, ModelId, Result};

use super::partial;
use super::side_file::{FileRecord, Intent, Record, Stage};
use crate::config::Config;
use crate::files::{file_error, make_parent, remove_empty_parents, symlink, sync_parent, with_ending};
use crate::hub::{MAIN, shapes::is_safe_path};
use crate::hub_cache::ModelFolder;
use crate::library::{self, hub_folder::HubFolder};

/// The ending of what is gathered in the cache. Another one than `huggingface_hub`'s, which would go on with it.
pub(crate) const PARTIAL_BLOB: &str = ".hearth-incomplete";

/// The ending of what is gathered in Hearth's folder.
pub(crate) const PARTIAL_FILE: &str = ".part";

/// How names begin that stand for a moment only, until what they are for is whole.
pub(crate) const MOMENTARY: &str = ".hearth-";

/// Longest name of a file or folder that disks take: bytes, or on Windows units of UTF-16.
const MAX_NAME: usize = 255;

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
    /// The folder of all downloads; empty ones below it are removed with what was in them.
    pub(super) root: PathBuf,
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
            (Some(cache), DownloadPlace::HubCache) => ModelFolder::of(cache, model).path().to_owned(),
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
        let below = |folder: &Path| {
            file.path
                .split('/')
                .fold(folder.to_owned(), |path, part| path.join(part))
        };
        match (&self.hub_cache, place) {
            (Some(cache), DownloadPlace::HubCache) => {
                let folder = ModelFolder::of(cache, model);
                let blobs = folder.blobs();
                FilePlace {
                    partial: blobs.join(format!("{}{PARTIAL_BLOB}", file.blob)),
                    whole: blobs.join(&file.blob),
                    link: Some(below(&folder.snapshot(commit))),
                    root: cache.clone(),
                }
            }
            _ => {
                let whole = below(&self.folder(place, model));
                FilePlace {
                    partial: with_ending(&whole, PARTIAL_FILE),
                    whole,
                    link: None,
                    root: self.models.clone(),
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
            let folder = ModelFolder::of(&place.root, model);
            let main = std::fs::read_to_string(folder.branch(MAIN)).ok();
            let main = main
                .map(|commit| commit.trim().to_owned())
                .filter(|main| *main != set.commit);
            if main.is_some_and(|main| folder.snapshot(&main).join(&file.path).exists()) {
                return None;
            }
        }
        library::id_of(source, &Path::new(model.as_str()).join(&file.path), path)
    }

    /// Every path that the files of a download have on their way.
    pub(super) fn paths(&self, record: &Record) -> Vec<PathBuf> {
        let set = record.set.as_ref();
        let places = set.iter().flat_map(|set| {
            let place = |file| self.file(record.place, &record.request.model, &set.commit, file);
            set.files.iter().map(place)
        });
        let paths = places.flat_map(|place| [place.partial, place.whole].into_iter().chain(place.link));
        paths.collect()
    }

    /// Refuses names that no disk takes, before a byte is fetched for them.
    ///
    /// # Errors
    /// [`Error::File`].
    pub(super) fn check_names(&self, record: &Record) -> Result<()> {
        for path in self.paths(record) {
            let names = path.components().map(std::path::Component::as_os_str);
            if let Some(length) = names.map(name_length).find(|length| *length > MAX_NAME) {
                return Err(Error::File {
                    path: path.display().to_string(),
                    reason: format!(
                        "a name in it is {length} long and a disk takes {MAX_NAME} at most, so it cannot be downloaded"
                    ),
                });
            }
        }
        Ok(())
    }

    /// Removes what a download left that is not done: what it gathered, and files of it that it fetched. Files that
    /// were there before stay, and so do those of one that is done, those that are `needed` by others, and bytes that
    /// another name in the cache leads to.
    ///
    /// # Errors
    /// [`hearth_protocol::Error::File`].
    pub(super) fn remove(&self, record: &Record, needed: &HashSet<PathBuf>) -> Result<()> {
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
                Stage::Naming | Stage::Fetched => place.remove(needed)?,
                Stage::Fetching if !needed.contains(&place.partial) => place.remove_partial()?,
                Stage::Fetching | Stage::Found => (),
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
        let (Some(cache), DownloadPlace::HubCache) = (&self.hub_cache, place) else {
            return Ok(());
        };
        if revision == commit || !is_safe_path(revision) {
            return Ok(());
        }
        let folder = ModelFolder::of(cache, model);
        let path = folder.branch(revision);
        make_parent(&path)?;
        put(&path, folder.path(), |new| std::fs::write(new, commit))
            .map_err(|error| file_error(&path, &error))
    }
}

impl FilePlace {
    /// Gives gathered bytes their names, all of which are in this file that nobody else writes to.
    ///
    /// # Errors
    /// [`hearth_protocol::Error::File`], also where the bytes are gone.
    pub(super) fn settle(&self, gathered: &File, size: u64) -> Result<()> {
        partial::take_mark(gathered, size).map_err(|error| file_error(&self.partial, &error))?;
        if self.partial.exists() {
            make_parent(&self.whole)?;
            std::fs::rename(&self.partial, &self.whole).map_err(|error| file_error(&self.whole, &error))?;
            sync_parent(&self.whole);
        }
        if !self.whole.exists() {
            return Err(Error::File {
                path: self.partial.display().to_string(),
                reason: "it was removed while the download wrote to it; try again".into(),
            });
        }
        self.point()
    }

    /// The same where an end came between the last byte and the last name. Gives whether they have their names: they do
    /// not where they are gone, or another download has begun to gather in their place.
    ///
    /// # Errors
    /// [`hearth_protocol::Error::File`].
    pub(super) fn settle_left(&self, file: &FileRecord) -> Result<bool> {
        let gathered = partial::whole(&self.partial, file.size, file.mark);
        if let Some(gathered) = gathered.map_err(|error| file_error(&self.partial, &error))? {
            self.settle(&gathered, file.size)?;
            return Ok(true);
        }
        let is_named = is_as_long(&self.whole, file.size);
        if is_named {
            self.point()?;
        }
        Ok(is_named)
    }

    /// Whether the file is there, under each of its names, and as long as it should be.
    pub(super) fn is_whole(&self, size: u64) -> bool {
        let link = self.link.as_ref();
        is_as_long(&self.whole, size) && link.is_none_or(|link| is_as_long(link, size))
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

    /// Removes all of it that is not `needed` and to which no other name leads, and the folders that are empty then.
    fn remove(&self, needed: &HashSet<PathBuf>) -> Result<()> {
        let has_other_name = self.link.as_ref().is_some_and(|link| {
            let folder = HubFolder::of(&self.root, link);
            folder.is_some_and(|folder| !folder.is_known || folder.uses(&self.whole, Some(link)))
        });
        let whole = Some(&self.whole).filter(|_| !has_other_name);
        let paths = self.link.iter().chain(whole).chain([&self.partial]);
        let mut paths = paths.filter(|path| !needed.contains(*path));
        paths.try_for_each(|path| remove_file(path, &self.root))
    }

    /// Removes what was gathered.
    ///
    /// # Errors
    /// [`hearth_protocol::Error::File`].
    pub(super) fn remove_partial(&self) -> Result<()> {
        remove_file(&self.partial, &self.root)
    }
}

fn name_length(name: &OsStr) -> usize {
    match cfg!(windows) {
        true => name.to_string_lossy().encode_utf16().count(),
        false => name.len(),
    }
}

fn is_as_long(path: &Path, size: u64) -> bool {
    path.metadata().is_ok_and(|about| about.len() == size)
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

/// Removes a file and the folders below `root` that are empty then.
fn remove_file(path: &Path, root: &Path) -> Result<()> {
    match std::fs::remove_file(path) {
        Ok(()) => {
            remove_empty_parents(path, root);
            Ok(())
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(file_error(path, &error)),
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
