//! A text broken into rows. A change breaks only the rows anew that it touches, so that a key costs as much in a long
//! text as in a short one. Pure: widths are asked of the caller.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

use super::buffer::Change;
use crate::ui::widget::breaks::{ZERO_WIDTH_JOINER, is_space, joins, may_break};

/// The most of a word that is looked at in one go, in bytes; a longer one may be broken there.
const LONGEST_WORD: usize = 1_000;

/// A row, in bytes of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Row {
    /// Where it begins.
    pub(super) start: usize,
    /// Behind its last character, which is never the end of the line.
    pub(super) end: usize,
    /// An end of a line stands behind it.
    pub(super) ends_line: bool,
}

impl Row {
    /// Where the next row begins.
    fn next(self) -> usize {
        self.end + usize::from(self.ends_line)
    }
}

/// The rows of a text, of which there is at least one.
#[derive(Debug)]
pub(super) struct Rows(Vec<Row>);

impl Default for Rows {
    fn default() -> Self {
        Self(vec![Row {
            start: 0,
            end: 0,
            ends_line: false,
        }])
    }
}

impl Rows {
    /// Breaks a text into rows of at most this width, which white space at their ends may pass.
    pub(super) fn of(text: &str, width: f64, measure: &mut impl FnMut(&str) -> f64) -> Self {
        let mut rows = Vec::new();
        fill(&mut rows, text, 0, width, measure, |_| false);
        Self(rows)
    }

