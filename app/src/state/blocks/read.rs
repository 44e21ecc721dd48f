//! A text whose blocks are read once somebody asks for them: of a long chat only what comes near the view.

use std::cell::OnceCell;

use super::{Block, Blocks};

/// The text of a message.
#[derive(Debug, Clone)]
pub(crate) struct MessageText {
    /// The text, until its blocks are read, which have it then.
    unread: String,
    blocks: OnceCell<Blocks>,
}

impl Default for MessageText {
    fn default() -> Self {
        Self::plain(String::new())
    }
}

impl MessageText {
    /// A text that is Markdown.
    pub(crate) fn marked(text: impl Into<String>) -> Self {
        Self {
            unread: text.into(),
            blocks: OnceCell::new(),
        }
    }

    /// A text in which nothing is a mark: it has no blocks.
    pub(crate) fn plain(text: String) -> Self {
        Self {
            unread: String::new(),
            blocks: OnceCell::from(Blocks::unread(text)),
        }
    }

    /// The text.
    pub(crate) fn text(&self) -> &str {
        self.blocks.get().map_or(&self.unread, Blocks::text)
    }

    /// The blocks, in order; reads them, where nobody has asked before.
    pub(crate) fn blocks(&self) -> &[Block] {
        self.blocks.get_or_init(|| Blocks::new(&*self.unread)).all()
    }

    /// Whether its blocks are read.
    pub(crate) fn is_read(&self) -> bool {
        self.blocks.get().is_some()
    }

    /// Appends to the text.
    pub(crate) fn append(&mut self, more: &str) {
        let unread = std::mem::take(&mut self.unread);
        let mut blocks = self.blocks.take().unwrap_or_else(|| Blocks::new(unread));
        blocks.append(more);
        self.blocks = OnceCell::from(blocks);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_read_when_they_are_asked_for_and_go_on_growing() {
        let mut it = MessageText::marked("one\n\ntwo");
        assert!(!it.is_read());
        assert_eq!(it.text(), "one\n\ntwo");
        assert_eq!(it.blocks().len(), 2);
        assert!(it.is_read());
        it.append("\n\nthree");
        assert_eq!((it.text(), it.blocks().len()), ("one\n\ntwo\n\nthree", 3));

        let mut unread = MessageText::marked("one");
        unread.append("\n\ntwo");
        assert_eq!((unread.text(), unread.blocks().len()), ("one\n\ntwo", 2));
        let plain = MessageText::plain("# one".into());
        assert_eq!((plain.text(), plain.blocks().len()), ("# one", 0));
    }
}
