//! Words as the search knows them: lower case, without accents, and of scripts without spaces each character by itself.

use unicode_normalization::char::{decompose_canonical, is_combining_mark};

/// A word of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    /// As the index knows it.
    pub(super) word: String,
    /// Where it stands in the text, in bytes.
    pub(super) start: usize,
    pub(super) end: usize,
}

/// The words of a text, in order.
pub(super) fn tokens(text: &str) -> impl Iterator<Item = Token> + '_ {
    let mut characters = text.char_indices().peekable();
    std::iter::from_fn(move || {
        let mut token: Option<Token> = None;
        while let Some((place, character)) = characters.peek().copied() {
            let stands_alone = stands_alone(character);
            let in_word = character.is_alphanumeric() || (token.is_some() && is_combining_mark(character));
            if token.is_some() && (stands_alone || !in_word) {
                break;
            }
            characters.next();
            if !in_word {
                continue;
            }
            let token = token.get_or_insert_with(|| Token {
                word: String::new(),
                start: place,
                end: place,
            });
            fold(character, &mut token.word);
            token.end = place + character.len_utf8();
            if stands_alone {
                break;
            }
        }
        token
    })
}

/// The words of a text with a space between them, as they stand in the index.
pub(super) fn index_form(text: &str) -> String {
    let mut form = String::with_capacity(text.len());
    for token in tokens(text) {
        if !form.is_empty() {
            form.push(' ');
        }
        form.push_str(&token.word);
    }
    form
}

/// Adds a character in lower case and without its accents.
fn fold(character: char, word: &mut String) {
    if character.is_ascii() {
        return word.push(character.to_ascii_lowercase());
    }
    decompose_canonical(character, |part| {
        if !is_combining_mark(part) {
            word.extend(part.to_lowercase());
        }
    });
}

/// Whether it belongs to a script that puts no spaces between words, or few: Han, kana, Hangul, Thai, Lao, Khmer, Burmese.
fn stands_alone(character: char) -> bool {
    matches!(
        character,
        '\u{0e00}'..='\u{0eff}'
            | '\u{1000}'..='\u{109f}'
            | '\u{1780}'..='\u{17ff}'
            | '\u{3005}'..='\u{3007}'
            | '\u{3040}'..='\u{30ff}'
            | '\u{31f0}'..='\u{31ff}'
            | '\u{3400}'..='\u{4dbf}'
            | '\u{4e00}'..='\u{9fff}'
            | '\u{ac00}'..='\u{d7a3}'
            | '\u{f900}'..='\u{faff}'
            | '\u{ff66}'..='\u{ff9d}'
            | '\u{20000}'..='\u{3ffff}'
    ) && character.is_alphanumeric()
}

/// What a person looks for: each piece between spaces, all of which must be there. The words of one piece stand side by
/// side in the text, and the last of them may go on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Wanted(Vec<Vec<String>>);

impl Wanted {
    /// What a person typed; `None` where no letter and no digit is in it.
    pub(super) fn read(typed: &str) -> Option<Self> {
        let pieces = typed.split_whitespace();
        let pieces = pieces.map(|piece| tokens(piece).map(|token| token.word).collect::<Vec<_>>());
        // A word beyond these says nothing more, and a text pasted by accident is not looked for to its last word.
        let pieces: Vec<_> = pieces
            .filter(|piece| !piece.is_empty())
            .take(MOST_PIECES)
            .collect();
        (!pieces.is_empty()).then_some(Self(pieces))
    }

    /// In the language of FTS5. Words hold letters and digits only, so that nothing in them has a meaning there.
    pub(super) fn expression(&self) -> String {
        let pieces: Vec<String> = self
            .0
            .iter()
            .map(|piece| format!("\"{}\" *", piece.join(" ")))
            .collect();
        pieces.join(" ")
    }

    /// Whether a text has all of it.
    pub(super) fn is_in(&self, text: &str) -> bool {
        let words: Vec<String> = tokens(text).map(|token| token.word).collect();
        let has = |piece: &Vec<String>| words.windows(piece.len()).any(|words| begins(words, piece));
        self.0.iter().all(has)
    }

