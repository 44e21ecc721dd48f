//! Messages that were sent while an answer was being written: each goes out when the answer before it has ended well.

/// Names a message that waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct QueuedId(pub(crate) u64);

/// A message that waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Queued {
    /// Its name.
    pub(crate) id: QueuedId,
    /// Its text.
    pub(crate) text: String,
}

/// All messages that wait in a chat and what is typed there, as one text.
pub(super) fn joined(queue: &[Queued], draft: &str) -> String {
    let texts = queue.iter().map(|queued| queued.text.as_str());
    let texts: Vec<_> = texts
        .chain(Some(draft))
        .filter(|text| !text.trim().is_empty())
        .collect();
    texts.join("\n\n")
}
