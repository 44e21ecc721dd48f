//! Messages that were sent while an answer was being written: each goes out when the answer before it has ended well.

use super::composer::draft::{self, Unsent};

/// Names a message that waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct QueuedId(pub(crate) u64);

/// A message that waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Queued {
    /// Its name.
    pub(crate) id: QueuedId,
    /// The message.
    pub(crate) message: Unsent,
}

/// The texts of all messages that wait in a chat and what is typed there, as one.
pub(super) fn joined(queue: &[Queued], draft: &str) -> String {
    let texts = queue.iter().map(|queued| queued.message.text.as_str());
    draft::joined(texts.chain(Some(draft)))
}
