//! The commands that change the library's files or what is remembered of them, or look for what can go.

use hearth_protocol::command::LibraryCommand;
use hearth_protocol::library::{DeleteRequest, FileDeleted, LibraryFile};
use hearth_protocol::{Command, FileId, Result};
use tokio::runtime::Runtime;

use super::heeding::Heeding;
use super::stored::Stored;
use super::{Services, answer, refuse};
use crate::library::Library;

impl Services {
    /// Routes one of them.
    pub(super) fn change_library(&self, runtime: &Runtime, command: LibraryCommand) {
        let (library, stored) = (self.library.clone(), self.stored.clone());
        match command {
            LibraryCommand::Import { request, events } => {
                drop(runtime.spawn(async move { library.import(request, events).await }))
            }
            // Folders of a person's can be slow, and drives of a network never answer: only what is written to the
            // database waits in the lane of the other changes, and what waits for the disk holds up no other kind.
            LibraryCommand::Rename { file, name, reply } => match stored {
                Ok(stored) => {
                    let (held, renames) = (library.hold(), stored.renames.clone());
                    renames.answer(reply, async move {
                        let renamed = rename(library, stored, file, name).await;
                        drop(held);
                        renamed
                    });
                }
                Err(error) => reply.send(Err(error)),
            },
            LibraryCommand::Records { reply } => match stored {
                Ok(stored) => answer(
                    runtime,
                    reply,
                    async move { stored.catalogue.file_records().await },
                ),
                Err(error) => reply.send(Err(error)),
            },
            LibraryCommand::WriteNotes { file, notes, reply } => match stored {
                Ok(stored) => {
                    let (held, renames) = (library.hold(), stored.renames.clone());
                    renames.answer(reply, async move {
                        let written = stored.catalogue.write_file_notes(&file, notes).await;
                        drop(held);
                        written
                    });
                }
                Err(error) => reply.send(Err(error)),
            },
            LibraryCommand::Delete { request, reply } => {
                let (held, heeding) = (library.hold(), self.heeding.clone());
                answer(runtime, reply, async move {
                    let deleted = delete(heeding, stored, request).await;
                    drop(held);
                    deleted
                });
            }
            LibraryCommand::Leftovers { reply } => {
                answer(runtime, reply, async move { library.leftovers().await })
            }
            LibraryCommand::Clean {
                paths,
                confirmed,
                reply,
            } => answer(
                runtime,
                reply,
                async move { library.clean(paths, confirmed).await },
            ),
            command => refuse(Command::Library(command)),
        }
    }
}

/// Calls a file by another name.
async fn rename(library: Library, stored: Stored, file: FileId, name: Option<String>) -> Result<LibraryFile> {
    let write = |name| {
        let (library, store, file) = (library.clone(), stored.store.clone(), file.clone());
        let write = async move { library.write_name(&store, &file, name).await };
        stored.changes.run(write)
    };
    library.rename(&file, name, write).await
}

/// Deletes a file, and then what is remembered of it.
async fn delete(heeding: Heeding, stored: Result<Stored>, request: DeleteRequest) -> Result<FileDeleted> {
    let in_use = heeding.engine.in_use().await?;
    let is_gone = heeding.library.delete(&request, &in_use).await?;
    let stored = match stored {
        Ok(stored) if is_gone => stored,
        _ => return Ok(FileDeleted::default()),
    };
    let forgotten = forget(heeding, stored, request.file.clone()).await;
    // The file is deleted, which is what was asked.
    Ok(forgotten.unwrap_or_else(|error| {
        tracing::warn!(file = %request.file, %error, "what is remembered of a deleted file stays");
        FileDeleted::default()
    }))
}

/// Forgets what is remembered of a file that is deleted.
async fn forget(heeding: Heeding, stored: Stored, file: FileId) -> Result<FileDeleted> {
    let changes = stored.changes.clone();
    changes
        .run(async move { stored.forget(&heeding, &file).await })
        .await
}
