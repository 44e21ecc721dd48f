//! Measures the words and rows of a field in its style.

use std::borrow::Cow;
use std::collections::HashMap;
use std::rc::Rc;

use makepad_widgets::makepad_draw::text::layouter::LaidoutText;
use makepad_widgets::*;

/// Most words whose widths are kept.
const WORDS: usize = 20_000;

/// Heights of the rows of a field, in pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Line {
    /// From the top of a row to its letters' foot.
    pub(super) above: f64,
    /// From the top of a row to the lowest part of its letters.
    pub(super) letters: f64,
    /// From the top of a row to that of the next.
    pub(super) step: f64,
}

impl Line {
    /// Height of so many rows, at least one.
    pub(super) fn height_of(self, rows: usize) -> f64 {
        self.step * rows.saturating_sub(1) as f64 + self.letters
    }
}

/// The widths of words, as long as the style is the same.
#[derive(Debug, Default)]
pub(super) struct Ruler {
    widths: HashMap<Box<str>, f64>,
    /// Of which size and family the widths are.
    line: Line,
    /// The width that the rows were broken to, in pixels; 0 before.
    broken_to: f64,
}

impl Ruler {
    /// The heights of rows in this style. Forgets all widths where it is another than before.
    pub(super) fn line(&mut self, cx: &mut Cx, style: &DrawText) -> Line {
        let text = row(cx, style, "x");
        let row = &text.rows[0];
        let line = Line {
            above: f64::from(row.ascender_in_lpxs),
            letters: f64::from(row.ascender_in_lpxs - row.descender_in_lpxs),
            step: f64::from(row.line_spacing_in_lpxs(row)),
        };
        if self.line != line {
            self.line = line;
            self.widths.clear();
            self.forget_rows();
        }
        line
    }

    /// Width of a word in pixels.
    pub(super) fn width(&mut self, cx: &mut Cx, style: &DrawText, word: &str) -> f64 {
        if word.is_empty() {
            return 0.0;
        }
        if let Some(width) = self.widths.get(word) {
            return *width;
        }
        if self.widths.len() >= WORDS {
            self.widths.clear();
        }
        let width = f64::from(row(cx, style, word).size_in_lpxs.width);
        self.widths.insert(word.into(), width);
        width
    }

    /// The width that the rows are broken to; `None` where they are not.
    pub(super) fn broken_to(&self) -> Option<f64> {
        (self.broken_to > 0.0).then_some(self.broken_to)
    }

    /// Notes the width that the rows were broken to.
    pub(super) fn break_to(&mut self, width: f64) {
        self.broken_to = width;
    }

    /// The rows must be broken anew.
    pub(super) fn forget_rows(&mut self) {
        self.broken_to = 0.0;
    }
}

/// One row of text in this style.
pub(super) fn row(cx: &mut Cx, style: &DrawText, text: &str) -> Rc<LaidoutText> {
    style.layout(cx, 0.0, 0.0, None, false, Align::default(), &shown(text))
}

/// As it is drawn: fonts have no tab, and one byte stays one byte.
fn shown(text: &str) -> Cow<'_, str> {
    if text.contains('\t') {
        Cow::Owned(text.replace('\t', " "))
    } else {
        Cow::Borrowed(text)
    }
}
