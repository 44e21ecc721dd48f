//! Moves all that Hearth keeps to another folder, once nothing of it is open any more.
//!
//! A mark in the data folder says where. When the backend ends, everything is linked or copied there; then a pointer is
//! left in the old place, and what else lies there goes. So the data are whole in one place at every moment, and the next
//! start goes on where the end came too early. Every start follows the pointer.

use std::ffi::OsString;
use std::fs::{self, File, FileTimes};
use std::io;
use std::path::{Path, PathBuf};

use hearth_protocol::{Error, Result};

use crate::files::{
    blocking, disk, file_error, free_space, full, may_be_same, symlink, sync_parent, write_new,
};
use crate::wipe::remove;

/// Where to move, in the data folder until it is done.
const MARK: &str = "move-to";
/// Where the data went, in a folder they left.
const POINTER: &str = "moved-to";
/// In the new place while the data arrive there: what else lies in it is theirs.
const ARRIVING: &str = "arriving";
/// Pointers that are followed one after another; more are a circle.
const MOST_POINTERS: usize = 32;
/// Bytes that stay free on the new disk.
const SPARE_ROOM: u64 = 64 << 20;

/// Says that all is to be moved to `to`, a whole path of a folder that is empty or not there yet.
///
/// # Errors
/// [`Error::Invalid`] for a place that does not do; [`Error::DiskFull`]; [`Error::File`] where nothing can be written there.
pub(crate) async fn want(home: PathBuf, to: PathBuf) -> Result<()> {
    blocking(move || {
        check(&home, &to)?;
        let mark = home.join(MARK);
        remove(&mark).map_err(|error| file_error(&mark, &error))?;
        let place = to.to_str().ok_or_else(|| refused(&to, "its name is no text"))?;
        write_new(&mark, place.as_bytes())
    })
    .await
}

/// Moves all, where that is wanted; gives the folder that holds the data now. What fails before all is in the new place is
/// taken back and not tried again.
pub(crate) fn carry_out(home: &Path) -> PathBuf {
    let Some(to) = read(&home.join(MARK)) else {
        return home.to_owned();
    };
    let moved = move_all(home, &to);
    if let Err(error) = &moved {
        tracing::warn!(%error, "the data are not all moved");
    }
    if read(&home.join(POINTER)).is_some_and(|there| there == to) {
        return to;
    }
    if let Err(error) = undo(home, &to) {
        tracing::warn!(%error, "what was copied for a move is not all gone");
    }
    home.to_owned()
}

fn undo(home: &Path, to: &Path) -> io::Result<()> {
    if to.join(ARRIVING).exists() {
        for name in entries(home)? {
            remove(&to.join(name))?;
        }
        remove(&to.join(ARRIVING))?;
    }
    remove(&home.join(MARK))
}

/// The folder that holds the data whose folder was `home` once.
///
/// # Errors
/// [`Error::File`] where they were moved to a place that is not there, such as a disk that is not connected.
pub(crate) fn follow(home: PathBuf) -> Result<PathBuf> {
    let mut home = home;
    for _ in 0..MOST_POINTERS {
        let pointer = home.join(POINTER);
        let Some(there) = read(&pointer) else {
            return Ok(home);
        };
        if !there.is_dir() {
            return Err(Error::File {
                path: there.display().to_string(),
                reason: format!(
                    "Hearth's data were moved there, and it is not there now. Connect its disk, or delete {} to begin anew",
                    pointer.display()
                ),
            });
        }
        // The end came too early to clear the old place.
        if home.join(MARK).exists()
            && let Err(error) = clear(&home)
        {
            tracing::warn!(%error, "what was moved is not all gone from its old place");
        }
        home = there;
    }
    Err(refused(
        &home,
        "the folders say of each other that the data were moved there",
    ))
}

fn refused(to: &Path, problem: &str) -> Error {
    Error::Invalid {
        field: to.display().to_string(),
        problem: problem.to_owned(),
    }
}

