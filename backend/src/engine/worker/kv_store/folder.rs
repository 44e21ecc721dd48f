//! The folder of KV states as seen from outside of a worker: how much lies there, and what is removed from it.

use std::fs::{self, DirEntry};
use std::io;
use std::path::Path;

use super::{Chat, ENDING, UNFINISHED, has_ending, is_abandoned, is_of};

/// Removes all files of a chat, whatever model made them; for chats that are deleted while no worker has them in memory.
///
/// # Errors
/// Where the folder is there and cannot be read, or a file cannot be removed.
pub(in crate::engine) fn remove_chat(folder: &Path, chat: Chat) -> io::Result<()> {
    for entry in entries(folder)? {
        let path = entry.path();
        if is_of(&path, chat) {
            fs::remove_file(path)?;
        }
    }
    Ok(())
}

/// The bytes of all states.
///
/// # Errors
/// Where the folder is there and cannot be read.
pub(in crate::engine) fn size(folder: &Path) -> io::Result<u64> {
    let sizes = entries(folder)?.into_iter().map(|entry| {
        let path = entry.path();
        let is_state = has_ending(&path, ENDING) || has_ending(&path, UNFINISHED);
        // One that a worker has just removed takes nothing.
        if is_state {
            entry.metadata().map_or(0, |about| about.len())
        } else {
            0
        }
    });
    Ok(sizes.sum())
}

/// Removes all states, but for those that are being written; gives their bytes.
///
/// # Errors
/// Where the folder is there and cannot be read, or a file cannot be removed.
pub(in crate::engine) fn empty(folder: &Path) -> io::Result<u64> {
    let mut bytes = 0;
    for entry in entries(folder)? {
        let path = entry.path();
        if !(has_ending(&path, ENDING) || has_ending(&path, UNFINISHED) && is_abandoned(&path)) {
            continue;
        }
        let size = entry.metadata().map_or(0, |about| about.len());
        match fs::remove_file(path) {
            Ok(()) => bytes += size,
            Err(error) if error.kind() == io::ErrorKind::NotFound => (),
            Err(error) => return Err(error),
        }
    }
    Ok(bytes)
}

/// What lies in the folder; nothing where it is not there.
fn entries(folder: &Path) -> io::Result<Vec<DirEntry>> {
    match fs::read_dir(folder) {
        Ok(entries) => entries.collect(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_counted_and_removed_and_nothing_else_is() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path();
        assert_eq!(size(&path.join("none")).expect("no folder is no fault"), 0);
        assert_eq!(empty(&path.join("none")).expect("no folder is no fault"), 0);
        for (name, bytes) in [
            ("1-a-b-1.kv", 700),
            ("2-a-b-1.kv", 40),
            ("3-a-b-1.part", 5),
            ("note.txt", 9),
        ] {
            fs::write(path.join(name), vec![0; bytes]).expect("written");
        }
        assert_eq!(size(path).expect("read"), 745);
        assert_eq!(empty(path).expect("removed"), 740);
        // What is being written is left to the worker that writes it.
        assert_eq!(size(path).expect("read"), 5);
        assert!(path.join("note.txt").exists());
    }
}
