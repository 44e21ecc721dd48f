//! A model's folder in the Hugging Face cache: which names of its snapshots lead to which bytes. Only names that are left
//! keep bytes. Where there are no links, names are files of their own. What the parts are called stands in `hub_cache`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use hearth_protocol::Result;
use walkdir::WalkDir;

use super::delete::remove_patiently;
use super::found::Bytes;
use crate::download::place::MOMENTARY;
use crate::files::{self, file_error};
use crate::hub_cache::ModelFolder;

/// A model's folder as it was when it was read.
pub(crate) struct HubFolder {
    /// The folder.
    pub(super) folder: ModelFolder,
    /// Everything in its snapshots.
    pub(super) names: Vec<Name>,
    /// Whether all of it could be looked at; else nothing is known to be without a name.
    pub(crate) is_known: bool,
}

/// A name in a snapshot.
pub(super) struct Name {
    /// Where it is.
    pub(super) path: PathBuf,
    leads: Leads,
}

/// Where a name leads.
enum Leads {
    /// To this file, links followed.
    To(PathBuf),
    /// To nothing.
    Nowhere,
    /// It is a file of its own: a second name of a blob, or a copy of one.
    Itself(Option<Bytes>, u64),
}

impl HubFolder {
    /// The folders of all models in a cache. A cache that is not there has none.
    pub(super) fn all(cache: &Path) -> Vec<Self> {
        let entries = fs::read_dir(cache).into_iter().flatten().flatten();
        let folders = entries.filter_map(|entry| ModelFolder::at(entry.path()));
        folders.map(Self::read).collect()
    }

    /// The folder that a name in a snapshot belongs to.
    pub(crate) fn of(cache: &Path, name: &Path) -> Option<Self> {
        ModelFolder::with_snapshot(cache, name).map(Self::read)
    }

    fn read(folder: ModelFolder) -> Self {
        let snapshots = folder.snapshots();
        let (mut names, mut is_known) = (Vec::new(), true);
        for entry in WalkDir::new(&snapshots).sort_by_file_name() {
            let Ok(entry) = entry else {
                // A model without snapshots has no names; anything else could hide some.
                is_known &= !snapshots.exists();
                continue;
            };
            let path = entry.path();
            let leads = if entry.file_type().is_dir() {
                continue;
            } else if entry.file_type().is_file() {
                Leads::Itself(Bytes::of(path), path.metadata().map_or(0, |about| about.len()))
            } else {
                match path.canonicalize() {
                    Ok(target) if target.is_file() => Leads::To(target),
                    Err(error) if error.kind() == io::ErrorKind::NotFound => Leads::Nowhere,
                    // A link to a folder, or to what may not be looked at.
                    _ => {
                        is_known = false;
                        continue;
                    }
                }
            };
            names.push(Name {
                path: entry.into_path(),
                leads,
            });
        }
        Self {
            folder,
            names,
            is_known,
        }
    }

    /// The entries of `blobs`.
    pub(super) fn blobs(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.folder.blobs()).into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).collect()
    }

    /// Whether some name, but this one, leads to a blob. What could be a copy of it counts too.
    pub(crate) fn uses(&self, blob: &Path, but: Option<&Path>) -> bool {
        let (target, bytes) = (blob.canonicalize().ok(), Bytes::of(blob));
        let length = blob.metadata().map_or(0, |about| about.len());
        let mut others = self.names.iter().filter(|name| Some(name.path.as_path()) != but);
        others.any(|name| match &name.leads {
            Leads::To(path) => Some(path) == target.as_ref(),
            Leads::Nowhere => false,
            Leads::Itself(same, as_long) => (same.is_some() && *same == bytes) || *as_long == length,
        })
    }

    /// Removes a name, and its blob where no other name leads there and `is_used` knows of no use elsewhere; then the
    /// folders that are empty.
    ///
    /// # Errors
    /// [`hearth_protocol::Error::File`]; name and blob are there then.
    pub(super) fn remove(&self, name: &Path, is_used: impl Fn(&Path) -> bool) -> Result<()> {
        let blob = self.blob_of(name);
        let blob = blob.filter(|blob| self.is_known && !self.uses(blob, Some(name)) && !is_used(blob));
        // First the bytes are set aside: where they cannot be removed, the name stays too.
        let aside = match &blob {
            Some(blob) => {
                let aside = blob.with_file_name(format!("{MOMENTARY}{:016x}", fastrand::u64(..)));
                fs::rename(blob, &aside).map_err(|error| file_error(blob, &error))?;
                Some(aside)
            }
            None => None,
        };
        if let Err(error) = remove_patiently(name) {
            if let (Some(aside), Some(blob)) = (&aside, &blob) {
                fs::rename(aside, blob).map_err(|error| file_error(blob, &error))?;
            }
            return Err(error);
        }
        if let Some(aside) = aside {
            remove_patiently(&aside)?;
            files::remove_empty_parents(&aside, self.folder.path());
        }
        files::remove_empty_parents(name, self.folder.path());
        self.forget_commit(name);
        if fs::remove_dir(self.folder.path()).is_err() {
            tracing::trace!(folder = %self.folder.path().display(), "more is in it");
        }
        Ok(())
    }

    /// The blob that a name stands for.
    fn blob_of(&self, name: &Path) -> Option<PathBuf> {
        let leads = self
            .names
            .iter()
            .find(|known| known.path == name)
            .map(|name| &name.leads)?;
        let is_it = |blob: &PathBuf| match leads {
            Leads::To(target) => blob.canonicalize().is_ok_and(|blob| blob == *target),
            Leads::Itself(bytes, _) => bytes.is_some() && Bytes::of(blob) == *bytes,
            Leads::Nowhere => false,
        };
        self.blobs().into_iter().find(is_it)
    }

    /// Removes the names of branches that stand for a commit of which nothing is left.
    fn forget_commit(&self, name: &Path) {
        let snapshots = self.folder.snapshots();
        let Some(commit) = name
            .strip_prefix(&snapshots)
            .ok()
            .and_then(|below| below.components().next())
        else {
            return;
        };
        if snapshots.join(commit).exists() {
            return;
        }
        let commit = commit.as_os_str().to_string_lossy();
        for entry in WalkDir::new(self.folder.refs()).into_iter().flatten() {
            let is_this = |text: String| text.trim() == commit;
            if entry.file_type().is_file() && fs::read_to_string(entry.path()).is_ok_and(is_this) {
                match fs::remove_file(entry.path()) {
                    Ok(()) => files::remove_empty_parents(entry.path(), self.folder.path()),
                    Err(error) => tracing::warn!(path = %entry.path().display(), %error, "a branch stays"),
                }
            }
        }
    }
}

impl Name {
    /// Whether it leads to nothing.
    pub(super) fn is_dangling(&self) -> bool {
        matches!(self.leads, Leads::Nowhere)
    }
}
