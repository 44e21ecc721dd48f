//! Calls as markup, in the tags of each family.

use hearth_protocol::schema::Strictness;
use hearth_protocol::tools::Tool;
use serde_json::{Map, Value};

use super::super::builder::Builder;
use super::super::schema;
use super::super::tree::Tree;
use super::arguments_schema;

/// The tags of a family that writes markup; see `parse::call::Markup`.
pub(super) struct Markup {
    pub(super) open: &'static str,
    pub(super) open_end: &'static str,
    pub(super) key: &'static str,
    /// Between key and value, for a text and for all else.
    pub(super) value: [&'static str; 2],
    pub(super) value_end: &'static str,
    pub(super) close: &'static str,
}

/// A call in markup: the required values in the schema's order, then the others.
pub(super) fn markup(builder: &mut Builder, tool: &Tool, tags: &Markup) -> Result<Tree, String> {
    let schema = arguments_schema(tool);
    let none = Map::new();
    let properties = schema
        .get("properties")
        .and_then(Value::as_object)
        .unwrap_or(&none);
    let required: Vec<&str> = schema
        .get("required")
        .and_then(Value::as_array)
        .map(|names| names.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default();
    let mut parts = vec![Tree::text(format!("{}{}{}", tags.open, tool.name, tags.open_end))];
    let mut optional = Vec::new();
    for (name, property) in properties {
        let is_text = property.get("type").is_some_and(|kind| kind == "string");
        let separator = tags.value[usize::from(!is_text)];
        let open = Tree::text(format!("{}{name}{separator}", tags.key));
        let value = match text_values(property) {
            Some(values) => {
                let values = values.into_iter().map(Tree::text).collect();
                Tree::all(vec![Tree::any(values), Tree::text(tags.value_end)])
            }
            None if is_text => builder.until(tags.value_end),
            None => {
                // The property may refer to the definitions of the whole.
                let mut property = property.clone();
                if let Value::Object(property) = &mut property {
                    for key in ["$defs", "definitions"] {
                        if let Some(definitions) = schema.get(key) {
                            property.insert(key.into(), definitions.clone());
                        }
                    }
                }
                let grammar = schema::grammar(&property, Strictness::Lenient);
                let grammar = grammar.and_then(|grammar| builder.gbnf(&grammar));
                let value =
                    grammar.map_err(|problem| format!("have a bad schema for {}: {problem}", tool.name))?;
                Tree::all(vec![value, Tree::text(tags.value_end)])
            }
        };
        let value = builder.rule(Tree::all(vec![open, value]));
        match required.contains(&name.as_str()) {
            true => parts.push(value),
            false => optional.push(Tree::repeat(value, 0, Some(1))),
        }
    }
    parts.extend(optional);
    parts.push(Tree::text(tags.close));
    Ok(Tree::all(parts))
}

/// The texts that a property may be, where it can only be some.
fn text_values(property: &Value) -> Option<Vec<&str>> {
    let values = match (property.get("enum"), property.get("const")) {
        (Some(Value::Array(values)), _) => values.iter().collect(),
        (_, Some(value)) => vec![value],
        _ => return None,
    };
    values.into_iter().map(Value::as_str).collect()
}
