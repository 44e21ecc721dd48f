//! Moves all that Hearth keeps to another folder, once nothing of it is open any more.
//!
//! A mark in the data folder says where. When the last Hearth on these data ends, everything is linked or copied there; then
//! the mark becomes a pointer, which is the one moment at which the new place counts; then what else lies in the old place
//! goes. So the data are whole in one place at every moment, and the next start goes on where the end came too early. Every
//! start follows the pointers.

use std::ffi::OsString;
use std::fs::{self, File, FileTimes};
use std::io;
use std::path::{Path, PathBuf};

use hearth_protocol::{Error, Result};

use crate::files::{
    SPARE_ROOM, blocking, file_error, free_space, full, make_private_folder, remove, symlink, sync_parent,
    write_new,
};
use crate::in_use::{self, IN_USE};

/// Where to move, in the data folder until the new place counts.
const MARK: &str = "move-to";
/// Where the data went, in a folder they left: the mark by another name.
const POINTER: &str = "moved-to";
/// In the new place until the old one is cleared: what else lies there is the data's.
const ARRIVING: &str = "arriving";
/// What belongs to a folder, and not to the data in it.
const NOTES: [&str; 4] = [MARK, POINTER, ARRIVING, IN_USE];
/// Pointers that are followed one after another; more are a circle.
const MOST_POINTERS: usize = 32;
/// What every data folder has.
const DATABASE: &str = "hearth.db";

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

/// The folder that holds the data whose folder is or was `home`, after a move that an earlier end came too early for.
///
/// # Errors
/// [`Error::File`] where they were moved to a place that is not there, such as a disk that is not connected.
pub(crate) fn settle(home: PathBuf) -> Result<PathBuf> {
    let mut home = home;
    for _ in 0..MOST_POINTERS {
        carry_out(&home);
        let pointer = home.join(POINTER);
        let Some(there) = read(&pointer) else {
            return Ok(home);
        };
        // Data that have just come back here: the pointer is of the time when they left.
        if home.join(ARRIVING).exists() && read(&there.join(POINTER)).is_some_and(|back| back == home) {
            finish(&there, &home);
            return Ok(home);
        }
        if !there.join(DATABASE).exists() && !there.join(POINTER).exists() {
            return Err(Error::File {
                path: there.display().to_string(),
                reason: format!(
                    "Hearth's data were moved there, and they are not there now. Connect its disk, or delete {} to begin anew",
                    pointer.display()
                ),
            });
        }
        if there.join(ARRIVING).exists() {
            finish(&home, &there);
        }
        home = there;
    }
    Err(refused(
        &home,
        "the folders say of each other that the data were moved there",
    ))
}

/// Uses the data until what is given with their folder is dropped; waits for one that moves them just now.
pub(crate) fn enter(home: &Path) -> (PathBuf, Option<File>) {
    let mut home = home.to_owned();
    loop {
        let held = in_use::hold(&home);
        match settle(home.clone()) {
            Ok(settled) if settled != home => home = settled,
            // What is wrong with the pointer is told where the configuration is made.
            _ => return (home, held),
        }
    }
}

/// Moves all, where that is wanted and no other Hearth uses the data. What fails before the new place counts is taken back,
/// and not tried again.
pub(crate) fn carry_out(home: &Path) {
    let mark = home.join(MARK);
    let Some(to) = read(&mark) else { return };
    // The next one that ends or starts carries it out.
    let Some(_alone) = in_use::alone(home) else { return };
    match bring_all(home, &to) {
        Ok(()) => finish(home, &to),
        Err(error) => {
            tracing::warn!(%error, to = %to.display(), "the data are not moved");
            if let Err(error) = undo(home, &to) {
                tracing::warn!(%error, "what was copied for a move is not all gone");
            }
        }
    }
}

/// Brings everything to its new place, which counts from then on.
fn bring_all(home: &Path, to: &Path) -> io::Result<()> {
    let arriving = to.join(ARRIVING);
    if !arriving.exists() {
        if !is_free(to)? {
            return Err(io::Error::other("the new folder is not empty any more"));
        }
        // Only its owner looks into the data.
        fs::set_permissions(to, fs::metadata(home)?.permissions())?;
        fs::write(&arriving, "Hearth's data arrive here.\n")?;
    }
    for name in entries(home)? {
        bring(&home.join(&name), &to.join(&name), home, to)?;
    }
    sync_parent(&arriving);
    fs::rename(home.join(MARK), home.join(POINTER))?;
    sync_parent(&home.join(POINTER));
    Ok(())
}

