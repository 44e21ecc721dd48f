//! Reads GBNF, llama.cpp's notation of grammars (`grammars/README.md` there), within limits. llama.cpp's own
//! reader recurses without end and ends the process on some inputs, so it is not used.

use std::iter::Peekable;
use std::str::Chars;

use super::tree::{Class, Tree};

/// Deepest nesting of groups.
const DEEPEST: usize = 128;

/// Most repetitions that can be written, `{m,n}`.
const MOST_REPETITIONS: u32 = 100_000;

/// Reads a grammar; gives its rules in order, or what is wrong with it, with the line.
pub(super) fn read(text: &str) -> Result<Vec<(String, Tree)>, String> {
    let mut reader = Reader {
        text: text.chars().peekable(),
        line: 1,
        depth: 0,
    };
    reader
        .rules()
        .map_err(|problem| format!("line {}: {problem}", reader.line))
}

struct Reader<'text> {
    text: Peekable<Chars<'text>>,
    line: usize,
    depth: usize,
}

impl Reader<'_> {
    fn rules(&mut self) -> Result<Vec<(String, Tree)>, String> {
        let mut rules: Vec<(String, Tree)> = Vec::new();
        self.space(true);
        while self.text.peek().is_some() {
            let name = self.name()?;
            self.space(false);
            for expected in "::=".chars() {
                if self.next() != Some(expected) {
                    return Err(format!("“::=” is missing after “{name}”"));
                }
            }
            self.space(true);
            let tree = self.alternatives(false)?;
            match self.text.peek() {
                None | Some('\n' | '\r') => {}
                Some(other) => return Err(format!("“{other}” cannot stand there")),
            }
            self.space(true);
            rules.push((name, tree));
        }
        Ok(rules)
    }

    fn next(&mut self) -> Option<char> {
        let next = self.text.next();
        if next == Some('\n') {
            self.line += 1;
        }
        next
    }

    /// Skips white space and comments.
    fn space(&mut self, lines: bool) {
        while let Some(&next) = self.text.peek() {
            match next {
                ' ' | '\t' => {}
                '\n' | '\r' if lines => {}
                '#' => {
                    while self.text.peek().is_some_and(|next| !matches!(next, '\n' | '\r')) {
                        self.text.next();
                    }
                    continue;
                }
                _ => return,
            }
            self.next();
        }
    }

    fn name(&mut self) -> Result<String, String> {
        let mut name = String::new();
        while let Some(letter) = self
            .text
            .next_if(|&letter| letter.is_ascii_alphanumeric() || letter == '-')
        {
            name.push(letter);
        }
        match (name.is_empty(), self.text.peek()) {
            (false, _) => Ok(name),
            (true, Some(other)) => Err(format!("a rule's name is expected, not “{other}”")),
            (true, None) => Err("a rule's name is expected".into()),
        }
    }

    fn alternatives(&mut self, nested: bool) -> Result<Tree, String> {
        let mut alternatives = vec![self.sequence(nested)?];
        while self.text.next_if_eq(&'|').is_some() {
            self.space(true);
            alternatives.push(self.sequence(nested)?);
        }
        Ok(Tree::any(alternatives))
    }

    fn sequence(&mut self, nested: bool) -> Result<Tree, String> {
        let mut parts = Vec::new();
        while let Some(&next) = self.text.peek() {
            let part = match next {
                '"' => self.literal()?,
                '[' => self.class()?,
                '.' => {
                    self.next();
                    Tree::Class(Class::any())
                }
                '(' => self.group()?,
                '<' => self.token()?,
                '!' => return Err("a token that must not come, “!<…>”, is not supported".into()),
                '*' | '+' | '?' | '{' => {
                    let (least, most) = self.repetition()?;
                    let Some(part) = parts.pop() else {
                        return Err(format!("there is nothing to repeat before “{next}”"));
                    };
                    Tree::repeat(part, least, most)
                }
                letter if letter.is_ascii_alphanumeric() || letter == '-' => Tree::Rule(self.name()?),
                _ => break,
            };
            self.space(nested);
            parts.push(part);
        }
        Ok(Tree::all(parts))
    }

    fn group(&mut self) -> Result<Tree, String> {
        self.next();
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(format!("groups are nested more than {DEEPEST} deep"));
        }
        self.space(true);
        let tree = self.alternatives(true)?;
        if self.next() != Some(')') {
            return Err("a group is not closed".into());
        }
        self.depth -= 1;
        Ok(tree)
    }

    fn literal(&mut self) -> Result<Tree, String> {
        self.next();
        let mut text = String::new();
        while self.text.peek() != Some(&'"') {
            text.push(self.character()?);
        }
        self.next();
        Ok(Tree::Text(text))
    }

    fn class(&mut self) -> Result<Tree, String> {
        self.next();
        let negated = self.text.next_if_eq(&'^').is_some();
        let mut ranges = Vec::new();
        while self.text.peek() != Some(&']') {
            let first = self.character()?;
            let mut last = first;
            let mut ahead = self.text.clone();
            if ahead.next() == Some('-') && ahead.peek() != Some(&']') {
                self.next();
                last = self.character()?;
            }
            if first > last {
                return Err(format!("the range from “{first}” to “{last}” is upside down"));
            }
            ranges.push((first, last));
        }
        self.next();
        Ok(Tree::Class(Class::new(&ranges, negated)))
    }

    /// A token by its text: that text. One by its number depends on the model and is refused.
    fn token(&mut self) -> Result<Tree, String> {
        let mut text = String::new();
        loop {
            match self.next() {
                Some('>') => break,
                Some(character) if character != '\n' => text.push(character),
                _ => return Err("a token is not closed with “>”".into()),
            }
        }
        text.push('>');
        if text.starts_with("<[") {
            return Err(format!(
                "a token by its number, “{text}”, is not supported; write its text"
            ));
        }
        Ok(Tree::Text(text))
    }

    fn repetition(&mut self) -> Result<(u32, Option<u32>), String> {
        match self.next() {
            Some('*') => return Ok((0, None)),
            Some('+') => return Ok((1, None)),
            Some('?') => return Ok((0, Some(1))),
            _ => self.space(true),
        }
        let least = self.number()?.ok_or("a number of repetitions is missing")?;
        self.space(true);
        let most = match self.text.next_if_eq(&',') {
            None => Some(least),
            Some(_) => {
                self.space(true);
                self.number()?
            }
        };
        self.space(true);
        if self.next() != Some('}') {
            return Err("a number of repetitions is not closed with “}”".into());
        }
        if most.is_some_and(|most| most < least) {
            return Err(format!("it repeats at least {least} and at most fewer times"));
        }
        Ok((least, most))
    }

    fn number(&mut self) -> Result<Option<u32>, String> {
        let mut digits = String::new();
        while let Some(digit) = self.text.next_if(char::is_ascii_digit) {
            digits.push(digit);
        }
        if digits.is_empty() {
            return Ok(None);
        }
        match digits.parse() {
            Ok(number) if number <= MOST_REPETITIONS => Ok(Some(number)),
            _ => Err(format!(
                "{digits} repetitions are too many; {MOST_REPETITIONS} is the most"
            )),
        }
    }

    /// A character of a literal or a class, escapes resolved.
    fn character(&mut self) -> Result<char, String> {
        let escape = match self.next() {
            Some('\\') => self.next(),
            Some(character) => return Ok(character),
            None => None,
        };
        let digits = match escape {
            Some('t') => return Ok('\t'),
            Some('r') => return Ok('\r'),
            Some('n') => return Ok('\n'),
            Some(itself @ ('\\' | '"' | '[' | ']' | '-')) => return Ok(itself),
            Some('x') => 2,
            Some('u') => 4,
            Some('U') => 8,
            Some(other) => return Err(format!("“\\{other}” is no escape")),
            None => return Err("it ends within a text or a class".into()),
        };
        let mut number = 0;
        for _ in 0..digits {
            let digit = self.next().and_then(|digit| digit.to_digit(16));
            number =
                number << 4 | digit.ok_or_else(|| format!("an escape needs {digits} hexadecimal digits"))?;
        }
        char::from_u32(number).ok_or_else(|| format!("there is no character {number:X}"))
    }
}
