//! The blocks of a message: its Markdown, cut once into what is shown. Kept up with a text that grows.
//!
//! Pure. Names no colour and no size, opens nothing and fetches nothing.

mod addresses;
mod block;
pub(crate) mod hidden;
mod mask;
mod maths;
mod parse;
pub(crate) mod picture;
mod read;
#[cfg(test)]
mod tests;
mod text;

pub(crate) use block::{Block, Face, Frame, Inline, Kind, Look, Marker, Raised, Side, Span, Table};
pub(crate) use read::MessageText;

use parse::{Body, Definitions, Parsed, Unit};

/// A text and its blocks.
#[derive(Debug, Clone, Default)]
pub(crate) struct Blocks {
    text: String,
    blocks: Vec<Block>,
    units: Vec<Unit>,
    /// The links that the text defines, each with where and its name, in order.
    definitions: Vec<(usize, String, String)>,
    /// Bytes that were read, again or for the first time.
    #[cfg(test)]
    read: usize,
}

impl Blocks {
    /// The blocks of a whole text.
    pub(crate) fn new(text: impl Into<String>) -> Self {
        let mut blocks = Self {
            text: text.into(),
            ..Self::default()
        };
        blocks.read_from(0);
        blocks
    }

    /// A text in which nothing is a mark: it has no blocks.
    pub(crate) fn unread(text: String) -> Self {
        Self {
            text,
            ..Self::default()
        }
    }

    /// The text.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The blocks, in order.
    pub(crate) fn all(&self) -> &[Block] {
        &self.blocks
    }

    /// Appends to the text. Reads again from the last unit that began before the last line: what that line is, and
    /// whether it goes on with the unit before it, may change while it grows.
    pub(crate) fn append(&mut self, more: &str) {
        let last_line = parse::last_line(&self.text);
        self.text.push_str(more);
        let settled = self.units.partition_point(|unit| unit.line < last_line);
        let mut from = settled.saturating_sub(1);
        // What its second line makes a table belongs to the paragraph before it where that line goes on otherwise.
        let lines = self
            .units
            .get(from)
            .map(|unit| self.text[unit.line..last_line].lines());
        if from > 0 && lines.is_some_and(|lines| lines.count() == 1) {
            from -= 1;
        }
        self.read_from(from);
    }

    /// Reads from a unit to the end.
    fn read_from(&mut self, index: usize) {
        let before = self.addresses();
        if !self.go_on(index) {
            self.read_whole(index);
        }
        // A definition that came, or went on growing, changes the links before it.
        if index > 0 && !self.units[..index].iter().all(|unit| unit.labels.is_empty()) {
            let after = self.addresses();
            let changed = |label: &String| before.get(label) != after.get(label);
            if self.units[..index]
                .iter()
                .any(|unit| unit.labels.iter().any(changed))
            {
                self.read_whole(0);
            }
        }
    }

    /// The address of each link that has a name. The first definition of a name holds.
    fn addresses(&self) -> Definitions {
        let mut addresses = Definitions::new();
        for (_, name, address) in &self.definitions {
            addresses.entry(name.clone()).or_insert_with(|| address.clone());
        }
        addresses
    }

    /// Reads from the start of a unit.
    fn read_whole(&mut self, index: usize) {
        let unit = self.units.get(index).cloned().unwrap_or_default();
        self.units.truncate(index);
        self.blocks.truncate(unit.first_block);
        self.definitions.retain(|(at, ..)| *at < unit.start);
        let source = self.text[unit.start..].to_owned();
        let parsed = self.parse(&source, &unit);
        self.take(parsed, unit.first_block, |at| at + unit.start);
    }

    /// Reads on in the middle of a unit, where its lines each stand for themselves. `false` where that cannot be.
    fn go_on(&mut self, index: usize) -> bool {
        let Some((unit, body)) = self
            .units
            .get(index)
            .and_then(|unit| Some((unit.clone(), unit.body?)))
        else {
            return false;
        };
        let head = &self.text[body.head.0..body.head.1];
        let length = head.len();
        // A line feed behind it would belong to its carriage return.
        if head.ends_with('\r') {
            return false;
        }
        let source = format!("{head}{}", &self.text[body.at..]);
        let definitions = self
            .definitions
            .iter()
            .take_while(|(at, ..)| *at < body.at)
            .count();
        let later = self.definitions.split_off(definitions);
        let mut parsed = self.parse(&source, &Unit::default());
        let fits = |new: &Block| {
            self.blocks
                .get(unit.first_block)
                .is_some_and(|old| same_kind(old, new))
        };
        let new_body = parsed.units.first().and_then(|unit| unit.body);
        let (Some(new_body), true) = (new_body, parsed.blocks.first().is_some_and(fits)) else {
            self.definitions.extend(later);
            return false;
        };
        let place = |at: usize| (at + body.at).saturating_sub(length);
        let mut first = parsed.units.remove(0);
        let rest = parsed.blocks.split_off(1);
        self.units.truncate(index);
        self.blocks.truncate(unit.first_block + 1);
        if let (Some(old), Some(new)) = (self.blocks.last_mut(), parsed.blocks.pop()) {
            join(old, new, body.settled);
        }
        first.labels.extend(unit.labels.clone());
        self.units.push(Unit {
            labels: first.labels,
            body: Some(Body {
                head: body.head,
                at: place(new_body.at),
                settled: body.settled + new_body.settled,
            }),
            ..unit.clone()
        });
        parsed.blocks = rest;
        let first_block = unit.first_block;
        self.take(parsed, first_block, place);
        true
    }

    /// Parses a part of the text that begins with this unit.
    fn parse(&mut self, source: &str, unit: &Unit) -> Parsed {
        #[cfg(test)]
        {
            self.read += source.len();
        }
        parse::parse(source, unit.list, &self.addresses())
    }

    /// Takes what was read; `place` tells where in the text a place in it is.
    fn take(&mut self, parsed: Parsed, first_block: usize, place: impl Fn(usize) -> usize) {
        self.blocks.extend(parsed.blocks);
        self.units.extend(parsed.units.into_iter().map(|unit| Unit {
            start: place(unit.start),
            line: place(unit.line),
            first_block: unit.first_block + first_block,
            body: unit.body.map(|body| Body {
                head: (place(body.head.0), place(body.head.1)),
                at: place(body.at),
                ..body
            }),
            ..unit
        }));
        let definitions = parsed.definitions.into_iter();
        self.definitions
            .extend(definitions.map(|(at, name, address)| (place(at), name, address)));
    }
}

/// Whether a block goes on with another one.
fn same_kind(old: &Block, new: &Block) -> bool {
    matches!(
        (&old.kind, &new.kind),
        (Kind::Code { .. }, Kind::Code { .. }) | (Kind::Table(_), Kind::Table(_))
    )
}

/// Puts the lines of a block that were read again behind those that are settled.
fn join(old: &mut Block, new: Block, settled: usize) {
    match (&mut old.kind, new.kind) {
        (Kind::Code { text, .. }, Kind::Code { text: more, .. }) => {
            text.truncate(settled);
            text.push_str(&more);
        }
        (Kind::Table(table), Kind::Table(more)) => {
            table.rows.truncate(settled);
            table.rows.extend(more.rows);
        }
        _ => (),
    }
}
