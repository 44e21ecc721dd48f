//! One model on its way into a folder of its own. Until it is kept, dropping it removes what was written.

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use hearth_protocol::{Error, Result};

use super::{FOLDER, destination};
use crate::download::place::PARTIAL_FILE;
use crate::files::{self, SPARE_ROOM, file_error};

/// Bytes between two looks whether anybody still waits.
const PIECE: u64 = 4 << 20;

/// Models of one name that are kept apart by numbers.
const MAX_SAME_NAME: u32 = 10_000;

/// A model, where it is and where it goes.
pub(super) struct Bringing {
    /// Hearth's models.
    models: PathBuf,
    /// The folder that was made for it.
    folder: PathBuf,
    /// Its files, the first first.
    files: Vec<One>,
    /// Bytes of all.
    total: u64,
    /// What was made in the folder and goes again unless it is kept.
    made: Vec<PathBuf>,
}

/// A file of the model.
struct One {
    /// As it was named.
    from: PathBuf,
    /// The file itself, where `from` is a link.
    real: PathBuf,
    to: PathBuf,
    length: u64,
    written: Option<SystemTime>,
}

impl Bringing {
    /// Makes the folder.
    ///
    /// # Errors
    /// [`Error::File`], [`Error::DiskFull`].
    pub(super) fn prepare(models: &Path, from: Vec<PathBuf>) -> Result<Self> {
        let mut files = Vec::new();
        for from in from {
            let real = from.canonicalize().map_err(|error| file_error(&from, &error))?;
            let about = real.metadata().map_err(|error| file_error(&from, &error))?;
            files.push(One {
                real,
                to: destination::file_name(from.file_name().unwrap_or_default()).into(),
                from,
                length: about.len(),
                written: about.modified().ok(),
            });
        }
        let first = files.first().map(|file| file.to.to_string_lossy().into_owned());
        let folder = make_folder(&models.join(FOLDER), &first.unwrap_or_default())?;
        for file in &mut files {
            file.to = folder.join(&file.to);
        }
        Ok(Self {
            models: models.to_owned(),
            folder,
            total: files.iter().map(|file| file.length).sum(),
            files,
            made: Vec::new(),
        })
    }

    /// Leaves it there for good, and gives its first file.
    pub(super) fn keep(mut self) -> PathBuf {
        self.made.clear();
        self.files.first().map(|file| file.to.clone()).unwrap_or_default()
    }

    /// Copies the files.
    ///
    /// # Errors
    /// [`Error::DiskFull`] before anything is written or later, [`Error::File`], that of `tell`.
    pub(super) fn copy(&mut self, tell: &mut dyn FnMut(u64, u64) -> Result<()>) -> Result<()> {
        let (needs, has) = (
            self.total.saturating_add(SPARE_ROOM),
            files::free_space(&self.folder)?,
        );
        if has < needs {
            return Err(files::full(&self.models, needs, has));
        }
        // All are opened before the first is read: one that is deleted meanwhile can still be read to its end.
        let mut sources = Vec::new();
        for file in &self.files {
            sources.push(File::open(&file.real).map_err(|error| file_error(&file.from, &error))?);
        }
        let (mut done, mut copies) = (0, Vec::new());
        for (at, source) in sources.iter().enumerate() {
            copies.push(self.copy_one(at, source, &mut done, tell)?);
        }
        for (file, source) in self.files.iter().zip(&sources) {
            let about = source
                .metadata()
                .map_err(|error| file_error(&file.from, &error))?;
            if about.len() != file.length || about.modified().ok() != file.written {
                return Err(changed(&file.from));
            }
        }
        tell(done, self.total)?;
        // The first stands for all and gets its name last. Each is locked until then.
        for file in self.files.iter().rev() {
            let gathered = files::with_ending(&file.to, PARTIAL_FILE);
            std::fs::rename(&gathered, &file.to).map_err(|error| file_error(&file.to, &error))?;
            self.made.push(file.to.clone());
        }
        drop(copies);
        if let Some(first) = self.files.first() {
            files::sync_parent(&first.to);
            files::sync_parent(&self.folder);
        }
        Ok(())
    }

