//! Python's methods on strings, lists and dicts, as templates call them.
//!
//! In the marking render a method works on the text without marks and puts the marks back on what it gives; where
//! it cannot tell which part of its result is data, all of it is.

use minijinja::value::{Kwargs, Tuple, ValueKind, from_args};
use minijinja::{Error, State, Value};
use minijinja_contrib::pycompat;

use super::marks::{self, Marked};
use super::strings::{self, Ends};
use super::text::{self, invalid};
use super::trusted;

/// The widest padding a method makes, in characters. Real templates pad to two digits.
const MAX_WIDTH: i64 = 1 << 20;

/// The string a method is called on.
struct Subject {
    string: Marked,
    /// Whether the template wrote it, data between marks aside.
    trusted: bool,
}

impl Subject {
    fn new(state: &State, value: &Value, text: &str) -> Self {
        let trusted = value.is_safe() && marks::is_marking(state);
        let string = if trusted {
            Marked::read(text)
        } else if marks::is_marking(state) {
            Marked::trusted(&marks::without_marks(text))
        } else {
            Marked::trusted(text)
        };
        Self { string, trusted }
    }

    fn text(&self) -> &str {
        &self.string.text
    }

    /// A part of the text, told by where it lies; anything else counts as made of it.
    fn part(&self, part: &str) -> Value {
        let start = (part.as_ptr() as usize).wrapping_sub(self.text().as_ptr() as usize);
        let end = start.wrapping_add(part.len());
        if self.trusted && start <= end && end <= self.text().len() {
            Value::from_safe_string(self.string.write(start..end))
        } else {
            self.made(part.to_owned())
        }
    }

    fn parts<'t>(&self, parts: impl IntoIterator<Item = &'t str>) -> Value {
        parts.into_iter().map(|part| self.part(part)).collect()
    }

    /// A text made of this one in a way that forgets which of it is data.
    fn made(&self, text: String) -> Value {
        if self.trusted && self.string.data.is_empty() {
            Value::from_safe_string(text)
        } else {
            Value::from(text)
        }
    }

    /// A text made of this one, marks and all.
    fn changed(&self, change: impl Fn(&str) -> String) -> Value {
        if self.trusted {
            Value::from_safe_string(change(&self.string.write(0..self.text().len())))
        } else {
            Value::from(change(self.text()))
        }
    }
}

/// Calls a method that the engine itself does not know.
///
/// # Errors
/// As in Python, and for methods that chat templates cannot have, such as those that change a list.
pub(super) fn call(
    state: &mut State,
    value: &Value,
    name: &str,
    arguments: &[Value],
) -> Result<Value, Error> {
    let Some(text) = value.as_str().filter(|_| value.kind() == ValueKind::String) else {
        return call_on_container(state, value, name, arguments);
    };
    let subject = Subject::new(state, value, text);
    match name {
        "join" => {
            let (items,): (&Value,) = from_args(arguments)?;
            return join(state, value, items);
        }
        "replace" if subject.trusted => return trusted::replace(state, &subject.string, arguments),
        "format" => return format(state, &subject, arguments),
        _ => (),
    }
    let arguments = unmarked(state, arguments);
    match name {
        "strip" | "lstrip" | "rstrip" | "split" | "rsplit" | "partition" | "rpartition" | "splitlines"
        | "removeprefix" | "removesuffix" => take_apart(&subject, name, &arguments),
        "upper" | "lower" | "title" | "capitalize" | "swapcase" => change_case(&subject, name, &arguments),
        "zfill" | "center" | "ljust" | "rjust" => pad(state, &subject, name, &arguments),
        "startswith" | "endswith" => has_affix(&subject, name, &arguments),
        "find" | "rfind" | "index" | "rindex" | "count" => search(&subject, name, &arguments),
        "isdigit" | "isdecimal" | "isspace" => {
            let () = from_args(&arguments)?;
            let is = match name {
                "isdigit" => strings::is_digit,
                "isdecimal" => |c: char| c.is_ascii_digit(),
                _ => strings::is_space,
            };
            let text = subject.text();
            Ok(Value::from(!text.is_empty() && text.chars().all(is)))
        }
        _ => pycompat::unknown_method_callback(state, &Value::from(subject.text()), name, &arguments),
    }
}

