//! The text of a prompt, with what in it came from people and tools.

use std::ops::Range;

use super::control::{ControlTokens, Segment};
use super::marks::{self, Marked};

/// Most characters of what stands before the answer.
const HEAD_CHARACTERS: usize = 200;

/// The text of a prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Rendered {
    /// The text.
    pub(crate) text: String,
    /// Which bytes of it came from messages, tools and arguments: sorted, disjoint.
    pub(super) content: Vec<Range<usize>>,
    /// Whether the template shows no tools, so that they stand in words in the system prompt.
    pub(crate) tools_in_words: bool,
    /// The head of the answer, and what has been written of the answer behind it.
    pub(crate) end_text: String,
}

impl Rendered {
    /// What the same text with marks tells of a text; `None` where it is not the same text or the marks are not in
    /// order.
    pub(super) fn read(marked: &str, text: &str) -> Option<Self> {
        let marked = Marked::read(marked);
        (marked.balanced && marked.text == text).then_some(Self {
            text: marked.text,
            content: marked.data,
            tools_in_words: false,
            end_text: String::new(),
        })
    }

    /// A text in which no content has to be told apart.
    pub(super) fn without_content(text: String) -> Self {
        Self {
            text,
            content: Vec::new(),
            tools_in_words: false,
            end_text: String::new(),
        }
    }

    /// The text in its parts: the control tokens that the template wrote, and the text between.
    pub(crate) fn segments<'a>(&'a self, control: &ControlTokens) -> Vec<Segment<'a>> {
        control.segments(&self.text, &self.content)
    }

    /// What the template wrote behind all content, at most its last 200 characters: the head of the answer.
    pub(super) fn head(&self) -> &str {
        let written = &self.text[self.content.last().map_or(0, |content| content.end)..];
        let start = written.char_indices().rev().nth(HEAD_CHARACTERS - 1);
        &written[start.map_or(0, |(at, _)| at)..]
    }

    /// Appends text as if the template had written it.
    pub(super) fn push_own(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Appends content.
    pub(super) fn push_content(&mut self, content: &str) {
        let start = self.text.len();
        self.text.push_str(&marks::without_marks(content));
        if start < self.text.len() {
            self.content.push(start..self.text.len());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_head_is_what_the_template_wrote_last() {
        let mut rendered =
            Rendered::read("<u>\u{fdd0}hi\u{fdd1}</u><a>", "<u>hi</u><a>").expect("the same text");
        assert_eq!(rendered.head(), "</u><a>");
        rendered.push_own("<think>");
        assert_eq!(rendered.head(), "</u><a><think>");
        rendered.push_content("so\u{fdd0}");
        assert_eq!(rendered.text, "<u>hi</u><a><think>so");
        assert_eq!(rendered.content, [3..5, 19..21]);
        assert_eq!(rendered.head(), "");
        let long = Rendered::without_content("é".repeat(1_000));
        assert_eq!(long.head(), "é".repeat(HEAD_CHARACTERS));
        assert_eq!(Rendered::without_content(String::new()).head(), "");
    }

    #[test]
    fn another_text_tells_nothing() {
        assert_eq!(Rendered::read("\u{fdd0}a\u{fdd1}", "b"), None);
        assert_eq!(Rendered::read("\u{fdd0}a", "a"), None);
    }
}
