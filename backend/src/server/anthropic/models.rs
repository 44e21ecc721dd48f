//! The models that can be asked, as Anthropic's clients read them.

use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use hearth_protocol::anthropic::model::{Model, ModelPage};
use hearth_protocol::library::LibraryFile;
use jiff::Timestamp;

use super::{request_id, with_request_id};
use crate::server::format::{Format, ok};
use crate::server::refusal::Refusal;

/// The header that all of Anthropic's clients send.
const VERSION: &str = "anthropic-version";

/// Models of a page where nothing is said, and the most (Anthropic's).
const PAGE: usize = 20;
const LONGEST_PAGE: usize = 1_000;

/// Whether a request is one of Anthropic's clients.
pub(in crate::server) fn are_asked(headers: &HeaderMap) -> bool {
    headers.contains_key(VERSION)
}

/// A page of all models.
pub(in crate::server) fn list(models: &[(String, LibraryFile)], query: Option<&str>) -> Response {
    let models = models.iter().map(|(name, file)| model(name, file)).collect();
    match page(models, query) {
        Ok(page) => with_request_id(ok(&page), &request_id()),
        Err(refusal) => refuse(refusal),
    }
}

/// One of them.
pub(in crate::server) fn one(found: Result<&(String, LibraryFile), Refusal>) -> Response {
    match found {
        Ok((name, file)) => with_request_id(ok(&model(name, file)), &request_id()),
        Err(refusal) => refuse(refusal),
    }
}

/// The guard knows the path only, which is OpenAI's too: it is told.
fn refuse(refusal: Refusal) -> Response {
    let mut response = refusal.into_response();
    response.extensions_mut().insert(Format::Anthropic);
    response
}

fn model(name: &str, file: &LibraryFile) -> Model {
    let created = Timestamp::from_millisecond(file.modified_at.0).unwrap_or(Timestamp::UNIX_EPOCH);
    Model {
        kind: "model",
        id: name.to_owned(),
        display_name: file.name.clone(),
        created_at: created.to_string(),
    }
}

/// The models that a query asks for.
///
/// # Errors
/// Names the field that is wrong.
fn page(models: Vec<Model>, query: Option<&str>) -> Result<ModelPage, Refusal> {
    let (mut limit, mut after, mut before) = (PAGE, None, None);
    for (name, value) in url::form_urlencoded::parse(query.unwrap_or_default().as_bytes()) {
        match &*name {
            "limit" => {
                let asked = value.parse().ok();
                limit = asked
                    .filter(|limit| (1..=LONGEST_PAGE).contains(limit))
                    .ok_or_else(|| {
                        let problem = format!("is {value:?} and must be from 1 to {LONGEST_PAGE}");
                        Refusal::field("limit", problem)
                    })?;
            }
            "after_id" => after = Some(place(&models, "after_id", &value)?),
            "before_id" => before = Some(place(&models, "before_id", &value)?),
            _ => (),
        }
    }
    let (from, to) = (after.map_or(0, |after| after + 1), before.unwrap_or(models.len()));
    let between = models.get(from..to).unwrap_or_default();
    let has_more = between.len() > limit;
    // Back from an id, the page is the nearest to it.
    let data = match (before, after) {
        (Some(_), None) => &between[between.len().saturating_sub(limit)..],
        _ => &between[..between.len().min(limit)],
    };
    Ok(ModelPage {
        has_more,
        first_id: data.first().map(|model| model.id.clone()),
        last_id: data.last().map(|model| model.id.clone()),
        data: data.to_vec(),
    })
}

fn place(models: &[Model], field: &str, id: &str) -> Result<usize, Refusal> {
    let place = models.iter().position(|model| model.id == id);
    place.ok_or_else(|| Refusal::field(field, format!("is {id:?}, which is no model")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_are_listed_page_by_page() {
        let models = || {
            ["a", "b", "c", "d"].map(|id| Model {
                kind: "model",
                id: id.into(),
                display_name: id.into(),
                created_at: String::new(),
            })
        };
        let listed = |query: &str| {
            let page = page(models().into(), Some(query)).map_err(|refusal| refusal.param)?;
            let ids: Vec<_> = page.data.iter().map(|model| model.id.as_str()).collect();
            assert_eq!(page.first_id.as_deref(), ids.first().copied());
            assert_eq!(page.last_id.as_deref(), ids.last().copied());
            Ok((ids.concat(), page.has_more))
        };
        let cases = [
            ("", Ok(("abcd", false))),
            ("limit=3", Ok(("abc", true))),
            ("limit=2&after_id=b", Ok(("cd", false))),
            ("limit=1&after_id=b", Ok(("c", true))),
            ("limit=2&before_id=d", Ok(("bc", true))),
            ("limit=2&before_id=c", Ok(("ab", false))),
            ("after_id=d", Ok(("", false))),
            ("after_id=c&before_id=b", Ok(("", false))),
            ("limit=0", Err("limit")),
            ("after_id=x", Err("after_id")),
            ("before_id=x", Err("before_id")),
        ];
        for (query, expected) in cases {
            let expected = expected
                .map(|(ids, more): (&str, bool)| (ids.to_owned(), more))
                .map_err(|field: &str| Some(field.to_owned()));
            assert_eq!(listed(query), expected, "{query}");
        }
    }
}
