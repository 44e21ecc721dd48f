//! From Markdown to blocks, with pulldown-cmark: CommonMark with GFM's tables, task lists and strikethrough, and
//! footnotes. HTML is text.
//!
//! A text is read in units: its top-level blocks, and of a top-level list each item for itself. A unit does not look
//! back, so a text can be read again from the start of any of them (see [`super::Blocks::append`]).

mod events;
mod inline;
mod units;

use std::borrow::Cow;
use std::collections::BTreeMap;

use pulldown_cmark::{BrokenLink, CowStr, Options, Parser};

use super::block::Block;
use super::mask::{self, Masked};
use events::Builder;

/// Names of links and their addresses, by [`label`].
pub(super) type Definitions = BTreeMap<String, String>;

/// What a text is made of.
#[derive(Debug, Default)]
pub(super) struct Parsed {
    /// Its blocks.
    pub(super) blocks: Vec<Block>,
    /// Its units, in order.
    pub(super) units: Vec<Unit>,
    /// The links it defines, each with where; the first of a name holds.
    pub(super) definitions: Vec<(usize, String, String)>,
}

/// What is read as a whole.
#[derive(Debug, Clone, Default)]
pub(super) struct Unit {
    /// Where it begins in the text, with the blank lines and definitions before it. Always the start of a line.
    pub(super) start: usize,
    /// The start of its own first line.
    pub(super) line: usize,
    /// Its first block.
    pub(super) first_block: usize,
    /// The list it is an item of.
    pub(super) list: Option<List>,
    /// Names of links that it uses, or would use if they were defined.
    pub(super) labels: Vec<String>,
    /// How to go on in the middle of it.
    pub(super) body: Option<Body>,
}

/// A list of which a unit is an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct List {
    /// The bullet, or what stands behind the number.
    pub(super) mark: u8,
    /// The number of the item; `None` in a list with bullets.
    pub(super) number: Option<u64>,
}

/// Fenced code or a table at the top level, whose lines each stand for themselves: read again are its head and the lines
/// from `at` on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Body {
    /// Where its head begins and ends: the opening fence, or the table's first two lines.
    pub(super) head: (usize, usize),
    /// The start of the first line that may still change.
    pub(super) at: usize,
    /// What stands before that line: bytes of code, or rows.
    pub(super) settled: usize,
}

/// Reads a text. `list` is the list that goes on at its start, `known` the links that the whole text defines.
pub(super) fn parse(text: &str, list: Option<List>, known: &Definitions) -> Parsed {
    let mut parsed = Parsed::default();
    let mut next = read(text, 0, list, known, &mut parsed);
    debug_assert!(next.as_ref().is_none_or(|(to, _)| *to > 0), "{text:?}");
    // Where the search for formulas saw code, and the parser a new unit, the parser is right: on from there.
    while let Some((from, list)) = next {
        let mut known = known.clone();
        for (_, name, address) in &parsed.definitions {
            known.entry(name.clone()).or_insert_with(|| address.clone());
        }
        next = read(text, from, list, &known, &mut parsed);
        debug_assert!(next.as_ref().is_none_or(|(to, _)| *to > from), "{text:?}");
    }
    parsed
}

/// Reads from a place on, to the end or to where to go on from.
fn read(
    text: &str,
    from: usize,
    list: Option<List>,
    known: &Definitions,
    parsed: &mut Parsed,
) -> Option<(usize, Option<List>)> {
    let source = &*with_line_feeds(&text[from..]);
    let masked = mask::mask(source);
    let Masked { text: holed, .. } = &masked;
    let mut missing = Vec::new();
    let resolve = |link: BrokenLink<'_>| {
        let label = label(&link.reference);
        let address = known.get(&label).cloned();
        missing.push((link.span.start, label));
        address.map(|address| (CowStr::from(address), CowStr::from("")))
    };
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_GFM;
    let parser = Parser::new_with_broken_link_callback(holed, options, Some(resolve));
    let mut own = Definitions::new();
    let mut definitions = Vec::new();
    for (name, definition) in parser.reference_definitions().iter() {
        let name = label(name);
        definitions.push((definition.span.start, name.clone(), definition.dest.to_string()));
        own.insert(name, definition.dest.to_string());
    }
    definitions.sort();
    let address = |label: &str| known.get(label).or_else(|| own.get(label)).cloned();
    let mut builder = Builder::new(source, &masked, list, &address);
    let mut cut = None;
    for (event, place) in parser.into_offset_iter() {
        if let Some(at) = builder.take(event, place) {
            cut = Some(at);
            break;
        }
    }
    let (blocks, units) = builder.finish();
    let first_block = parsed.blocks.len();
    let first_unit = parsed.units.len();
    parsed.blocks.extend(blocks);
    parsed.units.extend(units.into_iter().map(|mut unit| {
        unit.start += from;
        unit.line += from;
        unit.first_block += first_block;
        if let Some(body) = &mut unit.body {
            body.head = (body.head.0 + from, body.head.1 + from);
            body.at += from;
        }
        unit
    }));
    for (at, label) in missing {
        note(&mut parsed.units[first_unit..], from + at, label);
    }
    let end = cut.map_or(source.len(), |(end, _)| end);
    let before_cut = definitions.into_iter().filter(|(at, ..)| *at < end);
    parsed
        .definitions
        .extend(before_cut.map(|(at, name, address)| (from + at, name, address)));
    cut.map(|(at, list)| (from + at, list))
}

/// A text whose every line ends with a line feed, each byte in its place: Markdown ends lines with a carriage return, too.
fn with_line_feeds(text: &str) -> Cow<'_, str> {
    let mut lines = Cow::Borrowed(text);
    let mut from = 0;
    while let Some(at) = text[from..].find('\r').map(|at| from + at) {
        if !text[at + 1..].starts_with('\n') {
            lines.to_mut().replace_range(at..=at, "\n");
        }
        from = at + 1;
    }
    lines
}

/// Notes the name of a link in the unit where it stands.
fn note(units: &mut [Unit], at: usize, label: String) {
    let index = units.partition_point(|unit| unit.start <= at).saturating_sub(1);
    if let Some(unit) = units.get_mut(index)
        && !unit.labels.contains(&label)
    {
        unit.labels.push(label);
    }
}

/// The name of a link as it is compared: in small letters, spaces as one.
pub(super) fn label(name: &str) -> String {
    let words: Vec<_> = name.split_whitespace().map(str::to_lowercase).collect();
    words.join(" ")
}

/// The start of the last line of a text, which may still change when text is appended. A carriage return may be half of
/// a line's end.
pub(super) fn last_line(text: &str) -> usize {
    let whole = text.strip_suffix('\r').unwrap_or(text);
    whole.rfind(['\n', '\r']).map_or(0, |at| at + 1)
}

/// The start of the line around a place.
fn line_start(text: &str, at: usize) -> usize {
    let before = &text.as_bytes()[..at];
    before
        .iter()
        .rposition(|it| *it == b'\n')
        .map_or(0, |end| end + 1)
}

/// The start of the first line that begins at a place or behind it.
fn next_line(text: &str, at: usize) -> usize {
    if at == 0 || text[..at].ends_with('\n') {
        return at;
    }
    text[at..].find('\n').map_or(text.len(), |end| at + end + 1)
}
