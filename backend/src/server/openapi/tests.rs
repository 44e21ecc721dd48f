//! The document against the routes, and against itself.

use std::collections::BTreeSet;

use super::*;
use crate::server::routes;

/// What is told of each operation: its method and path, and itself.
fn operations(document: &Value) -> Vec<(String, String, Value)> {
    let paths = document["paths"].as_object().expect("paths");
    let of = |(path, methods): (&String, &Value)| {
        let methods = methods.as_object().expect("methods").clone();
        let path = path.clone();
        methods
            .into_iter()
            .map(move |(method, told)| (method.to_uppercase(), path.clone(), told))
    };
    paths.iter().flat_map(of).collect()
}

#[test]
fn the_document_tells_every_route_and_no_other() {
    let told: BTreeSet<_> = operations(&document())
        .into_iter()
        .map(|(method, path, _)| format!("{method} {path}"))
        .collect();
    let served: BTreeSet<_> = routes::routes()
        .iter()
        // The rest of a path is a parameter like others there.
        .map(|route| format!("{} {}", route.method, route.path.replace("{*", "{")))
        .collect();
    let untold: Vec<_> = served.difference(&told).collect();
    let unserved: Vec<_> = told.difference(&served).collect();
    assert!(
        untold.is_empty() && unserved.is_empty(),
        "not told: {untold:?}; not served: {unserved:?}"
    );
}

#[test]
fn every_reference_leads_somewhere() {
    fn references(value: &Value, found: &mut Vec<String>) {
        match value {
            Value::Object(fields) => {
                found.extend(fields.get("$ref").and_then(Value::as_str).map(str::to_owned));
                fields.values().for_each(|value| references(value, found));
            }
            Value::Array(values) => values.iter().for_each(|value| references(value, found)),
            _ => (),
        }
    }
    let document = document();
    let mut found = Vec::new();
    references(&document, &mut found);
    assert!(!found.is_empty());
    for reference in &found {
        let place = reference.strip_prefix('#').expect("within the document");
        assert!(document.pointer(place).is_some(), "{reference}");
    }
    let used: BTreeSet<_> = found
        .iter()
        .filter_map(|reference| reference.rsplit('/').next())
        .collect();
    for schema in document["components"]["schemas"]
        .as_object()
        .expect("schemas")
        .keys()
    {
        assert!(used.contains(schema.as_str()), "nothing refers to {schema}");
    }
}

#[test]
fn every_operation_says_what_it_takes_and_answers() {
    // These change what the path names, and take no body.
    let takes_none = |path: &str| path.starts_with("/api/v1/downloads/");
    let mut ids = BTreeSet::new();
    for (method, path, told) in operations(&document()) {
        let is_text = |value: &Value| value.as_str().is_some_and(|text| !text.is_empty());
        assert!(is_text(&told["summary"]), "{method} {path} has no summary");
        assert!(
            ids.insert(told["operationId"].to_string()),
            "{method} {path} has the id of another"
        );
        let body = &told["requestBody"]["content"]["application/json"]["schema"];
        assert_eq!(
            body.is_object(),
            method == "POST" && !takes_none(&path),
            "{method} {path}"
        );
        let responses = told["responses"].as_object().expect("responses");
        let kinds = responses
            .values()
            .filter_map(|response| response["content"].as_object());
        assert!(
            kinds.clone().count() == responses.len() && !responses.is_empty(),
            "{method} {path}"
        );
        for kind in kinds.flat_map(|kinds| kinds.values()) {
            assert!(kind["schema"].is_object(), "{method} {path}");
        }
        let parameters = told["parameters"].as_array().cloned().unwrap_or_default();
        for name in path.split('{').skip(1).filter_map(|rest| rest.split('}').next()) {
            let is_named = |parameter: &Value| parameter["name"] == name && parameter["in"] == "path";
            assert!(
                parameters.iter().any(is_named),
                "{method} {path} does not tell of {name}"
            );
        }
    }
}
