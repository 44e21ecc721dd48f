//! Where units begin, and how to go on in the middle of one.

use std::ops::Range;

use pulldown_cmark::Tag;

use super::super::mask::fence;
use super::events::{Builder, Cut};
use super::{Body, List, Unit, last_line, line_start, next_line};

impl Builder<'_> {
    /// Notes where a unit begins, if one begins with this block.
    pub(super) fn begin_unit(&mut self, tag: &Tag<'_>, start: usize) -> Option<Cut> {
        let is_item = matches!(tag, Tag::Item) && self.depth == 1 && self.lists.len() == 1;
        if !(is_item || self.depth == 0 && !matches!(tag, Tag::List(_))) {
            return None;
        }
        self.flush();
        let line = line_start(self.source, start);
        // A footnote that begins in the first line of another one, or so far in that it is one only behind the other: they
        // can only be read together.
        let is_inside = matches!(tag, Tag::FootnoteDefinition(_)) && is_far_in(&self.source[line..start]);
        if self
            .units
            .last()
            .is_some_and(|last| is_inside || last.line == line)
        {
            return None;
        }
        let list = if is_item {
            self.lists.last().map(|list| List {
                mark: self.mark_of_item(start),
                ..*list
            })
        } else {
            None
        };
        let start = if self.units.is_empty() {
            0
        } else {
            next_line(self.source, self.end).min(line)
        };
        if self
            .masked
            .code
            .iter()
            .any(|code| code.start < line && line < code.end)
        {
            // Only where a list goes on is its number told.
            let goes_on = self
                .units
                .last()
                .and_then(|unit| unit.list)
                .zip(list)
                .is_some_and(|(one, other)| {
                    one.mark == other.mark && one.number.map(|number| number + 1) == other.number
                });
            // Before the first unit stand only definitions, which are read already.
            let from = if start == 0 { line } else { start };
            return Some((from, list.filter(|_| goes_on)));
        }
        self.units.push(Unit {
            start,
            line,
            first_block: self.blocks.len(),
            list,
            ..Unit::default()
        });
        None
    }

    pub(super) fn end_unit(&mut self, place: &Range<usize>) {
        if self.depth == 0 || self.depth == 1 && self.lists.len() == 1 {
            self.end = self.end.max(place.end);
        }
    }

    /// The bullet of an item, or what stands behind its number.
    pub(super) fn mark_of_item(&self, start: usize) -> u8 {
        let rest = self.source[start..].trim_start();
        let rest = rest.trim_start_matches(|it: char| it.is_ascii_digit());
        rest.bytes().next().unwrap_or_default()
    }

    /// Notes how to go on in fenced code. Indented code has no head.
    pub(super) fn note_code(&mut self, place: &Range<usize>) {
        let rest = &self.source[line_start(self.source, place.start)..];
        let line = rest.lines().next().unwrap_or_default();
        if !line.starts_with("    ") && fence(line.trim_start_matches(' ')).is_some() {
            self.note_body(place, 1);
        }
    }

    /// Notes how to go on in a block of lines at the top level, with this many lines in its head.
    pub(super) fn note_body(&mut self, place: &Range<usize>, head: usize) {
        if self.depth > 0 {
            return;
        }
        let start = line_start(self.source, place.start);
        let mut end = start;
        for _ in 0..head {
            end += self.source[end..].find('\n').map_or(0, |line| line + 1);
        }
        let last = last_line(self.source).min(line_start(self.source, place.end.saturating_sub(1)));
        let is_whole = self.source[start..].matches('\n').take(head).count() == head;
        let settled: Option<usize> = self
            .pieces
            .iter()
            .map(|(place, size)| before(place, *size, last))
            .sum();
        if let (Some(unit), Some(settled)) = (self.units.last_mut(), settled)
            && is_whole
            && last >= end
        {
            unit.body = Some(Body {
                head: (start, end),
                at: last,
                settled,
            });
        }
    }
}

/// How much of a piece stands before a line; `None` where that is not known.
fn before(place: &Range<usize>, size: usize, line: usize) -> Option<usize> {
    if place.end <= line {
        Some(size)
    } else if place.start >= line {
        Some(0)
    } else {
        (place.len() == size).then(|| line - place.start)
    }
}

/// Whether what stands before a block in its line would make it code where nothing stands above it.
fn is_far_in(before: &str) -> bool {
    before.len() > 3 || before.contains('\t')
}
