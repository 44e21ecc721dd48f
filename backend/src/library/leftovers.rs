//! What is of no use any more: beginnings of downloads and imports that nobody goes on with, bytes that no name leads to,
//! links that lead nowhere. Found by a look at the disk, and removed only where a second look finds it again.
//!
//! What may still be in use stays: what a download of the list needs, what a name in the library leads to, what some
//! process holds a lock on, and what another program wrote lately.

mod look;
#[cfg(test)]
mod tests;

use std::cmp::Reverse;
use std::fs::File;
use std::path::{Path, PathBuf};

use hearth_protocol::library::{Cleaned, Leftover, LeftoverKind, Source};
use hearth_protocol::{ByteSize, Error, Result};
use tokio::runtime::Handle;

use super::Library;
use super::delete::remove_patiently;
use crate::files::{self, blocking};
use look::Look;

impl Library {
    /// All leftovers, the largest first.
    ///
    /// # Errors
    /// [`Error::File`] where it cannot be told what downloads need.
    pub(crate) async fn leftovers(&self) -> Result<Vec<Leftover>> {
        let (library, runtime) = (self.clone(), Handle::current());
        blocking(move || library.look_for_leftovers(&runtime)).await
    }

    /// Removes leftovers: of these paths those that are leftovers still; those of other programs where that is `confirmed`.
    ///
    /// # Errors
    /// [`Error::File`] where it cannot be told what downloads need.
    pub(crate) async fn clean(&self, paths: Vec<PathBuf>, confirmed: Vec<Source>) -> Result<Cleaned> {
        let (library, runtime) = (self.clone(), Handle::current());
        let clean = move || {
            let found = library.look_for_leftovers(&runtime)?;
            let mut cleaned = Cleaned::default();
            for path in paths {
                let leftover = found.iter().find(|leftover| leftover.path == path);
                match leftover.map(|leftover| library.clean_one(leftover, &confirmed)) {
                    Some(Ok(freed)) => {
                        cleaned.removed += 1;
                        cleaned.freed.0 += freed;
                    }
                    Some(Err(reason)) => cleaned.kept.push((path, reason)),
                    None => cleaned.kept.push((path, "it is not a leftover any more".into())),
                }
            }
            Ok(cleaned)
        };
        blocking(clean).await
    }

    fn look_for_leftovers(&self, runtime: &Handle) -> Result<Vec<Leftover>> {
        // Names in folders that are left out need their bytes as well.
        let needed = self.look_but_for(&[], runtime).needed();
        let mut look = Look::new(self.claims.read()?, needed);
        look.through_downloads();
        look.through_models(&self.models);
        if let Some(cache) = self.cache() {
            look.through_cache(cache);
        }
        for store in self.ollama_stores() {
            look.through_ollama(&store);
        }
        let mut found = look.found;
        found.sort_by(|a, b| (Reverse(a.size), &a.path).cmp(&(Reverse(b.size), &b.path)));
        Ok(found)
    }

    /// Removes one; gives the bytes that are free then, or why it stays.
    fn clean_one(&self, leftover: &Leftover, confirmed: &[Source]) -> std::result::Result<u64, String> {
        if leftover.source != Source::Hearth && !confirmed.contains(&leftover.source) {
            let owner = leftover.source.name();
            return Err(format!(
                "it belongs to {owner}; confirm that it may be deleted all the same"
            ));
        }
        // Whoever begins to write to it meanwhile finds it locked, or is found to have locked it.
        let _lock = match leftover.kind {
            LeftoverKind::Partial => Some(lock(&leftover.path).ok_or("it is in use")?),
            LeftoverKind::Orphan | LeftoverKind::DanglingLink => None,
        };
        let freed = match has_other_names(&leftover.path) {
            true => 0,
            false => leftover.size.0,
        };
        match remove_patiently(&leftover.path) {
            Ok(()) => (),
            Err(Error::File { reason, .. }) => return Err(reason),
            Err(error) => return Err(error.to_string()),
        }
        // Folders of other programs stay, but for the cache's, which are everybody's.
        for root in [Some(self.models.as_path()), self.cache()].into_iter().flatten() {
            files::remove_empty_parents(&leftover.path, root);
        }
        Ok(freed)
    }
}

/// Locks a file; `None` where another process has it, or it is gone. A disk that knows no locks gives the file all the
/// same: what lies there is called a leftover only after a while.
fn lock(path: &Path) -> Option<File> {
    let file = File::open(path).ok()?;
    match file.try_lock() {
        Ok(()) | Err(std::fs::TryLockError::Error(_)) => Some(file),
        Err(std::fs::TryLockError::WouldBlock) => None,
    }
}

/// Whether bytes stay when this name of them goes.
#[cfg(unix)]
fn has_other_names(path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    path.symlink_metadata().is_ok_and(|about| about.nlink() > 1)
}

/// Whether bytes stay when this name of them goes; not known here.
#[cfg(not(unix))]
fn has_other_names(_: &Path) -> bool {
    false
}

/// What a file takes on the disk, which is less than its length where only parts of it were written.
fn size(about: &std::fs::Metadata) -> ByteSize {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        ByteSize(about.len().min(about.blocks() * 512))
    }
    #[cfg(not(unix))]
    ByteSize(about.len())
}
