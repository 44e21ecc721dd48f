//! What all who write model files need of the disk: its free space, links, names that outlive a power loss, and the
//! protocol's words for what the system says.

mod devices;

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use hearth_protocol::{ByteSize, Error, Result};

pub(crate) use devices::is_device;

/// Room that is left on the disk, so that chats and settings can still be written.
pub(crate) const SPARE_ROOM: u64 = 64 << 20;

/// Runs what waits for the disk off the runtime's threads.
///
/// # Errors
/// Those of the work; [`Error::Internal`] where it panicked.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    tokio::task::spawn_blocking(work).await.map_err(Error::internal)?
}

/// The protocol's words for what the system says of a path.
pub(crate) fn file_error(path: &Path, error: &io::Error) -> Error {
    if is_full(error) {
        let folder = path.parent().unwrap_or(path);
        return full(folder, SPARE_ROOM, free_space(folder).unwrap_or_default());
    }
    Error::File {
        path: path.display().to_string(),
        reason: error.to_string(),
    }
}

/// Whether an error of the system means that there is no room.
pub(crate) fn is_full(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded
    )
}

/// Makes a folder, where it is missing, that only its owner can look into. One that is there stays as its owner made it.
///
/// # Errors
/// As the system says.
pub(crate) fn make_private_folder(path: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(path)
}

/// The contents of a small file. What is no regular file, such as a pipe or a device, is not opened, since it may have no
/// end; of one that is longer than `most` bytes nothing is given either.
///
/// # Errors
/// Of kind `InvalidData` for these two; else as the system says.
pub(crate) fn read_small(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let odd = |reason| Err(io::Error::new(io::ErrorKind::InvalidData, reason));
    if !path.metadata()?.is_file() {
        return odd("it is no regular file");
    }
    let mut contents = Vec::new();
    let file = std::fs::File::open(path)?;
    file.take(most.saturating_add(1)).read_to_end(&mut contents)?;
    match contents.len() as u64 > most {
        true => odd("it is far too long"),
        false => Ok(contents),
    }
}

/// The protocol's word for a full disk.
pub(crate) fn full(folder: &Path, needs: u64, has: u64) -> Error {
    Error::DiskFull {
        folder: folder.display().to_string(),
        needs: ByteSize(needs),
        has: ByteSize(has),
    }
}

/// The free space of the disk that a path is or will be on.
///
/// # Errors
/// [`Error::File`].
pub(crate) fn free_space(path: &Path) -> Result<u64> {
    let there = existing(path);
    fs4::available_space(there).map_err(|error| file_error(there, &error))
}

/// What tells a disk from others.
#[cfg(unix)]
pub(crate) type Disk = u64;

/// What tells a disk from others.
#[cfg(not(unix))]
pub(crate) type Disk = std::ffi::OsString;

/// Whether these are one disk. Where that cannot be told they are taken to be.
pub(crate) fn may_be_same(one: Option<&Disk>, other: Option<&Disk>) -> bool {
    one.zip(other).is_none_or(|(one, other)| one == other)
}

/// The disk that a path is or will be on; `None` where that cannot be told.
pub(crate) fn disk(path: &Path) -> Option<Disk> {
    disk_of(existing(path))
}

/// The path, or the nearest folder above it that is there.
fn existing(path: &Path) -> &Path {
    path.ancestors().find(|path| path.exists()).unwrap_or(path)
}

#[cfg(unix)]
fn disk_of(path: &Path) -> Option<Disk> {
    use std::os::unix::fs::MetadataExt;
    path.metadata().ok().map(|about| about.dev())
}

#[cfg(not(unix))]
fn disk_of(path: &Path) -> Option<Disk> {
    let path = path.canonicalize().ok()?;
    let prefix = path.components().next()?;
    Some(prefix.as_os_str().to_owned())
}