    /// How many of these words, from the first on, are one of the pieces; `None` where no piece begins here.
    pub(super) fn length_at(&self, words: &[Token]) -> Option<usize> {
        let fits = |piece: &&Vec<String>| {
            words.get(..piece.len()).is_some_and(|words| {
                let words: Vec<&str> = words.iter().map(|token| token.word.as_str()).collect();
                begins(&words, piece)
            })
        };
        self.0.iter().filter(fits).map(Vec::len).max()
    }

    /// Words of the longest piece.
    pub(super) fn longest(&self) -> usize {
        self.0.iter().map(Vec::len).max().unwrap_or_default()
    }
}

/// Most pieces that are looked for.
const MOST_PIECES: usize = 16;

/// Whether the words are the piece, the last of them at least begins so.
fn begins(words: &[impl AsRef<str>], piece: &[String]) -> bool {
    let Some((last, whole)) = piece.split_last() else {
        return false;
    };
    let same = |(word, wanted): (&_, &String)| AsRef::<str>::as_ref(word) == wanted;
    words.iter().zip(whole).all(same)
        && words
            .get(whole.len())
            .is_some_and(|word| word.as_ref().starts_with(last.as_str()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn texts_become_words() {
        let cases = [
            ("", ""),
            ("Hello, World!", "hello world"),
            ("don't snake_case C++", "don t snake case c"),
            ("Äpfel naïve ÉCOLE Straße", "apfel naive ecole straße"),
            ("e\u{301}te\u{301} I\u{307}stanbul", "ete istanbul"),
            ("天空是蓝色的", "天 空 是 蓝 色 的"),
            ("Rust语言 2024年", "rust 语 言 2024 年"),
            ("カタカナ ひらがな 한국어", "カ タ カ ナ ひ ら か な 한 국 어"),
            ("🦀 crab 👩‍👩‍👧", "crab"),
            ("Ελλάδα Привет", "ελλαδα привет"),
            ("\u{301}a", "a"),
        ];
        for (text, words) in cases {
            let folded: String = unicode_normalization::UnicodeNormalization::nfc(words).collect();
            let form: String = unicode_normalization::UnicodeNormalization::nfc(&*index_form(text)).collect();
            assert_eq!(form, folded, "{text}");
        }
    }

    #[test]
    fn what_is_typed_is_found_where_it_stands() {
        let has = |typed: &str, text: &str| Wanted::read(typed).is_some_and(|wanted| wanted.is_in(text));
        for (typed, text) in [
            ("mon", "What is a monad?"),
            ("MONAD what", "What is a monad?"),
            ("ecole", "L'École"),
            ("École", "ecole"),
            ("天空", "为什么天空是蓝色的"),
            ("snake_c", "a snake_case name"),
            ("don't", "I don't know"),
        ] {
            assert!(has(typed, text), "{typed} in {text}");
        }
        for (typed, text) in [
            ("onad", "What is a monad?"),
            ("monad which", "What is a monad?"),
            ("空天", "为什么天空是蓝色的"),
            ("snake_case", "case of a snake"),
            ("?!", "What?!"),
            ("", "What"),
        ] {
            assert!(!has(typed, text), "{typed} in {text}");
        }
    }

    proptest! {
        #[test]
        fn words_stand_where_they_say(text in "\\PC{0,40}") {
            let mut end = 0;
            for token in tokens(&text) {
                prop_assert!(token.start >= end && token.end > token.start, "{token:?}");
                prop_assert!(text.is_char_boundary(token.start) && text.is_char_boundary(token.end));
                end = token.end;
            }
        }

        #[test]
        fn nothing_that_is_typed_has_a_meaning_in_fts5(typed in "\\PC{0,40}") {
            if let Some(wanted) = Wanted::read(&typed) {
                let expression = wanted.expression();
                prop_assert!(expression.chars().all(|character| {
                    character.is_alphanumeric() || matches!(character, ' ' | '"' | '*')
                        || !character.is_ascii()
                }), "{expression}");
                prop_assert_eq!(expression.matches('"').count() % 2, 0);
            }
        }
    }
}
