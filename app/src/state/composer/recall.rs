//! What the person said before in this chat, gone through with the arrows from an empty composer.

use crate::state::AppState;
use crate::state::conversation::ConversationKey;

/// A message that was put into the composer again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::state) struct Recalled {
    /// Where.
    conversation: ConversationKey,
    /// Its place among what was said, the newest first.
    at: usize,
    /// Its text.
    text: String,
}

impl AppState {
    /// Whether the composer shows what was said before, as it was said.
    pub(super) fn shows_recalled(&self) -> bool {
        self.recalled_at().is_some()
    }

    /// What comes into the composer with the next step back, or forth, and what is recalled then. Nothing from a text of
    /// the person's own, nor beyond the oldest; the newest is followed by the empty composer.
    pub(in crate::state) fn next_recalled(&self, newer: bool) -> Option<(String, Option<Recalled>)> {
        let at = match (self.recalled_at(), newer) {
            (None, false) if self.drafts.text(self.open.chat).is_empty() => 0,
            (None, _) => return None,
            (Some(0), true) => return Some((String::new(), None)),
            (Some(at), true) => at - 1,
            (Some(at), false) => at + 1,
        };
        let text = (*self.said().get(at)?).to_owned();
        let recalled = Recalled {
            conversation: self.open.key,
            at,
            text: text.clone(),
        };
        Some((text, Some(recalled)))
    }

    fn recalled_at(&self) -> Option<usize> {
        let recalled = self.recalled.as_ref()?;
        let is_shown =
            recalled.conversation == self.open.key && recalled.text == self.drafts.text(self.open.chat);
        is_shown.then_some(recalled.at)
    }

    /// What the person said in the open chat, the newest first; what was said twice in a row once.
    fn said(&self) -> Vec<&str> {
        let said = self.open.entries.iter().rev().filter(|entry| entry.from_person);
        let mut said: Vec<_> = said
            .map(|entry| entry.body.text())
            .filter(|text| !text.trim().is_empty())
            .collect();
        said.dedup();
        said
    }
}
