//! Texts in which more is written than a number: the form of an answer, values for the template, stop strings.

use hearth_protocol::answer::Format;
use hearth_protocol::schema::{self, Strictness};
use serde_json::{Map, Value};

use super::problem::Problem;
use crate::state::failure;
use crate::text::{Key, key};

/// Which form an answer shall have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum FormKind {
    /// Any text.
    #[default]
    Text,
    /// A JSON object.
    Json,
    /// JSON that a schema describes.
    Schema,
    /// What a regular expression matches.
    Regex,
    /// What a grammar describes.
    Grammar,
}

impl FormKind {
    /// All of them.
    pub(crate) const ALL: [Self; 5] = [Self::Text, Self::Json, Self::Schema, Self::Regex, Self::Grammar];

    /// That of a format.
    pub(crate) fn of(format: &Format) -> Self {
        match format {
            Format::Text => Self::Text,
            Format::JsonObject => Self::Json,
            Format::JsonSchema(_) => Self::Schema,
            Format::Regex(_) => Self::Regex,
            Format::Gbnf(_) => Self::Grammar,
        }
    }

    /// What it is called.
    pub(crate) fn label(self) -> Key {
        match self {
            Self::Text => key!("panel-form-text"),
            Self::Json => key!("panel-form-json"),
            Self::Schema => key!("panel-form-schema"),
            Self::Regex => key!("panel-form-regex"),
            Self::Grammar => key!("panel-form-grammar"),
        }
    }

    /// What stands in its field while that is empty; `None` where it needs no text.
    pub(crate) fn placeholder(self) -> Option<&'static str> {
        match self {
            Self::Text | Self::Json => None,
            Self::Schema => Some("{\"type\": \"object\", \"properties\": {…}}"),
            Self::Regex => Some("[0-9]{4}-[0-9]{2}-[0-9]{2}"),
            Self::Grammar => Some("root ::= \"yes\" | \"no\""),
        }
    }

    /// The text of a format of this kind, to be changed; empty for another kind's.
    pub(in crate::state) fn text_of(self, format: &Format) -> String {
        match (self, format) {
            (Self::Schema, Format::JsonSchema(schema)) => format!("{schema:#}"),
            (Self::Regex, Format::Regex(text)) | (Self::Grammar, Format::Gbnf(text)) => text.clone(),
            _ => String::new(),
        }
    }

    /// What was typed, as a format of this kind.
    ///
    /// # Errors
    /// What is wrong with it and where.
    pub(in crate::state) fn read(self, text: &str) -> Result<Format, Problem> {
        if self.placeholder().is_some() && text.trim().is_empty() {
            return Err(Problem::Empty);
        }
        Ok(match self {
            Self::Text => Format::Text,
            Self::Json => Format::JsonObject,
            Self::Schema => {
                let schema = json(text)?;
                schema::check(&schema, Strictness::Exact)
                    .map_err(|problem| Problem::NoSchema(failure::sentence(&problem)))?;
                Format::JsonSchema(schema)
            }
            Self::Regex => Format::Regex(text.trim_end_matches('\n').to_owned()),
            Self::Grammar => Format::Gbnf(text.to_owned()),
        })
    }
}

/// The values for the template as they stand in their field; empty for none.
pub(super) fn arguments_text(arguments: &Map<String, Value>) -> String {
    match arguments.is_empty() {
        true => String::new(),
        false => format!("{:#}", Value::Object(arguments.clone())),
    }
}

/// What was typed, as values for the template.
///
/// # Errors
/// What is wrong with it and where.
pub(in crate::state) fn read_arguments(text: &str) -> Result<Map<String, Value>, Problem> {
    if text.trim().is_empty() {
        return Ok(Map::new());
    }
    match json(text)? {
        Value::Object(arguments) => Ok(arguments),
        _ => Err(Problem::NoObject),
    }
}

fn json(text: &str) -> Result<Value, Problem> {
    serde_json::from_str(text).map_err(|error| {
        if error.is_eof() {
            let text = text.trim_end();
            let column = text.lines().last().map_or(0, |line| line.chars().count());
            return Problem::EndsEarly(text.lines().count(), column);
        }
        let why = error.to_string();
        let why = why.split(" at line ").next().unwrap_or_default();
        Problem::NoJson(error.line(), error.column(), why.to_owned())
    })
}

/// A stop string on one line, as it is typed too: `\n` is a line break.
pub(crate) fn shown_stop(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('\n', "\\n")
        .replace('\t', "\\t")
        .replace('\r', "\\r")
}

/// The stop string that was typed.
pub(in crate::state) fn read_stop(typed: &str) -> String {
    let mut text = String::with_capacity(typed.len());
    let mut chars = typed.chars();
    while let Some(next) = chars.next() {
        if next != '\\' {
            text.push(next);
            continue;
        }
        match chars.next() {
            Some('n') => text.push('\n'),
            Some('t') => text.push('\t'),
            Some('r') => text.push('\r'),
            Some('\\') | None => text.push('\\'),
            Some(other) => text.extend(['\\', other]),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Texts;

    #[test]
    fn a_form_that_is_none_says_why_and_where() {
        let cases = [
            (
                FormKind::Schema,
                "{\"type\": \"object\"}",
                Ok("{\n  \"type\": \"object\"\n}"),
            ),
            (
                FormKind::Schema,
                "",
                Err("Nothing is asked for until something stands here."),
            ),
            (FormKind::Schema, "[1]", Err("The schema is no JSON object.")),
            (
                FormKind::Schema,
                "{\n  \"a\": 1\n",
                Err("Line 2, column 8: the text ends before the JSON does."),
            ),
            (
                FormKind::Schema,
                "{\n  a: 1}",
                Err("Line 2, column 3: key must be a string."),
            ),
            (
                FormKind::Schema,
                "{\"a\" 1}",
                Err("Line 1, column 6: expected `:`."),
            ),
            (FormKind::Regex, "[0-9]+\n", Ok("[0-9]+")),
            (
                FormKind::Regex,
                " ",
                Err("Nothing is asked for until something stands here."),
            ),
            (FormKind::Json, "", Ok("")),
        ];
        for (kind, typed, expected) in cases {
            let read = kind.read(typed).map(|format| kind.text_of(&format));
            let read = read.map_err(|problem| problem.words(&Texts::default()));
            assert_eq!(
                read,
                expected.map(str::to_owned).map_err(str::to_owned),
                "{typed:?}"
            );
        }
    }

    #[test]
    fn values_for_the_template_are_named() {
        assert_eq!(read_arguments(" "), Ok(Map::new()));
        let one = read_arguments("{\"a\": [1]}").expect("values");
        assert_eq!(read_arguments(&arguments_text(&one)), Ok(one));
        assert!(read_arguments("1").is_err() && read_arguments("{").is_err());
    }

    #[test]
    fn a_stop_string_is_typed_as_it_is_shown() {
        for text in ["###", "\n\n", "a\\nb", "\t\r", "\\", "\\\\n", "C:\\x"] {
            assert_eq!(read_stop(&shown_stop(text)), text, "{text:?}");
        }
        assert_eq!(read_stop("\\nUser:"), "\nUser:");
        assert_eq!(read_stop("a\\"), "a\\");
    }
}
