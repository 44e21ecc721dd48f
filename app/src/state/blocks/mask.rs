//! Finds the formulas of a text and takes them out of the Markdown parser's sight: each becomes as many bytes that mean
//! nothing, so that every other byte keeps its place. What stands in a formula is never a mark, a cell or a list.
//!
//! Formulas are written `$…$`, `$$…$$`, `\(…\)`, `\[…\]` and `\begin{…}…\end{…}`. All of these are something else at
//! times: a price, an escaped bracket, a word. So each must look like a formula, too.

use std::borrow::Cow;
use std::ops::Range;

/// Stands for each byte of a formula.
const HOLE: u8 = 1;
/// Marks that say of a text that it is a formula.
const SURE: [char; 5] = ['\\', '^', '_', '{', '}'];
/// A word as long as this is prose, unless it is a command.
const WORD: usize = 3;

/// Environments that are formulas; those of matrices are told by their ends.
const ENVIRONMENTS: [&str; 9] = [
    "align", "aligned", "array", "cases", "equation", "gather", "gathered", "multline", "split",
];

/// A text without its formulas.
#[derive(Debug)]
pub(super) struct Masked<'a> {
    /// The text with holes.
    pub(super) text: Cow<'a, str>,
    /// What was in the holes, in order.
    pub(super) formulas: Vec<Formula>,
    /// Where code seemed to stand. The parser knows better; see [`super::parse`].
    pub(super) code: Vec<Range<usize>>,
}

/// A formula in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Formula {
    /// Where it stands, with its marks.
    pub(super) place: Range<usize>,
    /// Where it stands without them.
    pub(super) inner: Range<usize>,
    /// Whether it stands for itself.
    pub(super) display: bool,
}

/// Masks the formulas of a text.
pub(super) fn mask(text: &str) -> Masked<'_> {
    let mut scan = Scan {
        text,
        at: 0,
        paragraph: 0,
        block: 0,
        unclosed: [0; 3],
        formulas: Vec::new(),
        code: Vec::new(),
    };
    if text.contains('$') || text.contains("\\(") || text.contains("\\[") || text.contains("\\begin{") {
        scan.run();
    }
    let mut masked = Cow::Borrowed(text);
    for formula in &scan.formulas {
        let hole = String::from(char::from(HOLE)).repeat(formula.place.len());
        masked.to_mut().replace_range(formula.place.clone(), &hole);
    }
    Masked {
        text: masked,
        formulas: scan.formulas,
        code: scan.code,
    }
}

struct Scan<'a> {
    text: &'a str,
    at: usize,
    /// Where the paragraph ends that was looked at last.
    paragraph: usize,
    /// Where the block ends at the latest that was looked at last.
    block: usize,
    /// Up to here no `$$` is closed, no `\(` and no `\[`.
    unclosed: [usize; 3],
    formulas: Vec<Formula>,
    code: Vec<Range<usize>>,
}

impl<'a> Scan<'a> {
    fn run(&mut self) {
        while self.at < self.text.len() {
            let line = self.rest_of_line(self.at);
            let body = line.trim_start_matches(is_prefix);
            match fence(body) {
                Some((mark, length)) => self.skip_fence(mark, length),
                None => self.line(),
            }
        }
    }

