//! Joining, replacing and formatting that keep marks on the pieces they put together.

use minijinja::formatting::{FormatStyle, format as format_with};
use minijinja::value::from_args;
use minijinja::{Error, State, Value};

use super::marks::{self, Marked};
use super::text::{self, invalid};

/// More digits than any width in a format string has. The engine would pad first and charge afterwards.
const MAX_WIDTH_DIGITS: usize = 4;

/// Items with a separator between them. The template wrote the whole as soon as it wrote one part of it.
pub(super) fn join(state: &State, separator: &Value, items: &[Value]) -> Result<Value, Error> {
    let trusted = marks::is_marking(state) && [separator].into_iter().chain(items).any(Value::is_safe);
    let write = |value: &Value| {
        if trusted {
            marks::format(state, value)
        } else {
            text::display(state, value)
        }
    };
    let separator = write(separator)?;
    let mut joined = String::new();
    for (at, item) in items.iter().enumerate() {
        let item = write(item)?;
        text::charge_bytes(state, separator.len() + item.len())?;
        if at > 0 {
            joined.push_str(&separator);
        }
        joined.push_str(&item);
    }
    Ok(if trusted {
        Value::from_safe_string(joined)
    } else {
        Value::from(joined)
    })
}

/// `text.replace(old, new, count)` on a text of the template.
pub(super) fn replace(state: &State, text: &Marked, arguments: &[Value]) -> Result<Value, Error> {
    let (old, new, count): (&Value, &Value, Option<i64>) = from_args(arguments)?;
    let (Some(old), Some(_)) = (old.as_str(), new.as_str()) else {
        return Err(invalid("replace takes strings"));
    };
    let old = marks::without_marks(old);
    let new = marks::format(state, new)?;
    // A negative count is none.
    let count = count
        .and_then(|count| usize::try_from(count).ok())
        .unwrap_or(usize::MAX);
    let mut replaced = String::new();
    let mut written = 0;
    for (start, found) in text.text.match_indices(&*old).take(count) {
        text::charge_bytes(state, new.len() + text::BYTES_PER_FUEL)?;
        replaced.push_str(&text.write(written..start));
        replaced.push_str(&new);
        written = start + found.len();
    }
    replaced.push_str(&text.write(written..text.text.len()));
    Ok(Value::from_safe_string(replaced))
}

/// `text.format(…)` where the template wrote all of the text: each field is data, unless the template wrote what
/// goes into it.
pub(super) fn format(state: &State, template: &str, arguments: &[Value]) -> Result<Value, Error> {
    let plain: Vec<Value> = arguments.iter().map(without_marks).collect();
    let mut formatted = String::new();
    let mut rest = template;
    let mut automatic = 0;
    while let Some(at) = rest.find(['{', '}']) {
        let (before, field) = rest.split_at(at);
        formatted.push_str(before);
        if field.starts_with("{{") || field.starts_with("}}") {
            formatted.push_str(&field[..1]);
            rest = &field[2..];
            continue;
        }
        let field = field.strip_prefix('{').and_then(|field| field.split_once('}'));
        let Some((field, after)) = field else {
            return Err(invalid("a format string with a single bracket"));
        };
        rest = after;
        let numbered = if field.is_empty() || field.starts_with(':') {
            automatic += 1;
            format!("{}{field}", automatic - 1)
        } else {
            field.to_owned()
        };
        let argument = numbered.parse::<usize>().ok().and_then(|at| arguments.get(at));
        match argument.filter(|argument| argument.is_safe()) {
            Some(trusted) => formatted.push_str(&marks::format(state, trusted)?),
            None => marks::push(
                &mut formatted,
                &marks::without_marks(&format_text(&format!("{{{numbered}}}"), &plain)?),
            ),
        }
    }
    formatted.push_str(rest);
    Ok(Value::from_safe_string(formatted))
}

/// `text.format(…)` of text without marks.
pub(super) fn format_text(template: &str, arguments: &[Value]) -> Result<String, Error> {
    format_with(FormatStyle::StrFormat, template, arguments)
}

/// Refuses widths that would fill the memory.
pub(super) fn check_widths(template: &str) -> Result<(), Error> {
    let is_long = |digits: &str| digits.len() > MAX_WIDTH_DIGITS;
    if template.split(|c: char| !c.is_ascii_digit()).any(is_long) {
        return Err(invalid("a field of the format string is too wide"));
    }
    Ok(())
}

fn without_marks(value: &Value) -> Value {
    match value.as_str() {
        Some(text) if marks::has_marks(text) => Value::from(marks::without_marks(text)),
        _ => value.clone(),
    }
}
