//! Titles of chats: one short line.

use hearth_protocol::chat::attachment::Attachment;

/// Characters of a title that is made from a message, the mark of the cut not counted.
const AUTOMATIC_LENGTH: usize = 48;

/// Characters of a title that a person gives.
const LONGEST: usize = 200;

/// Characters of a title that a model gives. What is longer is no title.
const LONGEST_OF_MODEL: usize = 60;

/// What models write before a title.
const LABELS: [&str; 5] = ["title:", "chat title:", "short title:", "titel:", "标题："];

/// What models put around a title.
const MARKS: &str = "*_`\"“”„«»「」『』";

/// The title of a message without words.
const NO_WORDS: &str = "New chat";

/// The first words of a message; of one without words the name of the first file beside it.
pub(super) fn from_message(text: &str, attachments: &[Attachment]) -> String {
    let names = attachments.iter().map(|attachment| attachment.name.as_str());
    let mut lines = std::iter::once(text).chain(names).map(one_line);
    let line = lines.find(|line| !line.is_empty());
    line.map_or_else(|| NO_WORDS.to_owned(), |line| cut(line, AUTOMATIC_LENGTH))
}

/// The title that a model wrote when it was asked for one; `None` where it is none.
///
/// Small models write more than they are asked for: a word before it, quotes and marks around it, a whole answer in its
/// place. What is left of the first line must be short, else the first words of the chat are the better title.
pub(super) fn from_model(written: &str) -> Option<String> {
    let lines = written.lines().map(bare).filter(|line| !line.is_empty());
    // `Here is a title:` and what comes below it.
    let line = lines.into_iter().find(|line| !line.ends_with([':', '：']))?;
    let has_words = line.chars().any(char::is_alphanumeric);
    let is_short = line.chars().count() <= LONGEST_OF_MODEL && !line.contains(['<', '>', '{', '}']);
    (has_words && is_short).then_some(line)
}

/// A line without what models put around a title.
fn bare(line: &str) -> String {
    let mut line = one_line(line);
    loop {
        let length = line.len();
        let marks = |character: char| character.is_whitespace() || MARKS.contains(character);
        line = line
            .trim_start_matches('#')
            .trim_matches(marks)
            .trim_end_matches(['.', '。', ',', ';'])
            .to_owned();
        for label in LABELS {
            let head = line
                .get(..label.len())
                .filter(|head| head.eq_ignore_ascii_case(label));
            if head.is_some() {
                line.drain(..label.len());
            }
        }
        if line.len() == length {
            return line;
        }
    }
}

/// The title of a copy: that of the chat with the next number behind it that is free.
pub(super) fn of_copy(title: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let numbered = title.strip_suffix(')').and_then(|title| title.rsplit_once(" ("));
    let (stem, number) = numbered
        .and_then(|(stem, number)| Some((stem, number.parse::<u32>().ok()?)))
        .unwrap_or((title, 1));
    let mut number = number;
    loop {
        number = number.saturating_add(1);
        let title = format!("{stem} ({number})");
        if number == u32::MAX || !is_taken(&title) {
            return title;
        }
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
pub(crate) fn turns_direction(character: char) -> bool {
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
            assert_eq!(from_message(text, &[]), title, "{text:?}");
        }
    }

    #[test]
    fn a_message_that_is_only_a_file_is_called_as_that() {
        let file = Attachment {
            name: "figures.csv".into(),
            text: "1".into(),
        };
        assert_eq!(from_message(" ", std::slice::from_ref(&file)), "figures.csv");
        assert_eq!(from_message("Sum up", &[file]), "Sum up");
    }

    #[test]
    fn titles_from_models() {
        let long = "word ".repeat(30);
        let cases = [
            ("Blue skies", Some("Blue skies")),
            ("\n\n  **\"Blue skies.\"**\n", Some("Blue skies")),
            ("Title: Why the sky is blue", Some("Why the sky is blue")),
            ("# TITLE: *Monads*", Some("Monads")),
            (
                "Sure! Here is a title:\n\n\"Monads explained\"",
                Some("Monads explained"),
            ),
            ("「天空为什么是蓝色的」", Some("天空为什么是蓝色的")),
            ("标题：天空", Some("天空")),
            ("C++ and C#", Some("C++ and C#")),
            ("", None),
            ("\n\"\"\n", None),
            ("???", None),
            ("Here is a title:", None),
            ("<think>", None),
            (long.as_str(), None),
        ];
        for (written, title) in cases {
            assert_eq!(from_model(written).as_deref(), title, "{written:?}");
        }
    }

    #[test]
    fn titles_of_copies() {
        let taken = ["Monads (2)", "Monads (3)", "A (x)"];
        let of_copy = |title| of_copy(title, |title| taken.contains(&title));
        assert_eq!(of_copy("Sky"), "Sky (2)");
        assert_eq!(of_copy("Monads"), "Monads (4)");
        assert_eq!(of_copy("Monads (2)"), "Monads (4)");
        assert_eq!(of_copy("A (x)"), "A (x) (2)");
        assert_eq!(of_copy("A (4294967295)"), "A (4294967295)");
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