    /// Copies one file under a name that no list shows and makes it safe. As long as what this gives lives, the copy is
    /// no leftover to anyone.
    fn copy_one(
        &mut self,
        at: usize,
        source: &File,
        done: &mut u64,
        tell: &mut dyn FnMut(u64, u64) -> Result<()>,
    ) -> Result<File> {
        let file = &self.files[at];
        let gathered = files::with_ending(&file.to, PARTIAL_FILE);
        let copy = OpenOptions::new().write(true).create_new(true).open(&gathered);
        let copy = copy.map_err(|error| file_error(&gathered, &error))?;
        self.made.push(gathered);
        // Waits only while somebody looks whether it is a leftover.
        if let Err(error) = copy.lock() {
            tracing::debug!(%error, "the disk knows no locks");
        }
        let failed = |error: &io::Error, done: u64| match files::is_full(error) {
            true => {
                let needs = (self.total - done.min(self.total)).saturating_add(SPARE_ROOM);
                files::full(
                    &self.models,
                    needs,
                    files::free_space(&self.folder).unwrap_or_default(),
                )
            }
            false => Error::File {
                path: file.from.display().to_string(),
                reason: format!("it cannot be copied to {}: {error}", self.folder.display()),
            },
        };
        let mut copied = 0;
        loop {
            tell(*done, self.total)?;
            // The system copies where it can, without the bytes coming here.
            let piece =
                io::copy(&mut source.take(PIECE), &mut &copy).map_err(|error| failed(&error, *done))?;
            (copied, *done) = (copied + piece, *done + piece);
            if piece == 0 {
                break;
            }
            if copied > file.length {
                return Err(changed(&file.from));
            }
        }
        if copied != file.length {
            return Err(changed(&file.from));
        }
        copy.sync_all().map_err(|error| failed(&error, *done))?;
        Ok(copy)
    }

    /// Moves the files: by another name for them where they are on the same disk, else by a copy, after which they go.
    ///
    /// # Errors
    /// As [`Self::copy`]; [`Error::Invalid`] for a link. The files are where they were then.
    pub(super) fn take(&mut self, tell: &mut dyn FnMut(u64, u64) -> Result<()>) -> Result<()> {
        if let Some(link) = self.files.iter().find(|file| file.from.is_symlink()) {
            let field = link.from.display().to_string();
            let problem = format!("is a link to {}; name that file to move it", link.real.display());
            return Err(Error::Invalid { field, problem });
        }
        tell(0, self.total)?;
        let disk = files::disk(&self.folder);
        let shares = |file: &One| files::may_be_same(files::disk(&file.real).as_ref(), disk.as_ref());
        if self.files.iter().all(shares) {
            // The last moment to leave: another name takes no time.
            tell(self.total, self.total)?;
        }
        match self.rename() {
            Ok(()) => Ok(()),
            Err((_, error)) if error.kind() == io::ErrorKind::CrossesDevices => {
                self.copy(tell)?;
                self.remove_sources()
            }
            Err((from, error)) => Err(unmovable(&from, &error)),
        }
    }

    /// Gives the files their new names, all or none.
    fn rename(&self) -> std::result::Result<(), (PathBuf, io::Error)> {
        for (at, file) in self.files.iter().enumerate() {
            let Err(error) = std::fs::rename(&file.from, &file.to) else {
                continue;
            };
            for moved in &self.files[..at] {
                if let Err(error) = std::fs::rename(&moved.to, &moved.from) {
                    tracing::error!(path = %moved.to.display(), %error, "a file that was moved does not go back");
                }
            }
            return Err((file.from.clone(), error));
        }
        if let Some(first) = self.files.first() {
            files::sync_parent(&first.to);
        }
        Ok(())
    }

