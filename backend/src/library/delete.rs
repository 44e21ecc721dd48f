//! Deletes models from the disk: all files of one, and nothing that another still needs.

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use hearth_protocol::library::{DeleteRequest, LibraryFile, Source};
use hearth_protocol::{Error, Result};

use super::Library;
use super::found::Model;
use super::hub_folder::HubFolder;
use crate::download::claims::Claimed;
use crate::engine::InUse;
use crate::files::{self, blocking, file_error};

/// Tries to remove a file that another program holds, as virus scanners do for a moment on Windows.
const TRIES: u32 = 6;

/// Rest before the second try; it doubles with each.
const REST: Duration = Duration::from_millis(30);

/// Links on the way to a file that are followed, as many as Linux follows.
const MAX_LINKS: usize = 40;

impl Library {
    /// Deletes a file with all its parts; of a link only the link. Gives whether nothing is listed under its id any more:
    /// the cache may hold another revision of it.
    ///
    /// # Errors
    /// [`Error::NotFound`]; [`Error::Busy`] while one `in_use` is made of it, a download
    /// needs it or a link leads through it; [`Error::Unconfirmed`] where it is another
    /// program's; [`Error::File`] where it stays.
    pub(crate) async fn delete(&self, request: &DeleteRequest, in_use: &[InUse]) -> Result<bool> {
        let mut models = self.find().await?.models;
        let at = models.iter().position(|model| model.file.id == request.file);
        let model = models.swap_remove(at.ok_or_else(|| super::unknown(&request.file))?);
        if let Some(used) = user(&model, &models, in_use) {
            let reason = match used.is_loading {
                true => "it is being loaded; cancel that, or wait and eject it first, then delete it",
                false => "it is in memory; eject it first, then delete it",
            };
            return Err(Error::Busy {
                what: model.file.name,
                reason: reason.into(),
            });
        }
        check_owner(&model.file, request.confirmed)?;
        let library = self.clone();
        let removed = blocking(move || {
            check_downloads(&model, &library.claims.read()?)?;
            check_links(&model, &models)?;
            let removed = library.remove(&model, &models);
            removed.map_err(|error| with_origin(error, model.file.source))
        });
        removed.await?;
        let listed = self.list().await?;
        Ok(!listed.iter().any(|file| file.id == request.file))
    }

    /// Removes the files of a model. Waits for the disk.
    fn remove(&self, model: &Model, others: &[Model]) -> Result<()> {
        let store = |path: &Path| self.ollama_stores().find(|store| store.holds(path));
        // The last first: the first stands for all, and stays listed where one stays.
        for path in model.files.iter().rev() {
            let folder = self.cache().and_then(|cache| HubFolder::of(cache, path));
            match (model.file.source, folder) {
                (Source::HuggingFace, Some(folder)) => {
                    // Links from elsewhere, which nobody asked to break.
                    let others = others.iter().flat_map(|other| &other.files);
                    let others: Vec<_> = others.chain(&model.other_names).collect();
                    let is_used = |blob: &Path| {
                        let blob = blob.canonicalize().ok();
                        others.iter().any(|other| other.canonicalize().ok() == blob)
                    };
                    folder.remove(path, is_used)?;
                }
                (Source::Ollama, _) if let (Some(store), Some(manifest)) = (store(path), &model.note) => {
                    store.remove(manifest)?;
                }
                _ => remove_patiently(path)?,
            }
            if model.file.source == Source::Hearth {
                files::remove_empty_parents(path, &self.models);
            }
        }
        Ok(())
    }
}

/// Whether a file may be deleted without, or with, this word.
fn check_owner(file: &LibraryFile, confirmed: Option<Source>) -> Result<()> {
    if file.source == Source::Hearth || confirmed == Some(file.source) {
        return Ok(());
    }
    Err(Error::Unconfirmed {
        file: file.path.display().to_string(),
        owner: file.source.name().to_owned(),
    })
}

