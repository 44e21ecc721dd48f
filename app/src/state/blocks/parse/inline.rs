//! What stands in a block: text with its formulas, code, HTML, links by name and pictures.

use std::ops::Range;

use pulldown_cmark::LinkType;

use super::super::block::{Frame, Kind};
use super::super::mask::Formula;
use super::super::maths;
use super::events::{Builder, Inside};
use super::label;

impl Builder<'_> {
    /// A picture that is in the address itself is shown. Any other is a link: nothing is fetched.
    pub(super) fn close_picture(&mut self) {
        let Some((text, data)) = self.picture.take() else {
            return;
        };
        let is_here = data
            .get(..11)
            .is_some_and(|start| start.eq_ignore_ascii_case("data:image/"));
        if is_here && matches!(self.inside, Inside::Text) {
            self.split(Kind::Picture { text, data });
        } else {
            let name = if text.trim().is_empty() {
                "picture"
            } else {
                text.trim()
            };
            let shown = format!("[{name}]");
            let writer = self.writer();
            // In a link it belongs to that one.
            if is_here || writer.look.link.is_some() {
                writer.push(&shown);
            } else {
                writer.open_link(data);
                writer.push(&shown);
                writer.close();
            }
        }
    }

    /// The address of a link with this name.
    pub(super) fn named(&mut self, kind: LinkType, id: &str) -> Option<String> {
        let is_named = matches!(
            kind,
            LinkType::Reference
                | LinkType::ReferenceUnknown
                | LinkType::Collapsed
                | LinkType::CollapsedUnknown
                | LinkType::Shortcut
                | LinkType::ShortcutUnknown
        );
        if !is_named {
            return None;
        }
        let label = label(id);
        let address = (self.address)(&label);
        if let Some(unit) = self.units.last_mut()
            && !unit.labels.contains(&label)
        {
            unit.labels.push(label);
        }
        address
    }

    /// Text as it stands in the source, with its formulas.
    pub(super) fn literal(&mut self, text: &str, place: Range<usize>) {
        // What the parser took out of the source, such as an entity, has no hole in it.
        let source = self.source;
        let text = if text.len() == place.len() {
            &source[place.clone()]
        } else {
            text
        };
        match &mut self.inside {
            Inside::Code { text: code, .. } => {
                self.pieces.push((place, text.len()));
                code.push_str(text);
            }
            Inside::Html(html) => html.push_str(text),
            _ => self.prose(text, place),
        }
    }

    fn prose(&mut self, text: &str, place: Range<usize>) {
        if let Some((alternative, _)) = &mut self.picture {
            alternative.push_str(text);
            return;
        }
        let first = self
            .masked
            .formulas
            .partition_point(|it| it.place.end <= place.start);
        let mut at = place.start;
        let (source, masked) = (self.source, self.masked);
        for formula in &masked.formulas[first..] {
            if formula.place.start >= place.end {
                break;
            }
            self.writer().push(&source[at..formula.place.start.max(at)]);
            self.formula(formula);
            at = formula.place.end;
        }
        if at == place.start {
            self.writer().push(text);
        } else if at < place.end {
            self.writer().push(&source[at..place.end]);
        }
    }

    fn formula(&mut self, formula: &Formula) {
        let quotes = self.frames.iter().filter(|frame| **frame == Frame::Quote).count();
        let source = unquoted(&self.source[formula.inner.clone()], quotes);
        let display = formula.display && matches!(self.inside, Inside::Text);
        let text = maths::typeset(&source, display);
        if display {
            self.split(Kind::Maths { source, text });
        } else {
            self.writer().push_styled(&text);
        }
    }

    /// Inline code. The parser's own words are right unless it saw a hole.
    pub(super) fn inline_code(&self, text: &str, place: Range<usize>) -> String {
        if !text.contains('\u{1}') {
            return text.to_owned();
        }
        let code = self.source[place].trim_matches('`').replace(['\n', '\r'], " ");
        let inner = code.strip_prefix(' ').and_then(|code| code.strip_suffix(' '));
        inner
            .filter(|inner| !inner.trim().is_empty())
            .map_or_else(|| code.clone(), str::to_owned)
    }

    /// HTML is text, but a line break in it is one: nothing else makes one in a table.
    pub(super) fn html(&mut self, place: &Range<usize>) {
        let text = self.source[place.clone()].to_owned();
        let tag = text.trim_matches(['<', '>', '/', ' ']);
        if let Some((alternative, _)) = &mut self.picture {
            alternative.push_str(&text);
        } else if tag.eq_ignore_ascii_case("br") {
            self.writer().push("\n");
        } else {
            self.writer().push(&text);
        }
    }
}

/// The lines of a formula without the marks of the quotes around it.
fn unquoted(source: &str, quotes: usize) -> String {
    let mut lines = source.split('\n');
    let first = lines.next().unwrap_or_default().to_owned();
    let without = |line: &str| {
        let mut line = line;
        for _ in 0..quotes {
            line = line.trim_start_matches(' ').trim_start_matches('\t');
            line = line.strip_prefix('>').unwrap_or(line);
        }
        format!("\n{line}")
    };
    let text = lines.fold(first, |text, line| text + &without(line));
    text.trim().to_owned()
}
