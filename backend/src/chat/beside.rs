//! The versions beside a message.

use hearth_protocol::chat::Chat;
use hearth_protocol::{MessageId, Result};

use super::Chats;

impl Chats {
    /// Shows the version with this number at the place of a message, or the message itself, as
    /// [`Self::select_version`] does.
    ///
    /// # Errors
    /// [`hearth_protocol::Error::NotFound`] where there is no such version.
    pub(crate) async fn select_numbered(&self, message: MessageId, version: Option<u32>) -> Result<Chat> {
        let message = match version {
            Some(version) => self.store.version_of(message, version).await?,
            None => message,
        };
        self.select_version(message).await
    }
}