/// Refuses to take a file from a download that is not done, as a part of a model whose rest is on its way.
fn check_downloads(model: &Model, claimed: &Claimed) -> Result<()> {
    let claimed: HashSet<PathBuf> = claimed.files.iter().map(|path| place(path)).collect();
    let is_claimed = |path: &PathBuf| {
        let real = path.canonicalize();
        claimed.contains(&place(path)) || real.is_ok_and(|real| claimed.contains(&real))
    };
    match model.files.iter().any(is_claimed) {
        false => Ok(()),
        true => Err(Error::Busy {
            what: model.file.name.clone(),
            reason: "a download needs it; wait until that is done, or take it off the list, then delete it"
                .into(),
        }),
    }
}

/// Refuses to break a link of the library that leads through a file's name: bytes can stay for it, the name cannot.
fn check_links(model: &Model, others: &[Model]) -> Result<()> {
    let gone: HashSet<PathBuf> = model.files.iter().map(|path| place(path)).collect();
    let others = others
        .iter()
        .flat_map(|other| other.files.iter().chain(&other.other_names));
    let leads_through = |link: &&PathBuf| way(link).iter().skip(1).any(|place| gone.contains(place));
    match others.chain(&model.other_names).find(leads_through) {
        None => Ok(()),
        Some(link) => Err(Error::Busy {
            what: model.file.name.clone(),
            reason: format!(
                "the link {} leads to it; remove that link first, then delete it",
                link.display()
            ),
        }),
    }
}

/// The places that a name leads through, its own first.
fn way(name: &Path) -> Vec<PathBuf> {
    let mut way = vec![place(name)];
    while way.len() <= MAX_LINKS
        && let Some(last) = way.last()
        && let Ok(target) = std::fs::read_link(last)
    {
        let next = last.parent().unwrap_or(last).join(target);
        way.push(place(&next));
    }
    way
}

/// Where a name itself lies, whichever way leads to its folder.
fn place(name: &Path) -> PathBuf {
    let folder = name.parent().and_then(|folder| folder.canonicalize().ok());
    match (folder, name.file_name()) {
        (Some(folder), Some(file)) => folder.join(file),
        _ => name.to_owned(),
    }
}

/// Says of a starter model that stays why that may be so.
fn with_origin(error: Error, source: Source) -> Error {
    match error {
        Error::File { path, reason } if source == Source::Starter => Error::File {
            path,
            reason: format!("{reason}; it came with Hearth, in a folder that only its installation changes"),
        },
        error => error,
    }
}

/// What uses one of the files of a model, by whatever path it was loaded.
fn user<'a>(model: &Model, others: &[Model], in_use: &'a [InUse]) -> Option<&'a InUse> {
    let real = |paths: &[PathBuf]| -> HashSet<PathBuf> {
        paths.iter().filter_map(|path| path.canonicalize().ok()).collect()
    };
    let files = real(&model.files);
    in_use.iter().find(|used| {
        let listed = others.iter().find(|other| other.file.id == used.file);
        // One that was loaded by its path has it for its id.
        let paths = listed.map_or_else(
            || vec![PathBuf::from(used.file.as_str())],
            |other| other.files.clone(),
        );
        used.file == model.file.id || !real(&paths).is_disjoint(&files)
    })
}

/// Removes a file; one that is gone is no fault. Waits a little where another program holds it.
///
/// # Errors
/// [`Error::File`]; it is still there.
pub(super) fn remove_patiently(path: &Path) -> Result<()> {
    let removed = try_again(|| std::fs::remove_file(path), is_held, REST);
    match removed {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(file_error(path, &error)),
        _ => Ok(()),
    }
}

/// Whether Windows says that another program holds a file: denied, shared or locked. Nowhere else does that keep a file.
fn is_held(error: &io::Error) -> bool {
    cfg!(windows) && matches!(error.raw_os_error(), Some(5 | 32 | 33))
}

/// Tries until it succeeds, fails for another reason, or has failed often enough.
fn try_again(
    mut attempt: impl FnMut() -> io::Result<()>,
    may_pass: impl Fn(&io::Error) -> bool,
    mut rest: Duration,
) -> io::Result<()> {
    for _ in 1..TRIES {
        match attempt() {
            Err(error) if may_pass(&error) => std::thread::sleep(rest),
            outcome => return outcome,
        }
        rest *= 2;
    }
    attempt()
}

#[cfg(test)]
mod tests;
