//! The blocks of a message: paragraphs, headings, list items and code. Kept up with a text that grows.
//!
//! Every block begins at the start of a line and is decided by its own lines alone. So when text is appended, only the
//! blocks from the last settled line on are cut again. A code block that is still open takes the rest of the text.

#[cfg(test)]
mod tests;

/// Columns by which a nested list stands in.
const INDENT: usize = 2;
/// Deepest nesting that is told apart.
const DEEPEST: usize = 4;
/// Fewest marks that make a fence.
const FENCE: usize = 3;
/// Most digits of a list item's number (CommonMark allows nine; a year at the start of a line is no item).
const MOST_DIGITS: usize = 3;

/// A piece of a message, shown as one row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Block {
    /// A heading, without its marks.
    Heading(String),
    /// A paragraph, with its line breaks.
    Paragraph(String),
    /// An item of a list.
    Item {
        /// How far it stands in, from 0 to 4.
        depth: usize,
        /// Its number with a point, such as `2.`; `None` for a bullet.
        number: Option<String>,
        /// Its text, with its line breaks.
        text: String,
    },
    /// A code block.
    Code {
        /// The language, as it was written; may be empty.
        language: String,
        /// The code, without its fences.
        text: String,
    },
}

/// A text and its blocks.
#[derive(Debug, Clone, Default)]
pub(crate) struct Blocks {
    text: String,
    blocks: Vec<Block>,
    /// Where each block begins in the text.
    starts: Vec<usize>,
}

impl Blocks {
    /// The blocks of a whole text.
    pub(crate) fn new(text: impl Into<String>) -> Self {
        let mut blocks = Self {
            text: text.into(),
            ..Self::default()
        };
        blocks.cut(0);
        blocks
    }

    /// The text.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The blocks, in order.
    pub(crate) fn all(&self) -> &[Block] {
        &self.blocks
    }

    /// Appends to the text. Cuts again from the last block that began before the last line; what that line is, and
    /// whether it goes on with the block before it, may change while it grows.
    pub(crate) fn append(&mut self, more: &str) {
        let last_line = self.text.rfind('\n').map_or(0, |at| at + 1);
        let settled = self.starts.partition_point(|start| *start < last_line);
        let keep = settled.saturating_sub(1);
        let from = self.starts.get(keep).copied().unwrap_or(0);
        self.text.push_str(more);
        self.blocks.truncate(keep);
        self.starts.truncate(keep);
        self.cut(from);
    }

    /// Cuts the text from the start of a block, or from its own start, to the end.
    fn cut(&mut self, from: usize) {
        let mut lines = Lines {
            text: &self.text,
            at: from,
        };
        // Whether the next line goes on with the last block.
        let mut open = false;
        while let Some((start, line)) = lines.next() {
            let trimmed = line.trim();
            if trimmed.is_empty() {
                open = false;
                continue;
            }
            let (block, goes_on) = if let Some(fence) = Fence::opened_by(line) {
                (fence.take_code(&mut lines), false)
            } else if let Some(text) = heading(trimmed) {
                (Block::Heading(text.to_owned()), false)
            } else if let Some((number, text)) = item(line.trim_start()) {
                let depth = (indent(line) / INDENT).min(DEEPEST);
                let text = text.to_owned();
                (Block::Item { depth, number, text }, true)
            } else if let (true, Some(Block::Paragraph(text) | Block::Item { text, .. })) =
                (open, self.blocks.last_mut())
            {
                if !text.is_empty() {
                    text.push('\n');
                }
                text.push_str(trimmed);
                continue;
            } else {
                (Block::Paragraph(trimmed.to_owned()), true)
            };
            self.blocks.push(block);
            self.starts.push(start);
            open = goes_on;
        }
    }
}

/// The lines of a text from a place on, each with where it begins.
struct Lines<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Iterator for Lines<'a> {
    type Item = (usize, &'a str);

    fn next(&mut self) -> Option<Self::Item> {
        let start = self.at;
        let rest = self.text.get(start..).filter(|rest| !rest.is_empty())?;
        let end = rest.find('\n').map_or(rest.len(), |end| end + 1);
        self.at = start + end;
        let line = rest[..end].trim_end_matches(['\n', '\r']);
        Some((start, line))
    }
}

/// What opened a code block, and so what closes it.
struct Fence<'a> {
    mark: char,
    length: usize,
    indent: usize,
    language: &'a str,
}

impl<'a> Fence<'a> {
    /// Three or more backticks or tildes, then the language. A backtick further on makes it inline code.
    fn opened_by(line: &'a str) -> Option<Self> {
        let body = line.trim_start();
        let mark = body.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
        let info = body.trim_start_matches(mark);
        let length = body.len() - info.len();
        let is_fence = length >= FENCE && !(mark == '`' && info.contains('`'));
        is_fence.then(|| Self {
            mark,
            length,
            indent: indent(line),
            language: info.split_whitespace().next().unwrap_or(""),
        })
    }

    /// As many marks or more, and nothing else.
    fn is_closed_by(&self, line: &str) -> bool {
        let body = line.trim();
        body.len() >= self.length && body.trim_start_matches(self.mark).is_empty()
    }

    /// Takes lines up to the closing fence.
    fn take_code(&self, lines: &mut Lines<'_>) -> Block {
        let body: Vec<_> = lines
            .map(|(_, line)| line)
            .take_while(|line| !self.is_closed_by(line))
            .map(|line| outdent(line, self.indent))
            .collect();
        Block::Code {
            language: self.language.to_owned(),
            text: body.join("\n"),
        }
    }
}

/// Columns of white space before the text; a tab counts as one nesting.
fn indent(line: &str) -> usize {
    let space = line.chars().take_while(|it| it.is_whitespace());
    space.map(|it| if it == '\t' { INDENT } else { 1 }).sum()
}

/// Takes away up to `columns` leading spaces.
fn outdent(line: &str, columns: usize) -> &str {
    let spaces = line.len() - line.trim_start_matches(' ').len();
    &line[spaces.min(columns)..]
}

/// The text of a heading: one to six `#`, a space, text, perhaps closing `#`.
fn heading(line: &str) -> Option<&str> {
    let rest = line.trim_start_matches('#');
    if !(1..=6).contains(&(line.len() - rest.len())) {
        return None;
    }
    let text = rest.strip_prefix(' ')?.trim();
    let open = text.trim_end_matches('#');
    let text = if open.ends_with(' ') {
        open.trim_end()
    } else {
        text
    };
    (!open.is_empty()).then_some(text)
}

/// The number and the text of a list item.
fn item(line: &str) -> Option<(Option<String>, &str)> {
    if let Some(text) = ["- ", "* ", "+ ", "• "]
        .iter()
        .find_map(|mark| line.strip_prefix(mark))
    {
        return Some((None, text.trim()));
    }
    let rest = line.trim_start_matches(|it: char| it.is_ascii_digit());
    let number = &line[..line.len() - rest.len()];
    let text = rest.strip_prefix(". ").or_else(|| rest.strip_prefix(") "))?;
    (1..=MOST_DIGITS)
        .contains(&number.len())
        .then(|| (Some(format!("{number}.")), text.trim()))
}
