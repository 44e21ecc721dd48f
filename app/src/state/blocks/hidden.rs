//! Characters that reorder text or do not show. A message can use them to look like another one, so they are shown by
//! name (as Rust and GitHub warn of them in source code, CVE-2021-42574).

/// Whether a character changes the direction of the text around it without being seen.
pub(crate) fn is_hidden(it: char) -> bool {
    matches!(it,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The name that stands for such a character.
pub(crate) fn name(it: char) -> String {
    format!("U+{:04X}", u32::from(it))
}

/// Cuts a text into what is shown as it is, and hidden characters one by one, with whether each is such a one.
pub(crate) fn parts(text: &str) -> impl Iterator<Item = (&str, Option<char>)> {
    text.split_inclusive(is_hidden).flat_map(|part| {
        let hidden = part.chars().next_back().filter(|it| is_hidden(*it));
        let shown = &part[..part.len() - hidden.map_or(0, char::len_utf8)];
        let shown = (!shown.is_empty()).then_some((shown, None));
        let hidden = hidden.map(|it| (&part[part.len() - it.len_utf8()..], Some(it)));
        shown.into_iter().chain(hidden)
    })
}

/// A text with the names of its hidden characters in their places, for where it is shown in one look.
pub(crate) fn shown(text: &str) -> String {
    parts(text)
        .map(|(text, hidden)| hidden.map_or_else(|| text.to_owned(), |it| format!("[{}]", name(it))))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_characters_get_their_names() {
        let cases = [
            ("", ""),
            ("plain", "plain"),
            ("a\u{202e}b\u{202c}", "a[U+202E]b[U+202C]"),
            ("\u{2066}\u{200f}x\u{61c}", "[U+2066][U+200F]x[U+061C]"),
            // A joiner makes one sign of two emoji; it hides nothing.
            ("👩\u{200d}🔬", "👩\u{200d}🔬"),
        ];
        for (text, expected) in cases {
            assert_eq!(shown(text), expected, "{text:?}");
        }
    }
}
