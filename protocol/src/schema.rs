//! JSON schemas that answers keep to: what one may say, told before anything runs. A worker turns them into grammars
//! with llama.cpp's converter, which is given only what it can take: some schemas make it recurse without end, others
//! make it write without end, and what it does not know it leaves out in silence.

mod exact;

use std::collections::HashSet;

use serde_json::{Map, Value};

use self::exact::exact;
use crate::tools::json_bytes;

/// Largest schema, in bytes of JSON.
const LARGEST: usize = 1 << 20;

/// Deepest nesting of a schema, in values.
const DEEPEST: usize = 64;

/// Most properties of an object. The converter takes the third power of them.
const MOST_PROPERTIES: usize = 256;

/// Longest name of a property or a definition, in bytes. The converter's regular expressions recurse over them.
const LONGEST_NAME: usize = 256;

/// Deepest nesting of schemas, references followed.
const DEEPEST_SCHEMA: usize = 128;

/// Most schemas that a schema may come to. A list of types stands for as many schemas.
const MOST_SCHEMAS: usize = 20_000;

/// Whether what cannot be enforced is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strictness {
    /// It is: the result must be what the schema says.
    Exact,
    /// It is left out.
    Lenient,
}

/// Whether an answer can be kept to a schema.
///
/// # Errors
/// What is wrong with the schema and where, in words.
pub fn check(schema: &Value, strictness: Strictness) -> Result<(), String> {
    if json_bytes(schema) > LARGEST {
        return Err(format!("the schema is larger than {} KiB", LARGEST >> 10));
    }
    let mut check = Check {
        root: schema,
        strictness,
        schemas: 0,
        level: 0,
        checked: HashSet::new(),
    };
    check.depth(schema, 0)?;
    check.schema(schema, "the schema")
}

struct Check<'schema> {
    root: &'schema Value,
    strictness: Strictness,
    schemas: usize,
    /// Schemas around the one that is looked at.
    level: usize,
    /// References that were followed.
    checked: HashSet<&'schema str>,
}

impl<'schema> Check<'schema> {
    fn depth(&self, value: &Value, depth: usize) -> Result<(), String> {
        if depth > DEEPEST {
            return Err(format!("the schema is nested more than {DEEPEST} deep"));
        }
        match value {
            Value::Array(values) => values.iter().try_for_each(|value| self.depth(value, depth + 1)),
            Value::Object(values) => values.values().try_for_each(|value| self.depth(value, depth + 1)),
            _ => Ok(()),
        }
    }

    fn schema(&mut self, schema: &'schema Value, path: &str) -> Result<(), String> {
        self.schemas += 1;
        if self.schemas > MOST_SCHEMAS {
            return Err(format!("the schema comes to more than {MOST_SCHEMAS} parts"));
        }
        if self.level == DEEPEST_SCHEMA {
            return Err(format!("the schema is nested more than {DEEPEST_SCHEMA} deep"));
        }
        self.level += 1;
        let checked = self.keywords(schema, path);
        self.level -= 1;
        checked
    }

    fn keywords(&mut self, schema: &'schema Value, path: &str) -> Result<(), String> {
        let Value::Object(keywords) = schema else {
            return Err(format!("{path} is no JSON object"));
        };
        if self.strictness == Strictness::Exact {
            exact(keywords, path)?;
        }
        if let Some(reference) = keywords.get("$ref") {
            return self.reference(reference, path);
        }
        for keyword in ["oneOf", "anyOf", "allOf"] {
            if let Some(list) = keywords.get(keyword) {
                let list = list.as_array().filter(|list| !list.is_empty());
                let list =
                    list.ok_or_else(|| format!("{path} has “{keyword}” that is no list of schemas"))?;
                list.iter()
                    .try_for_each(|each| self.schema(each, &format!("{path}, {keyword}")))?;
            }
        }
        let types = types(keywords, path)?;
        if keywords
            .get("enum")
            .is_some_and(|list| list.as_array().is_none_or(Vec::is_empty))
        {
            return Err(format!("{path} has “enum” that is no list of values"));
        }
        if let (Some(least), Some(most)) = (number(keywords, "minimum"), number(keywords, "maximum"))
            && least > most
        {
            return Err(format!("{path} has a minimum above its maximum"));
        }
        for (least, most) in [("minLength", "maxLength"), ("minItems", "maxItems")] {
            if let (Some(least), Some(most)) = (number(keywords, least), number(keywords, most))
                && least > most
            {
                return Err(format!("{path} has a least length above its most"));
            }
        }
        // Each of the types is converted for itself, with all that is below.
        for _ in 0..types.max(1) {
            self.below(keywords, path)?;
        }
        Ok(())
    }

