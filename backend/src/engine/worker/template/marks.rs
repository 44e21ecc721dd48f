//! Marks around what came from a chat, set late and taken out again.
//!
//! The marking render knows of each string whether the template wrote it. Literals of the template are safe
//! strings in the sense of automatic escaping; everything else is data. Where the two meet, by `+`, `~` or output,
//! the engine "escapes" the data, which here puts it between two marks. Data alone stays unmarked, so that a
//! template can compare, split and strip it as if nothing were.
//!
//! The marks are noncharacters of Unicode. Whoever hands text to a render must have taken them out of it.

use std::borrow::Cow;
use std::ops::Range;

use minijinja::value::{Value, ValueKind};
use minijinja::{AutoEscape, Error, State};

use super::text;

/// Stands before data.
pub(super) const OPEN: char = '\u{FDD0}';
/// Stands after data.
pub(super) const CLOSE: char = '\u{FDD1}';

const MARKS: [char; 2] = [OPEN, CLOSE];

/// Name of the escaping mode of the marking render.
const MODE: &str = "mark";

/// A string with marks, taken apart.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Marked {
    /// The string without marks.
    pub(super) text: String,
    /// Where the data is: byte ranges of the text, sorted, disjoint, none empty.
    pub(super) data: Vec<Range<usize>>,
    /// Whether each mark had its other one and no data stood in data.
    pub(super) balanced: bool,
}

impl Marked {
    /// Takes marks and text apart. What a lost mark leaves unsure counts as data.
    pub(super) fn read(marked: &str) -> Self {
        let mut text = String::with_capacity(marked.len());
        let mut data = Vec::new();
        let (mut depth, mut start, mut balanced) = (0_usize, 0, true);
        let mut end = |start: usize, end: usize| {
            if start < end {
                data.push(start..end);
            }
        };
        for c in marked.chars() {
            match c {
                OPEN => {
                    balanced &= depth == 0;
                    if depth == 0 {
                        start = text.len();
                    }
                    depth += 1;
                }
                CLOSE if depth == 0 => balanced = false,
                CLOSE => {
                    depth -= 1;
                    if depth == 0 {
                        end(start, text.len());
                    }
                }
                c => text.push(c),
            }
        }
        if depth > 0 {
            balanced = false;
            end(start, text.len());
        }
        Self { text, data, balanced }
    }

    /// Text of the template, with nothing of the data in it.
    pub(super) fn trusted(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            data: Vec::new(),
            balanced: true,
        }
    }

    /// A part of the text, its data between marks again.
    pub(super) fn write(&self, part: Range<usize>) -> String {
        let mut marked = String::with_capacity(part.len());
        let mut written = part.start;
        for data in &self.data {
            let (start, end) = (data.start.max(part.start), data.end.min(part.end));
            if start < end {
                marked.push_str(&self.text[written..start]);
                push(&mut marked, &self.text[start..end]);
                written = end;
            }
        }
        marked.push_str(&self.text[written..part.end]);
        marked
    }
}

/// The escaping mode of the marking render.
pub(super) fn mode() -> AutoEscape {
    AutoEscape::Custom(Cow::Borrowed(MODE))
}

/// Whether the render sets marks.
pub(super) fn is_marking(state: &State) -> bool {
    matches!(state.auto_escape(), AutoEscape::Custom(_))
}

/// Whether a string holds a mark.
pub(super) fn has_marks(text: &str) -> bool {
    text.contains(MARKS)
}

/// A string without its marks.
pub(super) fn without_marks(text: &str) -> Cow<'_, str> {
    if has_marks(text) {
        Cow::Owned(text.replace(MARKS, ""))
    } else {
        Cow::Borrowed(text)
    }
}

/// Appends data between marks; nothing where it is empty.
pub(super) fn push(marked: &mut String, data: &str) {
    if !data.is_empty() {
        marked.extend([OPEN]);
        marked.push_str(data);
        marked.push(CLOSE);
    }
}

/// A value as it goes into the output or into a string of the template: what the template wrote as it is, data
/// between marks. In the plain render, its text.
///
/// Data that holds marks has lost sight of what the template wrote in it, so that all of it counts as data. Numbers
/// and truth values hold no text that anyone could have planted.
pub(super) fn format(state: &State, value: &Value) -> Result<String, Error> {
    let text = text::display(state, value)?;
    let holds_no_text = matches!(
        value.kind(),
        ValueKind::None | ValueKind::Bool | ValueKind::Number
    );
    if value.is_safe() || holds_no_text || !is_marking(state) {
        return Ok(text);
    }
    let mut marked = String::with_capacity(text.len() + OPEN.len_utf8() + CLOSE.len_utf8());
    push(&mut marked, &without_marks(&text));
    Ok(marked)
}

#[cfg(test)]
mod tests;
