//! What the person does with the draft beyond typing, and what the backend answers.

use hearth_protocol::chat::attachment::Attachment;
use hearth_protocol::{ChatId, Result};

use crate::state::composer::count::Subject;
use crate::state::conversation::ConversationKey;

/// Something in the composer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ComposerMsg {
    /// Asks which file is to be put beside the draft.
    AskFile,
    /// The system's dialog closed; the paths it gave.
    FilesPicked(Vec<String>),
    /// Takes the file at this place away.
    RemoveFile(usize),
    /// Puts what was said before into the empty composer, or what was said before or after what is recalled there.
    Recall {
        /// Whether what was said after it.
        newer: bool,
    },
}

/// What the backend answered.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ComposerNews {
    /// A file was read, or was not.
    FileRead {
        /// The conversation it is for.
        conversation: ConversationKey,
        /// The number of its chat when the file was asked for.
        chat: Option<ChatId>,
        /// The file.
        result: Result<Attachment>,
    },
    /// How many tokens a draft is; `None` where no model could say it.
    Counted {
        /// Which.
        subject: Subject,
        /// How many.
        result: Result<Option<u32>>,
    },
}