    fn rest_of_line(&self, from: usize) -> &'a str {
        let rest = &self.text[from..];
        rest.split_inclusive('\n').next().unwrap_or(rest)
    }

    /// Passes over a fenced code block.
    fn skip_fence(&mut self, mark: char, length: usize) {
        let start = self.at;
        self.at += self.rest_of_line(self.at).len();
        while self.at < self.text.len() {
            let line = self.rest_of_line(self.at);
            self.at += line.len();
            let body = line.trim_matches(|it: char| it.is_whitespace() || it == '>');
            if body.len() >= length && body.trim_start_matches(mark).is_empty() {
                break;
            }
        }
        self.code.push(start..self.at);
    }

    /// Takes one line, or as many as its formulas and its code go over.
    fn line(&mut self) {
        // Whether nothing but markers came before.
        let mut first = true;
        while let Some(it) = self.text[self.at..].chars().next() {
            let rest = &self.text[self.at..];
            match it {
                '\n' => {
                    self.at += 1;
                    return;
                }
                '`' => {
                    let length = self.inline_code(rest);
                    self.code.push(self.at..self.at + length);
                    self.at += length;
                }
                '$' | '\\' => match self.formula(rest, first) {
                    Some(formula) => {
                        self.at = formula.place.end;
                        self.formulas.push(formula);
                    }
                    None => self.at += 1 + usize::from(it == '\\' && rest[1..].starts_with(escapes)),
                },
                ']' if rest.starts_with("](") => self.at += 2 + address(&rest[2..]),
                'h' | 'w' if !first && !self.is_after_space() => self.at += 1,
                'h' | 'w' if rest.starts_with("http") || rest.starts_with("www.") => {
                    self.at += rest.find(|it: char| it.is_whitespace()).unwrap_or(rest.len());
                }
                _ => self.at += it.len_utf8(),
            }
            first = first && is_prefix(it);
        }
    }

    fn is_after_space(&self) -> bool {
        self.text[..self.at].ends_with(|it: char| it.is_whitespace() || "(<".contains(it))
    }

    /// Where the paragraph ends that `self.at` is in: at a blank line or with the text.
    fn end_of_paragraph(&mut self) -> usize {
        if self.paragraph <= self.at {
            self.paragraph = self.next_line_that(is_blank);
        }
        self.paragraph
    }

    /// Where the block that `self.at` is in ends at the latest.
    fn end_of_block(&mut self) -> usize {
        if self.block <= self.at {
            let line = &self.text[..self.at + self.rest_of_line(self.at).len()];
            let line = &line[line.trim_end().rfind('\n').map_or(0, |end| end + 1)..];
            // A heading, or a row of a table.
            let stands_alone = line.trim_start_matches(is_prefix).starts_with('#') || line.contains('|');
            self.block = self.next_line_that(|next| stands_alone || is_blank(next) || may_begin_block(next));
        }
        self.block
    }

    /// The start of the first line behind this one that is as asked, or the end of the text.
    fn next_line_that(&self, is_asked_for: impl Fn(&str) -> bool) -> usize {
        let mut end = self.at + self.rest_of_line(self.at).len();
        while end < self.text.len() {
            let line = self.rest_of_line(end);
            if is_asked_for(line) {
                break;
            }
            end += line.len();
        }
        end
    }

    /// Length of inline code, or of the backticks that open none. What may be another block is not looked at: what stands
    /// there never changes what came before.
    fn inline_code(&mut self, rest: &str) -> usize {
        let length = rest.len() - rest.trim_start_matches('`').len();
        let end = self.end_of_block() - self.at;
        let mut at = length;
        while let Some(next) = rest[at..end].find('`') {
            let run = rest[at + next..].len() - rest[at + next..].trim_start_matches('`').len();
            at += next + run;
            if run == length {
                return at;
            }
        }
        length
    }

    /// A formula that begins here; `first` is whether it is the first thing in its line. Only such a one goes over several
    /// lines, and takes the rest of a paragraph that is still being written: so a formula never reaches back over what
    /// was another block before.
    fn formula(&mut self, rest: &str, first: bool) -> Option<Formula> {
        let paragraph = self.end_of_paragraph() - self.at;
        let is_written = first && self.at + paragraph == self.text.len();
        let end = if first && !rest.starts_with("\\(") {
            paragraph
        } else {
            self.rest_of_line(self.at).len()
        };
        let (open, close, kind) = [("$$", "$$", 0), ("\\(", "\\)", 1), ("\\[", "\\]", 2)]
            .into_iter()
            .find(|(open, ..)| rest.starts_with(open))
            .unwrap_or_default();
        match open {
            "" if rest.starts_with('$') => return self.in_line(rest),
            "" if first => return self.environment(rest, end, is_written),
            "" => return None,
            _ if self.at + end <= self.unclosed[kind] => return None,
            _ => (),
        }
        let display = kind != 1;
        let body = &rest[open.len()..end];
        let (inner, is_whole) = match body.find(close) {
            Some(inner) => (inner, true),
            None if display && is_written => (body.len(), false),
            None => {
                self.unclosed[kind] = self.at + end;
                return None;
            }
        };
        let text = &body[..inner];
        let is_formula = match open {
            _ if !is_whole => true,
            "$$" => !text.trim().is_empty(),
            "\\(" => text.contains(SURE) || !is_prose(text, WORD),
            _ => text.contains(SURE),
        };
        is_formula.then(|| self.found(open.len(), inner, close.len(), display))
    }

    /// `$…$`: one line, tight inside, no letter or digit outside (as in pandoc), and no prose.
    fn in_line(&self, rest: &str) -> Option<Formula> {
        let body = &rest[1..];
        let body = &body[..body.find('\n').unwrap_or(body.len())];
        let mut inner = body.find('$')?;
        while body[..inner].ends_with('\\') {
            inner += 1 + body[inner + 1..].find('$')?;
        }
        let (text, after) = (&body[..inner], &body[inner + 1..]);
        let before = self.text[..self.at].chars().next_back();
        let is_tight = !text.is_empty() && text.trim() == text;
        let is_alone = !before.is_some_and(|it| it.is_alphanumeric() || it == '$')
            && !after.starts_with(|it: char| it.is_alphanumeric() || it == '$');
        let is_formula = text.contains(SURE) || !is_prose(text, WORD);
        (is_tight && is_alone && is_formula).then(|| self.found(1, inner, 1, false))
    }

    /// `\begin{align}` to its `\end`.
    fn environment(&self, rest: &str, end: usize, is_written: bool) -> Option<Formula> {
        let name = rest.strip_prefix("\\begin{")?;
        let name = &name[..name.find('}')?];
        let is_maths = name.ends_with("matrix") || ENVIRONMENTS.contains(&name.trim_end_matches('*'));
        let close = format!("\\end{{{name}}}");
        let inner = match rest[..end].find(&close) {
            Some(inner) => inner + close.len(),
            None if is_written => end,
            None => return None,
        };
        is_maths.then(|| self.found(0, inner, 0, true))
    }

    fn found(&self, open: usize, inner: usize, close: usize, display: bool) -> Formula {
        let inner = self.at + open..self.at + open + inner;
        let end = (inner.end + close).min(self.text.len());
        Formula {
            place: self.at..end,
            inner,
            display,
        }
    }
}