/// Makes the folder of a file.
///
/// # Errors
/// [`Error::File`], [`Error::DiskFull`].
pub(crate) fn make_parent(path: &Path) -> Result<()> {
    let folder = path.parent().unwrap_or(path);
    std::fs::create_dir_all(folder).map_err(|error| file_error(folder, &error))
}

/// Asks the disk to keep a new name through a power loss. A system that cannot is not asked twice.
pub(crate) fn sync_parent(path: &Path) {
    let synced = path
        .parent()
        .map(|folder| std::fs::File::open(folder).and_then(|folder| folder.sync_all()));
    if let Some(Err(error)) = synced {
        tracing::debug!(path = %path.display(), %error, "the folder was not synced");
    }
}

/// Makes `link` a symbolic link to a file.
#[cfg(unix)]
pub(crate) fn symlink(target: &Path, link: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, link)
}

/// Makes `link` a symbolic link to a file.
#[cfg(windows)]
pub(crate) fn symlink(target: &Path, link: &Path) -> io::Result<()> {
    std::os::windows::fs::symlink_file(target, link)
}

/// Removes the empty folders above a path as long as they lie below `root`; one that is not empty ends it. None goes where
/// a link leads there, since it lies elsewhere then.
pub(crate) fn remove_empty_parents(path: &Path, root: &Path) {
    let below = |folder: &&Path| folder.starts_with(root) && *folder != root;
    let folders = path.ancestors().skip(1).take_while(below);
    if folders.clone().any(Path::is_symlink) {
        return;
    }
    for folder in folders {
        if std::fs::remove_dir(folder).is_err() {
            return;
        }
    }
}

/// Removes a file, or a folder with all in it. One that is gone already is what was wanted.
pub(crate) fn remove(path: &Path) -> io::Result<()> {
    let about = match path.symlink_metadata() {
        Ok(about) => about,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    match about.is_dir() {
        true => std::fs::remove_dir_all(path),
        // A link goes, and what it leads to stays.
        false => std::fs::remove_file(path),
    }
}

/// Writes a file that is not there yet: it has its name only once it is whole, and no other file is written over.
///
/// # Errors
/// [`Error::File`] where one is there already, or as the system says; [`Error::DiskFull`].
pub(crate) fn write_new(path: &Path, contents: &[u8]) -> Result<()> {
    let mut file = NewFile::begin(path)?;
    file.append(contents)?;
    file.finish()
}

/// The same, piece by piece. Dropped before its end it leaves nothing.
#[derive(Debug)]
pub(crate) struct NewFile {
    path: PathBuf,
    /// What it is called until it is whole.
    partial: PathBuf,
    file: std::fs::File,
}

impl NewFile {
    /// Begins the file.
    ///
    /// # Errors
    /// [`Error::File`] where one is there already, or as the system says.
    pub(crate) fn begin(path: &Path) -> Result<Self> {
        if path.symlink_metadata().is_ok() {
            return Err(taken(path));
        }
        let partial = with_ending(path, &format!(".{:08x}.part", fastrand::u32(..)));
        let file = std::fs::OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&partial);
        Ok(Self {
            file: file.map_err(|error| file_error(path, &error))?,
            path: path.to_owned(),
            partial,
        })
    }

    /// Writes more of it.
    ///
    /// # Errors
    /// As the system says; [`Error::DiskFull`].
    pub(crate) fn append(&mut self, contents: &[u8]) -> Result<()> {
        let written = self.file.write_all(contents);
        written.map_err(|error| file_error(&self.path, &error))
    }

    /// Gives it its name, once all of it is on the disk.
    ///
    /// # Errors
    /// [`Error::File`] where a file of this name has come meanwhile, or as the system says; [`Error::DiskFull`].
    pub(crate) fn finish(self) -> Result<()> {
        let (partial, path) = (&self.partial, &self.path);
        let named = self
            .file
            .sync_all()
            .and_then(|()| match std::fs::hard_link(partial, path) {
                Err(error)
                    if error.kind() != io::ErrorKind::AlreadyExists && path.symlink_metadata().is_err() =>
                {
                    // A disk that knows no second names.
                    std::fs::rename(partial, path)
                }
                linked => linked,
            });
        match named {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(taken(path)),
            Err(error) => Err(file_error(path, &error)),
            Ok(()) => {
                sync_parent(path);
                Ok(())
            }
        }
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        if let Err(error) = std::fs::remove_file(&self.partial)
            && error.kind() != io::ErrorKind::NotFound
        {
            tracing::warn!(partial = %self.partial.display(), %error, "a part of a file stays");
        }
    }
}

