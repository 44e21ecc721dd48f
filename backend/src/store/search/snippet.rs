//! The text around a hit, as one line, and where in it the hits are.

use super::words::{Token, Wanted, tokens};

/// Characters before the first hit.
const BEFORE: usize = 40;

/// Characters from the first hit on.
const AFTER: usize = 120;

/// What stands where the text is cut.
const CUT: char = '…';

/// A piece of a text with the byte ranges of what was looked for, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Snippet {
    pub(super) text: String,
    pub(super) matches: Vec<(usize, usize)>,
}

impl Snippet {
    /// The piece around the first hit; the beginning of the text where there is none.
    pub(super) fn of(text: &str, wanted: &Wanted) -> Self {
        let (first, first_end) = hits(text, wanted).next().unwrap_or_default();
        let start = text[..first].char_indices().rev().take(BEFORE).last();
        let start = word_from(text, start.map_or(first, |(place, _)| place), first);
        let end = text[first..].char_indices().nth(AFTER);
        let end = end.map_or(text.len(), |(place, _)| (first + place).max(first_end));
        let end = word_until(text, first_end, end);
        let mut line = Line::default();
        if start > 0 {
            line.text.push(CUT);
        }
        let mut done = start;
        let shown = hits(text, wanted).skip_while(|hit| hit.0 < start);
        for (from, to) in shown.take_while(|hit| hit.1 <= end) {
            line.push(&text[done..from]);
            line.push_hit(&text[from..to]);
            done = to;
        }
        line.push(&text[done..end]);
        if end < text.len() {
            line.text.truncate(line.text.trim_end().len());
            line.text.push(CUT);
        }
        line.text.truncate(line.text.trim_end().len());
        Self {
            text: line.text,
            matches: line.matches,
        }
    }

    /// The whole text, for titles.
    pub(super) fn whole(text: &str, wanted: &Wanted) -> Self {
        Self {
            text: text.to_owned(),
            matches: hits(text, wanted).collect(),
        }
    }
}

/// Where the next word begins, where a cut at `place` would go through one; `place` itself where none does before `limit`.
fn word_from(text: &str, place: usize, limit: usize) -> usize {
    if place == 0 || text[..place].ends_with(char::is_whitespace) {
        return place;
    }
    let space = text[place..limit].find(char::is_whitespace);
    space.map_or(place, |space| place + space)
}

/// Where the last word ends before `place`, where a cut there would go through one.
fn word_until(text: &str, limit: usize, place: usize) -> usize {
    if place == text.len() {
        return place;
    }
    let space = text[limit..place].rfind(char::is_whitespace);
    space.map_or(place, |space| limit + space)
}

/// Where the pieces that are looked for stand, in bytes and in order; none overlaps another.
fn hits<'a>(text: &'a str, wanted: &'a Wanted) -> impl Iterator<Item = (usize, usize)> + 'a {
    let mut words = tokens(text);
    let mut ahead: Vec<Token> = Vec::new();
    std::iter::from_fn(move || {
        loop {
            while ahead.len() < wanted.longest()
                && let Some(word) = words.next()
            {
                ahead.push(word);
            }
            let first = ahead.first()?;
            let Some(length) = wanted.length_at(&ahead) else {
                ahead.remove(0);
                continue;
            };
            let hit = (first.start, ahead.get(length - 1)?.end);
            ahead.drain(..length);
            return Some(hit);
        }
    })
}

/// A text that becomes one line: white space is one space, and what cannot be seen or turns the direction is left out.
#[derive(Default)]
struct Line {
    text: String,
    matches: Vec<(usize, usize)>,
}

impl Line {
    fn push(&mut self, text: &str) {
        for character in text.chars() {
            if character.is_whitespace() {
                if !self.text.is_empty() && !self.text.ends_with([' ', CUT]) {
                    self.text.push(' ');
                }
            } else if !character.is_control() && !crate::chat::title::turns_direction(character) {
                self.text.push(character);
            }
        }
    }

    fn push_hit(&mut self, text: &str) {
        let start = self.text.len();
        self.push(text);
        self.matches.push((start, self.text.len()));
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The snippet with its hits in brackets.
    fn check(typed: &str, text: &str, expected: &str) {
        let wanted = Wanted::read(typed).expect("words");
        let snippet = Snippet::of(text, &wanted);
        let mut marked = String::new();
        let mut done = 0;
        for (start, end) in snippet.matches {
            marked += &format!("{}[{}]", &snippet.text[done..start], &snippet.text[start..end]);
            done = end;
        }
        assert_eq!(marked + &snippet.text[done..], expected);
    }

    #[test]
    fn hits_are_shown_with_what_stands_around_them() {
        check("monad", "What is a monad?", "What is a [monad]?");
        check("mon", "Monads\n\n\tare  monads.", "[Monads] are [monads].");
        check("天空", "为什么天空是蓝色的？", "为什么[天空]是蓝色的？");
        check("ecole", "L'École", "L'[École]");
        check("a b", "b and a", "[b] [and] [a]");
        check("no hit", "Something else", "Something else");
        check("needle", "\u{202e}a needle\u{7}", "a [needle]");
        let hay = "straw ".repeat(50);
        let straw = |count| vec!["straw"; count].join(" ");
        check(
            "needle",
            &format!("{hay}needle {hay}"),
            &format!("…{} [needle] {}…", straw(6), straw(18)),
        );
        check(
            "needle",
            &format!("needle{}", "x".repeat(200)),
            &format!("[needle{}]", "x".repeat(200)),
        );
    }

    proptest! {
        #[test]
        fn ranges_are_in_the_snippet(text in "[ab é天\\n\u{202e}]{0,300}", typed in "[abé天]{1,3}") {
            let wanted = Wanted::read(&typed).expect("words");
            let snippet = Snippet::of(&text, &wanted);
            let mut end = 0;
            for (from, to) in snippet.matches {
                prop_assert!(end <= from && from < to, "{from} {to}");
                prop_assert!(snippet.text.get(from..to).is_some());
                end = to;
            }
            prop_assert!(!snippet.text.contains('\n'));
        }
    }
}
