//! Formulas, from LaTeX to styled text: signs for commands, exponents above the line and indices below it, letters in
//! italics. A command that is not known stays as it was written.
//!
//! One pass over the source by recursive descent; what is nested too deep stays source, too.

mod commands;
mod lines;
mod row;
mod symbols;
#[cfg(test)]
mod tests;

use super::block::{Inline, Look, Raised};
use row::{Class, Row};

/// Deepest nesting of groups that is read.
const DEEPEST: usize = 24;

/// The styled text of a formula. `display` is whether it stands for itself and may take several lines.
pub(super) fn typeset(source: &str, display: bool) -> Inline {
    let mut reader = Reader {
        rest: source,
        display,
        depth: 0,
    };
    let mut row = Row::default();
    while !reader.rest.is_empty() {
        reader.read(&mut row);
        reader.stray(&mut row);
    }
    row.finish()
}
struct Reader<'a> {
    rest: &'a str,
    display: bool,
    depth: usize,
}

impl<'a> Reader<'a> {
    /// Reads up to what ends a group, a cell or a row.
    fn read(&mut self, row: &mut Row) {
        while let Some(it) = self.rest.chars().next() {
            if it == '}' || it == '&' || self.is_end() {
                return;
            }
            self.atom(row);
        }
    }

    /// Takes what ends a group, a cell or a row where there is none.
    fn stray(&mut self, row: &mut Row) {
        if self.rest.starts_with("\\\\") {
            self.skip(2);
            row.push(if self.display { "\n" } else { " " }, Look::default());
        } else if self.rest.starts_with('&') {
            self.skip(1);
        } else if self.rest.starts_with('}') {
            self.skip(1);
            row.put("}", Class::Plain);
        } else if self.rest.starts_with('\\') {
            self.take_command(row);
        }
    }

    /// Whether a row, an environment or a bracket ends here.
    fn is_end(&self) -> bool {
        self.rest.starts_with("\\\\") || self.rest.starts_with("\\end{") || self.command() == Some("right")
    }

    /// The name of the command here.
    fn command(&self) -> Option<&'a str> {
        let name = self.rest.strip_prefix('\\')?;
        let letters = name
            .find(|it: char| !it.is_ascii_alphabetic())
            .unwrap_or(name.len());
        let one = name.chars().next().map_or(0, char::len_utf8);
        Some(&name[..letters.max(one)])
    }

    fn skip(&mut self, bytes: usize) {
        self.rest = &self.rest[bytes..];
    }

    /// Reads one sign, command or group.
    fn atom(&mut self, row: &mut Row) {
        let Some(it) = self.rest.chars().next() else {
            return;
        };
        match it {
            '\\' => self.take_command(row),
            '{' => {
                let part = self.group();
                let class = part.last.map_or(Class::Open, |_| Class::Plain);
                row.append(part, class);
            }
            '^' | '_' => self.script(row, it),
            '\'' => {
                self.skip(1);
                row.push("′", Look::default());
            }
            '~' => {
                self.skip(1);
                row.push(" ", Look::default());
            }
            _ if it.is_whitespace() => self.skip(it.len_utf8()),
            _ => {
                self.skip(it.len_utf8());
                let (sign, class) = symbols::sign(it);
                let look = Look {
                    italic: it.is_ascii_alphabetic(),
                    ..Look::default()
                };
                row.put_styled(sign.encode_utf8(&mut [0; 4]), class, look);
            }
        }
    }

    /// `^` or `_` and what it raises or lowers.
    fn script(&mut self, row: &mut Row, mark: char) {
        self.skip(1);
        let part = self.argument();
        let text = part.text();
        match (mark, text.as_str()) {
            ('^', "◦") => row.push("°", Look::default()),
            ('^', "′") => row.push("′", Look::default()),
            ('^', _) => row.raise(part, Raised::Up),
            _ => row.raise(part, Raised::Down),
        }
    }

    /// A group, without its braces.
    fn group(&mut self) -> Row {
        let mut row = Row::default();
        self.skip(1);
        if self.depth >= DEEPEST {
            let end = closing(self.rest);
            row.put(&self.rest[..end], Class::Plain);
            self.skip(end);
        } else {
            self.depth += 1;
            loop {
                self.read(&mut row);
                // A cell or a row ends in a group that holds none.
                match self.rest.chars().next() {
                    None | Some('}') => break,
                    Some('&') => self.skip(1),
                    Some(_) if self.rest.starts_with("\\\\") => {
                        self.skip(2);
                        row.blank();
                    }
                    Some(_) => break,
                }
            }
            self.depth -= 1;
        }
        if self.rest.starts_with('}') {
            self.skip(1);
        }
        row
    }

    /// What a command takes: a group, a command or one sign.
    fn argument(&mut self) -> Row {
        self.rest = self.rest.trim_start();
        let mut row = Row::default();
        if self.rest.starts_with('{') {
            return self.group();
        }
        if !self.is_end() && !self.rest.starts_with(['}', '&', '^', '_']) && self.depth < DEEPEST {
            self.depth += 1;
            self.atom(&mut row);
            self.depth -= 1;
        }
        row
    }

    /// What stands in a group, as it was written.
    fn words(&mut self) -> &'a str {
        self.rest = self.rest.trim_start();
        let Some(body) = self.rest.strip_prefix('{') else {
            return "";
        };
        let end = closing(body);
        self.skip((1 + end + 1).min(self.rest.len()));
        &body[..end]
    }
}

/// Where the brace is that closes a group, from behind the one that opened it; the end where there is none.
fn closing(body: &str) -> usize {
    let mut depth = 0usize;
    let mut escaped = false;
    for (at, it) in body.char_indices() {
        match it {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '{' => depth += 1,
            '}' if depth == 0 => return at,
            '}' => depth -= 1,
            _ => (),
        }
    }
    body.len()
}
