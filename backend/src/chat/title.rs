//! Titles of chats: one short line.

/// Characters of a title that is made from a message, the mark of the cut not counted.
const AUTOMATIC_LENGTH: usize = 48;

/// Characters of a title that a person gives.
const LONGEST: usize = 200;

/// The title of a message without words.
const NO_WORDS: &str = "New chat";

/// The first words of a message.
pub(super) fn from_message(text: &str) -> String {
    let line = one_line(text);
    if line.is_empty() {
        NO_WORDS.to_owned()
    } else {
        cut(line, AUTOMATIC_LENGTH)
    }
}

/// What a person typed, as one line; `None` where nothing of it can be seen.
pub(super) fn from_person(title: &str) -> Option<String> {
    let line = one_line(title);
    (!line.is_empty()).then(|| cut(line, LONGEST))
}

/// The words with one space between them, without what moves the cursor or turns the direction of writing.
fn one_line(text: &str) -> String {
    let visible = |character: char| {
        if character.is_whitespace() {
            Some(' ')
        } else {
            Some(character).filter(|character| !character.is_control() && !turns_direction(*character))
        }
    };
    let visible: String = text.chars().filter_map(visible).collect();
    visible
        .split(' ')
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

/// Marks that set the direction of all that follows, beyond the title too, and the byte order mark.
fn turns_direction(character: char) -> bool {
    matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// Cuts at the end of a word, or within a first word that is too long.
fn cut(line: String, longest: usize) -> String {
    let Some((end, next)) = line.char_indices().nth(longest) else {
        return line;
    };
    let head = &line[..end];
    let words = if next == ' ' { Some(end) } else { head.rfind(' ') };
    format!("{}…", head[..words.unwrap_or(end)].trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_from_messages() {
        let long_word = "a".repeat(60);
        let cases = [
            ("Hello", "Hello"),
            ("  What is\n\n\ta monad?  ", "What is a monad?"),
            ("\u{7}\u{1b}[31mred\u{0}", "[31mred"),
            ("\u{202e}evil\u{202c} order", "evil order"),
            ("\u{0}\u{1}", "New chat"),
            ("", "New chat"),
            // 48 characters stay whole, the 49th is the first to go.
            (
                "123456789 123456789 123456789 123456789 12345678",
                "123456789 123456789 123456789 123456789 12345678",
            ),
            (
                "123456789 123456789 123456789 123456789 12345678 9",
                "123456789 123456789 123456789 123456789 12345678…",
            ),
            (
                "123456789 123456789 123456789 123456789 123456789",
                "123456789 123456789 123456789 123456789…",
            ),
            (&long_word, &format!("{}…", "a".repeat(48))),
            ("为什么天空是蓝色的？", "为什么天空是蓝色的？"),
            ("👩‍👩‍👧 family", "👩‍👩‍👧 family"),
        ];
        for (text, title) in cases {
            assert_eq!(from_message(text), title, "{text:?}");
        }
    }

    #[test]
    fn titles_from_people() {
        assert_eq!(from_person(" My\nchat "), Some("My chat".into()));
        assert_eq!(from_person(" \u{0}\n"), None);
        assert_eq!(
            from_person(&"é".repeat(300)),
            Some(format!("{}…", "é".repeat(200)))
        );
    }
}
