//! What the composer wants of the backend.

use std::path::PathBuf;

use hearth_protocol::ChatId;
use hearth_protocol::chat::DraftToCount;

use crate::state::composer::count::Subject;
use crate::state::conversation::ConversationKey;

/// Something the backend is asked for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ComposerEffect {
    /// Reads a file of text.
    ReadFile {
        /// The conversation it is for; comes back with the answer.
        conversation: ConversationKey,
        /// The number of its chat; comes back with the answer.
        chat: Option<ChatId>,
        /// The file.
        path: PathBuf,
    },
    /// Counts the tokens of a draft.
    Count {
        /// Which; comes back with the answer.
        subject: Subject,
        /// The draft itself.
        draft: DraftToCount,
    },
}
