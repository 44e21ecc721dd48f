//! Refuses what llama.cpp's converter of schemas would leave out in silence.

use serde_json::{Map, Value};

/// What says nothing about values.
const ANNOTATIONS: [&str; 13] = [
    "$schema",
    "$id",
    "$comment",
    "$defs",
    "definitions",
    "title",
    "description",
    "default",
    "examples",
    "example",
    "deprecated",
    "readOnly",
    "writeOnly",
];

/// The keywords that the converter knows, beside the annotations; `strict` is OpenAI's.
const ENFORCED: [&str; 22] = [
    "$ref",
    "type",
    "enum",
    "const",
    "oneOf",
    "anyOf",
    "allOf",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "prefixItems",
    "minItems",
    "maxItems",
    "pattern",
    "format",
    "minLength",
    "maxLength",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
];

/// Refuses what the converter would leave out.
pub(super) fn exact(keywords: &Map<String, Value>, path: &str) -> Result<(), String> {
    let has = |keyword: &str| keywords.contains_key(keyword);
    let said = |keyword: &&String| !ANNOTATIONS.contains(&keyword.as_str()) && *keyword != "strict";
    let constraints: Vec<&str> = keywords.keys().filter(said).map(String::as_str).collect();
    if let Some(unknown) = constraints.iter().find(|keyword| !ENFORCED.contains(keyword)) {
        return Err(format!("{path} uses “{unknown}”, which cannot be enforced"));
    }
    // What of these stands there counts alone.
    let alone: [(&str, &[&str]); 5] = [
        ("$ref", &[]),
        ("oneOf", &["type"]),
        ("anyOf", &["type"]),
        ("const", &["type", "enum"]),
        ("enum", &["type"]),
    ];
    for (keyword, beside) in alone {
        let other = |other: &&&str| **other != keyword && !beside.contains(*other);
        if has(keyword)
            && let Some(other) = constraints.iter().find(other)
        {
            return Err(format!(
                "{path} has “{other}” beside “{keyword}”, which cannot be enforced together"
            ));
        }
    }
    if has("allOf") && (has("properties") || has("items") || has("pattern")) {
        return Err(format!(
            "{path} has “allOf” beside other keywords, which cannot be enforced together"
        ));
    }
    let is = |name: &str| match keywords.get("type") {
        Some(Value::Array(names)) => names.iter().any(|each| each == name),
        kind => kind.is_some_and(|kind| kind == name),
    };
    let bound = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"];
    if let Some(bound) = bound.into_iter().find(|bound| has(bound))
        && !is("integer")
    {
        return Err(format!(
            "{path} has “{bound}”, which can be enforced for the type integer only"
        ));
    }
    if is("integer")
        && (has("minimum") && has("exclusiveMinimum") || has("maximum") && has("exclusiveMaximum"))
    {
        return Err(format!("{path} has two bounds of one kind; leave one out"));
    }
    if has("items") && has("prefixItems") {
        return Err(format!(
            "{path} has “prefixItems” beside “items”, which cannot be enforced together"
        ));
    }
    if let Some(pattern) = keywords.get("pattern").and_then(Value::as_str) {
        enforceable(pattern, path)?;
        if let Some(other) = ["minLength", "maxLength", "format"]
            .into_iter()
            .find(|keyword| has(keyword))
        {
            return Err(format!(
                "{path} has “{other}” beside “pattern”, which cannot be enforced together"
            ));
        }
    }
    if let (Some(Value::Array(required)), false) = (keywords.get("required"), has("allOf")) {
        let properties = keywords.get("properties").and_then(Value::as_object);
        let known = |name: &&str| properties.is_some_and(|properties| properties.contains_key(*name));
        if let Some(unknown) = required
            .iter()
            .filter_map(Value::as_str)
            .find(|name| !known(name))
        {
            return Err(format!(
                "{path} requires “{unknown}”, which its properties do not describe"
            ));
        }
    }
    Ok(())
}

/// Refuses a pattern for which the converter would take any text.
fn enforceable(pattern: &str, path: &str) -> Result<(), String> {
    let inner = pattern
        .strip_prefix('^')
        .and_then(|pattern| pattern.strip_suffix('$'));
    let Some(inner) = inner else {
        return Err(format!(
            "{path} has the pattern “{pattern}”; only one from “^” to “$” can be enforced"
        ));
    };
    let mut characters = inner.chars().peekable();
    let mut in_class = false;
    while let Some(character) = characters.next() {
        match character {
            '\\' => {
                let escape = characters.next().unwrap_or_default();
                let known = "\\\"[]-trnxuU".contains(escape) || !in_class && "^$.()|{}*+?".contains(escape);
                if !known {
                    return Err(format!(
                        "{path} has “\\{escape}” in its pattern, which cannot be enforced"
                    ));
                }
            }
            '[' if !in_class => in_class = true,
            ']' => in_class = false,
            '^' | '$' if !in_class => {
                return Err(format!(
                    "{path} has “{character}” within its pattern, which cannot be enforced"
                ));
            }
            '(' if !in_class && characters.peek() == Some(&'?') => {
                characters.next();
                if characters.peek() != Some(&':') {
                    return Err(format!(
                        "{path} has “(?” in its pattern, which cannot be enforced"
                    ));
                }
            }
            _ => {}
        }
    }
    Ok(())
}