/// The protocol's word for a file that is there already.
fn taken(path: &Path) -> Error {
    Error::File {
        path: path.display().to_string(),
        reason: "it is there already; choose another name".into(),
    }
}

/// A file's name with more behind its ending: `m.gguf` and `.part` are `m.gguf.part`.
pub(crate) fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_space_of_a_path_that_is_not_there_yet_is_that_of_its_disk() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a").join("b");
        assert!(free_space(&path).expect("known") > 0);
        let (one, other) = (disk(&path), disk(folder.path()));
        assert!(one.is_some() && one == other);
        assert!(may_be_same(one.as_ref(), other.as_ref()) && may_be_same(None, other.as_ref()));
    }

    #[test]
    fn a_full_disk_is_called_so_whichever_file_could_not_be_written() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("1.json");
        for kind in [io::ErrorKind::StorageFull, io::ErrorKind::QuotaExceeded] {
            let error = file_error(&path, &kind.into());
            assert!(matches!(error, Error::DiskFull { .. }), "{error}");
        }
        let other = file_error(&path, &io::ErrorKind::PermissionDenied.into());
        assert!(matches!(other, Error::File { .. }), "{other}");
    }

    #[test]
    fn a_new_file_is_whole_and_takes_no_others_place() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.md");
        write_new(&path, b"one").expect("written");
        let again = write_new(&path, b"two").expect_err("it is there").to_string();
        assert!(again.contains("there already"), "{again}");
        assert_eq!(std::fs::read(&path).expect("read"), b"one");
        let nowhere = write_new(&folder.path().join("none").join("a.md"), b"x");
        assert!(matches!(nowhere, Err(Error::File { .. })), "{nowhere:?}");
        let names = folder.path().read_dir().expect("the folder");
        assert_eq!(names.count(), 1, "no part is left");
    }

    #[cfg(unix)]
    #[test]
    fn no_folder_behind_a_link_is_removed() {
        let root = tempfile::tempdir().expect("a folder");
        let elsewhere = tempfile::tempdir().expect("a folder");
        let deep = elsewhere.path().join("p").join("r");
        std::fs::create_dir_all(&deep).expect("made");
        let link = root.path().join("linked");
        symlink(elsewhere.path(), &link).expect("a link");
        remove_empty_parents(&link.join("p").join("r").join("m.gguf"), root.path());
        assert!(deep.exists() && link.is_symlink());
    }

    #[test]
    fn only_empty_folders_below_the_root_are_removed() {
        let root = tempfile::tempdir().expect("a folder");
        let (kept, deep) = (
            root.path().join("kept"),
            root.path().join("kept").join("a").join("b"),
        );
        std::fs::create_dir_all(&deep).expect("made");
        std::fs::write(kept.join("file"), "x").expect("written");
        remove_empty_parents(&deep.join("m.gguf"), root.path());
        assert!(kept.exists() && !kept.join("a").exists());
        std::fs::remove_file(kept.join("file")).expect("removed");
        remove_empty_parents(&kept.join("file"), root.path());
        assert!(root.path().exists() && !kept.exists());
        // Nothing outside is touched, empty or not.
        remove_empty_parents(root.path(), root.path());
        remove_empty_parents(&root.path().join("m.gguf"), &kept);
        assert!(root.path().exists());
    }
}