    /// Breaks the rows anew that a change touched. `text` is the text after it.
    pub(super) fn change(
        &mut self,
        text: &str,
        change: &Change,
        width: f64,
        measure: &mut impl FnMut(&str) -> f64,
    ) {
        let old_end = change.replaced.end;
        let moved = |index: usize| index - old_end + change.replaced.start + change.inserted;
        // Where a row ends depends on the word behind it, and on nothing after that.
        let is_before = |row: &Row| row.end + LONGEST_WORD < change.replaced.start;
        let first = self.0.partition_point(is_before);
        let mut same = self.0.partition_point(|row| row.start < old_end);
        let mut anew = Vec::new();
        // From where a row begins as it did, all rows are as they were.
        let is_as_before = |next: usize| {
            while self.0.get(same).is_some_and(|row| moved(row.start) < next) {
                same += 1;
            }
            self.0.get(same).is_some_and(|row| moved(row.start) == next)
        };
        let is_whole = fill(&mut anew, text, self.0[first].start, width, measure, is_as_before);
        if is_whole {
            same = self.0.len();
        }
        for row in &mut self.0[same..] {
            row.start = moved(row.start);
            row.end = moved(row.end);
        }
        self.0.splice(first..same, anew);
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// One of them; the last where there are fewer.
    pub(super) fn get(&self, row: usize) -> Row {
        self.0[row.min(self.0.len() - 1)]
    }

    /// The row a caret stands in. Where a row was broken, it stands before the next one's first character, unless it
    /// `ends_row`.
    pub(super) fn of_caret(&self, index: usize, ends_row: bool) -> usize {
        let row = self.holding(index);
        let is_broken = row > 0 && self.0[row].start == index && !self.0[row - 1].ends_line;
        if ends_row && is_broken { row - 1 } else { row }
    }

    /// The rows that hold a part of the text.
    pub(super) fn of_part(&self, part: &Range<usize>) -> Range<usize> {
        self.holding(part.start)..self.holding(part.end) + 1
    }

    fn holding(&self, index: usize) -> usize {
        self.0.partition_point(|row| row.start <= index).saturating_sub(1)
    }
}

/// Adds rows from an index on, to where `is_enough` says so of the next row's start. Gives whether the text ended first.
fn fill(
    rows: &mut Vec<Row>,
    text: &str,
    from: usize,
    width: f64,
    measure: &mut impl FnMut(&str) -> f64,
    mut is_enough: impl FnMut(usize) -> bool,
) -> bool {
    let mut start = from;
    loop {
        let row = next_row(text, start, width, measure);
        rows.push(row);
        start = row.next();
        if !row.ends_line && row.end == text.len() {
            return true;
        }
        if is_enough(start) {
            return false;
        }
    }
}

/// The row that begins here. It depends on nothing before.
fn next_row(text: &str, start: usize, width: f64, measure: &mut impl FnMut(&str) -> f64) -> Row {
    let (mut end, mut used) = (start, 0.0);
    loop {
        let rest = &text[end..];
        let ends_line = rest.starts_with('\n');
        if ends_line || rest.is_empty() {
            return Row {
                start,
                end,
                ends_line,
            };
        }
        let (letters, space) = word(rest);
        used += measure(letters);
        if used > width && end == start {
            end += letters_that_fit(letters, width, measure);
        }
        if used > width {
            return Row {
                start,
                end,
                ends_line: false,
            };
        }
        used += measure(space);
        end += letters.len() + space.len();
    }
}

/// How much of a word that is too wide fits, in bytes: at least one sign.
fn letters_that_fit(word: &str, width: f64, measure: &mut impl FnMut(&str) -> f64) -> usize {
    let (mut end, mut used) = (0, 0.0);
    for sign in word.graphemes(true) {
        used += measure(sign);
        if used > width && end > 0 {
            break;
        }
        end += sign.len();
    }
    end
}

/// The first word of a text that does not begin with the end of a line: its letters, and the white space behind them.
fn word(text: &str) -> (&str, &str) {
    let mut before = None;
    let mut letters = None;
    for (index, it) in text.char_indices() {
        let is_long = letters.is_none() && index >= LONGEST_WORD;
        let is_end = it == '\n'
            || before.is_some_and(|before| may_break(before, it))
            || is_long && !joins(it) && before != Some(ZERO_WIDTH_JOINER);
        if is_end {
            let letters = letters.unwrap_or(index);
            return (&text[..letters], &text[letters..index]);
        }
        if is_space(it) && letters.is_none() {
            letters = Some(index);
        }
        before = Some(it);
    }
    text.split_at(letters.unwrap_or(text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each character is 1 wide, Chinese ones 2.
    fn measure(text: &str) -> f64 {
        let wide = |it: char| if it > '\u{2e80}' { 2.0 } else { 1.0 };
        text.chars().map(wide).sum()
    }

    fn rows(text: &str, width: f64) -> Vec<&str> {
        let rows = Rows::of(text, width, &mut measure);
        rows.0.iter().map(|row| &text[row.start..row.end]).collect()
    }

    #[test]
    fn rows_are_broken_behind_white_space_and_within_words_that_are_too_long() {
        let long = "x".repeat(2 * LONGEST_WORD);
        let cases: [(&str, f64, &[&str]); 11] = [
            ("", 9.0, &[""]),
            ("\n", 9.0, &["", ""]),
            ("one two", 9.0, &["one two"]),
            ("one two", 6.0, &["one ", "two"]),
            ("one   two", 3.0, &["one   ", "two"]),
            ("  one", 4.0, &["  ", "one"]),
            ("a\n\nb\n", 9.0, &["a", "", "b", ""]),
            ("abcdefghij k", 4.0, &["abcd", "efgh", "ij k"]),
            ("你好，世界", 5.0, &["你", "好，", "世界"]),
            ("e\u{301}e\u{301}", 0.0, &["e\u{301}", "e\u{301}"]),
            (&long, 1_500.0, &[&long[..1_000], &long[1_000..]]),
        ];
        for (text, width, expected) in cases {
            assert_eq!(rows(text, width), expected, "{text:?}");
        }
    }

    #[test]
    fn a_caret_at_a_break_stands_in_the_row_it_was_put_in() {
        let rows = Rows::of("one two\nx", 4.0, &mut measure);
        let cases = [
            ((0, false), 0),
            ((4, false), 1),
            ((4, true), 0),
            ((7, false), 1),
            ((8, true), 2),
            ((9, false), 2),
        ];
        for ((index, ends_row), row) in cases {
            assert_eq!(rows.of_caret(index, ends_row), row, "{index}");
        }
        assert_eq!(rows.of_part(&(1..4)), 0..2);
    }

    #[test]
    fn a_word_that_becomes_shorter_goes_into_the_row_before() {
        // The comma and its mark are one sign, which does not fit behind the character before.
        let (text, after) = ("e你,\u{301}", "e你");
        let mut rows = Rows::of(text, 3.0, &mut measure);
        assert_eq!(rows.len(), 3);
        let change = Change {
            replaced: 4..text.len(),
            inserted: 0,
        };
        rows.change(after, &change, 3.0, &mut measure);
        assert_eq!(rows.0, Rows::of(after, 3.0, &mut measure).0);
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig::with_cases(500))]
        #[test]
        fn a_change_gives_the_rows_of_the_whole(
            text in r"[ab ,\n你e\u{301}-]{0,60}",
            with in r"[ab ,\n你e\u{301}-]{0,12}",
            (from, to) in (0usize..60, 0usize..60),
            width in 1u32..12,
        ) {
            let width = f64::from(width);
            // What lies far before is not looked at again.
            let text = format!("{}{text}", "ab ".repeat(LONGEST_WORD / 2));
            let (from, to) = (from + 3 * (LONGEST_WORD / 2), to + 3 * (LONGEST_WORD / 2));
            let at = |index: usize| text.char_indices().nth(index).map_or(text.len(), |(at, _)| at);
            let replaced = at(from.min(to))..at(from.max(to));
            let mut after = text.clone();
            after.replace_range(replaced.clone(), &with);
            let mut rows = Rows::of(&text, width, &mut measure);
            let change = Change { replaced, inserted: with.len() };
            rows.change(&after, &change, width, &mut measure);
            proptest::prop_assert_eq!(rows.0, Rows::of(&after, width, &mut measure).0);
        }
    }
}
