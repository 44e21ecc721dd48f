//! The files that programs have slots saved to: where they lie, and how many bytes of them there may be.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use axum::http::StatusCode;
use hearth_protocol::{ByteSize, Result};

use crate::files::{blocking, file_error, make_parent};
use crate::hub::shapes::is_safe_path;
use crate::server::refusal::Refusal;

/// Longest name of a file, in bytes.
const LONGEST_NAME: usize = 200;

/// Begins and ends the name of a file that may still turn out to be too large. No program can choose such a name.
const HIDDEN: &str = ".";
const UNFINISHED: &str = ".unfinished";

/// Tells files apart that are saved at once, even under one name.
static COUNT: AtomicU64 = AtomicU64::new(0);

/// The file of a name, in the server's own folder and nowhere else.
///
/// # Errors
/// Where the name could lead elsewhere, or is none that every system takes.
pub(super) fn place(folder: &Path, name: &str) -> std::result::Result<PathBuf, Refusal> {
    let is_plain = |letter: char| letter.is_alphanumeric() || "-_. ".contains(letter);
    let is_name = name.len() <= LONGEST_NAME
        && name.chars().all(is_plain)
        && !name.starts_with(['.', ' '])
        && is_safe_path(name);
    if !is_name {
        return Err(Refusal::field(
            "filename",
            "must be letters, digits, spaces, -, _ and points, begin and end with one of the others, and be no name of a \
             device such as nul",
        ));
    }
    Ok(folder.join(name))
}

/// A file that is being saved. It is written beside its place and gets there once it is known to fit, so that one of the
/// same name is lost to nothing. Where this is dropped before, what was written is removed.
pub(super) struct Saving {
    path: PathBuf,
    beside: PathBuf,
    /// Bytes that all files together may take.
    limit: ByteSize,
}

impl Saving {
    /// Begins to save to a file.
    ///
    /// # Errors
    /// Where there is no room already, or the folder cannot be made.
    pub(super) async fn begin(path: PathBuf, limit: ByteSize) -> std::result::Result<Self, Refusal> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let beside = path.with_file_name(format!("{HIDDEN}{name}.{count}{UNFINISHED}"));
        let saving = Self { path, beside, limit };
        let (path, beside) = (saving.path.clone(), saving.beside.clone());
        let used = blocking(move || {
            make_parent(&path)?;
            used(&path, &beside)
        })
        .await?;
        saving.check(used, ByteSize(0))?;
        Ok(saving)
    }

    /// Where it is written first.
    pub(super) fn beside(&self) -> &Path {
        &self.beside
    }

    /// Puts what was written in its place.
    ///
    /// # Errors
    /// Where it does not fit; then it is gone, and one of the same name is as it was.
    pub(super) async fn finish(self) -> std::result::Result<(), Refusal> {
        let (path, beside) = (self.path.clone(), self.beside.clone());
        let (used, bytes) = blocking(move || {
            let bytes = beside.metadata().map_err(|error| file_error(&beside, &error))?;
            Ok((used(&path, &beside)?, ByteSize(bytes.len())))
        })
        .await?;
        self.check(used, bytes)?;
        let rename = move || {
            let renamed = std::fs::rename(&self.beside, &self.path);
            renamed.map_err(|error| file_error(&self.path, &error))
        };
        Ok(blocking(rename).await?)
    }

    fn check(&self, used: ByteSize, bytes: ByteSize) -> std::result::Result<(), Refusal> {
        let ByteSize(needed) = bytes;
        if used.0.saturating_add(needed.max(1)) <= self.limit.0 {
            return Ok(());
        }
        let message = format!(
            "There is no room to save the slot{}: the other saved ones take {used}, and all of them may take {}, \
             the limit of KV states in the settings. Remove some of them, or raise the limit.",
            if needed > 0 {
                format!(", which takes {bytes}")
            } else {
                String::new()
            },
            self.limit
        );
        Err(Refusal {
            param: Some("filename".into()),
            ..Refusal::coded(StatusCode::INSUFFICIENT_STORAGE, "slots_full", message)
        })
    }
}

impl Drop for Saving {
    fn drop(&mut self) {
        // It is not there where it got to its place, and where nothing was written.
        if let Err(error) = std::fs::remove_file(&self.beside)
            && error.kind() != io::ErrorKind::NotFound
        {
            tracing::warn!(%error, "an unfinished file of a slot stays");
        }
    }
}