/// What may stand in a line before its text: space, quotes, markers of items.
fn is_prefix(it: char) -> bool {
    it.is_whitespace() && it != '\n' || it.is_ascii_digit() || ">-*+.)".contains(it)
}

/// Whether a line has no text. A last line without its end may still get some.
fn is_blank(line: &str) -> bool {
    let text = line.trim_matches(|it: char| it.is_whitespace() || it == '>');
    text.is_empty() && line.ends_with('\n')
}

/// Whether a line may begin a block, or end one as the line under a heading does. Some that do not look so, too.
fn may_begin_block(line: &str) -> bool {
    let body = line.trim_start();
    let has_mark = body.starts_with(|it: char| "#>-+*=_<:".contains(it) || it.is_ascii_digit());
    has_mark || body.starts_with("[^") || body.contains('|') || fence(body).is_some()
}

/// The mark and the length of a fence that opens here.
pub(super) fn fence(body: &str) -> Option<(char, usize)> {
    let mark = body.chars().next().filter(|it| matches!(it, '`' | '~'))?;
    let info = body.trim_start_matches(mark);
    let length = body.len() - info.len();
    (length >= 3 && !(mark == '`' && info.contains('`'))).then_some((mark, length))
}

/// What a backslash before it escapes.
fn escapes(it: char) -> bool {
    it.is_ascii_punctuation()
}

/// Length of a link's address up to its closing bracket, in its line.
fn address(rest: &str) -> usize {
    let mut depth = 0usize;
    for (at, it) in rest.char_indices() {
        match it {
            '(' => depth += 1,
            ')' if depth == 0 => return at + 1,
            ')' => depth -= 1,
            _ if it.is_whitespace() => return at,
            _ => (),
        }
    }
    rest.len()
}

/// Whether a text has a word: so many letters side by side, not all of them capitals as in a triangle's name.
fn is_prose(text: &str, letters: usize) -> bool {
    text.split(|it: char| !it.is_alphabetic())
        .any(|word| word.chars().count() >= letters && word.chars().any(char::is_lowercase))
}

#[cfg(test)]
mod tests;
