//! Rewrites the source of a template, so that the engine reads it as the reference implementation does.
//!
//! The reference is Jinja2 as Hugging Face's transformers sets it up. What differs and can be said in the engine's
//! own syntax is said so: the tag `generation`, loops over `None`, the line break behind `raw`, escapes in string
//! literals; and, for the marking render, which strings the template wrote. Lines keep their numbers, so that the
//! engine's errors name the right one. This is a scanner, not a parser: a template that is wrong stays wrong.

use std::ops::Range;

use super::failure::Failure;
use super::{literal, marks};

/// The largest source that is read. The largest real template has 18 kB.
pub(super) const MAX_SOURCE_BYTES: usize = 256 << 10;

/// The longest tag that is read. The engine's parser recurses by its length; the longest real tag has 58 tokens.
const MAX_TAG_TOKENS: usize = 4_000;

/// Function that a loop's value passes through, refusing `None`.
pub(super) const ITERATED: &str = "__iterated__";

/// Function that stands for the tag `generation`: it gives its body.
pub(super) const GENERATION: &str = "__generation__";

/// Filter that string literals pass through in the marking render.
pub(super) const LITERAL: &str = "__literal__";

/// Tags that chat templates cannot have: there are no other templates, and escaping carries the marks.
const REFUSED_TAGS: [&str; 5] = ["include", "import", "from", "extends", "autoescape"];

/// Whether string literals are to be told from data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Literals {
    Plain,
    Marked,
}

/// Rewrites a template.
///
/// # Errors
/// A refusal that names the line, for what is too large, for tags that chat templates cannot have, and for escapes
/// that stand for no text.
pub(super) fn rewrite(source: &str, literals: Literals) -> Result<String, Failure> {
    if source.len() > MAX_SOURCE_BYTES {
        let size = source.len() / 1024;
        return Err(Failure::Template(format!(
            "it has {size} kB, more than the {} kB a template may have",
            MAX_SOURCE_BYTES / 1024
        )));
    }
    // Jinja2 reads every line end as \n.
    let source = source.replace("\r\n", "\n").replace('\r', "\n");
    let source = marks::without_marks(&source);
    let mut rewriter = Rewriter {
        source: &source,
        literals,
        written: 0,
        output: String::with_capacity(source.len() * 2),
    };
    rewriter.run()?;
    Ok(rewriter.output)
}

struct Rewriter<'s> {
    source: &'s str,
    literals: Literals,
    /// How far the source is in the output.
    written: usize,
    output: String,
}

impl Rewriter<'_> {
    fn run(&mut self) -> Result<(), Failure> {
        let mut at = 0;
        while let Some(start) = next_tag(self.source, at) {
            at = match self.source.as_bytes()[start + 1] {
                b'#' => end_of(self.source, start + 2, "#}"),
                b'%' => match tag_named(self.source, start, "raw") {
                    Some(end) => self.raw_block(start, end),
                    None => self.tag(start, "%}")?,
                },
                _ => self.tag(start, "}}")?,
            };
        }
        self.copy_to(self.source.len());
        Ok(())
    }

    /// Copies the source up to a place.
    fn copy_to(&mut self, end: usize) {
        self.output.push_str(&self.source[self.written..end]);
        self.written = end;
    }

    /// Puts text in the place of a part of the source, on as many lines as the part had.
    fn replace(&mut self, part: Range<usize>, text: &str) {
        self.copy_to(part.start);
        self.output.push_str(text);
        let lines = |text: &str| text.matches('\n').count();
        let lost = lines(&self.source[part.clone()]).saturating_sub(lines(text));
        self.output.extend(std::iter::repeat_n('\n', lost));
        self.written = part.end;
    }

    /// A raw block, and where it ends. Jinja2 keeps the line break behind its first tag even where it drops those
    /// behind other tags; a `+` says so to the engine.
    fn raw_block(&mut self, start: usize, end_of_tag: usize) -> usize {
        let close = end_of_tag - "%}".len();
        if !self.source[start..close].ends_with(['-', '+']) {
            self.replace(close..close, "+");
        }
        let mut at = end_of_tag;
        while let Some(found) = self.source[at..].find("{%") {
            if let Some(end) = tag_named(self.source, at + found, "endraw") {
                return end;
            }
            at += found + "{%".len();
        }
        self.source.len()
    }

    /// A tag that holds code, and where it ends.
    fn tag(&mut self, start: usize, close: &str) -> Result<usize, Failure> {
        let (tokens, end) = tokens(self.source, start + 2, close);
        if tokens.len() > MAX_TAG_TOKENS {
            return Err(self.refusal(start, "a tag is longer than any real template needs".into()));
        }
        let head = match tokens.first() {
            Some(token) if close == "%}" && token.kind == Kind::Word => &self.source[token.range.clone()],
            _ => "",
        };
        if REFUSED_TAGS.contains(&head) {
            return Err(self.refusal(start, format!("the tag {head} has no place in a chat template")));
        }
        match (head, tokens.as_slice()) {
            ("generation", [head]) => self.replace(head.range.clone(), &format!("call {GENERATION}()")),
            ("endgeneration", [head]) => self.replace(head.range.clone(), "endcall"),
            ("for", [_, rest @ ..]) => self.loop_head(rest)?,
            (_, tokens) => self.literals(tokens)?,
        }
        self.copy_to(end);
        Ok(end_of(self.source, end, close))
    }

    /// The tokens behind `for`: what is looped over is passed through a function.
    fn loop_head(&mut self, tokens: &[Token]) -> Result<(), Failure> {
        let source = self.source;
        let is =
            |token: &Token, words: &[&str]| token.depth == 0 && words.contains(&&source[token.range.clone()]);
        let Some(of) = tokens.iter().position(|token| is(token, &["in"])) else {
            return self.literals(tokens);
        };
        let (target, values) = tokens.split_at(of + 1);
        let stop = values.iter().position(|token| is(token, &["if", "recursive"]));
        let (values, condition) = values.split_at(stop.unwrap_or(values.len()));
        let (Some(first), Some(last)) = (values.first(), values.last()) else {
            return self.literals(tokens);
        };
        self.literals(target)?;
        self.replace(first.range.start..first.range.start, &format!("{ITERATED}(("));
        self.literals(values)?;
        self.replace(last.range.end..last.range.end, "))");
        self.literals(condition)
    }

    /// Writes the string literals anew, adjacent ones as one.
    fn literals(&mut self, tokens: &[Token]) -> Result<(), Failure> {
        let both_strings = |a: &Token, b: &Token| a.kind == Kind::String && b.kind == Kind::String;
        for run in tokens.chunk_by(both_strings) {
            let (Some(first), Some(last)) = (run.first(), run.last()) else {
                continue;
            };
            if first.kind != Kind::String {
                continue;
            }
            let mut string = String::new();
            for token in run {
                let quoted = &self.source[token.range.clone()];
                let quote = &quoted[..1];
                let text = quoted[1..].strip_suffix(quote).unwrap_or(&quoted[1..]);
                let text = literal::read(text);
                string += &text.ok_or_else(|| {
                    self.refusal(
                        token.range.start,
                        format!("the string {quoted} has an escape that is no text"),
                    )
                })?;
            }
            let literal = literal::write(&string);
            let literal = match self.literals {
                Literals::Plain => literal,
                Literals::Marked => format!("({literal}|{LITERAL})"),
            };
            self.replace(first.range.start..last.range.end, &literal);
        }
        Ok(())
    }

    fn refusal(&self, at: usize, reason: String) -> Failure {
        let line = self.source[..at].matches('\n').count() + 1;
        Failure::Template(format!("line {line}: {reason}"))
    }
}