/// Removes what a Hearth that was killed has left unfinished, where nothing is being saved.
pub(in crate::server) fn clear(folder: &Path) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        // The worker writes beside such a file in turn, under a name that goes on from its own.
        if name.starts_with(HIDDEN)
            && name.contains(UNFINISHED)
            && let Err(error) = std::fs::remove_file(entry.path())
        {
            tracing::warn!(%error, "an unfinished file of a slot stays");
        }
    }
}

/// Bytes of the files in the folder of these two, which do not count.
fn used(path: &Path, beside: &Path) -> Result<ByteSize> {
    let folder = path.parent().unwrap_or(path);
    let sum = || -> io::Result<u64> {
        let mut sum: u64 = 0;
        for entry in std::fs::read_dir(folder)? {
            let entry = entry?;
            if entry.path() != path && entry.path() != beside {
                sum = sum.saturating_add(entry.metadata()?.len());
            }
        }
        Ok(sum)
    };
    sum().map(ByteSize).map_err(|error| file_error(folder, &error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_never_lies_elsewhere() {
        let folder = Path::new("/slots");
        assert_eq!(place(folder, "slot1.bin").ok(), Some("/slots/slot1.bin".into()));
        for name in [
            "",
            ".",
            "..",
            "../x",
            "a/b",
            "a\\b",
            "/etc/passwd",
            "C:x",
            "a\0",
            ".hidden",
            "nul.",
            " a",
            "a\n",
            "a.",
            "a ",
            "nul",
            "CON",
            "con.bin",
            "com1",
            "LPT9.txt",
            "COM¹",
            "lpt³.bin",
            "aux ",
        ] {
            let refused = place(folder, name).expect_err(name);
            assert_eq!(refused.param.as_deref(), Some("filename"), "{name:?}");
        }
        assert!(place(folder, &"x".repeat(LONGEST_NAME + 1)).is_err());
    }

    /// What programs had saved grew without an end.
    #[tokio::test]
    async fn files_take_no_more_than_their_limit_and_nothing_is_lost() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join("slots").join(name);
        let read = |name: &str| std::fs::read_to_string(path(name)).ok();
        let save = async |name: &str, text: &str, limit: u64| {
            let saving = Saving::begin(path(name), ByteSize(limit)).await?;
            std::fs::write(saving.beside(), text).expect("written");
            saving.finish().await
        };
        assert_eq!(save("a", "1234", 10).await, Ok(()));
        assert_eq!(save("b", "123456", 10).await, Ok(()));
        // A file of the same name makes room for itself, and stays where that is not enough.
        assert_eq!(save("a", "abcd", 10).await, Ok(()));
        for (name, text, limit) in [("a", "12345", 10), ("c", "1", 10), ("c", "1", 0)] {
            let refused = save(name, text, limit).await.expect_err("too much");
            assert_eq!(
                (refused.status, refused.code),
                (StatusCode::INSUFFICIENT_STORAGE, Some("slots_full")),
                "{name}"
            );
        }
        assert_eq!(
            (read("a").as_deref(), read("b").as_deref(), read("c")),
            (Some("abcd"), Some("123456"), None)
        );
        let files = std::fs::read_dir(path("a").parent().expect("a folder")).expect("a folder");
        assert_eq!(files.count(), 2, "nothing unfinished is left");
    }

    /// Each of these once left a file for ever, which counted.
    #[tokio::test]
    async fn what_is_not_finished_is_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a");
        let limit = ByteSize(100);
        let first = Saving::begin(path.clone(), limit).await.expect("there is room");
        let second = Saving::begin(path.clone(), limit).await.expect("there is room");
        let third = Saving::begin(path.clone(), limit).await.expect("there is room");
        for (saving, text) in [(&first, "1"), (&second, "2"), (&third, "3")] {
            std::fs::write(saving.beside(), text).expect("written");
        }
        assert_eq!(first.finish().await, Ok(()));
        assert_eq!(second.finish().await, Ok(()));
        drop(third);
        assert_eq!(std::fs::read_to_string(&path).expect("the file"), "2");
        for name in [".b.0.unfinished", ".b.0.unfinished.1a-2b.part", ".mine"] {
            std::fs::write(folder.path().join(name), "x").expect("written");
        }
        clear(folder.path());
        clear(&folder.path().join("missing"));
        let files = std::fs::read_dir(folder.path()).expect("a folder");
        let mut names: Vec<_> = files.map(|file| file.expect("a file").file_name()).collect();
        names.sort();
        assert_eq!(names, [".mine", "a"]);
    }
}