/// Whether all can be moved to `to`, which is made.
fn check(home: &Path, to: &Path) -> Result<()> {
    let of = |error: io::Error| file_error(to, &error);
    if !to.is_absolute() {
        return Err(refused(to, "it must be a whole path"));
    }
    if to.starts_with(home) {
        return Err(refused(to, "it lies in the folder that is to be moved"));
    }
    fs::create_dir_all(to).map_err(of)?;
    let real = fs::canonicalize(to).map_err(of)?;
    if fs::canonicalize(home).is_ok_and(|home| real.starts_with(home)) {
        return Err(refused(to, "it lies in the folder that is to be moved"));
    }
    if !is_free(to).map_err(of)? {
        return Err(refused(
            to,
            "the folder is not empty; choose an empty or a new one",
        ));
    }
    let trial = to.join(ARRIVING);
    fs::write(&trial, "").and_then(|()| remove(&trial)).map_err(of)?;
    if !may_be_same(disk(home).as_ref(), disk(to).as_ref()) {
        let needs = size(home).map_err(|error| file_error(home, &error))? + SPARE_ROOM;
        let has = free_space(to)?;
        if has < needs {
            return Err(full(to, needs, has));
        }
    }
    Ok(())
}

/// Whether a folder is empty. One that the data left once may have them back.
fn is_free(folder: &Path) -> io::Result<bool> {
    for entry in fs::read_dir(folder)? {
        if entry?.file_name() != POINTER {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Bytes of all files in a folder.
fn size(folder: &Path) -> io::Result<u64> {
    let mut bytes = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let about = entry.metadata()?;
        bytes += if about.is_dir() {
            size(&entry.path())?
        } else {
            about.len()
        };
    }
    Ok(bytes)
}

fn move_all(home: &Path, to: &Path) -> io::Result<()> {
    if read(&home.join(POINTER)).is_none_or(|there| there != to) {
        let arriving = to.join(ARRIVING);
        if !arriving.exists() {
            fs::create_dir_all(to)?;
            if !is_free(to)? {
                return Err(io::Error::other("the new folder is not empty any more"));
            }
            fs::write(&arriving, "Hearth's data arrive here.\n")?;
        }
        for name in entries(home)? {
            bring(&home.join(&name), &to.join(&name), home)?;
        }
        // From here on the new place counts: first for those who come there by a pointer of an earlier move.
        remove(&to.join(POINTER))?;
        remove(&arriving)?;
        sync_parent(&arriving);
        remove(&home.join(POINTER))?;
        write_new(&home.join(POINTER), to.as_os_str().as_encoded_bytes()).map_err(io::Error::other)?;
    }
    clear(home)
}

/// Removes what was moved, and the mark last.
fn clear(home: &Path) -> io::Result<()> {
    for name in entries(home)? {
        remove(&home.join(name))?;
    }
    remove(&home.join(MARK))
}

/// What moves: all but the notes of moving, and what is no file, such as a socket.
fn entries(home: &Path) -> io::Result<Vec<OsString>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(home)? {
        let entry = entry?;
        let name = entry.file_name();
        let kind = entry.file_type()?;
        let is_kept = kind.is_file() || kind.is_dir() || kind.is_symlink();
        if is_kept && ![MARK, POINTER, ARRIVING].map(OsString::from).contains(&name) {
            names.push(name);
        }
    }
    Ok(names)
}

/// Puts a file, a link or a folder with all in it to its new place: linked where both are on one disk, else copied.
fn bring(from: &Path, to: &Path, home: &Path) -> io::Result<()> {
    let about = from.symlink_metadata()?;
    if about.is_dir() {
        fs::create_dir_all(to)?;
        for entry in fs::read_dir(from)? {
            let name = entry?.file_name();
            bring(&from.join(&name), &to.join(&name), home)?;
        }
        fs::set_permissions(to, about.permissions())?;
        sync_parent(&to.join("in it"));
        return Ok(());
    }
    remove(to)?;
    if about.is_symlink() {
        return symlink(&goal(from, home)?, to);
    }
    if !about.is_file() || fs::hard_link(from, to).is_ok() {
        return Ok(());
    }
    fs::copy(from, to)?;
    let copy = File::options().write(true).open(to)?;
    copy.set_times(FileTimes::new().set_modified(about.modified()?))?;
    copy.sync_all()
}

/// What a link shall lead to in its new place: one that leads out of the data folder leads there still.
fn goal(link: &Path, home: &Path) -> io::Result<PathBuf> {
    let goal = fs::read_link(link)?;
    let whole = link.parent().unwrap_or(home).join(&goal);
    Ok(match fs::canonicalize(&whole) {
        Ok(real) if goal.is_relative() && !real.starts_with(home) => real,
        _ => goal,
    })
}

/// The folder that a note names; `None` where there is no such note.
fn read(note: &Path) -> Option<PathBuf> {
    let place = fs::read_to_string(note).ok()?;
    (!place.is_empty()).then(|| PathBuf::from(place))
}

#[cfg(test)]
mod tests;