/// Where the next tag or comment begins.
fn next_tag(source: &str, from: usize) -> Option<usize> {
    let opens = |at: &usize| matches!(source.as_bytes().get(at + 1), Some(b'{' | b'%' | b'#'));
    let mut brackets = source[from..].match_indices('{').map(|(at, _)| from + at);
    brackets.find(opens)
}

/// Where the text is behind the next such pattern; the end of the source where there is none.
fn end_of(source: &str, from: usize, pattern: &str) -> usize {
    source[from..]
        .find(pattern)
        .map_or(source.len(), |at| from + at + pattern.len())
}

/// Where a tag of this one word ends, if it is such a tag.
fn tag_named(source: &str, start: usize, name: &str) -> Option<usize> {
    let rest = skip_sign(source[start..].strip_prefix("{%")?).trim_start();
    let rest = skip_sign(rest.strip_prefix(name)?.trim_start());
    let rest = rest.strip_prefix("%}")?;
    Some(source.len() - rest.len())
}

/// The text behind a sign of white space control, where there is one.
fn skip_sign(text: &str) -> &str {
    text.strip_prefix(['-', '+']).unwrap_or(text)
}

/// A token in a tag.
struct Token {
    range: Range<usize>,
    kind: Kind,
    /// How many brackets are open around it.
    depth: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    String,
    Word,
    Other,
}

/// The tokens of a tag from behind its opening, and where its closing begins.
fn tokens(source: &str, from: usize, close: &str) -> (Vec<Token>, usize) {
    let bytes = source.as_bytes();
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || !byte.is_ascii();
    let mut tokens = Vec::new();
    let mut depth = 0_usize;
    let mut at = from;
    if matches!(bytes.get(at), Some(b'-' | b'+')) {
        at += 1;
    }
    while at < bytes.len() {
        let rest = &source[at..];
        if depth == 0 && skip_sign(rest).starts_with(close) {
            break;
        }
        let start = at;
        let mut kind = Kind::Other;
        let mut token_depth = depth;
        match bytes[at] {
            quote @ (b'\'' | b'"') => {
                kind = Kind::String;
                at += 1;
                while at < bytes.len() && bytes[at] != quote {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                at = (at + 1).min(bytes.len());
            }
            b'(' | b'[' | b'{' => {
                depth += 1;
                at += 1;
            }
            b')' | b']' | b'}' => {
                depth = depth.saturating_sub(1);
                token_depth = depth;
                at += 1;
            }
            byte if byte.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            byte if is_word(&byte) => {
                if !byte.is_ascii_digit() {
                    kind = Kind::Word;
                }
                at += bytes[at..].iter().take_while(|byte| is_word(byte)).count();
            }
            _ => at += 1,
        }
        tokens.push(Token {
            range: start..at,
            kind,
            depth: token_depth,
        });
    }
    (tokens, at)
}

#[cfg(test)]
mod tests;
