//! The text that Python gives a value: `str()` and `repr()`, as templates print them.

use std::fmt::Write;

use minijinja::value::{DynObject, ValueKind};
use minijinja::{Error, ErrorKind, State, Value};

use super::marks;

/// How deep lists and maps may lie in each other to be written.
const MAX_DEPTH: usize = 200;

/// How many bytes of text one unit of fuel buys in the engine.
pub(super) const BYTES_PER_FUEL: usize = 64;

/// `str(value)`, with undefined as nothing.
///
/// # Errors
/// Out of fuel, or nested too deeply.
pub(super) fn display(state: &State, value: &Value) -> Result<String, Error> {
    if let Some(text) = value.as_str() {
        return Ok(text.to_owned());
    }
    let mut text = String::new();
    if !value.is_undefined() {
        repr(state, value, 0, &mut text)?;
    }
    Ok(text)
}

/// A value that is a string: itself, or its text.
///
/// # Errors
/// As [`display`].
pub(super) fn string(state: &State, value: &Value) -> Result<Value, Error> {
    match value.kind() {
        ValueKind::String => Ok(value.clone()),
        _ => Ok(Value::from(display(state, value)?)),
    }
}

/// `repr(value)`. Each value in it costs fuel before it is written, since values that share parts are far larger
/// in writing than in memory.
fn repr(state: &State, value: &Value, depth: usize, text: &mut String) -> Result<(), Error> {
    charge(state, value, depth)?;
    match value.kind() {
        ValueKind::String => repr_string(value.as_str().unwrap_or_default(), text),
        ValueKind::Undefined => text.push_str("Undefined"),
        ValueKind::Number => match as_float(value) {
            Some(number) => text.push_str(&float(number)),
            None => push_display(value, text),
        },
        ValueKind::Seq | ValueKind::Iterable => {
            let tuple = value.is_tuple();
            text.push(if tuple { '(' } else { '[' });
            let mut count = 0;
            for item in value.try_iter()? {
                if count > 0 {
                    text.push_str(", ");
                }
                repr(state, &item, depth + 1, text)?;
                count += 1;
            }
            text.push_str(match (tuple, count) {
                (true, 1) => ",)",
                (true, _) => ")",
                (false, _) => "]",
            });
        }
        ValueKind::Map if value.as_object().is_some_and(is_dict) => {
            text.push('{');
            for (at, key) in value.try_iter()?.enumerate() {
                if at > 0 {
                    text.push_str(", ");
                }
                repr(state, &key, depth + 1, text)?;
                text.push_str(": ");
                repr(state, &value.get_item(&key)?, depth + 1, text)?;
            }
            text.push('}');
        }
        _ => push_display(value, text),
    }
    Ok(())
}

/// Pays for one more value and refuses what lies too deep.
pub(super) fn charge(state: &State, value: &Value, depth: usize) -> Result<(), Error> {
    charge_bytes(state, value.as_str().map_or(0, str::len))?;
    state.consume_fuel(1)?;
    if depth > MAX_DEPTH {
        return Err(invalid("the value is nested too deeply"));
    }
    Ok(())
}

/// Pays for text before it is made, at the engine's own price.
pub(super) fn charge_bytes(state: &State, bytes: usize) -> Result<(), Error> {
    state.consume_fuel((bytes / BYTES_PER_FUEL) as u64)
}

/// Whether a value is what Python calls a list or a tuple: also two of them added, which the engine joins late.
pub(super) fn is_list(value: &Value) -> bool {
    let joined = |object: &DynObject| object.type_name().contains("MergeSeq");
    value.kind() == ValueKind::Seq || value.as_object().is_some_and(joined)
}

/// Whether an object is what Python calls a dict, and not one of the engine's own kinds.
pub(super) fn is_dict(object: &DynObject) -> bool {
    let name = object.type_name();
    !["Namespace", "Macro", "loop"]
        .iter()
        .any(|own| name.contains(own))
}

/// The number of a value that is a float.
pub(super) fn as_float(value: &Value) -> Option<f64> {
    if value.kind() == ValueKind::Number && !value.is_integer() {
        f64::try_from(value.clone()).ok()
    } else {
        None
    }
}

/// `repr(number)`: the shortest digits that read back as the same number, with an exponent below 1e-4 and from
/// 1e16 on.
pub(super) fn float(number: f64) -> String {
    if number.is_nan() {
        return "nan".into();
    }
    if number.is_infinite() {
        return if number < 0.0 { "-inf" } else { "inf" }.into();
    }
    let scientific = format!("{number:e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    match exponent.parse::<i32>() {
        Ok(exponent) if !(-4..16).contains(&exponent) => {
            let sign = if exponent < 0 { '-' } else { '+' };
            format!("{digits}e{sign}{:02}", exponent.abs())
        }
        _ => {
            let plain = number.to_string();
            if plain.contains('.') { plain } else { plain + ".0" }
        }
    }
}

/// `repr(text)`. Marks pass as they are, for they are no part of the text.
fn repr_string(string: &str, text: &mut String) {
    let quote = if string.contains('\'') && !string.contains('"') {
        '"'
    } else {
        '\''
    };
    text.push(quote);
    for c in string.chars() {
        match c {
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            c if c == quote => text.extend(['\\', c]),
            marks::OPEN | marks::CLOSE => text.push(c),
            c if is_printable(c) => text.push(c),
            c => {
                let code = u32::from(c);
                let escape = match code {
                    ..=0xff => format!("\\x{code:02x}"),
                    0x100..=0xffff => format!("\\u{code:04x}"),
                    _ => format!("\\U{code:08x}"),
                };
                text.push_str(&escape);
            }
        }
    }
    text.push(quote);
}

/// What `str.isprintable` says of a character. `char::escape_debug` escapes the same characters, and the two
/// quotes and the backslash, which are printable; behind another character it leaves combining marks alone.
fn is_printable(c: char) -> bool {
    matches!(c, '\'' | '"' | '\\')
        || "a".chars().chain([c]).collect::<String>().escape_debug().nth(1) == Some(c)
}

/// Appends what the engine itself writes; into a string this cannot fail.
fn push_display(value: &Value, text: &mut String) {
    write!(text, "{value}").unwrap_or_default();
}

/// An operation that Python refuses as well.
pub(super) fn invalid(reason: impl Into<std::borrow::Cow<'static, str>>) -> Error {
    Error::new(ErrorKind::InvalidOperation, reason)
}
