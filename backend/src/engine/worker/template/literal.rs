//! String literals of templates: read as Python reads them, written so that the engine reads the same.

use std::iter::Peekable;
use std::str::Chars;

use super::marks;

/// The string that the text between the quotes of a Python literal stands for; `None` for what has no place in
/// text: broken escapes, names of characters (`\N{…}`) and half surrogate pairs.
pub(super) fn read(literal: &str) -> Option<String> {
    let mut string = String::with_capacity(literal.len());
    let mut characters = literal.chars().peekable();
    let mut high_surrogate = None;
    while let Some(c) = characters.next() {
        let code = if c == '\\' {
            match escape(&mut characters)? {
                Escape::Code(code) => code,
                Escape::Nothing => continue,
                Escape::None(c) => {
                    string.push('\\');
                    u32::from(c)
                }
            }
        } else {
            u32::from(c)
        };
        match (high_surrogate.take(), code) {
            (None, 0xd800..=0xdbff) => high_surrogate = Some(code),
            (Some(high), 0xdc00..=0xdfff) => {
                string.push(char::from_u32(
                    0x10000 + ((high - 0xd800) << 10) + (code - 0xdc00),
                )?);
            }
            (Some(_), _) => return None,
            (None, code) => string.push(char::from_u32(code)?),
        }
    }
    high_surrogate.is_none().then_some(string)
}

/// A literal in the engine's syntax. Marks are left out: only a render may set them.
pub(super) fn write(string: &str) -> String {
    let mut literal = String::with_capacity(string.len() + 2);
    literal.push('\'');
    for c in marks::without_marks(string).chars() {
        if matches!(c, '\'' | '\\') {
            literal.push('\\');
        }
        literal.push(c);
    }
    literal.push('\'');
    literal
}

/// What stands behind a backslash.
enum Escape {
    /// A character, or half of a surrogate pair.
    Code(u32),
    /// A broken line, which is no part of the string.
    Nothing,
    /// No escape: backslash and character stay.
    None(char),
}

fn escape(characters: &mut Peekable<Chars<'_>>) -> Option<Escape> {
    let code = match characters.next()? {
        '\n' => return Some(Escape::Nothing),
        '\\' => 0x5c,
        '\'' => 0x27,
        '"' => 0x22,
        'a' => 0x07,
        'b' => 0x08,
        'f' => 0x0c,
        'n' => 0x0a,
        'r' => 0x0d,
        't' => 0x09,
        'v' => 0x0b,
        'x' => hexadecimal(characters, 2)?,
        'u' => hexadecimal(characters, 4)?,
        'U' => hexadecimal(characters, 8)?,
        'N' => return None,
        first @ '0'..='7' => {
            let mut code = first.to_digit(8)?;
            for _ in 0..2 {
                let Some(digit) = characters.peek().and_then(|c| c.to_digit(8)) else {
                    break;
                };
                code = code * 8 + digit;
                characters.next();
            }
            code
        }
        other => return Some(Escape::None(other)),
    };
    Some(Escape::Code(code))
}

fn hexadecimal(characters: &mut Peekable<Chars<'_>>, digits: usize) -> Option<u32> {
    let mut code = 0_u32;
    for _ in 0..digits {
        code = code.checked_mul(16)? + characters.next()?.to_digit(16)?;
    }
    Some(code)
}

#[cfg(test)]
mod tests;
