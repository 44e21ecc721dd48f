//! Python's methods of `str` where the engine lacks them or differs: plain functions on text.
//!
//! Positions are counted in characters, white space is what `str.isspace` says, as in Python.

/// Which ends a strip takes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ends {
    Left,
    Right,
    Both,
}

/// `str.isspace` of one character: Unicode's white space and the four separators of ASCII.
pub(super) fn is_space(c: char) -> bool {
    c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c)
}

/// `strip`, `lstrip`, `rstrip`: takes the given characters, or white space, from the ends.
pub(super) fn strip<'t>(text: &'t str, characters: Option<&str>, ends: Ends) -> &'t str {
    let strips = |c: char| match characters {
        Some(characters) => characters.contains(c),
        None => is_space(c),
    };
    let text = if ends == Ends::Right {
        text
    } else {
        text.trim_start_matches(strips)
    };
    if ends == Ends::Left {
        text
    } else {
        text.trim_end_matches(strips)
    }
}

/// `split`: at a separator that is not empty, or at runs of white space; at most so many times.
pub(super) fn split<'t>(text: &'t str, separator: Option<&str>, limit: Option<usize>) -> Vec<&'t str> {
    match (separator, limit) {
        (Some(separator), None) => text.split(separator).collect(),
        (Some(separator), Some(limit)) => text.splitn(limit.saturating_add(1), separator).collect(),
        (None, limit) => {
            let mut words = Vec::new();
            let mut rest = text.trim_start_matches(is_space);
            while !rest.is_empty() {
                if limit == Some(words.len()) {
                    words.push(rest);
                    break;
                }
                let (word, after) = rest.split_at(rest.find(is_space).unwrap_or(rest.len()));
                words.push(word);
                rest = after.trim_start_matches(is_space);
            }
            words
        }
    }
}

/// `rsplit`: as [`split`], counted from the end; the pieces in their order in the text.
pub(super) fn rsplit<'t>(text: &'t str, separator: Option<&str>, limit: Option<usize>) -> Vec<&'t str> {
    let mut pieces: Vec<&str> = match (separator, limit) {
        (Some(separator), None) => text.rsplit(separator).collect(),
        (Some(separator), Some(limit)) => text.rsplitn(limit.saturating_add(1), separator).collect(),
        (None, limit) => {
            let mut words = Vec::new();
            let mut rest = text.trim_end_matches(is_space);
            while !rest.is_empty() {
                if limit == Some(words.len()) {
                    words.push(rest);
                    break;
                }
                let word = rest.char_indices().rfind(|&(_, c)| is_space(c));
                let (before, word) = rest.split_at(word.map_or(0, |(at, c)| at + c.len_utf8()));
                words.push(word);
                rest = before.trim_end_matches(is_space);
            }
            words
        }
    };
    pieces.reverse();
    pieces
}

/// `splitlines`: at all the line ends that Python knows.
pub(super) fn split_lines(text: &str, keep_ends: bool) -> Vec<&str> {
    let mut lines = Vec::new();
    let mut start = 0;
    let mut characters = text.char_indices().peekable();
    while let Some((at, c)) = characters.next() {
        if !is_line_end(c) {
            continue;
        }
        let mut end = at + c.len_utf8();
        if c == '\r' && characters.next_if(|&(_, next)| next == '\n').is_some() {
            end += 1;
        }
        lines.push(&text[start..if keep_ends { end } else { at }]);
        start = end;
    }
    if start < text.len() {
        lines.push(&text[start..]);
    }
    lines
}

fn is_line_end(c: char) -> bool {
    matches!(
        c,
        '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{1c}'..='\u{1e}' | '\u{85}' | '\u{2028}' | '\u{2029}'
    )
}

/// `text[start:end]` as the methods that search take it: `None` where Python would not even find `""` in it.
pub(super) fn slice(text: &str, start: Option<i64>, end: Option<i64>) -> Option<&str> {
    let length = length(text);
    let start = position(start.unwrap_or(0), length);
    let end = position(end.unwrap_or(length), length).min(length);
    (start <= end).then(|| &text[byte_at(text, start)..byte_at(text, end)])
}

/// Where a position lies that may count from the end; it may lie beyond the text.
pub(super) fn position(position: i64, length: i64) -> i64 {
    if position < 0 {
        (position + length).max(0)
    } else {
        position
    }
}

/// `len(text)`: its characters.
pub(super) fn length(text: &str) -> i64 {
    i64::try_from(text.chars().count()).unwrap_or(i64::MAX)
}

fn byte_at(text: &str, character: i64) -> usize {
    let character = usize::try_from(character).unwrap_or(0);
    text.char_indices()
        .nth(character)
        .map_or(text.len(), |(byte, _)| byte)
}

/// `capitalize`.
pub(super) fn capitalize(text: &str) -> String {
    let mut characters = text.chars();
    match characters.next() {
        Some(first) => first
            .to_uppercase()
            .chain(characters.as_str().to_lowercase().chars())
            .collect(),
        None => String::new(),
    }
}

/// `swapcase`.
pub(super) fn swap_case(text: &str) -> String {
    let mut swapped = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_uppercase() {
            swapped.extend(c.to_lowercase());
        } else {
            swapped.extend(c.to_uppercase());
        }
    }
    swapped
}

/// `title`: each run of letters begins with a capital.
pub(super) fn title(text: &str) -> String {
    let mut titled = String::with_capacity(text.len());
    let mut in_word = false;
    for c in text.chars() {
        let has_case = c.is_lowercase() || c.is_uppercase();
        if has_case && !in_word {
            titled.extend(c.to_uppercase());
        } else {
            titled.extend(c.to_lowercase());
        }
        in_word = has_case;
    }
    titled
}

/// Jinja's filter `title`, which is not Python's method: words begin after white space, `-` and opening brackets.
pub(super) fn title_filter(text: &str) -> String {
    let mut titled = String::with_capacity(text.len());
    let mut in_word = false;
    for c in text.chars() {
        let separates = is_space(c) || matches!(c, '-' | '(' | '{' | '[' | '<');
        if separates {
            titled.push(c);
        } else if in_word {
            titled.extend(c.to_lowercase());
        } else {
            titled.extend(c.to_uppercase());
        }
        in_word = !separates;
    }
    titled
}

/// `isdigit`: decimal digits of ASCII, and superscripts, which are no decimals.
pub(super) fn is_digit(c: char) -> bool {
    c.is_ascii_digit() || "²³¹⁰⁴⁵⁶⁷⁸⁹".contains(c)
}

/// Jinja's filter `escape`.
pub(super) fn escape_html(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&#34;"),
            '\'' => escaped.push_str("&#39;"),
            c => escaped.push(c),
        }
    }
    escaped
}
