//! The commands that change the library's files, or look for what can go.

use hearth_protocol::command::LibraryCommand;
use hearth_protocol::library::DeleteRequest;
use hearth_protocol::{Command, Result};
use tokio::runtime::Runtime;

use super::stored::Stored;
use super::{Services, answer, refuse};
use crate::engine::Engine;
use crate::library::Library;

impl Services {
    /// Routes one of them.
    pub(super) fn change_library(&self, runtime: &Runtime, command: LibraryCommand) {
        let (library, stored) = (self.library.clone(), self.stored.clone());
        match command {
            LibraryCommand::Import { request, events } => {
                drop(runtime.spawn(async move { library.import(request, events).await }))
            }
            LibraryCommand::Rename { file, name, reply } => match stored {
                Ok(stored) => {
                    let store = stored.store;
                    stored
                        .changes
                        .answer(reply, async move { library.rename(&store, &file, name).await });
                }
                Err(error) => reply.send(Err(error)),
            },
            LibraryCommand::Delete { request, reply } => {
                let engine = self.heeding.engine.clone();
                match stored.clone() {
                    // So that the end waits for it.
                    Ok(open) => open
                        .changes
                        .answer(reply, delete(library, engine, stored, request)),
                    Err(_) => answer(runtime, reply, delete(library, engine, stored, request)),
                }
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

/// Deletes a file, and then what is remembered of it.
async fn delete(
    library: Library,
    engine: Engine,
    stored: Result<Stored>,
    request: DeleteRequest,
) -> Result<()> {
    let is_gone = library.delete(&request, &engine.loaded()).await?;
    if is_gone
        && let Ok(stored) = stored
        && let Err(error) = stored.forget(&library, &request.file).await
    {
        // The file is deleted, which is what was asked.
        tracing::warn!(file = %request.file, %error, "what is remembered of a deleted file stays");
    }
    Ok(())
}
