//! Breaks lookd text into lines. The toolkit's own breaking parts words from their punctuation, so that
//! lines begin with commas.
//!
//! Pure: widths are asked of the caller.

use unicode_segmentation::UnicodeSegmentation;

use crate::state::blocks::{Face, Look, Raised, Span};
use crate::ui::widget::breaks::{is_space, may_break};

/// Space left and right of inline code on its pill, in pixels.
pub(crate) const PILL_PADDING: f64 = 5.0;

/// A part of a line in one look.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Piece {
    /// Its look.
    pub(crate) look: Look,
    /// Its text.
    pub(crate) text: String,
    /// From the left edge of the line to the text, in pixels.
    pub(crate) left: f64,
    /// Width of the text, in pixels.
    pub(crate) width: f64,
}

/// A line, as its pieces from left to right.
pub(crate) type Line = Vec<Piece>;

/// Where a line ends on the right, in pixels.
pub(crate) fn end(line: &Line) -> f64 {
    // An exponent above an index may be the shorter one.
    let last = line.iter().rev().take(2);
    last.map(|piece| piece.left + piece.width + padding(piece.look))
        .fold(0.0, f64::max)
}

/// Breaks text into lines of at most `width`. There is always at least one line.
pub(crate) fn lines(spans: &[Span], width: f64, measure: impl FnMut(Look, &str) -> f64) -> Vec<Line> {
    let mut breaker = Breaker {
        width,
        measure,
        done: Vec::new(),
        line: Vec::new(),
        space: None,
    };
    for (index, paragraph) in paragraphs(spans).into_iter().enumerate() {
        if index > 0 {
            breaker.end_line();
        }
        for word in words(&paragraph) {
            breaker.put(word);
        }
    }
    breaker.end_line();
    breaker.done
}

/// Characters with their looks, cut at line breaks.
fn paragraphs(spans: &[Span]) -> Vec<Vec<(Look, char)>> {
    let mut paragraphs = vec![Vec::new()];
    for span in spans {
        for it in span.text.chars() {
            match (it, paragraphs.last_mut()) {
                ('\n', _) => paragraphs.push(Vec::new()),
                (_, Some(paragraph)) => paragraph.push((span.look, it)),
                (_, None) => (),
            }
        }
    }
    paragraphs
}

/// What is never broken, unless it is wider than a line, and the white space behind it.
#[derive(Debug, Default)]
struct Word {
    parts: Vec<(Look, String)>,
    space: Vec<(Look, String)>,
}

fn words(paragraph: &[(Look, char)]) -> Vec<Word> {
    let mut words = vec![Word::default()];
    let mut before: Option<char> = None;
    for (look, it) in paragraph {
        if before.is_some_and(|before| may_break(before, *it)) {
            words.push(Word::default());
        }
        before = Some(*it);
        if let Some(word) = words.last_mut() {
            push(
                if is_space(*it) {
                    &mut word.space
                } else {
                    &mut word.parts
                },
                *look,
                *it,
            );
        }
    }
    words
}

fn push(parts: &mut Vec<(Look, String)>, look: Look, it: char) {
    match parts.last_mut() {
        Some((last, text)) if *last == look => text.push(it),
        _ => parts.push((look, it.to_string())),
    }
}

struct Breaker<M> {
    width: f64,
    measure: M,
    done: Vec<Line>,
    line: Line,
    /// White space behind the last word: only shown when another word follows on the line.
    space: Option<Vec<(Look, String)>>,
}

impl<M: FnMut(Look, &str) -> f64> Breaker<M> {
    fn put(&mut self, word: Word) {
        let space = self.space.take().unwrap_or_default();
        let room = self.width - end(&self.line);
        let wanted = self.width_of(&space) + self.width_of(&word.parts);
        if wanted <= room || self.line.is_empty() && space.is_empty() && self.fits_alone(&word.parts) {
            space.into_iter().for_each(|(look, text)| self.append(look, text));
            word.parts
                .into_iter()
                .for_each(|(look, text)| self.append(look, text));
        } else {
            if !self.line.is_empty() {
                self.end_line();
            }
            if self.fits_alone(&word.parts) {
                word.parts
                    .into_iter()
                    .for_each(|(look, text)| self.append(look, text));
            } else {
                self.put_broken(word.parts);
            }
        }
        self.space = Some(word.space);
    }

    /// Breaks a word that is wider than a line between its signs.
    fn put_broken(&mut self, parts: Vec<(Look, String)>) {
        for (look, text) in parts {
            for it in text.graphemes(true) {
                let joins = self.line.last().is_some_and(|last| last.look == look);
                let beside = if joins { 0.0 } else { 2.0 * padding(look) };
                let advance = (self.measure)(look, it) + beside;
                if end(&self.line) + advance > self.width && !self.line.is_empty() {
                    self.end_line();
                }
                self.append(look, it.to_owned());
            }
        }
    }

    fn fits_alone(&mut self, parts: &[(Look, String)]) -> bool {
        self.width_of(parts) <= self.width
    }

