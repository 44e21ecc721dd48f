//! Marks inside a paragraph: `**bold**`, `*italic*` and `` `code` ``.
//!
//! Pure. What is not a whole mark is plain text, so that a text which is still being written never hides
//! anything.

/// How a run of text looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// As it is.
    Plain,
    /// Semibold.
    Bold,
    /// Italic.
    Italic,
    /// Monospaced on a pill.
    Code,
}

/// A run of text in one style.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    /// Its style.
    pub(crate) style: Style,
    /// Its text.
    pub(crate) text: String,
}

/// Marks that stand on both sides of their text, longest first.
const PAIRS: [(&str, Style); 5] = [
    ("**", Style::Bold),
    ("__", Style::Bold),
    ("`", Style::Code),
    ("*", Style::Italic),
    ("_", Style::Italic),
];

/// Cuts a paragraph into runs.
pub(crate) fn runs(source: &str) -> Vec<Run> {
    let mut runs = Vec::new();
    let mut plain = String::new();
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        match escaped(rest).or_else(|| pair(rest, plain.chars().last())) {
            Some((Style::Plain, text, after)) => {
                plain.push_str(text);
                rest = after;
            }
            Some((style, text, after)) => {
                flush(&mut plain, &mut runs);
                runs.push(Run {
                    style,
                    text: text.to_owned(),
                });
                rest = after;
            }
            None => {
                plain.push(first);
                rest = &rest[first.len_utf8()..];
            }
        }
    }
    flush(&mut plain, &mut runs);
    runs
}

fn flush(plain: &mut String, runs: &mut Vec<Run>) {
    if !plain.is_empty() {
        runs.push(Run {
            style: Style::Plain,
            text: std::mem::take(plain),
        });
    }
}

/// `\*` is a star.
fn escaped(rest: &str) -> Option<(Style, &str, &str)> {
    let after = rest.strip_prefix('\\')?;
    let mark = after.chars().next().filter(char::is_ascii_punctuation)?;
    let (text, after) = after.split_at(mark.len_utf8());
    Some((Style::Plain, text, after))
}

/// A text between two marks. Spaces just inside and letters just outside make it no mark: `2 * 3`,
/// `snake_case`.
fn pair(rest: &str, before: Option<char>) -> Option<(Style, &str, &str)> {
    PAIRS.iter().find_map(|(mark, style)| {
        let inner = rest.strip_prefix(mark)?;
        if mark.starts_with('_') && before.is_some_and(char::is_alphanumeric) {
            return None;
        }
        let end = inner.find(mark)?;
        let (text, after) = (&inner[..end], &inner[end + mark.len()..]);
        let tight = !text.is_empty() && (*style == Style::Code || text.trim() == text);
        let closed = !mark.starts_with('_') || !after.starts_with(char::is_alphanumeric);
        (tight && closed).then_some((*style, text, after))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(source: &str, expected: &[(Style, &str)]) {
        let found = runs(source);
        let found: Vec<_> = found.iter().map(|run| (run.style, run.text.as_str())).collect();
        assert_eq!(found, expected, "{source}");
    }

    #[test]
    fn marks_become_styles() {
        use Style::*;
        check("plain", &[(Plain, "plain")]);
        check("a **b** c", &[(Plain, "a "), (Bold, "b"), (Plain, " c")]);
        check("*i* and _j_", &[(Italic, "i"), (Plain, " and "), (Italic, "j")]);
        check("set `bpw`.", &[(Plain, "set "), (Code, "bpw"), (Plain, ".")]);
    }

    #[test]
    fn what_is_no_mark_stays_as_it_is() {
        use Style::*;
        for source in [
            "2 * 3 * 4",
            "snake_case_name",
            "**open",
            "`open",
            "a ** b ** c",
            "[a](b)",
            "",
        ] {
            let expected: &[_] = if source.is_empty() {
                &[]
            } else {
                &[(Plain, source)]
            };
            check(source, expected);
        }
        check(r"\*not\* italic", &[(Plain, "*not* italic")]);
    }

    proptest::proptest! {
        #[test]
        fn no_text_is_lost(source in r"[a-z *_`ä😀]{0,40}") {
            let shown: String = runs(&source).into_iter().map(|run| run.text).collect();
            let letters = |text: &str| text.chars().filter(|it| it.is_alphabetic()).count();
            proptest::prop_assert_eq!(letters(&shown), letters(&source));
        }
    }
}
