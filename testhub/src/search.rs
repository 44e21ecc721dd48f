//! Lists of models: words, conditions, orders, and what of each is told.

use std::cmp::Ordering;

use axum::body::Body;
use axum::http::{Response, Uri};
use serde_json::Value;

use crate::api::{Blobs, entry, page};
use crate::query::parameters;
use crate::repo::{Gate, Repo};
use crate::state::{State, World};

/// What is told of each model whatever is asked for.
const ALWAYS_TOLD: [&str; 2] = ["_id", "id"];

/// A page of the models that a query asks for.
pub(crate) fn search(state: &State, world: &World, uri: &Uri) -> Response<Body> {
    let mut found: Vec<Value> = world
        .repos
        .values()
        .filter(|repo| repo.gate != Gate::Private && repo.renamed_to.is_none() && is_wanted(repo, uri))
        .map(|repo| entry(repo, Blobs::Left))
        .collect();
    if let Some(key) = parameters(uri, "sort").next() {
        // What has no such figure comes last.
        found.sort_by(|a, b| order(&b[&key], &a[&key]));
    }
    let told: Vec<String> = parameters(uri, "expand").collect();
    if !told.is_empty() {
        for entry in found.iter_mut().filter_map(Value::as_object_mut) {
            entry.retain(|name, _| ALWAYS_TOLD.contains(&name.as_str()) || told.contains(name));
        }
    }
    let length = parameters(uri, "limit").next().and_then(|text| text.parse().ok());
    let length = length.unwrap_or(world.page_length).min(world.page_length);
    page(state, uri, found, length)
}

fn is_wanted(repo: &Repo, uri: &Uri) -> bool {
    let name = repo.name.to_lowercase();
    let is_gated = matches!(repo.gate, Gate::Auto | Gate::Manual);
    parameters(uri, "search").all(|word| name.contains(&word.to_lowercase()))
        && parameters(uri, "author").all(|author| repo.name.starts_with(&format!("{author}/")))
        && parameters(uri, "filter").all(|tag| has_tag(repo, &tag))
        && parameters(uri, "gated").all(|gated| gated == is_gated.to_string())
        && parameters(uri, "num_parameters").all(|range| is_within(repo, &range))
}

fn has_tag(repo: &Repo, tag: &str) -> bool {
    let tags = repo.about["tags"].as_array();
    let is_told = tags.is_some_and(|tags| tags.iter().any(|own| own == tag));
    is_told || (tag == "gguf" && repo.files.keys().any(|path| path.ends_with(".gguf")))
}

/// Whether a model has as many parameters as `min:6B,max:128B` says; none of unknown size has.
fn is_within(repo: &Repo, range: &str) -> bool {
    let Some(own) = repo.about["gguf"]["total"].as_f64() else {
        return false;
    };
    range.split(',').all(|limit| match limit.split_once(':') {
        Some(("min", number)) => own >= parameters_of(number),
        Some(("max", number)) => own <= parameters_of(number),
        _ => panic!("{range} is no range of parameters"),
    })
}

/// `6B` or `135M`.
fn parameters_of(text: &str) -> f64 {
    let (number, unit) = text.split_at(text.len() - 1);
    let unit = match unit {
        "B" => 1e9,
        "M" => 1e6,
        "K" => 1e3,
        _ => panic!("{text} has no unit"),
    };
    number.parse::<f64>().expect("a number") * unit
}

/// By number or, as moments are written, by text.
fn order(a: &Value, b: &Value) -> Ordering {
    let numbers = a.as_f64().partial_cmp(&b.as_f64()).unwrap_or(Ordering::Equal);
    numbers.then_with(|| a.as_str().cmp(&b.as_str()))
}