    fn width_of(&mut self, parts: &[(Look, String)]) -> f64 {
        let mut width = 0.0;
        for (look, text) in parts {
            width += (self.measure)(*look, text) + 2.0 * padding(*look);
        }
        width
    }

    /// Puts text at the end of the line, joined to what stands there in the same look.
    fn append(&mut self, look: Look, text: String) {
        let width = (self.measure)(look, &text);
        match self.line.last_mut() {
            Some(last) if last.look == look => {
                last.text.push_str(&text);
                last.width += width;
            }
            _ => {
                let left = match self.line.last() {
                    Some(last) if is_above(look, last.look) => last.left,
                    _ => end(&self.line) + padding(look),
                };
                self.line.push(Piece {
                    look,
                    text,
                    left,
                    width,
                });
            }
        }
    }

    fn end_line(&mut self) {
        self.space = None;
        self.done.push(std::mem::take(&mut self.line));
    }
}

/// Whether an exponent stands above the index before it, or an index below the exponent.
fn is_above(look: Look, last: Look) -> bool {
    matches!(
        (look.raised, last.raised),
        (Raised::Up, Raised::Down) | (Raised::Down, Raised::Up)
    ) && (look.face, last.face) == (Face::Text, Face::Text)
}

fn padding(look: Look) -> f64 {
    match look.face {
        Face::Text => 0.0,
        Face::Code | Face::Hidden => PILL_PADDING,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::blocks::{Blocks, Kind};

    /// The runs of a paragraph.
    fn spans(source: &str) -> Vec<Span> {
        let kind = Blocks::new(source).all().first().map(|block| block.kind.clone());
        match kind {
            Some(Kind::Paragraph(text)) => text.spans,
            _ => Vec::new(),
        }
    }

    /// Each character is 1 wide, Chinese ones 2.
    fn measure(_: Look, text: &str) -> f64 {
        text.chars()
            .map(|it| if it > '\u{2e80}' { 2.0 } else { 1.0 })
            .sum()
    }

    fn shown(source: &str, width: f64) -> Vec<String> {
        let lines = lines(&spans(source), width, measure);
        lines
            .iter()
            .map(|line| line.iter().map(|piece| piece.text.as_str()).collect())
            .collect()
    }

    #[test]
    fn lines_break_where_a_reader_expects_it() {
        let cases: [(&str, f64, &[&str]); 11] = [
            ("", 9.0, &[""]),
            ("one two", 9.0, &["one two"]),
            ("goes on and on, then", 14.0, &["goes on and", "on, then"]),
            ("**bold**, plain", 5.0, &["bold,", "plain"]),
            ("well-known name", 8.0, &["well-", "known", "name"]),
            ("10\u{a0}GB of 20", 7.0, &["10\u{a0}GB", "of 20"]),
            ("你好，世界", 5.0, &["你", "好，", "世界"]),
            ("abcdefghij k", 4.0, &["abcd", "efgh", "ij k"]),
            ("a\nb", 9.0, &["a", "b"]),
            (
                "e\u{301}e\u{301}e\u{301}",
                2.0,
                &["e\u{301}", "e\u{301}", "e\u{301}"],
            ),
            ("好\u{301}好", 3.0, &["好\u{301}", "好"]),
        ];
        for (source, width, expected) in cases {
            assert_eq!(shown(source, width), expected, "{source}");
        }
    }

    #[test]
    fn code_has_room_for_its_pill() {
        let lines = lines(&spans("a `b c` d"), 99.0, measure);
        let places: Vec<_> = lines[0]
            .iter()
            .map(|piece| (piece.text.as_str(), piece.left))
            .collect();
        assert_eq!(places, [("a ", 0.0), ("b c", 7.0), (" d", 15.0)]);
    }

    #[test]
    fn an_exponent_stands_above_its_index() {
        let lines = lines(&spans("$a_i^{n+1} b$"), 99.0, measure);
        let places: Vec<_> = lines[0]
            .iter()
            .map(|piece| (piece.text.as_str(), piece.left))
            .collect();
        assert_eq!(places, [("a", 0.0), ("i", 1.0), ("n+1", 1.0), ("b", 4.0)]);
    }

    proptest::proptest! {
        #[test]
        fn no_line_is_too_wide_and_nothing_is_lost(source in r"[a-z ,.`*你-]{0,60}", width in 12u32..40) {
            let runs = spans(&source);
            let lines = lines(&runs, f64::from(width), measure);
            for line in &lines {
                proptest::prop_assert!(end(line) <= f64::from(width), "{:?}", line);
            }
            let letters = |text: &str| text.chars().filter(|it| !it.is_whitespace()).collect::<String>();
            let before: String = runs.iter().map(|run| letters(&run.text)).collect();
            let after: String = lines.iter().flatten().map(|piece| letters(&piece.text)).collect();
            proptest::prop_assert_eq!(before, after);
        }
    }
}