/// Methods that give parts of the text.
fn take_apart(subject: &Subject, name: &str, arguments: &[Value]) -> Result<Value, Error> {
    let text = subject.text();
    match name {
        "split" | "rsplit" => {
            let (separator, limit, named): (Option<Value>, Option<i64>, Kwargs) = from_args(arguments)?;
            let separator = separator.map_or_else(|| named.get("sep"), |value| Ok(Some(value)))?;
            let limit = limit.map_or_else(|| named.get("maxsplit"), |limit| Ok(Some(limit)))?;
            named.assert_all_used()?;
            let separator = optional_str(separator.as_ref(), name)?;
            if separator == Some("") {
                return Err(invalid("empty separator"));
            }
            // A negative limit is none.
            let limit = limit.and_then(|limit| usize::try_from(limit).ok());
            Ok(subject.parts(match name {
                "split" => strings::split(text, separator, limit),
                _ => strings::rsplit(text, separator, limit),
            }))
        }
        "splitlines" => {
            let (keep_ends, named): (Option<bool>, Kwargs) = from_args(arguments)?;
            let keep_ends = keep_ends.map_or_else(|| named.get("keepends"), |keep| Ok(Some(keep)))?;
            named.assert_all_used()?;
            Ok(subject.parts(strings::split_lines(text, keep_ends.unwrap_or(false))))
        }
        "partition" | "rpartition" => {
            let (separator,): (&str,) = from_args(arguments)?;
            if separator.is_empty() {
                return Err(invalid("empty separator"));
            }
            let (found, otherwise) = match name {
                "partition" => (text.split_once(separator), [text, "", ""]),
                _ => (text.rsplit_once(separator), ["", "", text]),
            };
            let parts = found.map_or(otherwise, |(before, after)| {
                [before, &text[before.len()..text.len() - after.len()], after]
            });
            Ok(Value::from(Tuple::from(parts.map(|part| subject.part(part)))))
        }
        "removeprefix" => {
            let (prefix,): (&str,) = from_args(arguments)?;
            Ok(subject.part(text.strip_prefix(prefix).unwrap_or(text)))
        }
        "removesuffix" => {
            let (suffix,): (&str,) = from_args(arguments)?;
            Ok(subject.part(text.strip_suffix(suffix).unwrap_or(text)))
        }
        _ => {
            let (characters,): (Option<&Value>,) = from_args(arguments)?;
            let ends = match name {
                "lstrip" => Ends::Left,
                "rstrip" => Ends::Right,
                _ => Ends::Both,
            };
            Ok(subject.part(strings::strip(text, optional_str(characters, name)?, ends)))
        }
    }
}

fn change_case(subject: &Subject, name: &str, arguments: &[Value]) -> Result<Value, Error> {
    let () = from_args(arguments)?;
    Ok(match name {
        "upper" => subject.changed(str::to_uppercase),
        "lower" => subject.changed(str::to_lowercase),
        "title" => subject.made(strings::title(subject.text())),
        "capitalize" => subject.made(strings::capitalize(subject.text())),
        _ => subject.made(strings::swap_case(subject.text())),
    })
}

/// `startswith` and `endswith`, with one string or a tuple of them.
fn has_affix(subject: &Subject, name: &str, arguments: &[Value]) -> Result<Value, Error> {
    let (affixes, start, end): (&Value, Option<i64>, Option<i64>) = from_args(arguments)?;
    let text = strings::slice(subject.text(), start, end);
    let has = |affix: &Value| match affix.as_str() {
        Some(affix) => Ok(text.is_some_and(|text| match name {
            "startswith" => text.starts_with(affix),
            _ => text.ends_with(affix),
        })),
        None => Err(invalid(format!("{name} takes a string or a tuple of strings"))),
    };
    if !affixes.is_tuple() {
        return has(affixes).map(Value::from);
    }
    for affix in affixes.try_iter()? {
        if has(&affix)? {
            return Ok(Value::from(true));
        }
    }
    Ok(Value::from(false))
}

