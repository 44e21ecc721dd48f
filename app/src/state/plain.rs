//! Markdown as plain text, for the clipboard: the words as they are read, without the signs between them.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// The text without its signs. Code and formulas stay as they are, lists keep their bullets and numbers.
pub(super) fn plain(markdown: &str) -> String {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let mut plain = Plain::default();
    for event in Parser::new_ext(markdown, options) {
        plain.take(event);
    }
    plain.text.trim_end().to_owned()
}

#[derive(Debug, Default)]
struct Plain {
    text: String,
    /// The number of the next item of each list that is open, from the outermost; `None` where it has bullets.
    lists: Vec<Option<u64>>,
    /// Whether this is the first cell of its row.
    first_cell: bool,
}

impl Plain {
    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.begin(&tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) | Event::Code(text) | Event::Html(text) | Event::InlineHtml(text) => {
                self.text.push_str(&text);
            }
            Event::InlineMath(text) | Event::DisplayMath(text) => self.text.push_str(&text),
            Event::FootnoteReference(name) => self.text.push_str(&format!("[{name}]")),
            Event::SoftBreak => self.text.push(' '),
            Event::HardBreak => self.text.push('\n'),
            Event::Rule => self.begin_block(),
            Event::TaskListMarker(done) => self.text.push_str(if done { "[x] " } else { "[ ] " }),
        }
    }

    fn begin(&mut self, tag: &Tag<'_>) {
        match tag {
            Tag::Paragraph | Tag::Heading { .. } | Tag::CodeBlock(_) | Tag::Table(_) | Tag::BlockQuote(_)
                if !self.is_beside_bullet() =>
            {
                self.begin_block();
            }
            Tag::List(first) => {
                if self.lists.is_empty() {
                    self.begin_block();
                }
                self.lists.push(*first);
            }
            Tag::Item => {
                self.begin_line();
                self.text
                    .push_str(&"  ".repeat(self.lists.len().saturating_sub(1)));
                match self.lists.last_mut() {
                    Some(Some(number)) => {
                        self.text.push_str(&format!("{number}. "));
                        *number += 1;
                    }
                    _ => self.text.push_str("• "),
                }
            }
            Tag::TableHead | Tag::TableRow => {
                self.begin_line();
                self.first_cell = true;
            }
            Tag::TableCell => self.begin_cell(),
            _ => (),
        }
    }

    fn end(&mut self, tag: TagEnd) {
        if let TagEnd::List(_) = tag {
            self.lists.pop();
        }
    }

    /// Whether a bullet or a number stands last: the first paragraph of an item stands beside it.
    fn is_beside_bullet(&self) -> bool {
        self.text.ends_with("• ") || self.text.ends_with(". ")
    }

    fn begin_cell(&mut self) {
        if !std::mem::take(&mut self.first_cell) {
            self.text.push('\t');
        }
    }

    fn begin_line(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
    }

    fn begin_block(&mut self) {
        self.begin_line();
        if !self.text.is_empty() && self.lists.is_empty() && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_becomes_the_words_as_they_are_read() {
        let cases = [
            ("plain", "plain"),
            (
                "# Title\n\nSome **bold** and `code`.",
                "Title\n\nSome bold and code.",
            ),
            ("a\nb", "a b"),
            (
                "- one\n- two\n  1. in\n  2. it\n\nafter",
                "• one\n• two\n  1. in\n  2. it\n\nafter",
            ),
            (
                "```rust\nlet a = 1;\n\nlet b = 2;\n```\n\nend",
                "let a = 1;\n\nlet b = 2;\n\nend",
            ),
            ("| A | B |\n|---|---|\n| 1 | 2 |", "A\tB\n1\t2"),
            ("[a link](https://example.org)", "a link"),
            ("- [x] done\n- [ ] open", "• [x] done\n• [ ] open"),
            ("1 < 2 and <b>html</b>", "1 < 2 and <b>html</b>"),
        ];
        for (markdown, expected) in cases {
            assert_eq!(plain(markdown), expected, "{markdown:?}");
        }
    }
}
