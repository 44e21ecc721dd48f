//! Control tokens in a text: found where the template wrote them, broken up where a chat holds them.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use super::marks;

/// The texts of a vocabulary's control tokens, prepared to be searched for.
///
/// Tokens that llama.cpp finds in any text, its "user defined" ones, need not be among them.
#[derive(Debug, Default)]
pub(crate) struct ControlTokens {
    texts: HashSet<String>,
    /// The lengths of the tokens that begin with each of the 256 bytes, longest first.
    lengths: Vec<Vec<usize>>,
}

/// A part of a prompt, to be turned into tokens by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Segment<'a> {
    /// Text in which nothing is a control token.
    Text(&'a str),
    /// The text of one control token, written by the template.
    Control(&'a str),
}

impl ControlTokens {
    /// Prepares the tokens' texts; empty ones are left out.
    pub(crate) fn new(texts: impl IntoIterator<Item = String>) -> Self {
        let texts: HashSet<String> = texts.into_iter().filter(|text| !text.is_empty()).collect();
        let mut lengths = vec![Vec::new(); 256];
        for text in &texts {
            lengths[usize::from(text.as_bytes()[0])].push(text.len());
        }
        for lengths in &mut lengths {
            lengths.sort_unstable_by(|a, b| b.cmp(a));
            lengths.dedup();
        }
        Self { texts, lengths }
    }

    /// The tokens' texts, in no order.
    #[cfg(test)]
    pub(crate) fn texts(&self) -> impl Iterator<Item = &str> {
        self.texts.iter().map(String::as_str)
    }

    /// Whether a text holds the text of a control token.
    pub(super) fn are_in(&self, text: &str) -> bool {
        self.find(text).next().is_some()
    }

    /// A text with marks around the first character of each control token in it: to a template that looks for none
    /// of them, the same text.
    pub(super) fn break_up(&self, text: &str) -> String {
        let mut broken = String::with_capacity(text.len());
        let mut written = 0;
        for found in self.find(text) {
            if found.start < written {
                continue;
            }
            broken.push_str(&text[written..found.start]);
            let first = text[found.start..].chars().next().map_or(0, char::len_utf8);
            written = found.start + first;
            marks::push(&mut broken, &text[found.start..written]);
        }
        broken.push_str(&text[written..]);
        broken
    }

    /// The text in its parts: control tokens that lie wholly outside the content, and the text between. Where
    /// tokens overlap, the longest counts, wherever it begins; llama.cpp does it so.
    pub(super) fn segments<'a>(&self, text: &'a str, content: &[Range<usize>]) -> Vec<Segment<'a>> {
        let in_content = |found: &Range<usize>| {
            let next = content.partition_point(|content| content.end <= found.start);
            content.get(next).is_some_and(|content| content.start < found.end)
        };
        let mut candidates: Vec<_> = self.find(text).filter(|found| !in_content(found)).collect();
        candidates.sort_by_key(|found| std::cmp::Reverse(found.len()));
        let mut accepted: BTreeMap<usize, usize> = BTreeMap::new();
        for found in candidates {
            let before = accepted.range(..found.end).next_back();
            if before.is_none_or(|(_, &end)| end <= found.start) {
                accepted.insert(found.start, found.end);
            }
        }

        let mut segments = Vec::with_capacity(accepted.len() * 2 + 1);
        let mut written = 0;
        for (start, end) in accepted {
            if written < start {
                segments.push(Segment::Text(&text[written..start]));
            }
            segments.push(Segment::Control(&text[start..end]));
            written = end;
        }
        if written < text.len() {
            segments.push(Segment::Text(&text[written..]));
        }
        segments
    }

    /// Every place where a control token's text stands, in order; overlapping ones too, the longest of a place
    /// first.
    fn find(&self, text: &str) -> impl Iterator<Item = Range<usize>> {
        text.bytes().enumerate().flat_map(move |(start, byte)| {
            let lengths = self.lengths.get(usize::from(byte));
            lengths.into_iter().flatten().filter_map(move |length| {
                let found = start..start + length;
                let token = text.get(found.clone())?;
                self.texts.contains(token).then_some(found)
            })
        })
    }
}

#[cfg(test)]
mod tests;