    /// The schemas within a schema.
    fn below(&mut self, keywords: &'schema Map<String, Value>, path: &str) -> Result<(), String> {
        if let Some(properties) = keywords.get("properties") {
            let Value::Object(properties) = properties else {
                return Err(format!("{path} has “properties” that are no JSON object"));
            };
            if properties.len() > MOST_PROPERTIES {
                return Err(format!("{path} has more than {MOST_PROPERTIES} properties"));
            }
            let open = keywords
                .get("additionalProperties")
                .is_some_and(|more| *more != Value::Bool(false));
            for (name, property) in properties {
                short(name)?;
                // The converter writes the letters of names that must not come again into classes as they are.
                if open && name.contains(['[', ']', '\\', '^', '-', '"']) {
                    return Err(format!(
                        "{path} allows further properties beside “{name}”, which cannot be enforced"
                    ));
                }
                self.schema(property, &format!("“{name}”"))?;
            }
        }
        if let Some(more @ Value::Object(_)) = keywords.get("additionalProperties") {
            self.schema(more, &format!("{path}, additionalProperties"))?;
        }
        for keyword in ["items", "prefixItems"] {
            match keywords.get(keyword) {
                Some(Value::Array(items)) => {
                    items
                        .iter()
                        .try_for_each(|item| self.schema(item, &format!("{path}, {keyword}")))?;
                }
                Some(item) => self.schema(item, &format!("{path}, {keyword}"))?,
                None => {}
            }
        }
        Ok(())
    }

    /// A reference leads to a schema of the same document, and not in a circle of references.
    fn reference(&mut self, reference: &'schema Value, path: &str) -> Result<(), String> {
        let mut reference = reference;
        let mut circle = HashSet::new();
        loop {
            let name = reference
                .as_str()
                .ok_or_else(|| format!("{path} has a “$ref” that is no text"))?;
            short(name)?;
            let Some(pointer) = name.strip_prefix("#/") else {
                return Err(format!(
                    "{path} refers to “{name}”; only “#/…”, places in the same schema, can be followed"
                ));
            };
            // llama.cpp takes the parts as they are, without the escapes of JSON pointers.
            let target = pointer.split('/').try_fold(self.root, |place, part| match place {
                Value::Object(keywords) => keywords.get(part),
                Value::Array(items) => items.get(part.parse::<usize>().ok()?),
                _ => None,
            });
            let target = target.ok_or_else(|| format!("{path} refers to “{name}”, which is not there"))?;
            if !circle.insert(name) {
                return Err(format!("“{name}” refers to itself and says nothing else"));
            }
            match target.get("$ref") {
                Some(next) => reference = next,
                None if self.checked.insert(name) => return self.schema(target, &format!("“{name}”")),
                None => return Ok(()),
            }
        }
    }
}

/// How many types a schema names.
fn types(keywords: &Map<String, Value>, path: &str) -> Result<usize, String> {
    let known = |value: &Value| {
        let name = value.as_str().unwrap_or_default();
        let known = [
            "object", "array", "string", "integer", "number", "boolean", "null",
        ]
        .contains(&name);
        known
            .then_some(())
            .ok_or_else(|| format!("{path} has a type {value} that JSON does not have"))
    };
    match keywords.get("type") {
        None => Ok(0),
        Some(Value::Array(names)) if names.is_empty() => Err(format!("{path} names no type")),
        Some(Value::Array(names)) => names.iter().try_for_each(known).map(|()| names.len()),
        Some(name) => known(name).map(|()| 1),
    }
}

fn short(name: &str) -> Result<(), String> {
    match name.len() > LONGEST_NAME {
        true => Err(format!(
            "a name in the schema is longer than {LONGEST_NAME} bytes"
        )),
        false => Ok(()),
    }
}

fn number(keywords: &Map<String, Value>, keyword: &str) -> Option<f64> {
    keywords.get(keyword)?.as_f64()
}
