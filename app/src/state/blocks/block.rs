//! What a message is made of: blocks, one per row of the conversation, and the styled text in them.

use super::hidden;

/// A piece of a message, shown as one row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Block {
    /// What it stands in, from the outside to the inside.
    pub(crate) frames: Vec<Frame>,
    /// What it is.
    pub(crate) kind: Kind,
}

/// What a block stands in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Frame {
    /// A quote.
    Quote,
    /// An item of a list or a footnote.
    Item {
        /// What stands before it.
        marker: Marker,
        /// Whether this is its first block, which shows the marker.
        first: bool,
    },
}

/// What stands before an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Marker {
    /// A bullet.
    Bullet,
    /// A number with its point, such as `2.`.
    Number(String),
    /// A box, checked or not.
    Task(bool),
    /// The number of a footnote.
    Note(String),
}

/// What a block is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A heading.
    Heading {
        /// From 1, the largest, to 6.
        level: u8,
        /// Its text.
        text: Inline,
    },
    /// A paragraph, with its line breaks.
    Paragraph(Inline),
    /// A code block.
    Code {
        /// The language, as it was written; may be empty.
        language: String,
        /// The code, each line with its end.
        text: String,
    },
    /// A table.
    Table(Table),
    /// A formula that stands for itself.
    Maths {
        /// As it was written, without its marks.
        source: String,
        /// As it is shown.
        text: Inline,
    },
    /// A picture that came with the message.
    Picture {
        /// What it shows, in words; may be empty.
        text: String,
        /// The address that holds it, `data:image/…`.
        data: String,
    },
    /// A line between two parts.
    Rule,
}

/// A table. Every row has as many cells as there are columns.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Table {
    /// How each column is aligned.
    pub(crate) columns: Vec<Side>,
    /// The first row, which names the columns.
    pub(crate) head: Vec<Inline>,
    /// The other rows.
    pub(crate) rows: Vec<Vec<Inline>>,
}

/// To which side the cells of a column are aligned.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Side {
    /// To the left.
    #[default]
    Left,
    /// To the middle.
    Middle,
    /// To the right.
    Right,
}

/// Styled text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Inline {
    /// Its runs, in order. No two neighbours look the same.
    pub(crate) spans: Vec<Span>,
    /// The addresses of its links.
    pub(crate) links: Vec<String>,
}

/// A run of text in one look.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Span {
    /// How it looks.
    pub(crate) look: Look,
    /// Its text.
    pub(crate) text: String,
}

/// How a run of text looks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Look {
    /// Semibold.
    pub(crate) bold: bool,
    /// Italic.
    pub(crate) italic: bool,
    /// Struck through.
    pub(crate) strike: bool,
    /// Whether it is text, code, or the name of a character that does not show.
    pub(crate) face: Face,
    /// Above or below the line, and smaller.
    pub(crate) raised: Raised,
    /// The link it belongs to, by its place in [`Inline::links`].
    pub(crate) link: Option<u16>,
}

/// In what a run is set.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Face {
    /// The font of messages.
    #[default]
    Text,
    /// Monospaced, on a pill.
    Code,
    /// The name of a character that reorders text or does not show, as a warning.
    Hidden,
}

/// Where a run stands on its line.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Raised {
    /// On it.
    #[default]
    Level,
    /// An exponent or the mark of a footnote.
    Up,
    /// An index.
    Down,
}

impl Inline {
    /// Text as a person wrote it: nothing in it is a mark, and hidden characters stand by name.
    pub(crate) fn written(text: &str) -> Self {
        let mut inline = Self::default();
        inline.push_shown(Look::default(), text);
        inline
    }

    /// Puts text at the end, with its hidden characters by name.
    pub(crate) fn push_shown(&mut self, look: Look, text: &str) {
        for (part, hidden) in hidden::parts(text) {
            match hidden {
                None => self.push(look, part),
                Some(it) => {
                    let face = Face::Hidden;
                    self.push(Look { face, ..look }, &hidden::name(it));
                }
            }
        }
    }

    /// Puts text at the end, joined to what stands there in the same look.
    pub(crate) fn push(&mut self, look: Look, text: &str) {
        match self.spans.last_mut() {
            _ if text.is_empty() => (),
            Some(last) if last.look == look => last.text.push_str(text),
            _ => self.spans.push(Span {
                look,
                text: text.to_owned(),
            }),
        }
    }

    /// Whether there is nothing to see.
    pub(crate) fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// Its text without looks.
    pub(crate) fn text(&self) -> String {
        self.spans.iter().map(|span| span.text.as_str()).collect()
    }
}