/// Clears the old place, after the new one counts; what cannot go now goes at the next start.
fn finish(old: &Path, new: &Path) {
    let clear = || {
        for name in entries(old)? {
            remove(&old.join(name))?;
        }
        // A pointer in the new place is of the time when the data left it.
        remove(&new.join(POINTER))?;
        remove(&new.join(ARRIVING))
    };
    if let Err(error) = clear() {
        tracing::warn!(%error, "what was moved is not all gone from its old place");
    }
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
    let inside = || refused(to, "it lies in the folder that is to be moved");
    if to.starts_with(home) {
        return Err(inside());
    }
    make_private_folder(to).map_err(of)?;
    let real = fs::canonicalize(to).map_err(of)?;
    if fs::canonicalize(home).is_ok_and(|home| real.starts_with(home)) {
        return Err(inside());
    }
    if !is_free(to).map_err(of)? {
        return Err(refused(
            to,
            "the folder is not empty; choose an empty or a new one",
        ));
    }
    let trial = to.join(ARRIVING);
    fs::write(&trial, "").and_then(|()| remove(&trial)).map_err(of)?;
    // What can be linked takes no room.
    let linked = fs::hard_link(home.join(IN_USE), &trial).and_then(|()| remove(&trial));
    if linked.is_err() {
        let needs = size(home).map_err(|error| file_error(home, &error))? + SPARE_ROOM;
        let has = free_space(to)?;
        if has < needs {
            return Err(full(to, needs, has));
        }
    }
    Ok(())
}

/// Whether a folder holds nothing but notes. One that the data left once may have them back.
fn is_free(folder: &Path) -> io::Result<bool> {
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name();
        if ![POINTER, IN_USE].iter().any(|note| name == *note) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Bytes of all files in a folder. What goes meanwhile counts nothing.
fn size(folder: &Path) -> io::Result<u64> {
    let mut bytes = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        bytes += match entry.metadata() {
            Ok(about) if about.is_dir() => size(&entry.path())?,
            Ok(about) => about.len(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => 0,
            Err(error) => return Err(error),
        };
    }
    Ok(bytes)
}

/// What moves: all but the notes, and what is no file, such as a socket.
fn entries(home: &Path) -> io::Result<Vec<OsString>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(home)? {
        let entry = entry?;
        let name = entry.file_name();
        let kind = entry.file_type()?;
        let is_kept = kind.is_file() || kind.is_dir() || kind.is_symlink();
        if is_kept && !NOTES.iter().any(|note| name == *note) {
            names.push(name);
        }
    }
    Ok(names)
}

/// Puts a file, a link or a folder with all in it, of the data in `home`, to its place in `new`: linked where that can be,
/// else copied.
fn bring(from: &Path, to: &Path, home: &Path, new: &Path) -> io::Result<()> {
    let about = from.symlink_metadata()?;
    if about.is_dir() {
        fs::create_dir_all(to)?;
        for entry in fs::read_dir(from)? {
            let name = entry?.file_name();
            bring(&from.join(&name), &to.join(&name), home, new)?;
        }
        fs::set_permissions(to, about.permissions())?;
        sync_parent(&to.join("in it"));
        return Ok(());
    }
    remove(to)?;
    if about.is_symlink() {
        return symlink(&goal(from, home, new)?, to);
    }
    if !about.is_file() {
        return Ok(());
    }
    match fs::hard_link(from, to) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
        Err(_) => copy(from, to),
    }
}

/// Copies a file, which has its mode only once it is whole: one that nobody may write could not be written either.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let mut source = File::open(from)?;
    let about = source.metadata()?;
    let mut copy = File::create_new(to)?;
    io::copy(&mut source, &mut copy)?;
    copy.set_times(FileTimes::new().set_modified(about.modified()?))?;
    copy.sync_all()?;
    drop(copy);
    fs::set_permissions(to, about.permissions())
}

/// What a link shall lead to in its new place: the same thing as before, wherever that is then.
fn goal(link: &Path, home: &Path, new: &Path) -> io::Result<PathBuf> {
    let goal = fs::read_link(link)?;
    let Ok(real) = fs::canonicalize(link.parent().unwrap_or(home).join(&goal)) else {
        return Ok(goal);
    };
    let inside = real.strip_prefix(fs::canonicalize(home)?).map(Path::to_owned);
    Ok(match (goal.is_relative(), inside) {
        (true, Ok(_)) | (false, Err(_)) => goal,
        (true, Err(_)) => real,
        (false, Ok(inside)) => new.join(inside),
    })
}

/// The folder that a note names; `None` where there is no such note.
fn read(note: &Path) -> Option<PathBuf> {
    let place = fs::read_to_string(note).ok()?;
    (!place.is_empty()).then(|| PathBuf::from(place))
}

#[cfg(test)]
mod tests;
