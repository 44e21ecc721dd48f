//! The template engine set up as transformers sets up Jinja2: its options, filters, tests and functions.

use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Kwargs, ValueKind};
use minijinja::{AutoEscape, Environment, Error, State, Value, filters};

use super::failure::Raised;
use super::marks::{self, Marked};
use super::source::{self, Literals};
use super::text::{self, invalid};
use super::{generator, json, methods, strings, trusted};

/// An environment without templates, for sources that were rewritten with the same choice of literals.
///
/// # Errors
/// None that this setting can cause; the engine checks delimiters.
pub(super) fn new(literals: Literals) -> Result<Environment<'static>, Error> {
    let mut environment = Environment::new();
    environment.set_syntax(
        SyntaxConfig::builder()
            .trim_blocks(true)
            .lstrip_blocks(true)
            .build()?,
    );
    let escape = match literals {
        Literals::Plain => AutoEscape::None,
        Literals::Marked => marks::mode(),
    };
    environment.set_auto_escape_callback(move |_| escape.clone());
    environment.set_formatter(|output, state, value| {
        let text = marks::format(state, value)?;
        output.write_str(&text).map_err(Error::from)
    });
    environment.set_unknown_method_callback(methods::call);
    add_functions(&mut environment);
    add_tests(&mut environment);
    add_filters(&mut environment);
    Ok(environment)
}

fn add_functions(environment: &mut Environment<'_>) {
    environment.add_function(
        "raise_exception",
        |state: &State, message: &Value| -> Result<Value, Error> {
            let message = text::display(state, message)?;
            let raised = Raised(marks::without_marks(&message).into_owned());
            Err(invalid("raise_exception was called").with_source(raised))
        },
    );
    environment.add_function(source::GENERATION, |state: &mut State, arguments: Kwargs| {
        let body: Value = arguments.get("caller")?;
        body.call(state, &[])
    });
    environment.add_function(source::ITERATED, |values: Value| {
        not_none(&values).map(|()| values)
    });
}

fn add_tests(environment: &mut Environment<'_>) {
    environment.add_test("sequence", |value: &Value| {
        text::is_list(value)
            || matches!(
                value.kind(),
                ValueKind::Map | ValueKind::String | ValueKind::Undefined
            )
    });
    environment.add_test("iterable", |value: &Value| {
        !value.is_none() && value.try_iter().is_ok()
    });
}

fn add_filters(environment: &mut Environment<'_>) {
    environment.add_filter("tojson", json::tojson);
    environment.add_filter("string", text::string);
    environment.add_filter("join", join);
    generator::add_filters(environment);
    environment.add_filter("trim", trim);
    for name in ["upper", "lower", "capitalize"] {
        environment.add_filter(name, move |state: &mut State, value: &Value| {
            methods::call(state, &text::string(state, value)?, name, &[])
        });
    }
    environment.add_filter("title", title);
    // Where a text is no number, Jinja2 gives zero.
    environment.add_filter(
        "int",
        |state: &State, value: &Value, default: Option<Value>, base: Option<u32>, named: Kwargs| {
            let default = default.map_or_else(|| named.get("default"), |value| Ok(Some(value)))?;
            filters::int(
                state,
                value,
                default.or_else(|| Some(Value::from(0))),
                base,
                named,
            )
        },
    );
    environment.add_filter(
        "float",
        |state: &State, value: &Value, default: Option<Value>, named: Kwargs| {
            let default = default.map_or_else(|| named.get("default"), |value| Ok(Some(value)))?;
            filters::float(state, value, default.or_else(|| Some(Value::from(0.0))), named)
        },
    );
    for name in ["e", "escape"] {
        environment.add_filter(name, |state: &State, value: &Value| {
            let escaped = strings::escape_html(&text::display(state, value)?);
            Ok::<_, Error>(if value.is_safe() {
                Value::from_safe_string(escaped)
            } else {
                Value::from(escaped)
            })
        });
    }
    for name in ["length", "count"] {
        environment.add_filter(name, |value: &Value| match value.as_str() {
            Some(text) => Ok(strings::length(&marks::without_marks(text)).into()),
            None => filters::length(value).map(Value::from),
        });
    }
    environment.add_filter(
        "replace",
        |state: &mut State, value: &Value, old: Value, new: Value, count: Option<Value>| {
            let arguments: Vec<Value> = [old, new].into_iter().chain(count).collect();
            methods::call(state, &text::string(state, value)?, "replace", &arguments)
        },
    );
    // What is safe is what the template wrote; it cannot say so of data.
    environment.add_filter("safe", |value: Value| value);
    environment.add_filter(source::LITERAL, |literal: &Value| {
        Value::from_safe_string(literal.as_str().unwrap_or_default().to_owned())
    });
}

/// `join(values, d="", attribute=None)`.
fn join(
    state: &State,
    values: &Value,
    separator: Option<Value>,
    attribute: Option<Value>,
    named: Kwargs,
) -> Result<Value, Error> {
    let separator = separator.map_or_else(|| named.get("d"), |value| Ok(Some(value)))?;
    let attribute = attribute.map_or_else(|| named.get("attribute"), |value| Ok(Some(value)))?;
    named.assert_all_used()?;
    not_none(values)?;
    let mut items: Vec<Value> = values.try_iter()?.collect();
    if let Some(attribute) = attribute {
        let path = attribute.to_string();
        for item in &mut items {
            *item = path
                .split('.')
                .try_fold(item.clone(), |item, name| match name.parse::<usize>() {
                    Ok(index) => item.get_item_by_index(index),
                    Err(_) => item.get_attr(name),
                })?;
        }
    }
    // Strings that are joined by nothing are data like their parts.
    let nothing = Value::from("");
    trusted::join(state, separator.as_ref().unwrap_or(&nothing), &items)
}

/// `trim(value, chars=None)`.
fn trim(state: &mut State, value: &Value, characters: Option<Value>, named: Kwargs) -> Result<Value, Error> {
    let characters =
        characters.map_or_else(|| named.get::<Option<Value>>("chars"), |value| Ok(Some(value)))?;
    named.assert_all_used()?;
    let arguments: Vec<Value> = characters.into_iter().collect();
    methods::call(state, &text::string(state, value)?, "strip", &arguments)
}

/// `title(value)`; what the template wrote stays its own where there is no data in it.
fn title(state: &State, value: &Value) -> Result<Value, Error> {
    let text = Marked::read(&text::display(state, value)?);
    let title = strings::title_filter(&text.text);
    Ok(if value.is_safe() && text.data.is_empty() {
        Value::from_safe_string(title)
    } else {
        Value::from(title)
    })
}

fn not_none(values: &Value) -> Result<(), Error> {
    if values.is_none() {
        return Err(invalid("None cannot be iterated"));
    }
    Ok(())
}
