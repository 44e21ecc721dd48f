//! Follows a JSON value character by character and tells where it ends. It reads RFC 8259, nothing wider.

/// Deepest nesting that is followed, as `serde_json` does.
const DEEPEST: usize = 128;

/// What a character did to a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Flow {
    /// The value goes on.
    More,
    /// The value ended with this character.
    Done,
    /// The value, a number, ended before this character, which is no part of it.
    DoneBefore,
    /// This character cannot stand here; it is no part of the value.
    Bad,
}

/// What is expected next.
#[derive(Debug, Clone, PartialEq, Eq)]
enum State {
    Value,
    /// In a list that has just begun.
    ValueOrEnd,
    /// In an object that has just begun.
    KeyOrEnd,
    Key,
    Colon,
    CommaOrEnd,
    Text,
    Escape,
    /// So many digits of a `\u` to come.
    Unicode(u8),
    /// The rest of `true`, `false` or `null`.
    Word(&'static str),
    Number(Number),
    Over,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Number {
    Minus,
    Zero,
    Digits,
    Point,
    Fraction,
    Exponent,
    ExponentSign,
    ExponentDigits,
}

/// A value on its way.
#[derive(Debug, Clone)]
pub(super) struct Json {
    state: State,
    /// The open brackets.
    open: Vec<char>,
    /// The text that is read is a key.
    key: bool,
}

impl Json {
    /// Before the first character.
    pub(super) fn new() -> Self {
        Self {
            state: State::Value,
            open: Vec::new(),
            key: false,
        }
    }

    /// Takes the next character. White space in front of a value is part of it.
    pub(super) fn push(&mut self, character: char) -> Flow {
        let space = matches!(character, ' ' | '\t' | '\n' | '\r');
        match &self.state {
            State::Text => return self.text(character),
            State::Escape => {
                self.state = match character {
                    '"' | '\\' | '/' | 'b' | 'f' | 'n' | 'r' | 't' => State::Text,
                    'u' => State::Unicode(4),
                    _ => return Flow::Bad,
                };
                return Flow::More;
            }
            State::Unicode(left) => {
                if !character.is_ascii_hexdigit() {
                    return Flow::Bad;
                }
                self.state = match left - 1 {
                    0 => State::Text,
                    left => State::Unicode(left),
                };
                return Flow::More;
            }
            State::Word(rest) => {
                let Some(rest) = rest.strip_prefix(character) else {
                    return Flow::Bad;
                };
                if rest.is_empty() {
                    return self.end();
                }
                self.state = State::Word(rest);
                return Flow::More;
            }
            State::Number(number) => return self.number(*number, character),
            State::Over => return Flow::Bad,
            _ if space => return Flow::More,
            _ => {}
        }
        match (&self.state, character) {
            (State::Value | State::ValueOrEnd, '{') => self.begin('}', State::KeyOrEnd),
            (State::Value | State::ValueOrEnd, '[') => self.begin(']', State::ValueOrEnd),
            (State::ValueOrEnd, ']') | (State::KeyOrEnd, '}') => self.close(),
            (State::Value | State::ValueOrEnd, _) => self.scalar(character),
            (State::KeyOrEnd | State::Key, '"') => {
                self.key = true;
                self.to(State::Text)
            }
            (State::Colon, ':') => self.to(State::Value),
            (State::CommaOrEnd, ',') => match self.open.last() {
                Some('}') => self.to(State::Key),
                _ => self.to(State::Value),
            },
            (State::CommaOrEnd, _) if self.open.last() == Some(&character) => self.close(),
            _ => Flow::Bad,
        }
    }

    fn to(&mut self, state: State) -> Flow {
        self.state = state;
        Flow::More
    }

    fn begin(&mut self, end: char, state: State) -> Flow {
        if self.open.len() == DEEPEST {
            return Flow::Bad;
        }
        self.open.push(end);
        self.to(state)
    }

    fn close(&mut self) -> Flow {
        self.open.pop();
        self.end()
    }

    /// A value has ended.
    fn end(&mut self) -> Flow {
        if self.open.is_empty() {
            self.state = State::Over;
            return Flow::Done;
        }
        self.to(State::CommaOrEnd)
    }

    fn scalar(&mut self, character: char) -> Flow {
        let state = match character {
            '"' => {
                self.key = false;
                State::Text
            }
            't' => State::Word("rue"),
            'f' => State::Word("alse"),
            'n' => State::Word("ull"),
            '-' => State::Number(Number::Minus),
            '0' => State::Number(Number::Zero),
            '1'..='9' => State::Number(Number::Digits),
            _ => return Flow::Bad,
        };
        self.to(state)
    }

    fn text(&mut self, character: char) -> Flow {
        match character {
            '"' if self.key => {
                self.key = false;
                self.to(State::Colon)
            }
            '"' => self.end(),
            '\\' => self.to(State::Escape),
            '\0'..='\x1f' => Flow::Bad,
            _ => Flow::More,
        }
    }

    fn number(&mut self, number: Number, character: char) -> Flow {
        let next = match (number, character) {
            (Number::Minus, '0') => Number::Zero,
            (Number::Minus, '1'..='9') | (Number::Digits, '0'..='9') => Number::Digits,
            (Number::Zero | Number::Digits, '.') => Number::Point,
            (Number::Point | Number::Fraction, '0'..='9') => Number::Fraction,
            (Number::Zero | Number::Digits | Number::Fraction, 'e' | 'E') => Number::Exponent,
            (Number::Exponent, '+' | '-') => Number::ExponentSign,
            (Number::Exponent | Number::ExponentSign | Number::ExponentDigits, '0'..='9') => {
                Number::ExponentDigits
            }
            (Number::Zero | Number::Digits | Number::Fraction | Number::ExponentDigits, _) => {
                return self.after_number(character);
            }
            _ => return Flow::Bad,
        };
        self.to(State::Number(next))
    }

    /// A number ends with what follows it; inside of brackets that is part of the value.
    fn after_number(&mut self, character: char) -> Flow {
        if self.open.is_empty() {
            self.state = State::Over;
            return Flow::DoneBefore;
        }
        self.state = State::CommaOrEnd;
        self.push(character)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Whether a text is one value from its first character to its last.
    fn accepts(text: &str) -> bool {
        let mut json = Json::new();
        let last = text.chars().count();
        for (place, character) in text.chars().enumerate() {
            match json.push(character) {
                Flow::More => {}
                Flow::Done => return place + 1 == last,
                Flow::DoneBefore | Flow::Bad => return false,
            }
        }
        json.push('\n') == Flow::DoneBefore
    }

    #[test]
    fn values_are_told_from_what_is_none() {
        let values = [
            "{}",
            "[]",
            "0",
            "-0.5e+10",
            "1E9",
            "\"\"",
            "\"a\\\"\\u00e9\\n\"",
            "true",
            "null",
            "{\"a\":[1,2,{\"b\":null}]}",
            " { \"a\" : 1 , \"b\" : [ ] }",
            "[1.5]",
            "[-1]",
        ];
        for text in values {
            assert!(accepts(text), "{text}");
        }
        let none = [
            "",
            "{",
            "{a:1}",
            "{\"a\" 1}",
            "{\"a\":}",
            "{\"a\":1,}",
            "[1,]",
            "[,1]",
            "01",
            "1.",
            ".5",
            "-",
            "1e",
            "+1",
            "\"\n\"",
            "\"\\x\"",
            "\"\\u12g4\"",
            "tru",
            "nul1",
            "{]",
            "[}",
            "{1:2}",
            "'a'",
            "}",
        ];
        for text in none {
            assert!(!accepts(text), "{text}");
        }
        assert!(!accepts("{}x"));
        assert!(!accepts(&"[".repeat(DEEPEST + 1)));
    }

    proptest! {
        #[test]
        fn it_agrees_with_serde_json(text in r#"[\[\]{}",:0-9eE.+\- \\ntrufalsu]{0,12}"#) {
            let expected = serde_json::from_str::<serde::de::IgnoredAny>(&text).is_ok();
            // White space behind a value is not part of it here.
            prop_assert_eq!(accepts(text.trim_end()), expected, "{}", text);
        }
    }
}
