//! The files that programs have slots saved to: where they lie, and how many bytes of them there may be.

use std::io;
use std::path::{Path, PathBuf};

use axum::http::StatusCode;
use hearth_protocol::{ByteSize, Result};

use crate::files::{blocking, file_error, make_parent};
use crate::hub::shapes::is_safe_path;
use crate::server::refusal::Refusal;

/// Longest name of a file, in bytes.
const LONGEST_NAME: usize = 200;

/// Begins the name of a file that may still turn out to be too large. No program can choose such a name.
const UNFINISHED: &str = ".";

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
/// same name is lost to nothing.
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
        let beside = path.with_file_name(format!("{UNFINISHED}{name}"));
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
        let checked = self.check(used, bytes);
        let is_fine = checked.is_ok();
        blocking(move || {
            let done = if is_fine {
                std::fs::rename(&self.beside, &self.path)
            } else {
                std::fs::remove_file(&self.beside)
            };
            done.map_err(|error| file_error(&self.path, &error))
        })
        .await?;
        checked
    }

    fn check(&self, used: ByteSize, bytes: ByteSize) -> std::result::Result<(), Refusal> {
        let ByteSize(needed) = bytes;
        if used.0.saturating_add(needed.max(1)) <= self.limit.0 {
            return Ok(());
        }
        let folder = self.path.parent().unwrap_or(&self.path).display();
        let message = format!(
            "There is no room to save the slot{}: the other files in {folder} take {used}, and all of them may take {}, \
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
}
