//! Writes a chat to a file: the shown path as Markdown, or the whole tree as JSON.

mod markdown;

use hearth_protocol::chat::list::{ExportFormat, ExportRequest};
use hearth_protocol::engine::ModelRef;
use hearth_protocol::{Error, Result};
use serde::{Deserialize, Serialize};

use super::Chats;
use super::whole::WholeChat;
use crate::files::{blocking, write_new};

/// What the files are called in themselves.
pub(super) const KIND: &str = "chat";

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
}

/// A chat as the contents of a file. A model that is named by a path is left out: it means nothing elsewhere, and tells
/// what folders are called here.
pub(super) fn write(mut chat: WholeChat) -> Result<String> {
    chat.options.model = chat
        .options
        .model
        .filter(|model| !matches!(model, ModelRef::Path(_)));
    let file = ChatFile {
        hearth: KIND.into(),
        version: FORM,
        chat,
    };
    let mut text = serde_json::to_string_pretty(&file).map_err(Error::internal)?;
    text.push('\n');
    Ok(text)
}
