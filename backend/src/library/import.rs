//! Takes files into Hearth's own folder: each model into `imported/NAME/`, a folder that is made for it and that nothing
//! else uses, so that no model ever meets another of its name.
//!
//! A copy is gathered under names that no list shows, made safe on the disk, and only then gets its name; where it breaks
//! off, what was written goes again. The file that is imported is touched only by a move, and then last.

mod bring;
mod destination;
#[cfg(test)]
mod tests;

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use hearth_protocol::library::{FileState, ImportEvent, ImportMode, ImportRequest, LibraryFile, Source};
use hearth_protocol::{ByteSize, Error, EventSink, FileId, Result};
use tokio::sync::{OwnedRwLockReadGuard, RwLock};

use super::Library;
use super::found::{Bytes, Model};
use super::headers::Headers;
use super::scan::{self, Described, Told};
use crate::files::{blocking, file_error};
use bring::Bringing;

/// The folder below Hearth's models that holds what was imported. No publisher: what lies below is no file of the hub.
pub(super) const FOLDER: &str = "imported";

/// How long imports may take to clean up, and other changes to be done, when all ends.
const END_TIMEOUT: Duration = Duration::from_secs(10);

/// The imports that run, and other changes of files. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub(super) struct Imports {
    /// Each holds it for reading.
    running: Arc<RwLock<()>>,
    /// Whether imports shall end.
    ending: Arc<AtomicBool>,
}

impl Library {
    /// Takes a file, or all parts of a model, into Hearth's folder. Dropping the listener ends it and removes what was
    /// written so far.
    pub(crate) async fn import(&self, request: ImportRequest, events: EventSink<ImportEvent>) {
        let running = Arc::clone(&self.imports.running).read_owned().await;
        let known = match self.find().await {
            Ok(found) => found.models,
            Err(error) => return events.refuse(error),
        };
        let (models, ending) = (self.models.clone(), Arc::clone(&self.imports.ending));
        let brought = blocking(move || {
            let mut events = events;
            let outcome = bring(&models, &known, &request, &mut |done, total| {
                let progress = ImportEvent::Progress(ByteSize(done), ByteSize(total));
                if ending.load(Ordering::Acquire) || events.is_abandoned() || events.send(progress).is_err() {
                    return Err(Error::Cancelled);
                }
                Ok(())
            });
            drop(running);
            Ok((outcome, events))
        });
        // Where it broke off, its end of the events has told so.
        let Ok((outcome, mut events)) = brought.await else {
            return;
        };
        let listed = match outcome {
            Ok(path) => self.at(&path).await,
            Err(error) => Err(error),
        };
        match listed {
            Ok(file) => {
                if events.send(ImportEvent::Finished(file)).is_err() {
                    tracing::debug!("nobody waits for the end of an import");
                }
            }
            Err(error) => events.refuse(error),
        }
    }

    /// What a change of files holds, so that the end waits for it; `None` at the end, which waits for nothing new.
    pub(crate) fn hold(&self) -> Option<OwnedRwLockReadGuard<()>> {
        Arc::clone(&self.imports.running).try_read_owned().ok()
    }

    /// Ends the imports that run, and waits until they have removed what they wrote and other changes are done.
    pub(crate) async fn end_changes(&self) {
        self.imports.ending.store(true, Ordering::Release);
        let ended = tokio::time::timeout(END_TIMEOUT, self.imports.running.write()).await;
        if ended.is_err() {
            tracing::warn!(
                "the disk does not answer; what an import wrote is found among the leftovers, and a delete may not be done"
            );
        }
    }

    /// What is listed of the file at a path.
    async fn at(&self, path: &Path) -> Result<LibraryFile> {
        let listed = self.list().await?.into_iter().find(|file| file.path == path);
        listed.ok_or_else(|| Error::File {
            path: path.display().to_string(),
            reason: "it was imported and is gone again".into(),
        })
    }
}

/// Finds out what is meant, refuses what cannot be taken before anything is written, and brings it below `models`. `tell`
/// hears bytes done and bytes in all before each piece, and ends it with an error. Waits for the disk.
///
/// # Errors
/// [`Error::NotFound`], [`Error::BadModelFile`], [`Error::Invalid`] where it is in the library already, [`Error::DiskFull`],
/// [`Error::File`], and that of `tell`.
fn bring(
    models: &Path,
    known: &[Model],
    request: &ImportRequest,
    tell: &mut dyn FnMut(u64, u64) -> Result<()>,
) -> Result<PathBuf> {
    let files = examine(&request.path)?;
    refuse_known(known, &files)?;
    let mut bringing = Bringing::prepare(models, files)?;
    match request.how {
        ImportMode::Copy => bringing.copy(tell)?,
        ImportMode::Move => bringing.take(tell)?,
        ImportMode::HardLink => bringing.hard_link(tell)?,
        ImportMode::SymbolicLink => bringing.link(tell)?,
    }
    Ok(bringing.keep())
}

/// The files of the model that a path leads to, the first first.
fn examine(named: &Path) -> Result<Vec<PathBuf>> {
    let name = named.display().to_string();
    let path = std::path::absolute(named).map_err(|error| file_error(named, &error))?;
    match path.metadata() {
        Ok(_) => (),
        Err(error) if !matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Err(file_error(named, &error));
        }
        Err(_) if path.is_symlink() => {
            return Err(Error::File {
                path: name,
                reason: "it is a link to a file that is not there".into(),
            });
        }
        Err(_) => {
            return Err(Error::NotFound {
                what: "file".into(),
                name,
                known: Vec::new(),
            });
        }
    }
    let bad = |reason: &str| Error::BadModelFile {
        file: name.clone(),
        reason: reason.to_owned(),
    };
    let mut headers = Headers::default();
    let mut describe = |path: &Path| {
        let id = FileId(path.display().to_string());
        scan::describe(id, Source::Folder, path, Told::default(), &mut headers)
    };
    let described = match describe(&path) {
        // Any part stands for all.
        Described::PartBehind(first) => describe(&first),
        described => described,
    };
    match described {
        Described::Model(file, files) => match file.state {
            FileState::Ready => Ok(files),
            FileState::Damaged { reason } => Err(bad(&reason)),
        },
        Described::PartBehind(_) | Described::Projector => Err(bad(scan::NO_MODEL)),
    }
}

/// Refuses bytes that the library has under whatever name.
fn refuse_known(known: &[Model], files: &[PathBuf]) -> Result<()> {
    let wanted: Vec<Bytes> = files.iter().filter_map(|path| Bytes::of(path)).collect();
    let is_same = |model: &&Model| {
        let mut bytes = model.files.iter().filter_map(|path| Bytes::of(path));
        bytes.any(|bytes| wanted.contains(&bytes))
    };
    match (known.iter().find(is_same), files.first()) {
        (Some(model), Some(first)) => {
            let field = first.display().to_string();
            let problem = format!("is in the library already, as {}", model.file.id);
            Err(Error::Invalid { field, problem })
        }
        _ => Ok(()),
    }
}