    /// Removes what was copied, after the copies are safe and whole.
    fn remove_sources(&mut self) -> Result<()> {
        for file in &self.files {
            let length = file
                .to
                .metadata()
                .map_err(|error| file_error(&file.to, &error))?
                .len();
            if length != file.length {
                return Err(changed(&file.from));
            }
        }
        for at in 0..self.files.len() {
            match std::fs::remove_file(&self.files[at].from) {
                // From here on the copy is all there is of it.
                Ok(()) => self.made.clear(),
                Err(error) if at == 0 => return Err(unmovable(&self.files[at].from, &error)),
                Err(error) => {
                    tracing::warn!(path = %self.files[at].from.display(), %error, "it was moved and stays besides");
                }
            }
        }
        Ok(())
    }

    /// Gives the files second names.
    ///
    /// # Errors
    /// [`Error::File`], that of `tell`.
    pub(super) fn hard_link(&mut self, tell: &mut dyn FnMut(u64, u64) -> Result<()>) -> Result<()> {
        self.point(tell, |real, to| std::fs::hard_link(real, to), |error| match error.kind() {
            io::ErrorKind::CrossesDevices => {
                "it is on another disk than Hearth's models, and a hard link cannot lead there; copy it, or make a \
                 symbolic link"
                    .into()
            }
            io::ErrorKind::Unsupported | io::ErrorKind::TooManyLinks => {
                format!("its disk takes no more hard links to it ({error}); copy it, or make a symbolic link")
            }
            io::ErrorKind::PermissionDenied => {
                format!("the system allows no hard link to it ({error}); copy it, or make a symbolic link")
            }
            _ => format!("no hard link to it can be made: {error}"),
        })
    }

    /// Makes symbolic links to the files.
    ///
    /// # Errors
    /// [`Error::File`], that of `tell`.
    pub(super) fn link(&mut self, tell: &mut dyn FnMut(u64, u64) -> Result<()>) -> Result<()> {
        self.point(tell, files::symlink, |error| {
            format!(
                "this system or disk allows no symbolic link here ({error}); copy it, or make a hard link"
            )
        })
    }

    fn point(
        &mut self,
        tell: &mut dyn FnMut(u64, u64) -> Result<()>,
        make: impl Fn(&Path, &Path) -> io::Result<()>,
        words: impl Fn(&io::Error) -> String,
    ) -> Result<()> {
        tell(0, self.total)?;
        for file in &self.files {
            make(&file.real, &file.to).map_err(|error| match files::is_full(&error) {
                true => file_error(&file.to, &error),
                false => Error::File {
                    path: file.from.display().to_string(),
                    reason: words(&error),
                },
            })?;
            self.made.push(file.to.clone());
        }
        tell(self.total, self.total)
    }
}

impl Drop for Bringing {
    fn drop(&mut self) {
        for path in &self.made {
            match std::fs::remove_file(path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    tracing::warn!(path = %path.display(), %error, "what an import wrote is not removed");
                }
                _ => (),
            }
        }
        // It is empty unless it holds the model.
        files::remove_empty_parents(&self.folder.join(PARTIAL_FILE), &self.models);
    }
}

/// Makes a folder that was not there before, so that whatever lies in it is this model's.
fn make_folder(imported: &Path, first: &str) -> Result<PathBuf> {
    for number in 1..MAX_SAME_NAME {
        // Each time, since another import may remove it as it was empty.
        std::fs::create_dir_all(imported).map_err(|error| file_error(imported, &error))?;
        let folder = imported.join(destination::folder_name(first, number));
        match std::fs::create_dir(&folder) {
            Ok(()) => return Ok(folder),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => (),
            Err(error) => return Err(file_error(&folder, &error)),
        }
    }
    Err(Error::File {
        path: imported.display().to_string(),
        reason: format!("there are {MAX_SAME_NAME} models of this name in it"),
    })
}

fn changed(path: &Path) -> Error {
    Error::File {
        path: path.display().to_string(),
        reason: "it changed while it was copied; import it once nothing writes to it any more".into(),
    }
}

fn unmovable(path: &Path, error: &io::Error) -> Error {
    if files::is_full(error) {
        return file_error(path, error);
    }
    Error::File {
        path: path.display().to_string(),
        reason: format!("it cannot be moved away ({error}); copy it instead"),
    }
}
