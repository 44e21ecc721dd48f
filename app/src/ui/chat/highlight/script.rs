//! Comments of JavaScript, above all within pages. Its grammar reads for ever where one stands behind a name and ends with
//! its line (`a /* b */`, syntect 5.3 with bat's grammars), so that it never sees one. Pure.

use std::borrow::Cow;
use std::ops::Range;

/// The comments between `/*` and `*/` in a line of code, without its end. `goes_on`: one began before the line, and
/// afterwards, goes on behind it.
pub(super) fn comments(line: &str, goes_on: &mut bool) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    loop {
        let start = if *goes_on {
            Some(at)
        } else {
            comment_from(line, at)
        };
        let Some(start) = start else { return found };
        // Its own star does not end it.
        let inside = if *goes_on { start } else { start + 2 };
        let end = line[inside..].find("*/").map(|end| inside + end + 2);
        *goes_on = end.is_none();
        let end = end.unwrap_or(line.len());
        found.push(start..end);
        if *goes_on {
            return found;
        }
        at = end;
    }
}

/// Where the next comment begins that is in no string.
fn comment_from(line: &str, at: usize) -> Option<usize> {
    let mut quote = None;
    let mut signs = line[at..].char_indices().peekable();
    while let Some((index, it)) = signs.next() {
        let next = signs.peek().map(|(_, next)| *next);
        match (quote, it) {
            (Some(_), '\\') => drop(signs.next()),
            (Some(open), it) if open == it => quote = None,
            (Some(_), _) => (),
            (None, '"' | '\'' | '`') => quote = Some(it),
            (None, '/') if next == Some('*') => return Some(at + index),
            (None, '/') if next == Some('/') => return None,
            (None, _) => (),
        }
    }
    None
}

/// The line with spaces in the place of its comments.
pub(super) fn without<'a>(line: &'a str, comments: &[Range<usize>]) -> Cow<'a, str> {
    if comments.is_empty() {
        return Cow::Borrowed(line);
    }
    let mut rest = line.to_owned();
    for comment in comments {
        rest.replace_range(comment.clone(), &" ".repeat(comment.len()));
    }
    Cow::Owned(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_found_over_lines_and_not_in_strings() {
        let cases: [(&str, bool, &[&str], bool); 10] = [
            ("a /* b */ c", false, &["/* b */"], false),
            ("a /* b", false, &["/* b"], true),
            ("b */ c /* d */", true, &["b */", "/* d */"], false),
            ("b", true, &["b"], true),
            ("a /*/ b", false, &["/*/ b"], true),
            ("*/ c", true, &["*/"], false),
            ("'/*' a", false, &[], false),
            (r#""\"/*" /* a"#, false, &["/* a"], true),
            ("a // /* b", false, &[], false),
            ("`é/*` /**/", false, &["/**/"], false),
        ];
        for (line, before, expected, after) in cases {
            let mut goes_on = before;
            let found = comments(line, &mut goes_on);
            let found: Vec<&str> = found.into_iter().map(|comment| &line[comment]).collect();
            assert_eq!((found.as_slice(), goes_on), (expected, after), "{line}");
        }
        let line = "a /*é*/ b";
        assert_eq!(without(line, &comments(line, &mut false)), "a        b");
    }
}
