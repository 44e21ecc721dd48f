//! Takes the parser's events one by one and puts blocks together.

use std::ops::Range;

use pulldown_cmark::{Alignment, BlockQuoteKind, CodeBlockKind, Event, LinkType, Tag, TagEnd};

use super::super::block::{Block, Face, Frame, Inline, Kind, Marker, Side, Table};
use super::super::mask::Masked;
use super::super::text::Writer;
use super::{List, Unit};

/// Where to read on, and the list that goes on there.
pub(super) type Cut = (usize, Option<List>);

/// Blocks in the making.
pub(super) struct Builder<'a> {
    pub(super) source: &'a str,
    pub(super) masked: &'a Masked<'a>,
    /// The list that goes on at the start of the text.
    pub(super) list_before: Option<List>,
    /// The address of a link that has a name.
    pub(super) address: &'a dyn Fn(&str) -> Option<String>,
    pub(super) blocks: Vec<Block>,
    pub(super) units: Vec<Unit>,
    /// How deep in blocks the next event is.
    pub(super) depth: usize,
    /// Where the last unit ended.
    pub(super) end: usize,
    pub(super) frames: Vec<Frame>,
    /// The lists around, the outermost first.
    pub(super) lists: Vec<List>,
    /// The text that is being written, if one is.
    pub(super) text: Option<Writer>,
    pub(super) inside: Inside,
    pub(super) table: Table,
    /// The pieces of the code or the rows of the table: where each stands, and what it adds.
    pub(super) pieces: Vec<(Range<usize>, usize)>,
    /// The alternative text of a picture and its address.
    pub(super) picture: Option<(String, String)>,
}

/// The block whose events come.
#[derive(Debug)]
pub(super) enum Inside {
    Text,
    Heading,
    Code { language: String, text: String },
    Html(String),
    TableHead,
    TableRow,
}

impl<'a> Builder<'a> {
    pub(super) fn new(
        source: &'a str,
        masked: &'a Masked<'a>,
        list_before: Option<List>,
        address: &'a dyn Fn(&str) -> Option<String>,
    ) -> Self {
        Self {
            source,
            masked,
            list_before,
            address,
            blocks: Vec::new(),
            units: Vec::new(),
            depth: 0,
            end: 0,
            frames: Vec::new(),
            lists: Vec::new(),
            text: None,
            inside: Inside::Text,
            table: Table::default(),
            pieces: Vec::new(),
            picture: None,
        }
    }

    pub(super) fn finish(mut self) -> (Vec<Block>, Vec<Unit>) {
        self.flush();
        (self.blocks, self.units)
    }

    /// Takes an event with its place. Gives where to read on instead, if the formulas before this place were looked for
    /// in the wrong way.
    pub(super) fn take(&mut self, event: Event<'_>, place: Range<usize>) -> Option<Cut> {
        match event {
            Event::Start(tag) => {
                if is_block(&tag) {
                    let cut = self.begin_unit(&tag, place.start);
                    self.depth += 1;
                    if cut.is_some() {
                        return cut;
                    }
                }
                self.start(tag, place);
            }
            Event::End(tag) => {
                if is_block_end(tag) {
                    self.depth -= 1;
                }
                self.close(tag, &place);
            }
            Event::Text(text) => self.literal(&text, place),
            Event::Code(text) => {
                let text = self.inline_code(&text, place);
                self.writer().push_in(Face::Code, &text);
            }
            Event::InlineHtml(_) => self.html(&place),
            Event::Html(text) => self.literal(&text, place),
            Event::FootnoteReference(label) => {
                let text = format!("[^{label}]");
                self.writer().push(&text);
            }
            Event::SoftBreak | Event::HardBreak => {
                if let Some((alternative, _)) = &mut self.picture {
                    alternative.push(' ');
                } else {
                    self.writer().push("\n");
                }
            }
            Event::Rule => {
                let cut = self.begin_unit(&Tag::Paragraph, place.start);
                if cut.is_some() {
                    return cut;
                }
                self.flush();
                self.put(Kind::Rule);
                self.end_unit(&place);
            }
            Event::TaskListMarker(done) => {
                if let Some(Frame::Item { marker, .. }) = self.frames.last_mut() {
                    *marker = Marker::Task(done);
                }
            }
            // Not asked for: formulas are found elsewhere.
            Event::InlineMath(_) | Event::DisplayMath(_) => (),
        }
        None
    }

