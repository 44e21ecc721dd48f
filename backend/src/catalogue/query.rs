//! From what a person types to what the full-text index is asked. Pure.

/// Hosts and schemes that stand before `author/model` in a link.
const LINK_BEGINNINGS: [&str; 6] = [
    "https://huggingface.co/",
    "http://huggingface.co/",
    "huggingface.co/",
    "https://hf.co/",
    "http://hf.co/",
    "hf.co/",
];

/// Words that are looked for; more make no search better.
const MAX_WORDS: usize = 12;

/// Characters of a word that are looked for.
const MAX_LETTERS: usize = 64;

/// What a typed text asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// All models.
    All,
    /// Those with all these words.
    Words(Vec<Word>),
    /// None: what was typed holds no letter and no number.
    Nothing,
}

/// A word as the full-text index understands it: a phrase whose last part may go on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Word(String);

impl Word {
    /// In FTS5's query language: quoted, so that nothing in it is an operator.
    pub(crate) fn phrase(&self) -> String {
        format!("\"{}\"*", self.0.replace('"', "\"\""))
    }
}

impl Wanted {
    /// Reads what was typed.
    pub(crate) fn new(text: &str) -> Self {
        let text = text.trim();
        if text.is_empty() {
            return Self::All;
        }
        let words: Vec<Word> = repository(text)
            .unwrap_or_else(|| text.to_owned())
            .split(|char: char| char.is_whitespace() || char.is_control() || char == '/')
            .filter(|word| word.chars().any(char::is_alphanumeric))
            .take(MAX_WORDS)
            .map(|word| Word(word.chars().take(MAX_LETTERS).collect()))
            .collect();
        if words.is_empty() {
            Self::Nothing
        } else {
            Self::Words(words)
        }
    }
}

/// `author/model` of a link, whatever page of the model it leads to; `None` where it is no such link.
fn repository(text: &str) -> Option<String> {
    let rest = LINK_BEGINNINGS.iter().find_map(|beginning| {
        let start = text.get(..beginning.len())?;
        start
            .eq_ignore_ascii_case(beginning)
            .then(|| &text[beginning.len()..])
    })?;
    let path = rest.split(['?', '#']).next().unwrap_or(rest);
    let names: Vec<&str> = path.split('/').filter(|name| !name.is_empty()).take(2).collect();
    Some(names.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn phrases(text: &str) -> Option<Vec<String>> {
        match Wanted::new(text) {
            Wanted::All => Some(Vec::new()),
            Wanted::Words(words) => Some(words.iter().map(Word::phrase).collect()),
            Wanted::Nothing => None,
        }
    }

    #[test]
    fn what_is_typed_is_read_as_words() {
        let cases: [(&str, Option<&[&str]>); 12] = [
            ("", Some(&[])),
            (" \t ", Some(&[])),
            ("Qwen 8b", Some(&["\"Qwen\"*", "\"8b\"*"])),
            ("Q4_K_M", Some(&["\"Q4_K_M\"*"])),
            ("a OR b", Some(&["\"a\"*", "\"OR\"*", "\"b\"*"])),
            (
                "say \"hi\" * NEAR(",
                Some(&["\"say\"*", "\"\"\"hi\"\"\"*", "\"NEAR(\"*"]),
            ),
            ("name:x -y ^z", Some(&["\"name:x\"*", "\"-y\"*", "\"^z\"*"])),
            ("a\0b", Some(&["\"a\"*", "\"b\"*"])),
            ("🦙", None),
            ("\"*\" ()", None),
            ("Qwen/Qwen3-8B", Some(&["\"Qwen\"*", "\"Qwen3-8B\"*"])),
            (
                "https://huggingface.co/Qwen/Qwen3-8B-GGUF/blob/main/README.md?x=1",
                Some(&["\"Qwen\"*", "\"Qwen3-8B-GGUF\"*"]),
            ),
        ];
        for (text, expected) in cases {
            let expected = expected.map(|words| words.iter().map(|word| (*word).to_owned()).collect());
            assert_eq!(phrases(text), expected, "{text:?}");
        }
    }

    #[test]
    fn a_long_text_is_cut() {
        let Wanted::Words(words) = Wanted::new(&"word ".repeat(1000)) else {
            panic!("words");
        };
        assert_eq!(words.len(), MAX_WORDS);
    }
}
