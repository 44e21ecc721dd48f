//! The file in which bytes are gathered, and whose they are.
//!
//! Two downloads of one file gather in the same one, be they of one list or of two that share a cache. So whoever writes to
//! it puts a mark of its own behind the last byte, and believes what it remembers only where it finds that mark again.
//! Such a file is never as long as the whole one until all of it is there.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// Bytes of a mark.
const LENGTH: u64 = 8;

/// A mark that nobody has.
pub(super) fn new_mark() -> u64 {
    fastrand::u64(1..)
}

/// Locks a file, so that no other download writes to it as long as it is open.
///
/// # Errors
/// Of kind `WouldBlock` where another does.
pub(super) fn lock(file: &File, path: &Path) -> io::Result<()> {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(io::ErrorKind::WouldBlock.into()),
        Err(TryLockError::Error(error)) => {
            tracing::debug!(path = %path.display(), %error, "the disk knows no locks");
            Ok(())
        }
        Ok(()) => Ok(()),
    }
}

/// The mark of a file of which so many bytes are gathered; `None` where it bears none.
///
/// # Errors
/// As the system says.
pub(super) fn mark(mut file: &File, size: u64) -> io::Result<Option<u64>> {
    if size.checked_add(LENGTH) != Some(file.metadata()?.len()) {
        return Ok(None);
    }
    let mut bytes = [0; LENGTH as usize];
    file.seek(SeekFrom::Start(size))?;
    file.read_exact(&mut bytes)?;
    Ok(Some(u64::from_le_bytes(bytes)).filter(|mark| *mark != 0))
}

/// Makes a file long enough for all its bytes, so that they can be written anywhere, and puts a mark behind them. It
/// outlives a power loss.
///
/// # Errors
/// As the system says.
pub(super) fn put_mark(mut file: &File, size: u64, mark: u64) -> io::Result<()> {
    // At once and not by way of its own length, which would say that it is whole.
    file.set_len(size.saturating_add(LENGTH))?;
    file.seek(SeekFrom::Start(size))?;
    file.write_all(&mark.to_le_bytes())?;
    file.sync_all()
}

/// Takes the mark from a file that has all its bytes.
///
/// # Errors
/// As the system says.
pub(super) fn take_mark(file: &File, size: u64) -> io::Result<()> {
    file.set_len(size)?;
    file.sync_all()
}

/// The file of which somebody with this mark had all bytes; `None` where it is gone, or another has begun to write to it.
///
/// # Errors
/// As the system says.
pub(super) fn whole(path: &Path, size: u64, own: Option<u64>) -> io::Result<Option<File>> {
    let file = match OpenOptions::new().read(true).write(true).open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        opened => opened?,
    };
    match lock(&file, path) {
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(None),
        locked => locked?,
    }
    let is_whole = file.metadata()?.len() == size || own.is_some() && mark(&file, size)? == own;
    Ok(is_whole.then_some(file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_whole_for_who_marked_it_and_without_a_mark() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("m.part");
        let is_whole = |own| whole(&path, 3, own).expect("it is read").is_some();
        assert!(!is_whole(Some(7)), "it is not there");
        std::fs::write(&path, "abc").expect("written");
        assert!(is_whole(Some(7)) && is_whole(None));

        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .open(&path)
            .expect("opens");
        assert_eq!(mark(&file, 3).expect("read"), None);
        put_mark(&file, 3, 7).expect("marked");
        assert_eq!(mark(&file, 3).expect("read"), Some(7));
        assert_eq!(mark(&file, 4).expect("read"), None);
        assert!(is_whole(Some(7)) && !is_whole(Some(8)) && !is_whole(None));
        lock(&file, &path).expect("nobody has it");
        assert!(!is_whole(Some(7)), "somebody writes to it");
        take_mark(&file, 3).expect("taken");
        drop(file);
        assert!(is_whole(Some(8)));
        assert_eq!(std::fs::read(&path).expect("read"), b"abc");
    }
}