    fn start(&mut self, tag: Tag<'_>, place: Range<usize>) {
        match tag {
            Tag::Paragraph => self.flush(),
            Tag::Heading { .. } => {
                self.flush();
                self.inside = Inside::Heading;
                self.text = Some(Writer::default());
            }
            Tag::BlockQuote(kind) => {
                self.flush();
                self.frames.push(Frame::Quote);
                if let Some(kind) = kind {
                    self.writer().look.bold = true;
                    self.writer().push(name_of(kind));
                    self.flush();
                }
            }
            Tag::CodeBlock(kind) => {
                self.flush();
                let language = match &kind {
                    CodeBlockKind::Fenced(info) => info.split_whitespace().next().unwrap_or(""),
                    CodeBlockKind::Indented => "",
                };
                self.pieces.clear();
                self.inside = Inside::Code {
                    language: language.to_owned(),
                    text: String::new(),
                };
            }
            Tag::HtmlBlock => {
                self.flush();
                self.inside = Inside::Html(String::new());
            }
            Tag::List(first) => {
                self.flush();
                let before = self
                    .list_before
                    .take()
                    .filter(|_| self.depth == 1 && self.units.is_empty());
                let mark = self.mark_of_item(place.start);
                self.lists.push(match before {
                    Some(before) if before.mark == mark => before,
                    _ => List { mark, number: first },
                });
            }
            Tag::Item => {
                self.flush();
                let number = self.lists.last_mut().and_then(|list| {
                    let number = list.number?;
                    list.number = Some(number.saturating_add(1));
                    Some(number)
                });
                let marker = number.map_or(Marker::Bullet, |number| Marker::Number(format!("{number}.")));
                self.frames.push(Frame::Item { marker, first: true });
            }
            Tag::FootnoteDefinition(label) => {
                self.flush();
                let marker = Marker::Note(label.to_string());
                self.frames.push(Frame::Item { marker, first: true });
            }
            Tag::Table(columns) => {
                self.flush();
                self.pieces.clear();
                self.table = Table {
                    columns: columns.into_iter().map(side).collect(),
                    ..Table::default()
                };
            }
            Tag::TableHead => self.inside = Inside::TableHead,
            Tag::TableRow => {
                self.inside = Inside::TableRow;
                self.pieces.push((place, 1));
                self.table.rows.push(Vec::new());
            }
            Tag::TableCell => self.text = Some(Writer::default()),
            Tag::Emphasis => self.writer().open(|look| look.italic = true),
            Tag::Strong => self.writer().open(|look| look.bold = true),
            // One tilde is more often "about" than a mark.
            Tag::Strikethrough if self.source[place.clone()].starts_with("~~") => {
                self.writer().open(|look| look.strike = true);
            }
            Tag::Strikethrough => {
                self.writer().push("~");
                self.writer().open(|_| ());
            }
            Tag::Link {
                link_type,
                dest_url,
                id,
                ..
            } => {
                let named = self.named(link_type, &id);
                let address = named.unwrap_or_else(|| dest_url.to_string());
                let mail = if link_type == LinkType::Email {
                    "mailto:"
                } else {
                    ""
                };
                self.writer().open_link(format!("{mail}{address}"));
            }
            Tag::Image {
                link_type,
                dest_url,
                id,
                ..
            } => {
                let named = self.named(link_type, &id);
                self.picture = Some((String::new(), named.unwrap_or_else(|| dest_url.to_string())));
            }
            // The options ask for nothing else.
            _ => (),
        }
    }