/// Methods that tell where or how often a text stands in another.
fn search(subject: &Subject, name: &str, arguments: &[Value]) -> Result<Value, Error> {
    let (wanted, start, end): (&str, Option<i64>, Option<i64>) = from_args(arguments)?;
    let text = subject.text();
    let part = strings::slice(text, start, end);
    if name == "count" {
        return Ok(Value::from(part.map_or(0, |part| part.matches(wanted).count())));
    }
    let found = part.and_then(|part| {
        let at = match name {
            "rfind" | "rindex" => part.rfind(wanted),
            _ => part.find(wanted),
        };
        let before = strings::length(&part[..at?]);
        Some(before + strings::position(start.unwrap_or(0), strings::length(text)))
    });
    match found {
        Some(at) => Ok(Value::from(at)),
        None if name.ends_with("find") => Ok(Value::from(-1)),
        None => Err(invalid("substring not found")),
    }
}

/// `separator.join(items)`.
fn join(state: &State, separator: &Value, items: &Value) -> Result<Value, Error> {
    if items.is_none() {
        return Err(invalid("can only join an iterable"));
    }
    let items: Vec<Value> = items.try_iter()?.collect();
    if items.iter().any(|item| item.kind() != ValueKind::String) {
        return Err(invalid("join takes strings only"));
    }
    trusted::join(state, separator, &items)
}

/// `text.format(…)`.
fn format(state: &State, subject: &Subject, arguments: &[Value]) -> Result<Value, Error> {
    trusted::check_widths(subject.text())?;
    if subject.trusted && subject.string.data.is_empty() {
        return trusted::format(state, subject.text(), arguments);
    }
    trusted::format_text(subject.text(), &unmarked(state, arguments)).map(Value::from)
}

/// `zfill`, `center`, `ljust`, `rjust`.
fn pad(state: &State, subject: &Subject, name: &str, arguments: &[Value]) -> Result<Value, Error> {
    let (width, fill): (i64, Option<&str>) = from_args(arguments)?;
    let text = subject.text();
    let missing = width.clamp(0, MAX_WIDTH) - strings::length(text);
    let Ok(missing @ 1..) = usize::try_from(missing) else {
        return Ok(subject.part(text));
    };
    let fill = fill.unwrap_or(" ");
    text::charge_bytes(state, missing.saturating_mul(fill.len()))?;
    let fill = |count: usize| fill.repeat(count);
    Ok(match name {
        "ljust" => subject.changed(|text| text.to_owned() + &fill(missing)),
        "rjust" => subject.changed(|text| fill(missing) + text),
        "center" => {
            // Python puts the odd one to the left where the width is odd.
            let left = missing / 2 + (missing & usize::from(width % 2 != 0));
            subject.changed(|text| fill(left) + text + &fill(missing - left))
        }
        _ => {
            let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
            let sign = &text[..text.len() - digits.len()];
            subject.made(format!("{sign}{}{digits}", "0".repeat(missing)))
        }
    })
}

fn call_on_container(
    state: &mut State,
    value: &Value,
    name: &str,
    arguments: &[Value],
) -> Result<Value, Error> {
    match (value.kind(), name) {
        (ValueKind::Map | ValueKind::Seq, "copy") => {
            let () = from_args(arguments)?;
            Ok(value.clone())
        }
        (ValueKind::Seq, "index") => {
            let (wanted,): (&Value,) = from_args(arguments)?;
            let at = value.try_iter()?.position(|item| item == *wanted);
            at.map(Value::from)
                .ok_or_else(|| invalid("the value is not in the list"))
        }
        _ => pycompat::unknown_method_callback(state, value, name, arguments),
    }
}

/// A string argument that may be left out or `None`.
fn optional_str<'v>(value: Option<&'v Value>, method: &str) -> Result<Option<&'v str>, Error> {
    let value = value.filter(|value| !value.is_none());
    let text = value.map(|value| {
        value
            .as_str()
            .ok_or_else(|| invalid(format!("{method} takes a string or None")))
    });
    text.transpose()
}

/// Arguments whose strings hold no marks.
fn unmarked(state: &State, arguments: &[Value]) -> Vec<Value> {
    let unmark = |argument: &Value| match argument.as_str() {
        Some(text) if marks::is_marking(state) => Value::from(marks::without_marks(text)),
        _ => argument.clone(),
    };
    arguments.iter().map(unmark).collect()
}
