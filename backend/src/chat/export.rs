//! Writes a chat to a file: the shown path as Markdown, or the whole tree as JSON; or all chats whole.

mod markdown;

use std::path::PathBuf;

use hearth_protocol::chat::list::{ExportFormat, ExportRequest};
use hearth_protocol::engine::ModelRef;
use hearth_protocol::{Error, Result};
use serde::{Deserialize, Serialize};

use super::Chats;
use super::whole::WholeChat;
use crate::files::{NewFile, blocking, write_new};

/// What the files are called in themselves.
pub(super) const KIND: &str = "chat";

/// What a file of all chats is called in itself.
pub(super) const ALL_KIND: &str = "chats";

/// The form of the files: raised where an older Hearth would take one for something else.
pub(super) const FORM: u32 = 1;

/// A chat as it stands in a file (`docs/chats.md`).
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct ChatFile {
    /// [`KIND`].
    pub(super) hearth: String,
    /// [`FORM`].
    pub(super) version: u32,
    /// The chat.
    pub(super) chat: WholeChat,
}

impl Chats {
    /// Writes a chat to a file that is not there yet.
    ///
    /// # Errors
    /// [`Error::NotFound`]; [`Error::File`] where there is such a file, or it cannot be written.
    pub(crate) async fn export(&self, request: ExportRequest) -> Result<()> {
        self.unstored.settle(request.chat).await?;
        let (chat, _) = self.store.whole_chat(request.chat).await?;
        let contents = match request.format {
            ExportFormat::Markdown => markdown::write(&chat),
            ExportFormat::Json => write(chat)?,
        };
        blocking(move || write_new(&request.path, contents.as_bytes())).await
    }

    /// Writes all chats whole to a file that is not there yet, one after the other, so that years of chats need no more
    /// memory than the longest of them. Gives how many.
    ///
    /// # Errors
    /// [`Error::File`] where there is such a file, or it cannot be written; [`Error::Storage`].
    pub(crate) async fn export_all(&self, path: PathBuf) -> Result<u32> {
        let mut file = blocking(move || NewFile::begin(&path)).await?;
        let (mut text, mut count) = (beginning(), 0);
        for summary in self.store.list_chats().await? {
            self.unstored.settle(summary.id).await?;
            let chat = match self.store.whole_chat(summary.id).await {
                Ok((chat, _)) => portable(chat),
                // It was deleted meanwhile.
                Err(Error::NotFound { .. }) => continue,
                Err(error) => return Err(error),
            };
            text.push_str(if count == 0 { "\n" } else { ",\n" });
            text += &serde_json::to_string(&chat).map_err(Error::internal)?;
            count += 1;
            let piece = std::mem::take(&mut text);
            file = blocking(move || file.append(piece.as_bytes()).map(|()| file)).await?;
        }
        text.push_str("\n]}\n");
        blocking(move || {
            file.append(text.as_bytes())?;
            file.finish()
        })
        .await?;
        Ok(count)
    }
}

/// All chats as they stand in a file (`docs/chats.md`).
#[derive(Debug, Deserialize)]
pub(super) struct AllChatsFile {
    /// The chats.
    pub(super) chats: Vec<WholeChat>,
}

/// How such a file begins.
fn beginning() -> String {
    format!(r#"{{"hearth":"{ALL_KIND}","version":{FORM},"chats":["#)
}

/// A chat as the contents of a file.
pub(super) fn write(chat: WholeChat) -> Result<String> {
    let file = ChatFile {
        hearth: KIND.into(),
        version: FORM,
        chat: portable(chat),
    };
    let mut text = serde_json::to_string_pretty(&file).map_err(Error::internal)?;
    text.push('\n');
    Ok(text)
}

/// A chat as it can be read elsewhere. A model that is named by a path is left out: it means nothing there, and tells what
/// folders are called here.
fn portable(mut chat: WholeChat) -> WholeChat {
    let model = chat.options.model.take();
    chat.options.model = model.filter(|model| !matches!(model, ModelRef::Path(_)));
    chat
}