    fn close(&mut self, tag: TagEnd, place: &Range<usize>) {
        match tag {
            TagEnd::Paragraph => self.flush(),
            TagEnd::Heading(level) => self.close_heading(level as u8, place),
            TagEnd::BlockQuote(_) => {
                self.flush();
                self.frames.pop();
            }
            TagEnd::CodeBlock => {
                self.note_code(place);
                if let Inside::Code { language, text } = std::mem::replace(&mut self.inside, Inside::Text) {
                    self.put(Kind::Code { language, text });
                }
            }
            TagEnd::HtmlBlock => {
                if let Inside::Html(text) = std::mem::replace(&mut self.inside, Inside::Text) {
                    let mut writer = Writer::default();
                    writer.push(text.trim_end());
                    self.put(Kind::Paragraph(writer.finish_html()));
                }
            }
            TagEnd::List(_) => {
                self.flush();
                self.lists.pop();
            }
            TagEnd::Item | TagEnd::FootnoteDefinition => {
                self.flush();
                if let Some(Frame::Item { first: true, .. }) = self.frames.last() {
                    self.put(Kind::Paragraph(Inline::default()));
                }
                self.frames.pop();
            }
            TagEnd::Table => {
                self.note_body(place, 2);
                let table = std::mem::take(&mut self.table);
                self.put(Kind::Table(table));
            }
            TagEnd::TableHead | TagEnd::TableRow => self.inside = Inside::Text,
            TagEnd::TableCell => {
                let cell = self.text.take().unwrap_or_default().finish();
                match (&self.inside, self.table.rows.last_mut()) {
                    (Inside::TableHead, _) => self.table.head.push(cell),
                    (_, Some(row)) => row.push(cell),
                    (_, None) => (),
                }
            }
            TagEnd::Strikethrough if !self.source[place.clone()].starts_with("~~") => {
                self.writer().close();
                self.writer().push("~");
            }
            TagEnd::Link => self.writer().close_link(),
            TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough => self.writer().close(),
            TagEnd::Image => self.close_picture(),
            _ => (),
        }
        self.end_unit(place);
    }

    /// An underlined heading of one or two dashes is a paragraph whose list has not come yet.
    fn close_heading(&mut self, level: u8, place: &Range<usize>) {
        self.inside = Inside::Text;
        let mut writer = self.text.take().unwrap_or_default();
        let source = self.source[place.clone()].trim_end();
        let underline = source.rsplit('\n').next().unwrap_or(source);
        let dashes = underline.trim_matches(|it: char| it.is_whitespace() || it == '>');
        if !source.trim_start().starts_with('#') && (dashes == "-" || dashes == "--") {
            writer.push("\n");
            writer.push(dashes);
            self.put(Kind::Paragraph(writer.finish()));
        } else {
            let text = writer.finish();
            self.put(Kind::Heading { level, text });
        }
    }

    pub(super) fn writer(&mut self) -> &mut Writer {
        self.text.get_or_insert_default()
    }

    /// Ends the text that is being written, as a paragraph.
    pub(super) fn flush(&mut self) {
        if let Some(writer) = self.text.take() {
            let text = writer.finish();
            if !text.is_empty() {
                self.put(Kind::Paragraph(text));
            }
        }
    }

    /// Puts a block into the middle of a paragraph.
    pub(super) fn split(&mut self, kind: Kind) {
        let rest = self.text.as_ref().map(Writer::fresh);
        self.flush();
        self.put(kind);
        self.text = rest;
    }

    pub(super) fn put(&mut self, kind: Kind) {
        self.blocks.push(Block {
            frames: self.frames.clone(),
            kind,
        });
        for frame in &mut self.frames {
            if let Frame::Item { first, .. } = frame {
                *first = false;
            }
        }
    }
}

fn side(alignment: Alignment) -> Side {
    match alignment {
        Alignment::None | Alignment::Left => Side::Left,
        Alignment::Center => Side::Middle,
        Alignment::Right => Side::Right,
    }
}

fn name_of(kind: BlockQuoteKind) -> &'static str {
    match kind {
        BlockQuoteKind::Note => "Note",
        BlockQuoteKind::Tip => "Tip",
        BlockQuoteKind::Important => "Important",
        BlockQuoteKind::Warning => "Warning",
        BlockQuoteKind::Caution => "Caution",
    }
}

fn is_block(tag: &Tag<'_>) -> bool {
    is_block_end(tag.to_end())
}

fn is_block_end(tag: TagEnd) -> bool {
    !matches!(
        tag,
        TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough | TagEnd::Link | TagEnd::Image
    )
}
