//! The filter `tojson` as chat templates expect it: Python's `json.dumps`, not the engine's filter for HTML.

use minijinja::value::{Kwargs, Rest, ValueKind, ValueOrKwargs, from_args};
use minijinja::{Error, State, Value};

use super::generator::is_generator;
use super::marks;
use super::text::{self, invalid};

/// More columns of indent than any template asks for.
const MAX_INDENT: usize = 64;

/// How the text is laid out: the arguments of `json.dumps`.
struct Style {
    ensure_ascii: bool,
    /// What stands before each item per level; `None` writes all on one line.
    indent: Option<String>,
    item_separator: String,
    key_separator: String,
    sort_keys: bool,
}

/// `tojson(value, ensure_ascii=False, indent=None, separators=None, sort_keys=False)`.
///
/// # Errors
/// As `json.dumps`, for what has no JSON, such as undefined and generators; further, out of fuel and nested too
/// deeply. Views of dicts, which `json.dumps` refuses, become lists.
pub(super) fn tojson(state: &State, value: &Value, arguments: Rest<ValueOrKwargs>) -> Result<Value, Error> {
    let style = Style::from_arguments(state, &arguments.into_values())?;
    let mut json = String::new();
    style.write(state, value, 0, &mut json)?;
    Ok(Value::from(json))
}

impl Style {
    fn from_arguments(state: &State, arguments: &[Value]) -> Result<Self, Error> {
        type Optional = Option<Value>;
        let (ensure_ascii, indent, separators, sort_keys, named): (
            Optional,
            Optional,
            Optional,
            Optional,
            Kwargs,
        ) = from_args(arguments)?;
        let argument = |positional: Optional, name: &str| -> Result<Optional, Error> {
            let value = match positional {
                Some(value) => Some(value),
                None => named.get(name)?,
            };
            Ok(value.filter(|value| !value.is_none()))
        };
        let ensure_ascii = argument(ensure_ascii, "ensure_ascii")?;
        let indent = argument(indent, "indent")?;
        let separators = argument(separators, "separators")?;
        let sort_keys = argument(sort_keys, "sort_keys")?;
        named.assert_all_used()?;

        let indent = indent.map(indent_text).transpose()?;
        let (item_separator, key_separator) = match separators {
            None if indent.is_some() => (",".to_owned(), ": ".to_owned()),
            None => (", ".to_owned(), ": ".to_owned()),
            Some(pair) => match pair.try_iter()?.collect::<Vec<_>>().as_slice() {
                [item, key] => (text::display(state, item)?, text::display(state, key)?),
                _ => return Err(invalid("separators must be a pair")),
            },
        };
        Ok(Self {
            ensure_ascii: ensure_ascii.is_some_and(|value| value.is_true()),
            indent,
            item_separator,
            key_separator,
            sort_keys: sort_keys.is_some_and(|value| value.is_true()),
        })
    }

    fn write(&self, state: &State, value: &Value, level: usize, json: &mut String) -> Result<(), Error> {
        text::charge(state, value, level)?;
        text::charge_bytes(state, self.separators_len(level))?;
        match value.kind() {
            ValueKind::String => self.write_string(value.as_str().unwrap_or_default(), json),
            ValueKind::None | ValueKind::Bool | ValueKind::Number => json.push_str(&scalar(value)),
            ValueKind::Seq | ValueKind::Iterable if !is_generator(value) => {
                json.push('[');
                let mut any = false;
                for item in value.try_iter()? {
                    self.begin_item(any, level + 1, json);
                    self.write(state, &item, level + 1, json)?;
                    any = true;
                }
                self.end_items(any, level, json);
                json.push(']');
            }
            ValueKind::Map if value.as_object().is_some_and(text::is_dict) => {
                let mut keys: Vec<Value> = value.try_iter()?.collect();
                if self.sort_keys {
                    keys.sort();
                }
                json.push('{');
                let mut any = false;
                for key in keys {
                    self.begin_item(any, level + 1, json);
                    match key.kind() {
                        ValueKind::String => self.write_string(key.as_str().unwrap_or_default(), json),
                        ValueKind::None | ValueKind::Bool | ValueKind::Number => {
                            self.write_string(&scalar(&key), json);
                        }
                        _ => return Err(invalid("keys must be str, int, float, bool or None")),
                    }
                    json.push_str(&self.key_separator);
                    self.write(state, &value.get_item(&key)?, level + 1, json)?;
                    any = true;
                }
                self.end_items(any, level, json);
                json.push('}');
            }
            kind => return Err(invalid(format!("a value of type {kind} has no JSON"))),
        }
        Ok(())
    }

    /// Bytes of layout around one value, roughly.
    fn separators_len(&self, level: usize) -> usize {
        let indent = self.indent.as_ref().map_or(0, String::len);
        self.item_separator.len() + self.key_separator.len() + indent.saturating_mul(level)
    }

    fn begin_item(&self, any: bool, level: usize, json: &mut String) {
        if any {
            json.push_str(&self.item_separator);
        }
        self.break_line(level, json);
    }

    fn end_items(&self, any: bool, level: usize, json: &mut String) {
        if any {
            self.break_line(level, json);
        }
    }

    fn break_line(&self, level: usize, json: &mut String) {
        if let Some(indent) = &self.indent {
            json.push('\n');
            json.extend(std::iter::repeat_n(indent.as_str(), level));
        }
    }

    /// A string. Marks pass as they are, for they are no part of it.
    fn write_string(&self, string: &str, json: &mut String) {
        json.push('"');
        for c in string.chars() {
            match c {
                '"' => json.push_str("\\\""),
                '\\' => json.push_str("\\\\"),
                '\n' => json.push_str("\\n"),
                '\r' => json.push_str("\\r"),
                '\t' => json.push_str("\\t"),
                '\u{8}' => json.push_str("\\b"),
                '\u{c}' => json.push_str("\\f"),
                marks::OPEN | marks::CLOSE => json.push(c),
                c if c < ' ' || (self.ensure_ascii && c > '~') => {
                    for unit in c.encode_utf16(&mut [0; 2]) {
                        json.push_str(&format!("\\u{unit:04x}"));
                    }
                }
                c => json.push(c),
            }
        }
        json.push('"');
    }
}

/// `None`, a truth value or a number.
fn scalar(value: &Value) -> String {
    match (value.kind(), text::as_float(value)) {
        (ValueKind::None, _) => "null".into(),
        (ValueKind::Bool, _) => if value.is_true() { "true" } else { "false" }.into(),
        (_, Some(number)) if number.is_nan() => "NaN".into(),
        (_, Some(number)) if number.is_infinite() => {
            if number < 0.0 { "-Infinity" } else { "Infinity" }.into()
        }
        (_, Some(number)) => text::float(number),
        _ => value.to_string(),
    }
}

/// What stands before an item per level: a string, or a number of spaces.
fn indent_text(indent: Value) -> Result<String, Error> {
    if let Some(text) = indent.as_str() {
        return Ok(text.to_owned());
    }
    let columns = i64::try_from(indent).map_err(|_| invalid("indent must be an integer or a string"))?;
    Ok(" ".repeat(usize::try_from(columns).unwrap_or(0).min(MAX_INDENT)))
}
