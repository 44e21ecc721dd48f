//! What each command of a formula does.

use super::super::block::{Face, Look, Raised};
use super::row::{Class, Row};
use super::{DEEPEST, Reader, closing, symbols, typeset};

impl<'a> Reader<'a> {
    pub(super) fn take_command(&mut self, row: &mut Row) {
        let name = self.command().unwrap_or_default();
        let written = self.rest;
        self.skip(1 + name.len());
        if let Some((sign, class)) = symbols::command(name) {
            return row.put(sign, class);
        }
        match name {
            "frac" | "dfrac" | "tfrac" | "cfrac" => {
                let (above, below) = (self.argument(), self.argument());
                match symbols::fraction(&above.text(), &below.text()) {
                    Some(sign) => row.put(sign, Class::Plain),
                    None => {
                        let mut part = above.in_brackets();
                        part.push("/", Look::default());
                        part.append(below.in_brackets(), Class::Plain);
                        row.append(part, Class::Plain);
                    }
                }
            }
            "binom" | "dbinom" | "tbinom" => {
                let (above, below) = (self.argument(), self.argument());
                let mut part = Row::default();
                part.put("C(", Class::Open);
                part.append(above, Class::Plain);
                part.put(",", Class::Comma);
                part.append(below, Class::Plain);
                part.put(")", Class::Plain);
                row.append(part, Class::Plain);
            }
            "sqrt" => self.root(row),
            "text" | "textrm" | "mbox" | "textnormal" | "textit" | "textbf" | "texttt" => {
                let look = Look {
                    bold: name == "textbf",
                    italic: name == "textit",
                    ..Look::default()
                };
                let words = self.words();
                row.space_before(Class::Plain);
                row.push(words, look);
                row.last = Some(Class::Plain);
            }
            "mathrm" | "operatorname" | "mathsf" | "mathtt" => {
                self.rest = self.rest.strip_prefix('*').unwrap_or(self.rest);
                let class = if name == "operatorname" {
                    Class::Name
                } else {
                    Class::Plain
                };
                let part = restyle(self.argument(), |look| look.italic = false);
                row.append(part, class);
            }
            // Sets with a double stroke and arrows over vectors are missing from the fonts; both are bold in print, too.
            "mathbf" | "mathbb" | "boldsymbol" | "bm" | "bold" | "pmb" | "vec" | "overrightarrow" => {
                let part = restyle(self.argument(), |look| (look.bold, look.italic) = (true, false));
                row.append(part, Class::Plain);
            }
            "mathcal" | "mathscr" | "mathfrak" | "mathit" | "displaystyle" | "textstyle" | "limits"
            | "nolimits" | "big" | "Big" | "bigl" | "bigr" | "Bigl" | "Bigr" | "bigg" | "Bigg" | "biggl"
            | "biggr" | "middle" | "left" | "right" | "tag" | "label" | "hline" | "nonumber" | "notag" => {
                self.layout(row, name);
            }
            "begin" => self.environment(row),
            "not" => {
                let part = self.argument();
                let class = part.last.unwrap_or(Class::Relation);
                row.put(&symbols::negated(&part.text()), class);
            }
            "pmod" | "bmod" | "mod" => {
                row.put("mod", Class::Name);
                if name == "pmod" {
                    let part = self.argument();
                    row.append(part, Class::Plain);
                }
            }
            "underbrace" | "overbrace" | "boxed" | "phantom" | "mathop" | "mathrel" | "mathbin" => {
                let part = self.argument();
                row.append(part, Class::Plain);
            }
            "stackrel" | "overset" | "underset" => {
                let (beside, part) = (self.argument(), self.argument());
                let class = part.last.unwrap_or(Class::Plain);
                row.append(part, class);
                row.raise(
                    beside,
                    if name == "underset" {
                        Raised::Down
                    } else {
                        Raised::Up
                    },
                );
            }
            _ => match symbols::accent(name) {
                Some(accent) => {
                    let part = self.argument();
                    row.append(accented(part, accent), Class::Plain);
                }
                None => self.unknown(row, written, name),
            },
        }
    }

    /// Commands that only say how large or in which letters something is set.
    fn layout(&mut self, row: &mut Row, name: &str) {
        match name {
            "tag" | "label" => {
                let words = self.words();
                if name == "tag" {
                    row.push(&format!("  ({words})"), Look::default());
                }
            }
            "left" => {
                self.delimiter(row, Class::Open);
                self.depth += 1;
                if self.depth < DEEPEST {
                    self.read(row);
                }
                self.depth -= 1;
                if self.command() == Some("right") {
                    self.skip("\\right".len());
                    self.delimiter(row, Class::Plain);
                }
            }
            "right" => self.delimiter(row, Class::Plain),
            _ => (),
        }
    }

    /// The bracket after `\left` or `\right`; a point is none.
    fn delimiter(&mut self, row: &mut Row, class: Class) {
        self.rest = self.rest.trim_start();
        let mut part = Row::default();
        if self.rest.starts_with('.') {
            self.skip(1);
            return;
        }
        if let Some(it) = self.rest.chars().next().filter(|it| !"\\{}^_&".contains(*it)) {
            self.skip(it.len_utf8());
            part.put(&it.to_string(), class);
        } else if self.rest.starts_with('\\') {
            self.take_command(&mut part);
        }
        row.append(part, class);
    }

    /// A root, with its degree before it.
    fn root(&mut self, row: &mut Row) {
        let mut part = Row::default();
        if let Some(body) = self.rest.trim_start().strip_prefix('[')
            && let Some(end) = body.find(']')
        {
            let degree = typeset(&body[..end], false);
            let spans = degree.spans;
            part.raise(Row { spans, last: None }, Raised::Up);
            self.rest = &body[end + 1..];
        }
        part.push("√", Look::default());
        let body = self.argument().in_brackets();
        for span in body.spans {
            part.push(&span.text, span.look);
        }
        row.append(part, Class::Plain);
    }

    /// A command that is not known stays as it was written, with what it takes.
    fn unknown(&mut self, row: &mut Row, written: &'a str, name: &str) {
        let mut length = 1 + name.len();
        while let Some(body) = written[length..].strip_prefix('{') {
            length = (length + 1 + closing(body) + 1).min(written.len());
        }
        self.rest = &written[length..];
        let look = Look {
            face: Face::Code,
            ..Look::default()
        };
        row.put_styled(&written[..length], Class::Plain, look);
    }
}

fn restyle(mut row: Row, change: impl Fn(&mut Look)) -> Row {
    row.spans.iter_mut().for_each(|span| change(&mut span.look));
    row
}

/// Puts an accent over a sign, or over each letter of a line.
fn accented(part: Row, accent: char) -> Row {
    let text = part.text();
    let is_line = accent == '\u{305}' || accent == '\u{332}';
    if text.chars().count() > 1 && !is_line {
        let mut row = part.in_brackets();
        row.push(&accent.to_string(), Look::default());
        return row;
    }
    let mut part = part;
    for span in &mut part.spans {
        span.text = span.text.chars().flat_map(|it| [it, accent]).collect();
    }
    part
}
