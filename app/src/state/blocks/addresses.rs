//! Bare addresses in a text, as GFM makes links of them, and the marks of footnotes. The Markdown parser knows neither
//! where nothing defines them.

use std::ops::Range;

/// Most digits of a footnote's mark.
const MOST_DIGITS: usize = 3;

/// Something in a text that is more than text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Found {
    /// An address, as it is to be opened.
    Address(String),
    /// The mark of a footnote.
    Note(String),
}

/// All of them, with where each stands, in order.
pub(super) fn find(text: &str) -> Vec<(Range<usize>, Found)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(next) = text[at..].find(['h', 'H', 'w', 'W', '[']).map(|next| at + next) {
        let before = text[..next].chars().next_back();
        let one = note(&text[next..]).or_else(|| address(&text[next..], before));
        at = next + one.as_ref().map_or(1, |(length, _)| *length);
        found.extend(one.map(|(length, one)| (next..next + length, one)));
    }
    found
}

/// `[^1]`. Only numbers: `[^abc]` is more often a piece of a regular expression.
fn note(text: &str) -> Option<(usize, Found)> {
    let label = text.strip_prefix("[^")?;
    let end = label.find(']')?;
    let digits = (1..=MOST_DIGITS).contains(&end) && label[..end].bytes().all(|it| it.is_ascii_digit());
    digits.then(|| (end + 3, Found::Note(label[..end].to_owned())))
}

/// An address at the start of a text: `http://`, `https://` or `www.`, up to a space, without the punctuation that ends
/// the sentence around it (GFM, "autolinks (extension)").
fn address(text: &str, before: Option<char>) -> Option<(usize, Found)> {
    let starts = |prefix: &str| {
        text.get(..prefix.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(prefix))
    };
    let is_web = starts("http://") || starts("https://");
    if !(is_web || starts("www.")) || before.is_some_and(|it| it.is_ascii_alphanumeric()) {
        return None;
    }
    let ends = |it: char| {
        it.is_whitespace()
            || it.is_control()
            || "<>\"`|".contains(it)
            || super::hidden::is_hidden(it)
            // Punctuation of other scripts belongs to the sentence.
            || (!it.is_ascii() && !it.is_alphanumeric())
    };
    // The mark of a footnote behind it is none of it.
    let note = text.find("[^").unwrap_or(text.len());
    let mut length = text.find(ends).unwrap_or(text.len()).min(note);
    while let Some(last) = text[..length].chars().next_back() {
        let count = |mark: char| text[..length].matches(mark).count();
        let is_outside = match last {
            ')' => count(')') > count('('),
            ']' => count(']') > count('['),
            _ => "?!.,:;*_~'".contains(last),
        };
        if !is_outside {
            break;
        }
        length -= last.len_utf8();
    }
    let host = text[..length]
        .split_once("//")
        .map_or(&text[..length], |(_, host)| host);
    let has_host = host.starts_with(|it: char| it.is_alphanumeric() || it == '[')
        && (is_web || host.trim_start_matches(['w', 'W']).len() > 1);
    let scheme = if is_web { "" } else { "http://" };
    has_host.then(|| (length, Found::Address(format!("{scheme}{}", &text[..length]))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_end_where_a_reader_ends_them() {
        let cases = [
            ("see https://a.example/b_c.", vec!["https://a.example/b_c"]),
            ("(http://a.example/x(1))", vec!["http://a.example/x(1)"]),
            (
                "www.a.example, HTTPS://B.example!",
                vec!["http://www.a.example", "HTTPS://B.example"],
            ),
            ("看https://a.example/路。好", vec!["https://a.example/路"]),
            ("https://a.example/x.[^1]", vec!["https://a.example/x"]),
            ("xhttp://no http:// www. https://", vec![]),
            ("https://a.example/\u{202e}cod", vec!["https://a.example/"]),
            (
                "http://localhost:8080/v1?x=1&y=2",
                vec!["http://localhost:8080/v1?x=1&y=2"],
            ),
        ];
        for (text, expected) in cases {
            let address = |(_, found)| match found {
                Found::Address(address) => Some(address),
                Found::Note(_) => None,
            };
            let found: Vec<_> = find(text).into_iter().filter_map(address).collect();
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn numbers_are_the_marks_of_footnotes() {
        let found: Vec<_> = find("a[^1] b[^12], c[^abc] d[^] e[^1234] [1]");
        let expected = [(1..5, Found::Note("1".into())), (7..12, Found::Note("12".into()))];
        assert_eq!(found, expected);
    }
}
